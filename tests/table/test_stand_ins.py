"""Bots that stand in for people who are away."""

from __future__ import annotations

import pytest

from dicehall.table.requests import Depute, Reclaim, Stand
from tests.table.hosting import World, code_of, hosted

NO_CLOCK = {"turn_seconds": None}


@hosted
async def test_by_its_person_s_word_a_bot_stands_in_at_once(world: World) -> None:
    """C9."""
    ann, bo = await world.play("wards", "Ann", "Bo", rules=NO_CLOCK)
    await ann.ask(Depute("greedy"))
    await world.after(30_000)
    assert world.live().state.to_act() == {1}  # the bot played Ann's turn, and waits for Bo
    assert await code_of(ann.do("roll")) == "not_allowed"
    assert await code_of(ann.ask(Depute("greedy"))) == "not_allowed"
    assert bo.told("Deputed") == [{"event": "Deputed", "chair": 0, "level": "greedy", "to": None}]


@hosted
async def test_the_person_may_take_the_seat_back(world: World) -> None:
    """C9."""
    ann, _bo = await world.play("wards", "Ann", "Bo", rules=NO_CLOCK)
    await ann.ask(Depute("greedy"))
    await ann.ask(Reclaim())
    stored = world.names()
    await world.after(30_000)
    assert world.names() == stored
    await ann.do("hold")
    assert await code_of(ann.ask(Reclaim())) == "not_allowed"
    assert world.live().state.chairs[0].conn == ann.ears[0].id  # and is still carried by the same connection


@hosted
async def test_others_may_give_an_absent_seat_to_a_bot_after_two_minutes(world: World) -> None:
    """C9."""
    ann, bo = await world.play("wards", "Ann", "Bo", rules=NO_CLOCK)
    ann.drop()
    await world.until(5_000 + 119_999)
    assert await code_of(bo.ask(Depute("greedy", 0))) == "not_allowed"
    await world.until(5_000 + 120_000)
    await bo.ask(Depute("greedy", 0))
    assert world.live().state.chairs[0].deputy == "greedy"


@hosted
async def test_a_person_who_leaves_for_good_may_be_replaced_at_once_by_the_others(world: World) -> None:
    """C9."""
    ann, bo = await world.play("wards", "Ann", "Bo", rules=NO_CLOCK)
    await ann.leave()
    assert await code_of(bo.ask(Depute("greedy", 0))) == "not_allowed"
    await ann.ask(Stand(good=True))  # also said from outside
    await bo.ask(Depute("greedy", 0))
    assert world.live().state.chairs[0].deputy == "greedy"


@hosted
async def test_nobody_present_can_be_replaced(world: World) -> None:
    """C9."""
    _, bo = await world.play("wards", "Ann", "Bo", rules=NO_CLOCK)
    await world.until(500_000)
    assert await code_of(bo.ask(Depute("greedy", 0))) == "not_allowed"
    assert await code_of(bo.ask(Depute("greedy", 5))) == "bad_request"


@hosted
async def test_all_others_present_must_agree(world: World) -> None:
    """C9."""
    people = await world.play("tenthousand", "Ann", "Bo", "Cy", "Di")
    ann, bo, cy, di = sorted(people, key=lambda person: person.name)
    await ann.leave()
    di.drop()  # away, so that it is not asked
    await world.until(120_000)
    await bo.ask(Depute("greedy", 0))
    assert world.live().state.chair(0).deputy is None
    stored = world.names()
    await bo.ask(Depute("greedy", 0))  # saying it twice is no second voice, and no second act
    assert world.names() == stored
    await cy.ask(Depute("greedy", 0))
    assert world.live().state.chair(0).deputy == "greedy"


@hosted
async def test_who_returns_takes_all_agreement_with_it(world: World) -> None:
    """C9."""
    people = await world.play("tenthousand", "Ann", "Bo", "Cy")
    ann, bo, cy = sorted(people, key=lambda person: person.name)
    await ann.leave()
    await world.until(120_000)
    await bo.ask(Depute("greedy", 0))
    await ann.come()
    await ann.leave()
    await world.until(240_000)
    await cy.ask(Depute("greedy", 0))
    assert world.live().state.chair(0).deputy is None  # Bo has to say it again


@hosted
async def test_a_person_who_comes_back_to_a_seat_a_bot_plays_takes_it_back_by_its_own_word(world: World) -> None:
    """C9."""
    ann, bo = await world.play("wards", "Ann", "Bo", rules=NO_CLOCK)
    ann.drop()
    await world.until(126_000)
    await bo.ask(Depute("greedy", 0))
    ear = await ann.come()
    assert await code_of(ann.do("hold")) == "not_allowed"
    await ann.ask(Reclaim(ear.id))
    await world.after(1)
    assert world.live().state.chairs[0].deputy is None
    assert world.live().state.chairs[0].conn == ear.id


@pytest.mark.parametrize("chair", [None, 1])
@hosted
async def test_no_bot_stands_in_at_aetharn(world: World, chair: int | None) -> None:
    """C9, A12: there a seat that stays away is removed."""
    first, _ = await world.play("aetharn", "Ann", "Bo")
    assert await code_of(first.ask(Depute("greedy", chair))) == "not_allowed"


@hosted
async def test_absence_changes_nothing_in_the_rules_of_the_others(world: World) -> None:
    """C9: the clock runs on for a seat that is away."""
    ann, bo = await world.play("wards", "Ann", "Bo")
    await ann.leave()
    await world.until(29_000)
    await ann.do("hold")  # even without coming back first
    await bo.leave()
    await world.until(62_000)
    assert world.expiries() == [(59_000, 1)]
