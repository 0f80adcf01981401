"""A table at which nobody plays falls asleep, and wakes when somebody does."""

from __future__ import annotations

import pytest

from dicehall.table.requests import Hint
from tests.table.hosting import Person, T, World, code_of, hosted


async def asleep(world: World, **chosen: bool) -> tuple[Person, ...]:
    people = await world.play("wards", "Ann", "Bo", **chosen)
    await world.until(100_000)
    assert world.live().state.phase == "asleep"
    return people


@hosted
async def test_the_second_time_out_of_the_same_seat_without_a_move_puts_the_table_to_sleep(world: World) -> None:
    """W8."""
    await asleep(world)
    assert world.expiries() == [(30_000, 0), (60_000, 1), (90_000, 0)]
    assert world.names()[-3:] == ["Played", "Played", "Slept"]


@hosted
async def test_a_move_by_anybody_keeps_the_table_awake(world: World) -> None:
    """W8."""
    world.box.named = {1: (3,)}
    _, bo = await world.play("wards", "Ann", "Bo")
    await world.until(45_000)
    await bo.do("hold")
    await world.until(107_000)  # Ann ran out at 30 s and at 75 s, but Bo moved in between; Bo at 105 s
    assert world.expiries() == [(30_000, 0), (75_000, 0), (105_000, 1)]
    assert world.live().state.phase == "playing"


@hosted
async def test_while_it_sleeps_no_clock_runs_and_the_log_does_not_grow(world: World) -> None:
    """W8."""
    await asleep(world)
    stored = world.names()
    (head,) = await world.journal.heads()
    assert (head.deadline, head.status) == (None, "asleep")
    await world.until(3_000_000)
    assert world.names() == stored


@hosted
async def test_reading_and_watching_never_wake_it(world: World) -> None:
    """W8."""
    await asleep(world)
    stored = world.names()
    await world.host.look(T)
    await world.host.updates(T, "ann", 0)
    await world.watch()
    await world.watch(account="eve")
    assert await code_of(world.host.ask(T, Hint(), "eve")) == "not_seated"
    assert world.names() == stored


@hosted
async def test_an_action_wakes_it_with_a_fresh_clock_for_the_seat_on_turn(world: World) -> None:
    """W8."""
    world.box.named = {1: (5,)}
    _, bo = await asleep(world)
    await bo.do("roll")
    assert world.names()[-2:] == ["Woke", "Played"]
    await world.until(131_500)
    assert world.expiries()[3:] == [(130_000, 1)]
    assert world.live().state.phase == "playing"  # it counts from the start again


@hosted
async def test_an_action_out_of_turn_wakes_it_too_though_it_is_refused(world: World) -> None:
    """W8: any action of a seated person shows that somebody is there."""
    ann, _ = await asleep(world)
    assert await code_of(ann.do("roll")) == "not_your_turn"
    assert world.names()[-1] == "Woke"
    await world.until(131_500)
    assert world.expiries()[3:] == [(130_000, 1)]


@hosted
async def test_a_hint_is_asked_by_somebody_who_is_there_and_wakes_it(world: World) -> None:
    """W8."""
    _, bo = await asleep(world, hints=True)
    await bo.ask(Hint())
    assert world.names()[-2:] == ["Woke", "Hinted"]


@hosted
async def test_a_stranger_cannot_wake_it(world: World) -> None:
    """W8, A17."""
    await asleep(world)
    stored = world.names()
    eve = await world.person("Eve")
    assert await code_of(eve.do("roll")) == "not_seated"
    assert world.names() == stored


@hosted
async def test_a_seat_that_is_out_cannot_wake_it(world: World) -> None:
    """W8, A11."""
    first, *_ = await world.play("aetharn", "Ann", "Bo", "Cy")
    await first.do("fold")
    await world.until(100_000)
    assert world.live().state.phase == "asleep"
    stored = world.names()
    assert await code_of(first.do("roll")) == "seat_is_out"
    await first.come()
    assert world.names() == stored


@hosted
async def test_the_return_of_a_seated_person_wakes_it(world: World) -> None:
    """W8."""
    ann, _ = await asleep(world)
    ann.drop()
    await world.until(110_000)
    assert world.live().state.phase == "asleep"  # leaving wakes nobody
    await ann.come()
    assert world.live().state.phase == "playing"
    await world.until(141_500)
    assert world.expiries()[3:] == [(140_000, 1)]


@hosted
async def test_it_sleeps_on_through_a_restart(world: World) -> None:
    """W8, C5."""
    _, bo = await asleep(world)
    bo.drop()
    await world.dead_for(60_000)
    stored = world.names()
    await world.after(1_000_000)
    assert world.names() == stored
    world.box.named = {1: (6,)}
    await bo.do("roll")
    assert world.live().state.phase == "playing"


@pytest.mark.parametrize(("key", "expiries"), [("aetharn", 3), ("tenthousand", 3), ("doordice", 6)])
@hosted
async def test_every_game_with_a_clock_sleeps(world: World, key: str, expiries: int) -> None:
    """W8: the hall's doing, for every game with a clock."""
    names = ("Ann", "Bo", "Cy", "Di", "Ed")[: 5 if key == "doordice" else 2]
    await world.play(key, *names, rules={"turn_seconds": 10})
    await world.until(200_000)
    assert world.live().state.phase == "asleep"
    assert len(world.expiries()) == expiries
