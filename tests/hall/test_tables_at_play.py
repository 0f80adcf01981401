"""Sitting, standing, watching, starting, playing and leaving, as a hall lets people do it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from dicehall.core import Refused
from dicehall.hall.opening import Opening, WantedBot
from dicehall.table.requests import Hint, OpenWords, Reclaim, Stand, Start
from tests.hall.halls import House, in_a_hall, outcome, promise

WORDS = "a word that nobody could know 0123456789abcdef"


@in_a_hall
async def test_people_take_the_first_free_chair_or_the_one_they_name(house: House) -> None:
    ann, bo, cy, di = await house.guests("Ann", "Bo", "Cy", "Di")
    table = await house.hall.open(ann, Opening("aetharn", seats=3))
    await house.hall.sit(ann, table, seat=1)
    await house.hall.sit(bo, table)
    assert await outcome(house.hall.sit(cy, table, seat=1)) == "seat_taken"
    assert await outcome(house.hall.sit(cy, table, seat=3)) == "bad_request"
    await house.hall.sit(cy, table)
    assert house.seats(table) == {0: bo, 1: ann, 2: cy}
    assert await outcome(house.hall.sit(di, table)) == "table_full"
    assert await outcome(house.hall.sit(di, table, seat=0)) == "table_full"


@in_a_hall
async def test_somebody_seated_may_move_but_never_sits_twice(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.lobby("aetharn", ann, bo, seats=4)
    assert await outcome(house.hall.sit(ann, table)) == "already_seated"
    assert await outcome(house.hall.sit(ann, table, seat=1)) == "seat_taken"
    await house.hall.sit(ann, table, seat=3)
    assert house.seats(table) == {1: bo, 3: ann}


@in_a_hall
async def test_one_account_plays_at_many_tables_at_once(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    house.box.named[1] = (6,)
    tables = [await house.game_of(ann, bo) for _ in range(3)]
    await house.win(tables[1], ann)
    assert [house.state(table).phase for table in tables] == ["playing", "over", "playing"]
    assert [(await house.hall.look(bo, table))["me"] for table in tables] == [1, 1, 1]


@in_a_hall
async def test_a_table_with_a_password_wants_it_from_whoever_comes_and_never_from_who_returns(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.hall.open(ann, Opening("wards", password="sesame"))
    for password in (None, "", "Sesame"):
        assert await outcome(house.hall.sit(bo, table, password=password)) == "wrong_password"
    assert house.seats(table) == {}
    await house.hall.sit(bo, table, password="sesame")
    await house.hall.sit(bo, table, seat=1)
    await house.hall.sit(ann, table, password="sesame")
    await house.hall.ask(bo, table, Stand())
    await house.hall.sit(bo, table)
    assert house.seats(table) == {0: ann, 1: bo}
    assert "sesame" not in str(await house.hall.look(None, table))


@in_a_hall
async def test_who_opened_a_table_is_not_asked_for_its_password(house: House) -> None:
    (ann,) = await house.guests("Ann")
    table = await house.hall.open(ann, Opening("wards", password="sesame"))
    await house.hall.sit(ann, table)
    assert house.seats(table) == {0: ann}


@in_a_hall
async def test_a_wrong_password_and_a_missing_one_are_told_apart(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.hall.open(ann, Opening("wards", password="sesame"))
    for password, sentence in (
        (None, "This table needs a password."),
        ("Sesame", "Wrong password."),
    ):
        with pytest.raises(Refused) as refused:
            await house.hall.sit(bo, table, password=password)
        assert refused.value.sentence == sentence


@in_a_hall
async def test_a_commitment_must_be_one_and_its_words_are_asked_for_before_the_start(house: House) -> None:
    """C12: with open words Dice Wards waits for them, and then starts."""
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.hall.open(ann, Opening("wards"))
    assert await outcome(house.hall.sit(ann, table, commitment="short")) == "bad_request"
    await house.hall.sit(ann, table, commitment=promise(WORDS))
    await house.hall.sit(bo, table)
    shown = await house.hall.look(ann, table)
    assert (shown["phase"], shown["asks_for_words"]) == ("lobby", True)
    assert await outcome(house.hall.ask(ann, table, OpenWords("others"))) == "bad_request"
    await house.hall.ask(ann, table, OpenWords(WORDS))
    assert house.state(table).phase == "playing"
    assert house.state(table).words == (WORDS, "")


@in_a_hall
async def test_words_that_nobody_opens_in_time_cost_the_seat(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.hall.open(ann, Opening("wards"))
    await house.hall.sit(ann, table, commitment=promise(WORDS))
    await house.hall.sit(bo, table)
    await house.after(12)
    assert house.seats(table) == {1: bo}
    assert house.state(table).phase == "lobby"


@in_a_hall
async def test_who_stands_up_in_a_lobby_frees_the_chair(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.lobby("tenthousand", ann, bo)
    assert await outcome(house.hall.leave("somebody", table)) == "not_seated"
    await house.hall.ask(ann, table, Stand())
    await house.hall.sit(bo, table, seat=0)
    assert house.seats(table) == {0: bo}


@in_a_hall
async def test_the_last_to_leave_an_aetharn_lobby_closes_it_and_a_wards_lobby_stays(house: House) -> None:
    """A16."""
    [ann] = await house.guests("Ann")
    oak, room = await house.lobby("aetharn", ann), await house.lobby("wards", ann)
    for table in (oak, room):
        await house.hall.leave(ann, table)
    assert (house.state(oak).phase, house.state(room).phase) == ("abandoned", "lobby")


@in_a_hall
async def test_a_request_that_is_repeated_with_its_id_is_done_once(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.hall.open(ann, Opening("wards"))
    first = await house.hall.sit(ann, table, id="a")
    await house.hall.sit(bo, table, id="a")
    again = await house.hall.sit(ann, table, id="a")
    assert (again.n, again.repeated) == (first.n, True)
    house.box.named.update({1: (2,), 2: (3,)})
    rolled = [(await house.hall.act(ann, table, "roll", id="b")).n for _ in range(3)]
    assert rolled == [rolled[0]] * 3
    assert house.state(table).position.round_score == 2


@pytest.mark.parametrize(("game", "seats"), [("wards", 2), ("mana", 2), ("doordice", 5)])
@in_a_hall
async def test_these_games_start_by_themselves_with_the_last_seat(house: House, game: str, seats: int) -> None:
    """C12."""
    people = await house.guests(*(f"G{n}" for n in range(seats)))
    table = await house.lobby(game, *people[:-1])
    assert house.state(table).phase == "lobby"
    assert await outcome(house.hall.ask(people[0], table, Start())) == "too_few_seats"
    await house.hall.sit(people[-1], table)
    assert house.state(table).phase == "playing"
    assert await outcome(house.hall.ask(people[0], table, Start())) == "already_started"


@pytest.mark.parametrize("game", ["aetharn", "tenthousand"])
@in_a_hall
async def test_these_games_start_when_somebody_seated_says_so(house: House, game: str) -> None:
    """C12, A16: with two or more, and also when all seats are taken not before."""
    ann, bo, cy = await house.guests("Ann", "Bo", "Cy")
    table = await house.lobby(game, ann, seats=2)
    assert await outcome(house.hall.ask(ann, table, Start())) == "too_few_seats"
    await house.hall.sit(bo, table)
    assert house.state(table).phase == "lobby"
    assert await outcome(house.hall.ask(cy, table, Start())) == "not_seated"
    await house.hall.ask(bo, table, Start())
    assert house.state(table).phase == "playing"
    assert await outcome(house.hall.sit(cy, table)) == "already_started"


@in_a_hall
async def test_spectators_hear_everything_and_can_do_nothing(house: House) -> None:
    """A17."""
    ann, bo, cy = await house.guests("Ann", "Bo", "Cy")
    table = await house.game_of(ann, bo)
    ears = [house.ear(), house.ear()]
    for account, ear in zip((cy, None), ears, strict=True):
        assert (await house.hall.watch(account, table, ear)).state.id == table
    await house.hall.act(ann, table, "roll")
    assert ears[0].messages[-1]["rolls"]
    assert ears[0].messages[-1] == ears[1].messages[-1]
    for request in (house.hall.act(cy, table, "roll"), house.hall.leave(cy, table), house.hall.ask(cy, table, Hint())):
        assert await outcome(request) == "not_seated"
    assert await outcome(house.hall.watch(cy, "nowhere", house.ear())) == "no_such_table"


# -- leaving and standing in ----------------------------------------------------------------------------------


async def four_at_ten_thousand(house: House) -> tuple[str, list[str]]:
    people = await house.guests("Ann", "Bo", "Cy", "Di")
    table = await house.lobby("tenthousand", *people, rules={"turn_seconds": None})
    await house.hall.ask(people[0], table, Start())
    return table, people


def seat_of(house: House, table: str, account: str) -> int:
    return [chair.account for chair in house.state(table).chairs].index(account)


def deputy(house: House, table: str, account: str) -> str | None:
    return house.state(table).chairs[seat_of(house, table, account)].deputy


@in_a_hall
async def test_who_left_for_good_is_stood_in_for_as_soon_as_all_others_agree(house: House) -> None:
    """C9."""
    table, (ann, bo, cy, di) = await four_at_ten_thousand(house)
    seat = seat_of(house, table, di)
    assert await outcome(house.hall.add_bot(ann, table, seat, "greedy")) == "not_allowed"
    await house.hall.leave(di, table)
    for account in (ann, bo, ann):
        await house.hall.add_bot(account, table, seat, "greedy")
        assert deputy(house, table, di) is None
    await house.hall.add_bot(cy, table, seat, "greedy")
    assert deputy(house, table, di) == "greedy"
    assert await outcome(house.hall.act(di, table, "roll")) in ("not_allowed", "not_your_turn")
    await house.hall.ask(di, table, Reclaim())
    assert deputy(house, table, di) is None


@in_a_hall
async def test_who_only_stood_up_is_waited_for_two_minutes(house: House) -> None:
    """C9."""
    table, (ann, bo, cy, di) = await four_at_ten_thousand(house)
    await house.hall.ask(di, table, Stand())
    for account in (bo, cy):
        await house.hall.ask(account, table, Stand())
    await house.after(119)
    assert await outcome(house.hall.add_bot(ann, table, seat_of(house, table, di), "random")) == "not_allowed"
    await house.after(1)
    await house.hall.add_bot(ann, table, seat_of(house, table, di), "random")
    assert deputy(house, table, di) == "random"


@in_a_hall
async def test_anybody_lets_a_bot_play_for_themselves_at_once(house: House) -> None:
    """C9."""
    table, (ann, bo, *_) = await four_at_ten_thousand(house)
    await house.hall.add_bot(bo, table, None, "greedy")
    await house.hall.add_bot(ann, table, seat_of(house, table, ann), "random")
    assert (deputy(house, table, bo), deputy(house, table, ann)) == ("greedy", "random")


@pytest.mark.parametrize(
    ("who", "seat", "level", "code"),
    [
        ("ann", 4, "greedy", "bad_request"),
        ("ann", -1, "greedy", "bad_request"),
        ("ann", 1, "godlike", "bad_request"),
        ("ann", 1, "greedy", "not_allowed"),
        ("eve", 1, "greedy", "not_seated"),
    ],
)
@in_a_hall
async def test_a_stand_in_that_cannot_be_is_refused(house: House, who: str, seat: int, level: str, code: str) -> None:
    table, people = await four_at_ten_thousand(house)
    account = people[0] if who == "ann" else who
    assert await outcome(house.hall.add_bot(account, table, seat, level)) == code


@in_a_hall
async def test_in_aetharn_no_bot_stands_in(house: House) -> None:
    """C9: there a seat that stays away is removed."""
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.lobby("aetharn", ann, bo)
    await house.hall.ask(ann, table, Start())
    await house.hall.leave(bo, table)
    assert await outcome(house.hall.add_bot(ann, table, 1, "greedy")) == "not_allowed"


@in_a_hall
async def test_who_opened_a_table_seats_bots_and_a_full_table_starts_with_them(house: House) -> None:
    """C12."""
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.lobby("wards", ann)
    assert await outcome(house.hall.add_bot(bo, table, None, "greedy")) == "not_allowed"
    assert await outcome(house.hall.add_bot(ann, table, 0, "greedy")) == "seat_taken"
    assert await outcome(house.hall.add_bot(ann, table, 5, "greedy")) == "bad_request"
    assert await outcome(house.hall.add_bot(ann, table, None, "godlike")) == "bad_request"
    assert await outcome(house.hall.add_bot(ann, "nowhere", None, "greedy")) == "no_such_table"
    await house.hall.add_bot(ann, table, None, "greedy")
    assert house.seats(table) == {0: ann, 1: "greedy"}
    assert house.state(table).phase == "playing"


@in_a_hall
async def test_bots_of_one_table_never_share_a_name(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.lobby("aetharn", ann, bo, bots=(WantedBot(4, "greedy"),))
    await house.hall.add_bot(ann, table, None, "greedy")
    await house.hall.leave(bo, table)
    await house.hall.add_bot(ann, table, None, "greedy")
    await house.hall.add_bot(ann, table, None, "greedy")
    names = [chair.name for chair in house.state(table).chairs]
    assert len(set(names)) == 5, names


@in_a_hall
async def test_seating_a_bot_again_with_the_same_id_after_the_start_is_answered_alike(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.lobby("aetharn", ann, bo)
    first = await house.hall.add_bot(ann, table, 5, "greedy", id="b")
    await house.hall.ask(ann, table, Start())
    again: Any = await outcome(house.hall.add_bot(ann, table, 5, "greedy", id="b"))
    assert (again.n, again.repeated) == (first.n, True)


@in_a_hall
async def test_bots_that_come_at_the_same_moment_have_names_of_their_own(house: House) -> None:
    [ann] = await house.guests("Ann")
    table = await house.lobby("tenthousand", ann)
    await asyncio.gather(*(house.hall.add_bot(ann, table, None, "greedy") for _ in range(3)))
    names = [chair.name for chair in house.state(table).chairs]
    assert len(set(names)) == 4, names
