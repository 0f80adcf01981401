"""Thirty seconds per turn, which only hot dice give anew."""

from __future__ import annotations

from tests.table.hosting import World, hosted

STRAIGHT = (1, 2, 3, 4, 5, 6)
ONES = (1, 1, 1, 2, 3, 4)


@hosted
async def test_rolling_and_holding_do_not_restart_the_clock(world: World) -> None:
    """A9."""
    world.box.named = {2: ONES, 3: (1, 5, 5)}
    first, _second = await world.play("aetharn", "Ann", "Bo")
    await world.until(10_000)
    await first.do("roll")
    await world.until(20_000)
    await first.do({"hold": [0, 1, 2]})
    await world.until(29_000)
    await first.do("roll")
    await world.until(29_999)
    await first.do({"hold": [0]})
    await world.until(31_001)
    assert world.expiries() == [(30_000, first.seat)]
    assert first.told("TurnTimedOut")[0]["lost_points"] == 1100


@hosted
async def test_hot_dice_restart_the_clock_at_the_hold_that_completes_six(world: World) -> None:
    """A8, A9."""
    world.box.named = {2: STRAIGHT}
    first, _ = await world.play("aetharn", "Ann", "Bo")
    await first.do("roll")
    await world.until(25_000)
    await first.do({"hold": [0, 1, 2, 3, 4, 5]})
    await world.until(56_001)
    assert world.expiries() == [(55_000, first.seat)]


@hosted
async def test_the_second_hot_dice_of_a_turn_restart_nothing(world: World) -> None:
    """A8, A9."""
    world.box.named = {2: STRAIGHT, 3: STRAIGHT}
    first, _ = await world.play("aetharn", "Ann", "Bo")
    await first.do("roll")
    await world.until(10_000)
    await first.do({"hold": [0, 1, 2, 3, 4, 5]})
    await first.do("roll")
    await world.until(30_000)
    await first.do({"hold": [0, 1, 2, 3, 4, 5]})
    await world.until(41_001)
    assert world.expiries() == [(40_000, first.seat)]


@hosted
async def test_the_next_turn_has_its_own_thirty_seconds_from_the_moment_the_last_one_ended(world: World) -> None:
    """A9, A19: turns are counted by the table."""
    world.box.named = {2: ONES}
    first, second = await world.play("aetharn", "Ann", "Bo")
    await first.do("roll")
    await first.do({"hold": [0]})
    await world.until(12_345)
    await first.do("bank")
    await world.until(44_000)
    assert world.expiries() == [(42_345, second.seat)]
    assert [event["turn_number"] for event in first.told("TurnStarted")] == [1, 2, 3]
