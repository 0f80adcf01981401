"""Every die is the sealed one: roll number k of the chain, mixed with the words; and the record replays."""

from __future__ import annotations

from dicehall.launch.checking import check_seal
from dicehall.table.record import record_of
from dicehall.table.story import story
from dicehall.wire.answers import Replay
from tests.simulation.chronicle import Chronicle
from tests.simulation.process import GAMES, dice_of
from tests.simulation.world import World


def check(world: World) -> None:
    for chronicle in world.chronicles.values():
        if chronicle.state.sitting:
            check_record(world, chronicle)


def check_record(world: World, chronicle: Chronicle) -> None:
    table, state = chronicle.table, chronicle.state
    replay = Replay(record_of(story(table, world.disk.rows[table], GAMES)))
    for _ in replay.steps():
        pass
    if replay.refused is not None:
        world.wrong("the record replays", table, f"entry {replay.refused[0]}: {replay.refused[1]}")
    elif replay.state != state.position:
        world.wrong("the record replays", table, f"to {replay.state}, not {state.position}")
    sealed = dice_of(world.disk.secrets[table]).seal
    verdict = check_seal(replay, sealed)
    if not verdict.good and verdict.code != "no_rolls":
        world.wrong("no die redrawn", table, verdict.sentence)
