"""Attacks on time: a clock that is set, an event loop that is kept busy, tables that nobody leaves or looks at."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from dicehall.table import clocks
from dicehall.table.hall_clock import NS_PER_MS, HallClock
from tests.security.live import both_ways
from tests.table.hosting import World
from tests.table.machines import BusyWorld, ClockedWorld
from tests.table.virtual import run

HOUR_MS = 3_600_000


@both_ways
def test_a_clock_that_is_set_back_gives_the_player_on_turn_an_hour(guarded: bool, monkeypatch: Any) -> None:
    world = ClockedWorld()

    async def play() -> bool:
        await world.boot()
        await world.play("wards", "Ann", "Bo")
        await asyncio.sleep(10)
        if not guarded:
            monkeypatch.setattr(HallClock, "now", lambda clock: clock.wall() // NS_PER_MS)
        world.wall.skew -= HOUR_MS
        await asyncio.sleep(60)
        await world.host.stop()
        return not world.expiries()

    stretched = run(play(), world.wall)
    assert stretched is not guarded


@both_ways
def test_a_flood_that_keeps_the_event_loop_busy_stretches_the_attackers_own_clock(guarded: bool) -> None:
    """Seen: a clock of 8 s took 49, because every stall of over 3 s counted as an outage."""
    world = BusyWorld(watched=guarded)

    async def play() -> bool:
        beating = asyncio.create_task(world.beats())
        await world.boot()
        await world.play("wards", "Ann", "Bo")
        for _ in range(8):
            await asyncio.sleep(0.9)
            world.busy(4_000)
        beating.cancel()
        expired = bool(world.expiries())
        await world.host.stop()
        return not expired

    stretched = run(play(), world.clock)
    assert stretched is not guarded


@both_ways
def test_players_who_let_a_table_sleep_block_its_chairs_for_ever(
    guarded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen: no grace ran while a table slept, so that nobody was ever removed."""
    if not guarded:
        honest = clocks.dues
        monkeypatch.setattr(clocks, "dues", lambda state: [] if state.phase == "asleep" else honest(state))
    world = World()

    async def play() -> bool:
        await world.boot()
        ann, bo = await world.play("aetharn", "Ann", "Bo")
        await asyncio.sleep(100)
        assert world.live().state.phase == "asleep"
        ann.drop()
        bo.drop()
        await asyncio.sleep(70)
        blocked = not world.live().state.ended
        await world.host.stop()
        return blocked

    blocked = run(play(), world.clock)
    assert blocked is not guarded
