"""Tables that are destroyed, frozen, finished, archived."""

from __future__ import annotations

import pytest

from dicehall.games import catalogue
from dicehall.table.ports import Commit, Head, Row
from dicehall.table.requests import Depute, Destroy, Hint, Reclaim, Settle, Sit
from dicehall.wire.record import read_record
from tests.table.hosting import T, World, code_of, hosted


@hosted
async def test_who_opened_a_table_may_close_it_in_its_lobby_only(world: World) -> None:
    """C9: else it is the hall's act."""
    await world.open("wards", by="ann")
    ann, bo = await world.person("Ann"), await world.person("Bo")
    await ann.sit()
    assert await code_of(bo.ask(Destroy("mine"))) == "not_allowed"
    await ann.ask(Destroy("changed my mind"))
    assert world.live().state.phase == "abandoned"
    assert await code_of(ann.ask(Destroy("again"))) == "already_started"


@hosted
async def test_a_running_game_is_closed_by_the_operator_alone(world: World) -> None:
    """C9."""
    ann, _ = await world.play("wards", "Ann", "Bo")
    assert await code_of(ann.ask(Destroy("I lose"))) == "not_allowed"
    await world.host.ask(T, Destroy("power cut", operator=True))
    assert world.live().state.phase == "abandoned"


@pytest.mark.parametrize("started", [True, False])
@hosted
async def test_at_a_destroyed_table_nothing_can_be_done_any_more(world: World, started: bool) -> None:
    """C9, W9: destroyed in its lobby too."""
    if started:
        ann, _ = await world.play("wards", "Ann", "Bo", hints=True)
    else:
        await world.open("wards", hints=True)
        ann = await world.person("Ann")
        await ann.sit()
    await world.host.ask(T, Destroy("gone", operator=True))
    stored = world.names()
    assert await code_of(ann.do("roll")) == "game_finished"
    for asked in (Sit("Ann"), Depute("greedy"), Reclaim(), Hint(), Destroy("x")):
        assert await code_of(ann.ask(asked)) in {"already_started", "not_allowed"}
    await ann.leave()
    await ann.come()
    await world.host.ask(T, Settle(now=True))
    assert world.names() == stored


async def break_table(world: World, table: str) -> None:
    """Store an act that the rules refuse, as an older or a broken program might have."""
    await world.open("wards", table=table)
    act = b'{"act":"played","entries":[{"seat":0,"move":"fly"}]}'
    at = world.clock.now()
    row = Row(table, 2, act, at)
    await world.journal.append(Commit(row, Head(table, 2, at + 1_000, "playing")))


@hosted
async def test_a_table_whose_journal_the_rules_refuse_is_frozen_and_never_stops_a_start(world: World) -> None:
    """C3: it is shown, and the others go on."""
    await break_table(world, "bad")
    world.box.named = {1: (3,)}
    ann, _ = await world.play("wards", "Ann", "Bo")
    await world.dead_for(1_000)
    await ann.do("roll")
    assert await code_of(world.host.ask("bad", Sit("Ann"), "ann")) == "store_unavailable"
    assert "bad" in world.frozen
    told = len(world.frozen)
    await world.after(600_000)
    assert len(world.frozen) <= told + 2  # nobody knocks for ever
    assert len(world.names("bad")) == 2


@hosted
async def test_a_finished_table_is_archived_as_its_record_some_minutes_later(world: World) -> None:
    """C3."""
    world.box.named = {1: (6,)}
    ann, _ = await world.play("wards", "Ann", "Bo", rules={"goal": 5})
    await ann.do("roll")
    await ann.do("hold", "win")
    record = world.record()
    await world.after(60_000)
    assert (await ann.do("hold", "win")).repeated  # repeats shortly after the end are answered
    await world.after(1_200_000)
    assert world.host.tables == {}
    kept = await world.journal.archived(T)
    assert kept is not None
    assert read_record(kept, catalogue()).entries == record.entries
    assert await world.journal.rows(T) == []
    assert (await ann.do("hold", "win")).repeated  # and whoever comes back later finds it as it was
    assert await code_of(ann.do("hold")) == "game_finished"


@hosted
async def test_a_table_that_finished_before_a_restart_is_archived_after_it(world: World) -> None:
    """C3."""
    world.box.named = {1: (6,)}
    ann, _ = await world.play("wards", "Ann", "Bo", rules={"goal": 5})
    await ann.do("roll")
    await ann.do("hold")
    await world.dead_for(10_000)
    await world.after(1_200_000)
    assert await world.journal.archived(T) is not None
    assert world.host.tables == {}


@hosted
async def test_of_a_closed_lobby_nothing_is_left_but_that_it_was_there(world: World) -> None:
    """A16."""
    await world.open("aetharn")
    ann = await world.person("Ann")
    await ann.sit()
    await ann.leave()
    await world.after(1_200_000)
    assert world.host.tables == {}
    assert await world.journal.archived(T) == b"null"


@hosted
async def test_archiving_waits_for_a_journal_that_is_out_of_reach(world: World) -> None:
    """C5."""
    world.box.named = {1: (6,)}
    ann, _ = await world.play("wards", "Ann", "Bo", rules={"goal": 5})
    await ann.do("roll")
    await ann.do("hold")
    world.journal.down = True
    await world.after(1_200_000)
    assert await world.journal.archived(T) is None
    world.journal.down = False
    await world.after(10_000)
    assert await world.journal.archived(T) is not None
