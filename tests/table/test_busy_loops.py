"""An event loop that is busy is not an outage: clocks run on, and requests count from when they arrived (C5)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from dicehall.table.heartbeat import Heartbeat
from tests.table.hosting import World
from tests.table.machines import BusyWorld
from tests.table.virtual import run


def in_a_busy_world(test: Callable[[BusyWorld], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    def whole() -> None:
        world = BusyWorld()

        async def play() -> None:
            beating = asyncio.create_task(world.beats())
            await world.boot()
            await world.play("wards", "Ann", "Bo")
            await test(world)
            beating.cancel()
            await world.host.stop()

        run(play(), world.clock)

    whole.__name__, whole.__doc__, whole.__module__ = test.__name__, test.__doc__, test.__module__
    return whole


@in_a_busy_world
async def test_a_busy_event_loop_does_not_stretch_a_clock(world: BusyWorld) -> None:
    """C5: load is not an outage, so somebody who keeps a hall busy does not get more time."""
    for _ in range(3):
        await asyncio.sleep(1.9)
        world.busy(6_000)
    await asyncio.sleep(10)
    assert world.expiries() == [(30_000, 0)]
    assert world.restarts == 0
    assert await world.journal.outages() == []


@in_a_busy_world
async def test_a_suspended_machine_is_an_outage_though_there_is_a_heartbeat(world: BusyWorld) -> None:
    """C5: the thread stood still as well."""
    await world.until(20_000)
    world.suspend(60_000)
    await world.until(82_500)
    assert world.expiries() == []
    assert world.restarts == 1
    assert len(await world.journal.outages()) == 1


@in_a_busy_world
async def test_a_database_out_of_reach_is_an_outage_though_there_is_a_heartbeat(world: BusyWorld) -> None:
    """C5: the event loop had time, and nobody could act."""
    await world.until(20_000)
    world.journal.down = True
    await world.until(60_000)
    world.journal.down = False
    await world.until(62_500)
    assert world.expiries() == []
    assert world.restarts == 1


@in_a_busy_world
async def test_a_database_that_hangs_is_an_outage_though_it_answers_in_the_end(world: BusyWorld) -> None:
    """C5."""
    await world.until(20_100)
    world.journal.pulse_seconds = 15.0
    await world.until(50_000)
    world.journal.pulse_seconds = 0.0
    await world.until(65_000)
    assert len(await world.journal.outages()) >= 1


@in_a_busy_world
async def test_a_busy_event_loop_while_the_pulse_is_written_is_no_outage_either(world: BusyWorld) -> None:
    """C5: a pulse waits for the journal when the load begins."""
    world.journal.pulse_seconds = 0.3
    await world.until(5_050)
    world.busy(6_000)
    await asyncio.sleep(3)
    assert await world.journal.outages() == []


@pytest.mark.parametrize("still", [0, 2_000])
def test_a_heartbeat_knows_for_how_long_the_process_stood_still(still: int) -> None:
    world = World()
    heartbeat = Heartbeat(world.clock)
    begun = world.clock.now()
    world.clock.elapsed += 0.25 + still / 1000
    heartbeat.beat()
    world.clock.elapsed += 0.25
    assert heartbeat.still_since(begun, world.clock.now()) == (still + 250 if still else 0)
