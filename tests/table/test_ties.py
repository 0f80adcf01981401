"""What comes first in the same millisecond."""

from __future__ import annotations

from tests.table.hosting import World, hosted


def happened(world: World) -> list[tuple[str, int]]:
    """Time-outs and removals in the order of the journal."""
    entries = [entry for act in world.acts() for entry in act.entries]
    return [
        (next(kind for kind in ("expired", "attend") if kind in entry), entry["seat"])
        for entry in entries
        if "expired" in entry or entry.get("attend") == "gone"
    ]


@hosted
async def test_in_the_same_millisecond_the_turn_clock_comes_before_the_grace(world: World) -> None:
    """C10."""
    first, second, _ = await world.play("aetharn", "Ann", "Bo", "Cy", rules={"grace_seconds": 30})
    await second.leave()  # at 0, as the turn of the first began
    await world.until(32_000)
    assert happened(world) == [("expired", first.seat), ("attend", second.seat)]
    skipped = [event["player"] for event in first.told("TurnSkipped")]
    assert skipped == [second.seat]  # it was still in the game when the turn passed


@hosted
async def test_the_earlier_deadline_comes_first_whatever_it_is(world: World) -> None:
    """C10."""
    first, second, _ = await world.play("aetharn", "Ann", "Bo", "Cy", rules={"grace_seconds": 29})
    await second.leave()
    await world.until(32_000)
    assert happened(world) == [("attend", second.seat), ("expired", first.seat)]
    assert first.told("TurnSkipped") == []


@hosted
async def test_of_two_graces_that_end_together_the_lower_seat_goes_first(world: World) -> None:
    """C10."""
    people = await world.play("aetharn", "Ann", "Bo", "Cy", "Di", rules={"grace_seconds": 20})
    leaving = sorted(people[1:], key=lambda person: -person.seat)
    for person in leaving[:2]:
        await person.leave()
    await world.until(25_000)
    assert happened(world) == [("attend", seat) for seat in sorted(person.seat for person in leaving[:2])]


@hosted
async def test_a_seat_absent_in_its_own_turn_is_timed_out_before_it_is_removed(world: World) -> None:
    """C10, A13."""
    first, _, _ = await world.play("aetharn", "Ann", "Bo", "Cy", rules={"grace_seconds": 30})
    await first.leave()
    await world.until(32_000)
    assert happened(world) == [("expired", first.seat), ("attend", first.seat)]
