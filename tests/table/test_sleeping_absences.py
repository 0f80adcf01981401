"""While a table sleeps its graces go on: absent seats are removed, the last one wins, and a game that all left ends."""

from __future__ import annotations

from dicehall.core.game import Over, Presence
from tests.table.hosting import Person, T, World, code_of, hosted

TURN_S = 10  # short turns, so that a table sleeps before anybody's grace ends
SLEEPS_MS = 4 * TURN_S * 1000


async def asleep(world: World, *names: str) -> tuple[Person, ...]:
    """A game of Aetharn at which nobody plays any more, with everybody in their chairs."""
    people = await world.play("aetharn", *names, rules={"turn_seconds": TURN_S})
    await world.until(SLEEPS_MS + len(names) * TURN_S * 1000)
    assert world.live().state.phase == "asleep"
    return people


def over(world: World) -> Over:
    awaited = world.live().state.awaited
    assert isinstance(awaited, Over)
    return awaited


@hosted
async def test_a_seat_that_leaves_a_sleeping_table_is_removed_after_its_grace(world: World) -> None:
    """W8, A12."""
    ann, bo, _ = await asleep(world, "Ann", "Bo", "Cy")
    left = world.now
    await bo.leave()
    await world.until(left + 61_001)
    (removed,) = ann.told("PlayerRemoved")
    assert (removed["player"], removed["reason"]) == (bo.seat, "Grace period expired")
    assert world.times("Played")[-1] == left + 60_000
    assert world.live().state.phase == "asleep"


@hosted
async def test_a_seat_that_left_before_the_table_slept_keeps_its_grace(world: World) -> None:
    """W8, A12: falling asleep neither stops a grace nor starts a new one."""
    ann, bo, cy = await world.play("aetharn", "Ann", "Bo", "Cy", rules={"turn_seconds": TURN_S, "grace_seconds": 100})
    await world.until(5_000)
    cy.drop()  # away from second 10 on
    await world.until(90_000)
    assert world.live().state.phase == "asleep"
    await world.until(111_001)
    assert [(event["player"], event["reason"]) for event in ann.told("PlayerRemoved")] == [(cy.seat, "Disconnected")]
    assert bo.told("PlayerRemoved") == ann.told("PlayerRemoved")


@hosted
async def test_the_head_of_a_sleeping_table_has_the_next_end_of_a_grace(world: World) -> None:
    """W8: a process that starts knows when to look at it again."""
    _, bo = await asleep(world, "Ann", "Bo")
    (head,) = await world.journal.heads()
    assert (head.deadline, head.status) == (None, "asleep")
    await bo.leave()
    (head,) = await world.journal.heads()
    assert head.deadline is not None
    assert (head.deadline - world.clock.now(), head.status) == (60_000, "asleep")


@hosted
async def test_the_last_seat_of_a_sleeping_table_wins(world: World) -> None:
    """W8, A15, edge case 6."""
    ann, bo, cy = await asleep(world, "Ann", "Bo", "Cy")
    await bo.leave()
    await cy.leave()
    await world.after(61_001)
    assert world.live().state.phase == "over"
    assert over(world).winner == ann.seat
    assert over(world).reason == "LastPlayerStanding"
    assert [event["winner"] for event in ann.told("GameEnded")] == [ann.seat]


@hosted
async def test_a_sleeping_table_that_all_have_left_is_abandoned(world: World) -> None:
    """W8, A15, edge case 7."""
    ann, bo = await asleep(world, "Ann", "Bo")
    ann.drop()
    bo.drop()
    await world.after(66_001)
    assert world.live().state.phase == "abandoned"
    assert over(world).places == ()
    assert len(ann.told("GameAbandoned")) + len(bo.told("GameAbandoned")) == 0  # nobody listened any more
    (head,) = await world.journal.heads(live=False)
    assert head.status == "abandoned"


