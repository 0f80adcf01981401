"""An outage of the host costs nobody a turn."""

from __future__ import annotations

import pytest

from dicehall.table import acts
from tests.table.hosting import Person, T, World, code_of, hosted


async def wards(world: World) -> tuple[Person, ...]:
    """A game of Dice Wards whose first clock runs from 0 to 30 s, in a process that has lived a while."""
    world.box.named = dict.fromkeys(range(1, 20), (3,))
    return await world.play("wards", "Ann", "Bo")


def restarts(world: World) -> list[acts.Restarted]:
    return [act for act in world.acts() if isinstance(act, acts.Restarted)]


# -- a dead process ---------------------------------------------------------------------------------


@hosted
async def test_a_deadline_inside_the_gap_starts_afresh_when_the_process_is_back(world: World) -> None:
    """C5."""
    _ann, _ = await wards(world)
    await world.until(20_000)
    await world.dead_for(100_000)
    await world.until(149_000)
    assert world.expiries() == []
    await world.until(151_500)
    assert world.expiries() == [(150_000, 0)]
    assert len(restarts(world)) == 1


@hosted
async def test_a_deadline_before_the_gap_expires_as_always(world: World) -> None:
    """C5, C4."""
    await wards(world)
    world.silence()  # the timer did not come to it
    await world.until(30_500)
    await world.dead_for(100_000)
    await world.until(131_600)
    assert world.expiries() == [(30_000, 0)]
    assert len(restarts(world)) == 1  # Bo's clock began at 30 s and ran into the gap
    await world.until(161_600)
    assert world.expiries() == [(30_000, 0), (160_500, 1)]


@hosted
async def test_a_clock_that_ran_during_the_gap_starts_afresh_though_its_deadline_came_later(world: World) -> None:
    """C5: on recovery running clocks start afresh."""
    await wards(world)
    await world.until(10_000)
    await world.dead_for(10_000)
    await world.until(49_999)  # 30 s after the recovery
    await world.host.look(T)
    assert world.expiries() == []
    assert len(restarts(world)) == 1
    await world.until(90_000)
    assert len(world.expiries()) == 1


@hosted
async def test_a_clock_that_was_started_after_the_gap_runs_as_always(world: World) -> None:
    """C5."""
    ann, _ = await wards(world)
    await world.until(10_000)
    await world.dead_for(10_000)
    await ann.do("hold")
    await world.until(51_001)
    assert world.expiries() == [(50_000, 1)]
    assert restarts(world) == []


@hosted
async def test_a_deadline_that_passes_while_the_host_drains_starts_afresh(world: World) -> None:
    """C5: whoever was told to come back later could not act any more."""
    await wards(world)
    await world.until(29_500)
    world.host.close_doors()
    await world.until(32_500)  # it takes its time
    await world.dead_for(1_000)
    await world.until(63_000)
    assert world.expiries() == []
    assert len(restarts(world)) == 1


@hosted
async def test_a_process_that_died_was_away_however_soon_the_next_one_is_there(world: World) -> None:
    """C5: a dead process is an outage; nobody could act in the last half second of this clock."""
    await wards(world)
    await world.until(29_500)
    await world.dead_for(500)
    await world.until(59_900)
    assert world.expiries() == []
    await world.until(62_500)
    assert len(world.expiries()) == 1


@hosted
async def test_processes_that_die_one_after_the_other_cost_nobody_a_turn(world: World) -> None:
    """C5: though each of them still wrote its pulse, so that the pulse has no long gap."""
    await wards(world)
    await world.until(25_000)
    for _ in range(10):
        await world.dead_for(900)
        await world.after(50)
    await world.until(35_500)
    assert world.expiries() == []


@hosted
async def test_a_pulse_that_comes_within_three_seconds_is_no_outage(world: World) -> None:
    """C5: a living process may be slow for a moment."""
    await wards(world)
    await world.until(20_000)
    world.suspend(1_500)
    await world.until(31_001)
    assert world.expiries() == [(30_000, 0)]


@pytest.mark.parametrize("look", [120_000, 121_000, 149_999])
@hosted
async def test_after_a_gap_too_the_journal_does_not_depend_on_who_looked_when(world: World, look: int) -> None:
    """C4, C5."""
    await wards(world)
    await world.until(20_000)
    await world.dead_for(100_000)
    await world.until(look)
    await world.host.look(T)
    await world.until(151_500)
    assert world.expiries() == [(150_000, 0)]
    assert len(restarts(world)) == 1


@hosted
async def test_two_outages_in_a_row_cost_nobody_a_turn(world: World) -> None:
    """C5: once per table and gap."""
    await wards(world)
    await world.until(20_000)
    await world.dead_for(100_000)
    await world.until(140_000)
    await world.dead_for(60_000)
    await world.until(231_500)
    assert world.expiries() == [(230_000, 0)]
    assert len(restarts(world)) == 2


