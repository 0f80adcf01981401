"""What a house rule changes: how long random games of Dice Wards take for different goals.

Run it: python examples/house_rules.py
"""

from __future__ import annotations

from random import Random

from dicehall.core import Dice, Move, Over, Roll, replay
from dicehall.games.wards.rules import Action, Wards


def entries_of_a_game(game: Wards, chance: Random) -> int:
    """Both seats hold at 20."""
    log: list[Move[Action] | Roll] = []
    while not isinstance(awaited := game.awaits(state := replay(game, 2, log)), Over):
        if isinstance(awaited, Dice):
            log.append(Roll((chance.randint(1, 6),)))
        else:
            enough = state.round_score >= min(20, game.goal - state.scores[state.seat])
            log.append(Move(state.seat, Action.HOLD if enough else Action.ROLL))
    return len(log)


def main() -> None:
    for goal in (25, 50, 100):
        lengths = [entries_of_a_game(Wards(goal=goal), Random(f"{goal} {n}")) for n in range(20)]
        print(f"goal {goal:>3}: {sum(lengths) / len(lengths):6.1f} entries a game")


if __name__ == "__main__":
    main()
