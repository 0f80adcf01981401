"""Rematches: the same people at a new table, everybody one seat further, and one rematch however many ask."""

from __future__ import annotations

import asyncio

import pytest

from dicehall.hall.opening import Opening, WantedBot
from dicehall.hall.register import Filter
from dicehall.hall.rematches import MOST_REMATCHES
from dicehall.table.requests import Start
from tests.hall.halls import House, in_a_hall, outcome
from tests.table.fakes import Ear


@in_a_hall
async def test_a_rematch_is_a_new_table_with_everything_as_it_was(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    wanted = {"rules": {"goal": 5}, "name": "Oak", "public": False, "hints": True, "drawn": False}
    table = await house.won(ann, bo, **wanted)
    new = await house.hall.rematch(bo, table)
    assert new != table
    before, after = await house.hall.look(ann, table), await house.hall.look(ann, new)
    same = ("rules", "name", "game", "public", "locked", "hints", "drawn")
    assert {key: after[key] for key in same} == {key: before[key] for key in same}
    assert (after["before"], after["phase"], after["opener"], after["seal"] != before["seal"]) == (
        table,
        "lobby",
        bo,
        True,
    )


@in_a_hall
async def test_in_a_rematch_everybody_sits_one_seat_further(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.won(ann, bo)
    new = await house.hall.rematch(ann, table)
    for account in (ann, bo):
        await house.hall.sit(account, new)
    assert house.seats(new) == {0: bo, 1: ann}
    assert house.state(new).phase == "playing"
    assert (await house.hall.look(bo, new))["me"] == 0
    await house.win(new, bo)
    third = await house.hall.rematch(bo, new)
    assert (await house.hall.look(bo, third))["before"] == new


@in_a_hall
async def test_chairs_are_kept_for_those_who_played(house: House) -> None:
    ann, bo, cy = await house.guests("Ann", "Bo", "Cy")
    new = await house.hall.rematch(ann, await house.won(ann, bo))
    assert await outcome(house.hall.sit(cy, new)) == "table_full"
    assert await outcome(house.hall.sit(cy, new, seat=0)) == "seat_taken"
    assert await outcome(house.hall.sit(ann, new, seat=0)) == "seat_taken"
    await house.hall.sit(ann, new)
    assert house.seats(new) == {1: ann}


@in_a_hall
async def test_chairs_are_kept_for_two_minutes_and_then_anybody_may_sit_there(house: House) -> None:
    ann, bo, cy = await house.guests("Ann", "Bo", "Cy")
    new = await house.hall.rematch(ann, await house.won(ann, bo))
    await house.hall.sit(ann, new)
    await house.after(119)
    assert await outcome(house.hall.sit(cy, new)) == "table_full"
    await house.after(1)
    await house.hall.sit(cy, new)
    assert house.seats(new) == {0: cy, 1: ann}
    assert await outcome(house.hall.sit(bo, new)) == "already_started"


@in_a_hall
async def test_whoever_comes_late_still_has_the_own_chair_before_others(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    new = await house.hall.rematch(ann, await house.won(ann, bo))
    await house.after(300)
    await house.hall.sit(ann, new)
    assert house.seats(new) == {1: ann}


@in_a_hall
async def test_who_opened_a_rematch_may_give_a_kept_chair_to_a_bot_at_once(house: House) -> None:
    """But never by chance the own one, and a chair that is kept for nobody first."""
    ann, bo = await house.guests("Ann", "Bo")
    new = await house.hall.rematch(ann, await house.won(ann, bo))
    await house.hall.add_bot(ann, new, None, "greedy")
    assert house.seats(new) == {0: "greedy"}
    assert await outcome(house.hall.add_bot(ann, new, None, "greedy")) == "table_full"
    assert await outcome(house.hall.sit(bo, new)) == "table_full"
    await house.hall.sit(ann, new)
    assert house.state(new).phase == "playing"


@in_a_hall
async def test_bots_come_along_one_seat_further(house: House) -> None:
    [ann] = await house.guests("Ann")
    bots = (WantedBot(1, "greedy"), WantedBot(2, "random"))
    table = await house.hall.open(ann, Opening("tenthousand", {"goal": 50, "opening": 0}, seats=3, bots=bots))
    await house.hall.sit(ann, table)
    await house.hall.ask(ann, table, Start())
    await house.hall.add_bot(ann, table, None, "greedy")
    await house.after(300)
    assert house.state(table).phase == "over"
    seats = [chair.account or chair.bot for chair in house.state(table).chairs]
    new = await house.hall.rematch(ann, table)
    kept = {number: who for number, who in enumerate([*seats[1:], seats[0]]) if who != ann}
    assert house.seats(new) == kept, "the stand-in plays no more, the bots do"
    await house.hall.sit(ann, new)
    assert len(house.seats(new)) == 3


@in_a_hall
async def test_however_many_ask_there_is_one_rematch(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.won(ann, bo)
    asked = [house.hall.rematch(account, table, id) for account in (ann, bo) for id in (None, "x", "y")]
    assert len(set(await asyncio.gather(*asked))) == 1
    assert len(await house.hall.find(Filter(), 0)) == 2


@in_a_hall
async def test_players_and_spectators_are_shown_who_wants_a_rematch(house: House) -> None:
    ann, bo, cy = await house.guests("Ann", "Bo", "Cy")
    table = await house.won(ann, bo)
    assert (await house.hall.look(bo, table))["rematch"] is None
    new = await house.hall.rematch(ann, table)
    assert (await house.hall.look(bo, table))["rematch"] == {
        "table": new,
        "account": ann,
        "name": "Ann",
        "declined": [],
    }
    for spectator in (cy, None):
        assert (await house.hall.look(spectator, table))["rematch"] == (await house.hall.look(bo, table))["rematch"]
    await house.hall.destroy(ann, new, "closed by its opener")
    assert (await house.hall.look(bo, table))["rematch"] is None


@in_a_hall
async def test_who_still_watches_the_old_table_hears_of_the_rematch_once(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.won(ann, bo)
    ear = Ear("p1:bo")
    await house.hall.watch(bo, table, ear)
    await house.hall.rematch(ann, table)
    await house.hall.rematch(bo, table)
    offers = [message for message in ear.messages if message.get("event") == "RematchOffered"]
    assert offers == [{"table": table, "event": "RematchOffered", "account": ann, "name": "Ann"}]


@in_a_hall
async def test_whoever_was_asked_can_accept_or_decline_and_both_tables_hear_it(house: House) -> None:
    ann, bo, cy = await house.guests("Ann", "Bo", "Cy")
    table = await house.won(ann, bo)
    assert await outcome(house.hall.decline_rematch(bo, table)) == "not_allowed"
    new = await house.hall.rematch(ann, table)
    old_ear, new_ear = Ear("p1:cy"), Ear("p1:ann")
    await house.hall.watch(cy, table, old_ear)
    await house.hall.watch(ann, new, new_ear)
    assert await outcome(house.hall.decline_rematch(cy, table)) == "not_seated"
    await house.hall.decline_rematch(bo, table)
    for ear, heard in ((old_ear, table), (new_ear, new)):
        assert {"table": heard, "event": "RematchDeclined", "account": bo, "name": "Bo"} in ear.messages
    await house.hall.rematch(bo, table)
    assert {"table": table, "event": "RematchAccepted", "account": bo, "name": "Bo"} in old_ear.messages


@in_a_hall
async def test_a_rematch_that_was_declined_stays_declined_when_the_hall_starts_again(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.won(ann, bo)
    new = await house.hall.rematch(ann, table)
    await house.hall.sit(ann, new)
    await house.hall.decline_rematch(bo, table)
    await house.die()
    await house.boot()
    lobby = await house.hall.look(ann, new)
    assert (lobby["declined"], lobby["expected"]) == (["Bo"], [])
    assert (await house.hall.look(bo, table))["rematch"]["declined"] == [bo]
    n = lobby["n"]
    await house.hall.decline_rematch(bo, table)  # again
    assert (await house.hall.look(ann, new))["n"] == n


@in_a_hall
async def test_the_chair_of_somebody_who_declined_is_free_also_for_them(house: House) -> None:
    ann, bo, cy = await house.guests("Ann", "Bo", "Cy")
    table = await house.won(ann, bo)
    new = await house.hall.rematch(ann, table)
    await house.hall.sit(ann, new)
    assert await outcome(house.hall.sit(cy, new)) == "table_full"
    assert await outcome(house.hall.decline_rematch(ann, table)) == "already_seated"
    await house.hall.decline_rematch(bo, table)
    assert await house.hall.rematch(bo, table) == new  # another thought
    await house.hall.sit(bo, new)
    assert (await house.hall.look(ann, new))["declined"] == []
    assert await outcome(house.hall.decline_rematch(bo, table)) == "already_started"
    other = await house.won(ann, bo)
    new = await house.hall.rematch(ann, other)
    await house.hall.sit(ann, new)
    await house.hall.decline_rematch(bo, other)
    await house.hall.sit(cy, new)
    assert house.seats(new) == {0: cy, 1: ann}


@in_a_hall
async def test_a_rematch_names_those_who_have_not_come_yet(house: House) -> None:
    ann, bo, cy = await house.guests("Ann", "Bo", "Cy")
    table = await house.won(ann, bo)
    assert (await house.hall.look(ann, table))["expected"] == []
    new = await house.hall.rematch(ann, table)
    assert sorted((await house.hall.look(cy, new))["expected"]) == ["Ann", "Bo"]
    await house.hall.sit(ann, new)
    assert (await house.hall.look(ann, new))["expected"] == ["Bo"]
    await house.hall.sit(bo, new)
    assert (await house.hall.look(ann, new))["expected"] == []


@in_a_hall
async def test_who_did_not_play_cannot_ask_and_nobody_can_before_the_end(house: House) -> None:
    ann, bo, cy = await house.guests("Ann", "Bo", "Cy")
    table = await house.game_of(ann, bo)
    assert await outcome(house.hall.rematch(ann, table)) == "already_started"
    assert await outcome(house.hall.rematch(ann, await house.lobby("wards", ann))) == "already_started"
    house.box.named[1] = (6,)
    await house.win(table, ann)
    assert await outcome(house.hall.rematch(cy, table)) == "not_seated"
    assert await outcome(house.hall.rematch(cy, "nowhere")) == "no_such_table"


@in_a_hall
async def test_a_game_that_the_operator_closed_may_be_played_again(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.game_of(ann, bo)
    await house.hall.destroy(None, table, "cleaning", operator=True)
    new = await house.hall.rematch(ann, table)
    await house.hall.sit(bo, new)
    assert house.seats(new) == {0: bo}


@pytest.mark.parametrize("game", ["wards", "aetharn"])
@in_a_hall
async def test_a_lobby_that_was_closed_has_no_rematch(house: House, game: str) -> None:
    """Nobody played there, so there is nothing to play again."""
    [ann] = await house.guests("Ann")
    table = await house.lobby(game, ann)
    await house.hall.destroy(ann, table, "enough")
    assert await outcome(house.hall.rematch(ann, table)) == "too_few_seats"


@in_a_hall
async def test_a_rematch_that_was_closed_can_be_asked_for_again_by_anybody_who_played(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.won(ann, bo)
    tables = [table]
    for account, other in ((ann, bo), (bo, ann), (ann, bo)):
        tables.append(await house.hall.rematch(account, table))
        assert await house.hall.rematch(other, table) == tables[-1]
        offered = (await house.hall.look(other, table))["rematch"]
        assert (offered["table"], offered["account"]) == (tables[-1], account)
        await house.hall.destroy(account, tables[-1], "closed by its opener")
        assert (await house.hall.look(other, table))["rematch"] is None
    assert len(set(tables)) == 4
    last = await asyncio.gather(*(house.hall.rematch(account, table) for account in (ann, bo)))
    assert len(set(last)) == 1
    assert last[0] not in tables
    for account in (ann, bo):
        await house.hall.sit(account, last[0])
    assert house.state(last[0]).phase == "playing"


@in_a_hall
async def test_a_rematch_is_closed_only_so_often(house: House) -> None:
    """Every look at the finished game follows them one by one."""
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.won(ann, bo)
    for _ in range(MOST_REMATCHES):
        await house.hall.destroy(ann, await house.hall.rematch(ann, table), "closed by its opener")
    assert await outcome(house.hall.rematch(ann, table)) == "rate_limited"
    assert (await house.hall.look(bo, table))["rematch"] is None


@in_a_hall
async def test_a_rematch_that_was_closed_can_be_declined_when_it_is_asked_for_again(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.won(ann, bo)
    await house.hall.destroy(ann, await house.hall.rematch(ann, table), "closed by its opener")
    assert await outcome(house.hall.decline_rematch(bo, table)) == "not_allowed"
    new = await house.hall.rematch(ann, table)
    await house.hall.decline_rematch(bo, table)
    assert (await house.hall.look(ann, new))["declined"] == ["Bo"]


@in_a_hall
async def test_whoever_closes_a_rematch_does_not_keep_the_others_from_playing_again(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.won(ann, bo)
    for _ in range(3):
        closed = await house.hall.rematch(bo, table)
        await house.hall.destroy(bo, closed, "enough")
        assert (await house.hall.look(ann, table))["rematch"] is None
    new = await house.hall.rematch(ann, table)
    assert (await house.hall.look(bo, table))["rematch"]["table"] == new
    assert await house.hall.rematch(bo, table) == new
    await house.hall.decline_rematch(bo, table)
    assert (await house.hall.look(ann, new))["declined"] == ["Bo"]


@in_a_hall
async def test_a_rematch_that_was_played_is_not_opened_again(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.won(ann, bo)
    new = await house.hall.rematch(ann, table)
    for account in (ann, bo):
        await house.hall.sit(account, new)
    await house.hall.destroy(None, new, "cleaning", operator=True)
    assert await house.hall.rematch(bo, table) == new


@in_a_hall
async def test_the_password_of_a_table_holds_for_its_rematch_too(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.hall.open(ann, Opening("wards", {"goal": 6}, password="sesame"))
    house.box.named[1] = (6,)
    for account in (ann, bo):
        await house.hall.sit(account, table, password="sesame")
    await house.win(table, ann)
    new = await house.hall.rematch(ann, table)
    assert (await house.hall.look(ann, new))["locked"]
    [cy] = await house.guests("Cy")
    assert await outcome(house.hall.sit(cy, new)) == "wrong_password"
    for account in (ann, bo):
        await house.hall.sit(account, new)  # who was let in to the first table is let in to the second
    assert house.state(new).phase == "playing"


@in_a_hall
async def test_a_rematch_is_found_as_long_as_its_table_is_known(house: House) -> None:
    """Also when the table itself is archived: who asks late is led to where the others play."""
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.won(ann, bo)
    new = await house.hall.rematch(ann, table)
    await house.archived(table)
    assert await outcome(house.hall.rematch(bo, table)) == new


@in_a_hall
async def test_a_finished_game_whose_rematch_is_archived_can_still_be_looked_at(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.won(ann, bo)
    new = await house.hall.rematch(ann, table)
    for account in (ann, bo):
        await house.hall.sit(account, new)
    await house.win(new, bo)
    await house.archived(new)
    assert (await house.hall.look(bo, table))["rematch"] is None
    assert await house.hall.rematch(bo, table) == new
