"""Updates: numbered by act, made for an audience, resumed from any number."""

from __future__ import annotations

from typing import Any

import msgspec

from dicehall.dice.words import commitment
from tests.table.fakes import Ear
from tests.table.hosting import T, World, events, hosted


def numbered(ear: Ear) -> list[dict[str, Any]]:
    return [{k: v for k, v in message.items() if k != "table"} for message in ear.messages if "n" in message]


@hosted
async def test_an_update_has_the_number_of_its_act_and_resume_from_any_number_tells_the_same(world: World) -> None:
    """C3: what is told follows from the journal."""
    await world.open("wards")
    ear = await world.watch()
    world.box.named = {1: (4,), 2: (1,)}
    ann, bo = await world.person("Ann"), await world.person("Bo")
    await ann.sit()
    await bo.sit()
    await ann.do("roll")
    await ann.do("roll")
    await world.until(40_000)
    live = numbered(ear)
    assert [update["n"] for update in live] == list(range(2, len(world.names()) + 1))
    for since in range(len(world.names()) + 1):
        resumed = msgspec.json.decode(msgspec.json.encode(await world.host.updates(T, None, since)))
        assert [update["n"] for update in resumed] == list(range(since + 1, len(world.names()) + 1))
        assert resumed[1 if since == 0 else 0 :] == [update for update in live if update["n"] > since]


@hosted
async def test_resume_is_the_same_after_a_restart(world: World) -> None:
    """C3, C5."""
    ann, _ = await world.play("wards", "Ann", "Bo")
    await ann.do("roll")
    before = await world.host.updates(T, "ann", 0)
    await world.dead_for(1_000)
    assert await world.host.updates(T, "ann", 0) == before


@hosted
async def test_a_hidden_pick_takes_its_number_and_tells_nobody_the_unit(world: World) -> None:
    """M1: hidden from the other until both have picked."""
    ann, bo = await world.play("mana", "Ann", "Bo")
    watcher = await world.watch()
    await ann.do({"pick": 5})
    n = len(world.names())
    for ear in (ann.ears[0], bo.ears[0], watcher):
        (update,) = [update for update in numbered(ear) if update["n"] == n]
        assert [event["event"] for event in update["events"]] == ["Picked"]
        assert "unit" not in update["events"][0]
        assert "5" not in str(update["events"])
    await bo.do({"pick": 2})
    assert events(watcher.messages, "RoundFought")[0]["picks"] == [5, 2]


@hosted
async def test_accounts_connections_and_commitments_are_never_told_and_words_only_with_the_start(
    world: World,
) -> None:
    """What belongs to a person stays with the hall."""
    await world.open("wards")
    ear = await world.watch()
    ann, bo = await world.person("Ann"), await world.person("Bo")
    await ann.sit(committed=True)
    await bo.sit(committed=True)
    await ann.open_words()
    assert ann.words not in str(ear.messages)  # not before everybody has opened
    await bo.open_words()
    told = str(ear.messages)
    for secret in (commitment(ann.words), ann.ears[0].id, "'ann'", "'bo'"):
        assert secret not in told


@hosted
async def test_a_lobby_is_told_who_sits_where(world: World) -> None:
    """A17."""
    await world.open("aetharn")
    ear = await world.watch()
    ann = await world.person("Ann")
    await ann.sit(3)
    (update,) = [update for update in numbered(ear) if update["n"] == 2]
    assert update["events"] == [{"event": "Sat", "chair": 3, "name": "Ann", "to": None}]
