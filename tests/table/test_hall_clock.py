"""The hall's clock shows the time of day and never goes back."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import dataclass

import pytest

from dicehall.table.hall_clock import FOLLOW_NS, NS_PER_MS, HallClock
from tests.table.machines import ClockedWorld
from tests.table.virtual import START_MS, run

HOUR_MS = 3_600_000


@dataclass(slots=True)
class Machine:
    """A machine whose wall clock can be set; times in ms."""

    wall: int = START_MS
    elapsed: int = 5_000

    def clock(self) -> HallClock:
        return HallClock(lambda: self.wall * NS_PER_MS, lambda: self.elapsed * NS_PER_MS)

    def passes(self, ms: int) -> None:
        self.wall += ms
        self.elapsed += ms


def test_it_shows_the_time_of_day() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.passes(1_234)
    assert clock.now() == machine.wall == START_MS + 1_234


def test_it_goes_on_when_the_wall_clock_is_set_back() -> None:
    """C4."""
    machine = Machine()
    clock = machine.clock()
    machine.wall -= HOUR_MS
    machine.passes(1_000)
    assert START_MS + 990 <= clock.now() <= START_MS + 1_000


def test_a_clock_that_is_ahead_runs_one_percent_slower_until_the_wall_clock_has_caught_up() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.wall -= 10_000
    shown = [clock.now()]
    for _ in range(1_100):
        machine.passes(1_000)
        shown.append(clock.now())
    assert all(0 <= later - before <= 1_000 for before, later in itertools.pairwise(shown))
    assert shown[100] - shown[0] == 99_000
    assert shown[-1] == machine.wall


def test_small_steps_forward_are_not_followed_and_large_ones_are() -> None:
    """C5: after a large one the host finds an outage, so that nobody loses a turn to it."""
    machine = Machine()
    clock = machine.clock()
    machine.wall += FOLLOW_NS // NS_PER_MS
    assert clock.now() == START_MS
    machine.wall += 1
    assert clock.now() == machine.wall


@pytest.mark.parametrize("ahead", [0, 1, HOUR_MS])
def test_it_never_shows_a_time_before_one_that_an_earlier_run_stored(ahead: int) -> None:
    """The wall clock was ahead in the last run, and is right now."""
    machine = Machine()
    clock = machine.clock()
    clock.not_before(START_MS + ahead)
    assert clock.now() == START_MS + ahead
    clock.not_before(START_MS - HOUR_MS)
    assert clock.now() == START_MS + ahead


async def started(world: ClockedWorld) -> None:
    await world.boot()
    await world.play("wards", "Ann", "Bo")
    await asyncio.sleep(10)


def test_a_clock_that_is_set_back_gives_nobody_more_time() -> None:
    """C4: the turn ends 30 s after it began, not an hour later."""
    world = ClockedWorld()

    async def whole() -> None:
        await started(world)
        world.wall.skew -= HOUR_MS
        await asyncio.sleep(22)  # the clock is ahead of the wall clock now, and so one percent slower
        assert world.expiries() == [(30_000, 0)]
        await world.host.stop()

    run(whole(), world.wall)


def test_a_hall_whose_clock_was_an_hour_ahead_in_the_last_run_plays_on() -> None:
    """C5: clocks that ran start afresh after the restart; nobody waits for an hour, and nobody loses a turn."""
    world = ClockedWorld()
    world.wall.skew = HOUR_MS
    world.new_clock()

    async def whole() -> None:
        await started(world)
        await world.die()
        world.wall.skew = 0
        world.new_clock()
        await world.boot()
        await asyncio.sleep(29)
        assert world.expiries() == []
        await asyncio.sleep(30)
        assert len(world.expiries()) == 1
        times = [row.at for row in world.journal.stored("t")]
        assert times == sorted(times)
        await world.host.stop()

    run(whole(), world.wall)
