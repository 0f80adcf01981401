"""What updates tell of dice and words: enough to check every roll as it falls."""

from __future__ import annotations

from typing import Any

import pytest

from dicehall.games import catalogue
from dicehall.wire.actions import codec_of
from tests.table.fakes import Ear
from tests.table.hosting import T, World, events, hosted


def numbered(ear: Ear) -> list[dict[str, Any]]:
    return [message for message in ear.messages if "n" in message]


@pytest.mark.parametrize("key", ["wards", "aetharn", "tenthousand", "doordice", "mana"])
@hosted
async def test_dice_are_told_with_their_sides_and_what_opens_them(world: World, key: str) -> None:
    """The seal: anyone can check a roll as it falls, from the updates alone."""
    seats = catalogue()[key].seats[0]
    people = await world.play(key, *[f"P{seat}" for seat in range(seats)])
    known = {person.name.lower(): person for person in people}
    for _ in range(3):
        state = world.live().state
        seat = min(state.to_act())
        move = codec_of(type(state.game)).encode(state.game.choices(state.position, seat)[0])
        await known[state.chairs[seat].account or ""].do(move)
    updates = await world.host.updates(T, None, 0)
    told = [roll for update in updates for roll in update.get("rolls", ())]
    entries = [entry for act in world.acts() for entry in act.entries if "roll" in entry]
    assert [(list(roll["faces"]), roll["opened"]) for roll in told] == [(e["roll"], e["opened"]) for e in entries]
    assert all(1 <= face <= sides for roll in told for face, sides in zip(roll["faces"], roll["sides"], strict=True))
    assert told
    (started,) = events(updates, "Started")
    assert list(started["words"]) == list(world.live().state.words)


@hosted
async def test_a_table_that_asks_for_words_says_so_with_every_update(world: World) -> None:
    """C12."""
    await world.open("wards")
    ear = await world.watch()
    ann, bo = await world.person("Ann"), await world.person("Bo")
    await ann.sit(committed=True)
    await bo.sit(committed=True)
    await ann.open_words()
    await bo.open_words()
    told = [(update["events"][0]["event"], update.get("asks_for_words", False)) for update in numbered(ear)]
    assert [asks for name, asks in told if name == "Sat"] == [False, True]
    assert [asks for name, asks in told if name == "Words"] == [True, True]
    assert [asks for name, asks in told if name == "Started"] == [False]
