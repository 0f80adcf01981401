"""A hall in one process: people come in, a table of each game is played to its end, and all accounts of it agree.

Run it: python examples/hall.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from dicehall.games import catalogue
from dicehall.hall.opening import Opening
from dicehall.hall.seeds.aetharn import AetharnService
from dicehall.hall.seeds.doordice import GameController
from dicehall.hall.seeds.doordice_shapes import Choice, Question
from dicehall.hall.seeds.looping import LoopThread
from dicehall.hall.seeds.tenthousand import DiceTenThousand
from dicehall.hall.seeds.wards import GameEngine, Lobbies, Profiles
from dicehall.hall.seeds.wards_rooms import Rooms
from dicehall.launch.checking import check_seal
from dicehall.launch.serving import Running, put_together
from dicehall.server.parts import Settings
from dicehall.store.sqlite import SqliteJournal
from dicehall.table.requests import Start
from dicehall.wire.answers import Replay


async def wards(running: Running, ann: str, bo: str) -> str:
    """Dice Wards through its three services: hold at once, so that the one who rolls wins."""
    rooms = Rooms(running.parts.hall)
    room = await Lobbies(rooms).createRoom(ann, "A quick one")
    await Lobbies(rooms).joinRoom(bo, room.id)
    engine = GameEngine(rooms)
    while (view := await engine.getGameState(ann, room.id)).status != "Finished":
        if view.activePlayer == "P2":
            await engine.hold(bo, room.id)
        else:
            enough = view.roundScore >= 20 or view.scores.player1 + view.roundScore >= 100
            await (engine.hold if enough else engine.roll)(ann, room.id)
    return room.id


async def aetharn(running: Running, ann: str, bo: str, cy: str) -> str:
    """Aetharn at a registered table: Cy watches, Bo leaves his chair and comes back, and then folds."""
    service = AetharnService(running.parts.hall, {"goal": 1000})
    service.register_table("the oak table", ["north", "south"])
    service.register_observer("the bench", "the oak table")
    game = await service.on_chair_used("north", ann)
    await service.on_chair_used("south", bo)
    await service.on_observer_used("the bench", cy)
    await game.start()
    await service.on_player_left_chair("south", bo)
    await service.on_chair_used("south", bo)
    await game.fold(bo)
    return game.game_id


async def at_a_table(running: Running, game: str, rules: dict[str, int | None], people: list[str]) -> str:
    """Any game at a table of the hall: everybody takes the first of their choices that is not to give up."""
    hall = running.parts.hall
    table = await hall.open(people[0], Opening(game, rules, seats=len(people)))
    for person in people:
        await hall.sit(person, table)
    if (await hall.look(None, table))["phase"] == "lobby":
        await hall.ask(people[0], table, Start())
    while (seen := await hall.look(None, table))["phase"] == "playing":
        seat = min(seen["view"]["turn"])
        choices = seen["choices"][str(seat)]
        move = "yield" if "yield" in choices else next((c for c in choices if isinstance(c, dict)), choices[0])
        await hall.act(seen["seats"][seat]["account"], table, move)
    return table


def doordice(running: Running, loop: LoopThread) -> None:
    """DO or DICE through its controller: two at this keyboard against three bots."""
    controller = GameController(running.parts.hall, loop, running=True)
    controller.init_game(["Ann", "Bo"], rules={"rounds": 2})
    while not controller.get_state().game_over:
        controller.play_turn(first)
    print("DO or DICE:", controller.get_ranking()[0], controller.get_game_sessions()[-1])


def first(question: Question) -> Choice:
    effect = question.effects[0]
    return Choice(None if effect == "power_vp" else question.targets[0], effect)


async def accounts_agree(running: Running, tables: list[str], ann: str) -> None:
    """Profile, history, records and statistics are counted from the same journals."""
    hall, register = running.parts.hall, running.parts.hall.parts.register
    profile = await Profiles(running.parts.people, register).getProfile(ann, ann)
    counts = {count.game: count for count in await register.counts(ann)}
    history = await register.endings(None, ann, 0)
    assert profile is not None
    assert profile.gamesPlayed == counts["wards"].played == 1
    assert sorted(ending.table for ending in history) == sorted(tables)
    for ending in history:
        replay = Replay(await hall.record(ann, ending.table))
        list(replay.steps())
        over: Any = replay.last()["over"]
        assert over["places"][0] == [result.seat for result in ending.results if result.place == 1]
        print(f"{ending.game}: {over['reason']}, {check_seal(replay, None).sentence}")


def main() -> None:
    loop = LoopThread()
    with tempfile.TemporaryDirectory() as folder:
        running = put_together(SqliteJournal(Path(folder) / "hall.db"), catalogue(), Settings())
        loop.run(running.start())
        ann, bo, cy = (loop.run(running.parts.people.guest(name)).account.id for name in ("Ann", "Bo", "Cy"))
        quick: dict[str, int | None] = {"goal": 2000, "opening": 0}
        tables = [
            loop.run(wards(running, ann, bo)),
            loop.run(aetharn(running, ann, bo, cy)),
            loop.run(at_a_table(running, "tenthousand", quick, [ann, bo, cy])),
            loop.run(at_a_table(running, "mana", {}, [ann, bo])),
        ]
        rounds = loop.run(DiceTenThousand(running.parts.hall, running.parts.people).game(ann, tables[2])).rounds
        print(f"Dice 10 000: {len(rounds)} rounds")
        doordice(running, loop)
        loop.run(accounts_agree(running, tables, ann))
        loop.run(running.stop())
    loop.close()


if __name__ == "__main__":
    main()
