"""Dice Wards' time-outs against everything that can happen at the same moment."""

from __future__ import annotations

import asyncio

import pytest

from tests.table.hosting import T, World, code_of, hosted


@hosted
async def test_a_time_out_holds_at_the_deadline_itself_though_it_is_written_a_second_later(world: World) -> None:
    """W6."""
    world.box.named = {1: (4,)}
    ann, _bo = await world.play("wards", "Ann", "Bo")
    await ann.do("roll")
    await world.until(30_999)
    assert world.expiries() == []
    await world.until(31_001)
    assert world.expiries() == [(30_000, 0)]
    assert ann.told("Held")[-1] == {
        "event": "Held",
        "to": None,
        "seat": 0,
        "points": 4,
        "score": 4,
        "in_time": False,
    }
    assert world.live().state.clocks.turn == world.live().state.at  # Bo's 30 s began when Ann's ended


@hosted
async def test_a_time_out_wins_where_a_hold_would(world: World) -> None:
    """W4, W6."""
    world.box.named = {1: (6,), 2: (6,)}
    ann, _ = await world.play("wards", "Ann", "Bo", rules={"goal": 10})
    await ann.do("roll")
    await ann.do("roll")
    assert world.live().state.phase == "playing"
    await world.until(40_000)
    assert world.live().state.phase == "over"
    assert ann.told("Won")[0]["seat"] == 0
    assert await code_of(ann.do("roll")) == "game_finished"  # W9


@hosted
async def test_every_valid_action_starts_thirty_new_seconds(world: World) -> None:
    """W5."""
    world.box.named = {1: (2,), 2: (2,)}
    ann, _ = await world.play("wards", "Ann", "Bo")
    await world.until(29_000)
    await ann.do("roll")
    await world.until(58_000)
    await ann.do("roll")
    await world.until(87_999)
    await ann.do("hold")
    await world.until(120_000)
    assert world.expiries() == [(117_999, 1)]


@hosted
async def test_a_refused_action_does_not_restart_the_clock(world: World) -> None:
    """W5, C2."""
    ann, bo = await world.play("wards", "Ann", "Bo")
    await world.until(29_000)
    stored = world.names()
    assert await code_of(bo.do("roll")) == "not_your_turn"
    assert await code_of(ann.do("fly")) == "bad_move"
    assert world.names() == stored
    await world.until(32_000)
    assert world.expiries() == [(30_000, 0)]


@hosted
async def test_one_millisecond_before_the_deadline_is_in_time(world: World) -> None:
    """C4, W5."""
    world.box.named = {1: (3,)}
    ann, _ = await world.play("wards", "Ann", "Bo")
    await world.until(29_999)
    await ann.do("roll")
    await world.until(59_998)
    assert world.expiries() == []


@pytest.mark.parametrize("late", [0, 1, 999])
@hosted
async def test_from_the_deadline_on_the_time_out_comes_first_and_the_action_is_refused(world: World, late: int) -> None:
    """W7."""
    ann, bo = await world.play("wards", "Ann", "Bo")
    await world.until(30_000 + late)
    assert await code_of(ann.do("roll", "a")) == "not_your_turn"
    assert world.expiries() == [(30_000, 0)]
    await bo.do("hold")  # his clock began at the deadline
    assert world.times("Played")[-1] == 30_000 + late
    assert not (await ann.do("hold", "a")).repeated  # a refused id stays free


@hosted
async def test_the_other_seat_may_act_in_the_millisecond_of_the_time_out(world: World) -> None:
    """W6, W7."""
    _, bo = await world.play("wards", "Ann", "Bo")
    await world.until(30_000)
    await bo.do("hold")
    assert world.names()[-2:] == ["Played", "Played"]
    assert world.expiries() == [(30_000, 0)]
    assert world.times("Played") == [30_000, 30_000]


@hosted
async def test_an_action_that_came_in_time_counts_however_slow_the_disk_is(world: World) -> None:
    """C4: an action counts at the time it reached its node."""
    world.box.named = {1: (3,)}
    ann, _ = await world.play("wards", "Ann", "Bo")
    await world.until(29_990)
    world.journal.seconds = 2.5
    await ann.do("roll")
    assert world.now == 32_490
    world.journal.seconds = 0.0
    await world.until(59_980)
    assert world.times("Played") == [29_990]
    assert world.expiries() == []


@hosted
async def test_an_action_waits_behind_one_in_flight_and_is_judged_at_the_time_it_came(world: World) -> None:
    """W7, C4."""
    world.box.named = {1: (3,)}
    ann, _bo = await world.play("wards", "Ann", "Bo")
    await world.until(29_000)
    world.journal.seconds = 2.0
    first = asyncio.create_task(ann.do("roll"))
    await asyncio.sleep(1.5)
    second = asyncio.create_task(ann.do("hold"))  # asked at 30.5 s, stored at 33 s
    await asyncio.gather(first, second)
    assert world.times("Played") == [29_000, 30_500]
    assert world.expiries() == []


Rows = list[tuple[bytes, int]]


def rows_of(world: World) -> Rows:
    return [(row.act, row.at) for row in world.journal.stored(T)]


def journal_of_an_hour(looks: tuple[int, ...] | None) -> Rows:
    """The journal of a table nobody plays at, read at these times, or left to its timer."""
    seen: Rows = []

    @hosted
    async def wait(world: World) -> None:
        await world.play("wards", "Ann", "Bo")
        if looks is not None:
            world.silence()
        for at in looks or ():
            await world.until(at)
            await world.host.look(T)
        await world.until(3_600_000)
        seen.extend(rows_of(world))

    wait()
    return seen


@pytest.mark.parametrize(
    "looks",
    [
        (3_600_000,),
        (30_000, 60_000, 90_000),
        (30_001, 59_999, 3_000_000),
        tuple(range(0, 120_000, 7_001)),
    ],
)
def test_the_journal_is_the_same_whether_a_timer_fired_or_somebody_read_or_nobody_looked_for_an_hour(
    looks: tuple[int, ...],
) -> None:
    """C4, W6."""
    by_timer = journal_of_an_hour(None)
    assert [at - by_timer[0][1] for _, at in by_timer[-3:]] == [30_000, 60_000, 90_000]
    assert journal_of_an_hour(looks) == by_timer


def test_an_action_an_hour_late_finds_the_same_journal_as_a_timer_would_have_left() -> None:
    """W6, W7."""
    by_timer, seen = journal_of_an_hour(None), Rows()

    @hosted
    async def act_late(world: World) -> None:
        ann, _ = await world.play("wards", "Ann", "Bo")
        world.silence()
        await world.until(3_600_000)
        assert await code_of(ann.do("roll")) == "not_your_turn"
        assert world.names()[len(by_timer) :] == ["Woke"]  # W8
        seen.extend(rows_of(world))

    act_late()
    assert seen[: len(by_timer)] == by_timer


@hosted
async def test_without_a_clock_nothing_ever_runs_out(world: World) -> None:
    """C6: turn_seconds may be null."""
    ann, _ = await world.play("wards", "Ann", "Bo", rules={"turn_seconds": None})
    await world.until(600_000)
    assert world.expiries() == []
    await ann.do("hold")
