"""Bots as people meet them: their names, games without a clock, and the end of a game against them."""

from __future__ import annotations

from typing import Any

import pytest

from dicehall.hall.opening import Opening, WantedBot
from dicehall.table.requests import Abandon, Depute, Start
from dicehall.wire.bot_names import NAMES, bot_names
from tests.hall.halls import House, in_a_hall, outcome


def casual(*seats: int) -> tuple[WantedBot, ...]:
    return tuple(WantedBot(seat, "greedy") for seat in seats)


async def alone(house: House, account: str, game: str = "wards", **wanted: Any) -> str:
    """A running game of one person against one bot."""
    table = await house.hall.open(account, Opening(game, seats=2, bots=casual(1), **wanted))
    await house.hall.sit(account, table)
    if game in ("aetharn", "tenthousand"):
        await house.hall.ask(account, table, Start())
    return table


def names(house: House, table: str) -> list[str]:
    return [chair.name for chair in house.state(table).chairs]


# -- names --------------------------------------------------------------------------------------------------


def test_a_table_always_gives_the_same_names_and_another_table_other_ones() -> None:
    def drawn(table: str) -> list[str]:
        return [name for name, _ in zip(bot_names(table, ()), range(len(NAMES) + 1), strict=False)]

    assert drawn("t1") == drawn("t1")
    assert drawn("t1") != drawn("t2")
    assert set(drawn("t1")[:-1]) == set(NAMES)
    assert drawn("t1")[-1] == f"{drawn('t1')[0]} 2"


@in_a_hall
async def test_bots_have_names_of_their_own_without_a_level_in_them(house: House) -> None:
    [ann] = await house.guests("Ann")
    table = await house.hall.open(ann, Opening("tenthousand", seats=6, bots=casual(1, 2, 3)))
    await house.hall.add_bot(ann, table, 4, "random")
    seats = (await house.hall.look(ann, table))["seats"]
    assert len({seat["name"] for seat in seats[1:5]} & set(NAMES)) == 4
    assert [seat["level"] for seat in seats] == [None, "Casual", "Casual", "Casual", "Easy", None]
    assert [seat["bot"] for seat in seats] == [None, "greedy", "greedy", "greedy", "random", None]


@in_a_hall
async def test_no_bot_is_called_like_a_person_at_its_table(house: House) -> None:
    people = await house.guests(*NAMES[:12])
    table = await house.hall.open(people[0], Opening("tenthousand", seats=12))
    for account in people[:11]:
        await house.hall.sit(account, table)
    await house.hall.add_bot(people[0], table, 11, "greedy")
    assert len({name.casefold() for name in names(house, table)}) == 12


@in_a_hall
async def test_a_bot_takes_another_name_when_somebody_with_its_name_sits_down(house: House) -> None:
    [ann] = await house.guests("Ann")
    table = await house.hall.open(ann, Opening("wards", bots=casual(1)))
    before = names(house, table)[0]
    [twin] = await house.guests(before.upper())
    await house.hall.sit(twin, table)
    mine, bot = names(house, table)
    assert (mine, bot in NAMES, bot != before) == (before.upper(), True, True)
    assert names(house, table) == [chair.name for chair in (await house.folded(table)).chairs]


@in_a_hall
async def test_a_seat_says_which_level_was_asked_for_where_its_bot_plays_on_another(house: House) -> None:
    async def plays_as(game: Any, level: str, seats: int) -> str:
        return "greedy" if level == "exact" else level

    object.__setattr__(house.hall.parts, "plays_as", plays_as)
    [ann] = await house.guests("Ann")
    table = await house.hall.open(ann, Opening("tenthousand", seats=3, bots=(WantedBot(0, "exact"),)))
    await house.hall.add_bot(ann, table, 1, "exact")
    seats = (await house.hall.look(ann, table))["seats"]
    assert [(seat["bot"], seat["level"], seat["asked_level"]) for seat in seats[:2]] == [
        ("greedy", "Casual", "Exact")
    ] * 2


@in_a_hall
async def test_bots_keep_their_names_in_a_rematch(house: House) -> None:
    [ann] = await house.guests("Ann")
    table = await alone(house, ann)
    await house.hall.ask(ann, table, Abandon())
    again = await house.hall.rematch(ann, table)
    assert names(house, again) == names(house, table)[1:]


