"""A table's record: what it holds, and what it keeps back while choices are hidden."""

from __future__ import annotations

import json

import pytest

from dicehall.core.fold import replay
from dicehall.core.game import Seat
from dicehall.table.record import record_for
from dicehall.wire.record import record_text, write_record
from tests.table.hosting import World, hosted


def picks(world: World, seat: int | None) -> list[tuple[int, int]]:
    """The picks that the record made for this audience shows."""
    record = record_for(world.story(), None if seat is None else Seat(seat))
    return [(entry["seat"], entry["move"]["pick"]) for entry in record.entries if "move" in entry]


@hosted
async def test_replaying_the_record_gives_the_position_of_the_table(world: World) -> None:
    """C3."""
    first, second = await world.play("aetharn", "Ann", "Bo")
    await first.do("roll")
    await second.leave()
    await world.until(40_000)
    record = world.record()
    again = replay(record.game, len(record.names), (logged.entry for logged in record.logged()))
    assert again == world.live().state.position
    assert [entry["at"] for entry in record.entries] == sorted(entry["at"] for entry in record.entries)


@hosted
async def test_rolls_state_the_sides_of_their_dice_and_a_finished_game_its_end(world: World) -> None:
    """The seal: a checker that does not know the rules needs both."""
    world.box.named = dict.fromkeys(range(1, 9), (5,))
    ann, bo = await world.play("wards", "Ann", "Bo", rules={"goal": 5})
    await ann.do("roll")
    running = write_record(world.record())
    assert "end" not in running
    await ann.do("hold")
    assert world.live().state.phase == "over"
    for document in (write_record(record_for(world.story(), bo.seat)), json.loads(record_text(world.record()))):
        assert document["end"] == {"entries": len(document["entries"])} == {"entries": 3}
        assert [entry["sides"] for entry in document["entries"] if "roll" in entry] == [[6]]


@hosted
async def test_a_table_that_never_started_has_no_record(world: World) -> None:
    """C3."""
    await world.open("wards")
    with pytest.raises(ValueError, match="never started"):
        world.record()


@hosted
async def test_an_open_pick_is_shown_to_its_own_seat_alone(world: World) -> None:
    """M1."""
    ann, bo = await world.play("mana", "Ann", "Bo")
    await ann.do({"pick": 5})
    assert picks(world, 0) == [(0, 5)]
    assert picks(world, 1) == picks(world, None) == []
    await bo.do({"pick": 2})
    assert picks(world, 0) == picks(world, 1) == picks(world, None) == [(0, 5), (1, 2)]


@pytest.mark.parametrize("first", [0, 1])
@hosted
async def test_picks_of_earlier_rounds_stay_shown(world: World, first: int) -> None:
    """M1."""
    people = await world.play("mana", "Ann", "Bo")
    for seat, unit in ((1, 3), (0, 4), (first, 6)):
        await people[seat].do({"pick": unit})
    earlier = [(1, 3), (0, 4)]
    assert picks(world, 1 - first) == picks(world, None) == earlier
    assert picks(world, first) == [*earlier, (first, 6)]


@pytest.mark.parametrize("leaves", [0, 1])
@hosted
async def test_an_open_pick_stays_hidden_when_somebody_leaves_and_returns(world: World, leaves: int) -> None:
    """M1."""
    people = await world.play("mana", "Ann", "Bo")
    await people[0].do({"pick": 5})
    await people[leaves].leave()
    assert picks(world, 1) == picks(world, None) == []
    await people[leaves].come()
    assert picks(world, 1) == picks(world, None) == []
    assert picks(world, 0) == [(0, 5)]


@hosted
async def test_games_without_secrets_hide_nothing(world: World) -> None:
    """C3."""
    ann, _ = await world.play("wards", "Ann", "Bo")
    await ann.do("hold")
    assert record_for(world.story(), Seat(1)) == world.record()


@hosted
async def test_the_second_clock_of_mana_ends_the_match(world: World) -> None:
    """M10: same rule on the phase then open."""
    ann, _ = await world.play("mana", "Ann", "Bo", rules={"match_seconds": 100})
    await ann.do({"pick": 1})
    await world.until(102_000)
    assert world.expiries() == [(100_000, 1)]
    assert world.live().state.phase == "over"


@hosted
async def test_a_round_of_mana_in_which_nobody_picks_abandons_it(world: World) -> None:
    """M10."""
    await world.play("mana", "Ann", "Bo")
    await world.until(302_000)
    assert world.live().state.phase == "abandoned"