@hosted
async def test_the_absent_last_seat_of_a_sleeping_table_wins_on_returning(world: World) -> None:
    """W8, A15."""
    ann, bo, cy = await asleep(world, "Ann", "Bo", "Cy")
    await bo.leave()
    await cy.leave()
    await world.after(30_000)
    await ann.leave()
    await world.after(31_001)  # Bo and Cy are out
    assert world.live().state.phase == "asleep"
    await ann.come()
    assert world.live().state.phase == "over"
    assert over(world).winner == ann.seat


@hosted
async def test_warnings_are_told_at_a_sleeping_table_too(world: World) -> None:
    """W8, A12."""
    ann, bo = await asleep(world, "Ann", "Bo")
    await bo.leave()
    await world.after(60_999)
    assert [event["time_remaining"] for event in ann.told("GraceWarning")] == [45_000, 30_000, 15_000, 10_000, 5_000]


@hosted
async def test_waking_a_table_starts_the_turn_afresh_and_no_grace(world: World) -> None:
    """W8, A12: graces went on, so nobody gets more of one because another came back."""
    ann, bo, cy = await asleep(world, "Ann", "Bo", "Cy")
    left = world.now
    await cy.leave()
    await world.after(50_000)
    assert await code_of((bo if ann.seat in world.live().state.to_act() else ann).do("roll")) == "not_your_turn"
    assert world.live().state.phase == "playing"
    assert world.live().state.clocks.turn == world.clock.now()
    await world.until(left + 61_001)
    assert [event["player"] for event in ann.told("PlayerRemoved")] == [cy.seat]


@hosted
async def test_no_turn_clock_runs_after_a_removal_at_a_sleeping_table(world: World) -> None:
    """W8: the turn may pass to somebody else, but no clock runs until somebody wakes the table."""
    people = await asleep(world, "Ann", "Bo", "Cy")
    (seat,) = world.live().state.to_act()
    mine = next(person for person in people if person.seat == seat)
    await mine.leave()
    await world.after(61_001)
    state = world.live().state
    assert state.phase == "asleep"
    assert state.to_act()
    assert seat not in state.to_act()
    assert state.clocks.turn is None
    expired = world.expiries()
    await world.after(200_000)
    assert world.expiries() == expired


@hosted
async def test_an_outage_gives_the_absent_at_a_sleeping_table_a_full_grace(world: World) -> None:
    """C5, W8."""
    ann, bo, cy = await asleep(world, "Ann", "Bo", "Cy")
    await cy.leave()
    await world.after(30_000)
    await world.dead_for(100_000)
    back = world.now
    await ann.come()  # which wakes it
    await bo.come()
    await world.until(back + 59_000)
    assert world.live().state.chairs[cy.seat].presence is Presence.AWAY
    await world.until(back + 61_500)
    assert world.live().state.chairs[cy.seat].presence is Presence.GONE


@hosted
async def test_who_never_comes_back_to_a_sleeping_table_after_a_restart_is_removed(world: World) -> None:
    """W8, A15, C5: the connections of a dead process end, and nobody has to look at the table for that."""
    await asleep(world, "Ann", "Bo")
    await world.dead_for(10_000)
    await world.after(20_000 + 60_000 + 5_000)
    (head,) = await world.journal.heads(live=False)
    assert (head.table, head.status) == (T, "abandoned")


@hosted
async def test_a_sleeping_table_of_a_game_without_graces_is_not_loaded_after_a_restart(world: World) -> None:
    """W8: nothing can happen there until somebody comes."""
    await world.play("wards", "Ann", "Bo")
    await world.until(100_000)
    await world.dead_for(10_000)
    await world.after(100_000)
    assert T not in world.host.tables


@hosted
async def test_newcomers_get_the_chairs_of_those_who_never_woke_a_sleeping_table(world: World) -> None:
    """W8, A15: a table that all left is over, so that a venue opens a new one there."""
    ann, bo = await asleep(world, "Ann", "Bo")
    await ann.leave()
    await bo.leave()
    await world.after(61_001)
    assert world.live().state.ended
