"""A request under an id is done once, however often it is asked."""

from __future__ import annotations

import asyncio

import pytest

from dicehall.core.game import Refused
from dicehall.table.requests import Do, Sit
from tests.table.hosting import T, World, code_of, hosted


@hosted
async def test_a_repeat_is_answered_with_the_same_number_and_changes_nothing(world: World) -> None:
    """C2, and the hall's promise that no action is doubled."""
    world.box.named = {1: (3,), 2: (3,)}
    ann, _ = await world.play("wards", "Ann", "Bo")
    first = await ann.do("roll", "one")
    second = await ann.do("roll", "two")
    stored = world.names()
    repeat = await ann.do("roll", "one")
    assert (repeat.n, repeat.repeated) == (first.n, True)
    assert (await ann.do("hold", "two")).n == second.n  # whatever is asked under it
    assert world.names() == stored


@hosted
async def test_a_repeat_is_answered_after_a_restart_too(world: World) -> None:
    """Idempotency: the client's id is in the act."""
    world.box.named = {1: (3,)}
    ann, _ = await world.play("wards", "Ann", "Bo")
    first = await ann.do("roll", "one")
    await world.dead_for(10_000)
    repeat = await ann.do("roll", "one")
    assert (repeat.n, repeat.repeated) == (first.n, True)


@hosted
async def test_a_repeat_is_answered_after_the_end_of_the_game(world: World) -> None:
    """W9, and idempotency before it."""
    world.box.named = {1: (6,)}
    ann, _ = await world.play("wards", "Ann", "Bo", rules={"goal": 5})
    await ann.do("roll")
    last = await ann.do("hold", "win")
    assert world.live().state.phase == "over"
    assert (await ann.do("hold", "win")).n == last.n
    assert await code_of(ann.do("hold", "again")) == "game_finished"


@hosted
async def test_the_same_id_of_another_person_is_another_id(world: World) -> None:
    """Idempotency."""
    ann, bo = await world.play("wards", "Ann", "Bo")
    await ann.do("hold", "one")
    assert not (await bo.do("hold", "one")).repeated


@hosted
async def test_a_refused_id_stays_free(world: World) -> None:
    """C2."""
    ann, bo = await world.play("wards", "Ann", "Bo")
    assert await code_of(bo.do("hold", "mine")) == "not_your_turn"
    await ann.do("hold")
    assert not (await bo.do("hold", "mine")).repeated


@hosted
async def test_an_id_whose_commit_failed_stays_free(world: World) -> None:
    """A failed commit changes nothing."""
    ann, _ = await world.play("wards", "Ann", "Bo")
    before = world.live().state
    world.journal.refusing = 1
    assert await code_of(ann.do("hold", "mine")) == "store_unavailable"
    assert world.live().state == before
    assert not (await ann.do("hold", "mine")).repeated


@pytest.mark.parametrize("stored", [True, False])
@hosted
async def test_a_commit_of_unknown_outcome_is_settled_before_anybody_is_answered(world: World, stored: bool) -> None:
    """The table reads the journal and stores what is not there."""
    ann, _ = await world.play("wards", "Ann", "Bo")
    world.journal.unsure = [stored]
    answer = await ann.do("hold", "mine")
    assert len(world.names()) == answer.n == 5
    assert (await ann.do("hold", "mine")).n == answer.n


@hosted
async def test_an_unknown_outcome_is_waited_for_while_the_journal_is_out_of_reach(world: World) -> None:
    """Nobody is told yes or no before somebody can say."""
    ann, _ = await world.play("wards", "Ann", "Bo")
    world.journal.unsure, world.journal.breaking = [True], True
    asked = asyncio.create_task(ann.do("hold"))
    await world.after(2_000)
    assert world.names()[4:] == ["Played"]
    assert not asked.done()
    assert world.live().state.seq == 4
    world.journal.down = False
    assert (await asked).n == 5
    assert world.names()[4:] == ["Played"]


@hosted
async def test_a_commit_that_arrives_late_is_not_done_twice(world: World) -> None:
    """An unsure commit that lands after the table looked: the same act without an id is still one act."""
    ann, _ = await world.play("wards", "Ann", "Bo")
    world.journal.lagging = 1
    answer = await ann.do("hold")
    assert answer.n == 5
    assert world.names()[4:] == ["Played"]


@hosted
async def test_the_same_request_twice_at_once_is_done_once(world: World) -> None:
    """Idempotency: the second waits behind the first."""
    ann, _ = await world.play("wards", "Ann", "Bo")
    world.journal.seconds = 0.5
    answers = await asyncio.gather(*(ann.do("hold", "one") for _ in range(5)))
    assert {answer.n for answer in answers} == {5}
    assert [answer.repeated for answer in answers] == [False, True, True, True, True]


@hosted
async def test_sitting_down_twice_under_one_id_is_sitting_down_once(world: World) -> None:
    """Idempotency."""
    await world.open("aetharn")
    first = await world.host.ask(T, Sit("Ann"), "ann", "sit")
    assert (await world.host.ask(T, Sit("Ann"), "ann", "sit")).n == first.n
    with pytest.raises(Refused):
        await world.host.ask(T, Sit("Ann"), "ann", "again")


@hosted
async def test_a_table_nobody_knows_is_refused(world: World) -> None:
    """C2."""
    assert await code_of(world.host.ask("nowhere", Do("roll"), "ann")) == "no_such_table"
