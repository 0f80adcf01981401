"""Nobody is absent because of an outage of the host."""

from __future__ import annotations

import asyncio

import pytest

from dicehall.table.inbox import INBOX
from tests.table.hosting import Person, World, hosted
from tests.table.virtual import VirtualClock, run


async def aetharn(world: World) -> tuple[Person, ...]:
    return await world.play("aetharn", "Ann", "Bo", rules={"turn_seconds": 200})


@hosted
async def test_a_restart_marks_nobody_away_who_reconnects(world: World) -> None:
    """C5."""
    first, second = await aetharn(world)
    await world.until(20_000)
    await world.dead_for(60_000)
    await world.until(99_000)
    await first.come()
    await second.come()
    await world.until(200_000)
    assert "Left" not in world.names()


@hosted
async def test_who_never_comes_back_after_an_outage_is_away_twenty_seconds_after_it(world: World) -> None:
    """C5."""
    first, second = await aetharn(world)
    await world.until(20_000)
    await world.dead_for(60_000)
    await first.come()
    await world.until(101_000)
    assert world.times("Left") == [100_000]
    assert first.told("PlayerAbsent")[0]["player"] == second.seat


@pytest.mark.parametrize("gap", [1_000, 60_000])
@hosted
async def test_a_lobby_of_people_who_never_come_back_is_cleared(world: World, gap: int) -> None:
    """C5, A16: though nobody looks at it."""
    await world.open("aetharn")
    ann = await world.person("Ann")
    await ann.sit()
    await world.until(10_000)
    await world.dead_for(gap)
    await world.until(10_000 + gap + 82_000)
    assert world.times("Left") == [10_000 + gap + 20_000]
    assert world.names()[-2:] == ["Stood", "Destroyed"]


@hosted
async def test_connections_that_broke_while_the_machine_was_suspended_have_time_to_come_back(world: World) -> None:
    """C5."""
    first, second = await aetharn(world)
    await world.until(20_000)
    first.drop()  # and would have been back within 5 s
    await world.until(22_000)
    world.suspend(600_000)
    second.drop()
    await world.until(640_000)
    await first.come()
    await second.come()
    await world.until(700_000)
    assert "Left" not in world.names()


@hosted
async def test_who_could_not_come_back_because_the_journal_was_away_is_not_absent(world: World) -> None:
    """C5."""
    first, _second = await aetharn(world)
    await world.until(20_000)
    world.journal.down = True
    first.drop()
    await world.until(22_000)
    with pytest.raises(Exception, match="store_unavailable"):
        await first.come()
    await world.until(60_000)
    world.journal.down = False
    await world.until(65_000)
    await first.come()
    await world.until(120_000)
    assert "Left" not in world.names()


class SlowMachine(VirtualClock):
    """A machine on which a moment passes between any two looks at the clock."""

    moment = 1  # ms

    def now(self) -> int:
        self.skew += self.moment
        return super().now()


def test_a_new_host_was_not_away_however_slow_its_machine_is() -> None:
    """C5, A12: connections that are lost soon after its start are away after five seconds, as always."""
    world = World()
    world.clock = clock = SlowMachine()

    async def whole() -> None:
        await world.boot()
        clock.moment = 0
        assert await world.journal.outages() == []
        first, second = await aetharn(world)
        lost = world.now + 5_000
        first.drop()
        second.drop()
        await world.until(lost + 1_000)
        assert world.times("Left") == [lost, lost]
        await world.host.stop()

    run(whole(), clock)


@hosted
async def test_a_connection_lost_at_a_crowded_table_is_not_forgotten(world: World) -> None:
    """A12: a full inbox delays the absence, it does not lose it."""
    first, second = await aetharn(world)
    second.drop()
    await world.until(4_000)
    world.journal.seconds = 3.0
    crowd = [asyncio.create_task(first.do("roll"))]
    await world.until(4_500)
    crowd += [asyncio.create_task(first.do("fly")) for _ in range(100)]
    await world.until(4_999)
    assert len(world.live().inbox) == INBOX  # so that the loss cannot be told yet
    await asyncio.gather(*crowd, return_exceptions=True)
    world.journal.seconds = 0.0
    await world.until(20_000)
    assert "Left" in world.names()
