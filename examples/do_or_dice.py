"""A whole game of DO or DICE through its controller: the loop of the source document, without a window.

Run it: python examples/do_or_dice.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from dicehall.games import catalogue
from dicehall.hall.seeds.doordice import GameController
from dicehall.hall.seeds.doordice_shapes import ValidationError
from dicehall.hall.seeds.looping import LoopThread
from dicehall.launch.serving import put_together
from dicehall.server.parts import Settings
from dicehall.store.sqlite import SqliteJournal


def play(controller: GameController) -> None:
    while not (state := controller.get_state_for_ui()).game_over:
        me = state.current_player
        rolled = controller.roll_dice()
        print(f"Round {state.current_round}: {me.name} rolls a {rolled.value}.")
        if rolled.effects:  # something to choose; the others resolve themselves
            try:
                controller.execute_action(target_id=me.id, effect=rolled.effects[0])
            except ValidationError as error:  # what a window shows in a popup: nothing has changed
                print(f"  {error}")
                controller.execute_action(target_id=rolled.targets[0], effect=rolled.effects[0])
    print(*state.logs[-5:], *controller.get_ranking(), *controller.get_player_stats(), sep="\n")


def main() -> None:
    loop = LoopThread()
    with tempfile.TemporaryDirectory() as folder:
        running = put_together(SqliteJournal(Path(folder) / "hall.db"), catalogue(), Settings())
        loop.run(running.start())
        controller = GameController(running.parts.hall, loop, running=True)
        controller.init_game(["Ann", "Bo", "Cy", "Di", "Ed"])
        play(controller)
        loop.run(running.stop())
    loop.close()


if __name__ == "__main__":
    main()