# -- no clock against bots only -----------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["wards", "aetharn", "mana"])
@in_a_hall
async def test_no_turn_clock_runs_where_one_person_plays_with_bots(house: House, game: str) -> None:
    [ann] = await house.guests("Ann")
    shown = await house.hall.look(ann, await alone(house, ann, game, clock=None))
    assert (shown["timed"], shown["deadline"]) == (False, None)


@pytest.mark.parametrize("wanted", [{"clock": True}, {"clock": None, "rules": {"turn_seconds": 30}}])
@in_a_hall
async def test_a_clock_that_was_asked_for_runs_against_bots_too(house: House, wanted: dict[str, Any]) -> None:
    [ann] = await house.guests("Ann")
    shown = await house.hall.look(ann, await alone(house, ann, **wanted))
    assert (shown["timed"], shown["deadline"] is None) == (True, False)


@in_a_hall
async def test_the_clock_runs_as_soon_as_two_people_play(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.lobby("wards", ann, bo, clock=None)
    shown = await house.hall.look(ann, table)
    assert (shown["timed"], shown["deadline"] is None) == (True, False)


@in_a_hall
async def test_an_hour_without_a_clock_costs_nobody_a_turn(house: House) -> None:
    [ann] = await house.guests("Ann")
    table = await alone(house, ann, clock=None)
    await house.after(3600)
    shown = await house.hall.look(ann, table)
    assert (shown["phase"], shown["view"]["turn"]) == ("playing", [0])


# -- the end of a game against bots -------------------------------------------------------------------------


@in_a_hall
async def test_a_person_ends_a_game_against_bots_and_it_counts_for_nobody(house: House) -> None:
    """C9."""
    [ann] = await house.accounts("Ann")
    table = await alone(house, ann)
    assert (await house.hall.look(ann, table))["can_abandon"]
    await house.hall.ask(ann, table, Abandon())
    shown = await house.hall.look(ann, table)
    assert (shown["phase"], shown["can_abandon"]) == ("abandoned", False)
    assert await house.hall.parts.register.counts(ann) == []
    assert await outcome(house.hall.ask(ann, table, Abandon())) == "game_finished"


@in_a_hall
async def test_nobody_ends_a_game_that_other_people_play(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.game_of(ann, bo)
    assert not (await house.hall.look(ann, table))["can_abandon"]
    assert await outcome(house.hall.ask(ann, table, Abandon())) == "not_allowed"
    await house.hall.leave(bo, table)  # for good
    assert (await house.hall.look(ann, table))["can_abandon"]
    await house.hall.ask(ann, table, Abandon())
    assert house.state(table).phase == "abandoned"


@in_a_hall
async def test_whoever_only_lets_a_bot_stand_in_still_plays(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.game_of(ann, bo)
    await house.hall.ask(bo, table, Depute("greedy"))
    assert await outcome(house.hall.ask(ann, table, Abandon())) == "not_allowed"


@in_a_hall
async def test_only_who_plays_ends_a_game_and_only_once_it_has_started(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    lobby = await house.lobby("wards", ann)
    assert await outcome(house.hall.ask(ann, lobby, Abandon())) == "too_few_seats"
    assert await outcome(house.hall.ask(bo, await alone(house, ann), Abandon())) == "not_seated"


# -- practice -----------------------------------------------------------------------------------------------


@in_a_hall
async def test_hints_are_on_where_bots_take_every_other_seat_unless_somebody_says_no(house: House) -> None:
    [ann] = await house.guests("Ann")
    for hints, expected in ((None, True), (False, False)):
        shown = await house.hall.look(ann, await alone(house, ann, hints=hints))
        assert (shown["hints"], shown["practice"]) == (expected, expected)
    shown = await house.hall.look(ann, await house.hall.open(ann, Opening("wards", hints=None)))
    assert (shown["hints"], shown["practice"]) == (False, False)


@in_a_hall
async def test_it_is_no_practice_where_two_people_play(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    shown = await house.hall.look(ann, await house.lobby("wards", ann, bo, hints=True))
    assert (shown["hints"], shown["practice"]) == (True, False)
