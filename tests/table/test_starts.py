"""When tables start, and in which order people then sit."""

from __future__ import annotations

import pytest

from dicehall.core.house import BadRule
from dicehall.games.wards.rules import Wards
from dicehall.table.requests import Sit, Start
from tests.table.hosting import World, code_of, hosted


@pytest.mark.parametrize(("key", "seats"), [("wards", 2), ("doordice", 5), ("mana", 2)])
@hosted
async def test_some_games_start_when_the_last_seat_is_filled(world: World, key: str, seats: int) -> None:
    """C12."""
    await world.open(key)
    people = [await world.person(f"P{number}") for number in range(seats)]
    for person in people:
        assert world.live().state.phase == "lobby"
        await person.sit()
        if person is people[0]:
            assert await code_of(person.ask(Start())) == "too_few_seats"
    assert world.live().state.phase == "playing"
    assert world.live().state.game.count(world.live().state.position) == seats


@pytest.mark.parametrize("key", ["aetharn", "tenthousand"])
@hosted
async def test_others_when_somebody_seated_says_so_with_two_or_more(world: World, key: str) -> None:
    """C12."""
    await world.open(key)
    ann, bo = await world.person("Ann"), await world.person("Bo")
    await ann.sit()
    assert await code_of(ann.ask(Start())) == "too_few_seats"
    await bo.sit()
    assert world.live().state.phase == "lobby"
    await bo.ask(Start())
    assert world.live().state.phase == "playing"


@hosted
async def test_a_full_aetharn_table_still_waits_to_be_told(world: World) -> None:
    """C12."""
    await world.open("aetharn", seats=2)
    for name in ("Ann", "Bo"):
        await (await world.person(name)).sit()
    assert world.live().state.phase == "lobby"


@hosted
async def test_dice_10_000_is_played_in_the_order_of_joining_whichever_chairs_were_taken(world: World) -> None:
    """T1."""
    await world.open("tenthousand")
    ann, bo, cy = [await world.person(name) for name in ("Ann", "Bo", "Cy")]
    await ann.sit(7)
    await bo.sit(2)
    await cy.sit(0)
    await bo.ask(Sit("Bo", 9))  # moving to another chair is no new joining
    await cy.ask(Start())
    assert [person.seat for person in (ann, bo, cy)] == [0, 1, 2]
    assert world.live().state.to_act() == {ann.seat}
    await ann.do("roll")


@hosted
async def test_wards_seats_the_creator_first(world: World) -> None:
    """W1: chairs are seats where nothing is drawn."""
    await world.open("wards")
    bo, ann = await world.person("Bo"), await world.person("Ann")
    await bo.sit(1)
    await ann.sit(0)
    assert (ann.seat, bo.seat) == (0, 1)
    assert world.live().state.to_act() == {0}


@hosted
async def test_house_rules_are_those_the_table_was_opened_with(world: World) -> None:
    """C6: also after a restart."""
    await world.play("wards", "Ann", "Bo", rules={"goal": 7, "turn_seconds": 12})
    await world.dead_for(1_000)
    assert (await world.host.look("t")).state.game == Wards(goal=7, turn_seconds=12)
    await world.until(40_000)
    assert world.expiries()[1][0] - world.expiries()[0][0] == 12_000


@pytest.mark.parametrize(("key", "seats"), [("wards", 3), ("wards", 1), ("aetharn", 7), ("doordice", 4)])
@hosted
async def test_a_table_cannot_have_more_or_fewer_chairs_than_the_game_has_seats(
    world: World, key: str, seats: int
) -> None:
    """A1, D1."""
    with pytest.raises(BadRule):
        await world.open(key, seats=seats)
    assert world.host.tables == {}


@hosted
async def test_nothing_can_be_played_before_the_start(world: World) -> None:
    """C2."""
    await world.open("wards")
    ann = await world.person("Ann")
    await ann.sit()
    assert await code_of(ann.do("roll")) == "too_few_seats"