@hosted
async def test_two_outages_before_anybody_looked_are_one_restart(world: World) -> None:
    """C5."""
    await wards(world)
    await world.until(20_000)
    await world.dead_for(5_000)
    await world.dead_for(60_000)
    await world.until(116_500)
    assert world.expiries() == [(115_000, 0)]
    assert len(restarts(world)) == 1


@hosted
async def test_a_process_that_dies_right_after_coming_back_still_costs_nobody_a_turn(world: World) -> None:
    """C5."""
    await wards(world)
    await world.until(20_000)
    await world.dead_for(100_000)
    await world.after(100)
    await world.dead_for(100_000)
    await world.until(252_000)
    assert world.expiries() == [(250_100, 0)]


@hosted
async def test_an_action_after_the_gap_is_taken_though_its_deadline_fell_into_it(world: World) -> None:
    """C5, W7."""
    ann, _ = await wards(world)
    await world.until(20_000)
    await world.dead_for(100_000)
    await ann.do("roll")
    assert world.names()[-2:] == ["Restarted", "Played"]


@hosted
async def test_every_running_clock_starts_afresh_the_graces_too(world: World) -> None:
    """C5, A12."""
    first, second, third = await world.play("aetharn", "Ann", "Bo", "Cy", rules={"turn_seconds": 90})
    await second.leave()
    await world.until(50_000)
    await world.dead_for(100_000)
    await first.come()
    await third.come()
    await world.until(209_000)
    assert first.told("PlayerRemoved") == []
    await world.until(211_500)
    assert [event["reason"] for event in first.told("PlayerRemoved")] == ["Grace period expired"]
    assert world.times("Played") == [210_000]
    assert len(restarts(world)) == 1


@hosted
async def test_words_asked_for_before_the_gap_may_be_opened_after_it(world: World) -> None:
    """C5."""
    await world.open("wards")
    ann, bo = await world.person("Ann"), await world.person("Bo")
    await ann.sit(committed=True)
    await bo.sit(committed=True)
    await world.until(5_000)
    await world.dead_for(60_000)
    await world.until(70_000)
    await ann.open_words()
    await bo.open_words()
    assert world.live().state.phase == "playing"


# -- a suspended machine, a journal out of reach ---------------------------------------------------------


@hosted
async def test_a_suspended_machine_costs_nobody_a_turn(world: World) -> None:
    """C5."""
    ann, _bo = await wards(world)
    await world.until(20_000)
    world.suspend(3_600_000)
    await world.until(3_621_000)
    await ann.do("hold")
    world.suspend(3_600_000)
    await world.until(7_252_500)
    assert world.expiries() == [(7_251_000, 1)]


@hosted
async def test_whoever_asks_first_after_a_suspension_finds_the_outage(world: World) -> None:
    """C5: before any pulse told of it."""
    ann, _ = await wards(world)
    await world.until(20_000)
    world.suspend(3_600_000)
    await ann.do("hold")
    assert world.names()[-2:] == ["Restarted", "Played"]


@hosted
async def test_a_journal_out_of_reach_costs_nobody_a_turn(world: World) -> None:
    """C5."""
    ann, _ = await wards(world)
    await world.until(20_000)
    world.journal.down = True
    assert await code_of(ann.do("roll")) == "store_unavailable"
    await world.until(100_000)
    world.journal.down = False
    await world.until(102_000)
    assert world.expiries() == []
    await ann.do("roll")
    await world.until(133_500)
    assert world.expiries() == [(132_000, 0)]
    assert len(restarts(world)) == 1


@hosted
async def test_a_long_outage_of_the_journal_is_one_gap(world: World) -> None:
    """C5: restarted once per table and gap."""
    await wards(world)
    await world.until(20_000)
    world.journal.down = True
    await world.until(100_000)
    world.journal.down = False
    await world.until(200_000)
    (outage,) = await world.journal.outages()
    assert 19_000 <= outage.since - world.journal.stored(T)[0].at <= 20_000
    assert 100_000 <= outage.till - world.journal.stored(T)[0].at <= 102_000
    assert len(restarts(world)) == 1


@hosted
async def test_the_alarm_of_a_table_that_could_not_be_loaded_rings_again(world: World) -> None:
    """C4, C5."""
    await wards(world)
    await world.until(28_000)
    await world.dead_for(1_000)
    world.journal.down = True
    await world.until(31_500)
    world.journal.down = False
    await world.until(65_000)
    assert len(world.expiries()) == 1


@hosted
async def test_nobody_looking_is_no_outage(world: World) -> None:
    """C5."""
    await wards(world)
    world.silence()
    await world.until(500_000)
    await world.host.look(T)
    assert world.expiries() == [(30_000, 0), (60_000, 1), (90_000, 0)]
    assert restarts(world) == []
