"""Reactions: seen by everybody at a table for a moment, told in few messages, and written down nowhere."""

from __future__ import annotations

from typing import Any

from dicehall.hall.opening import Opening
from dicehall.hall.reactions import MOST_TOLD, PAUSE_S, REACTIONS, Reaction
from dicehall.table import requests
from tests.hall.halls import House, in_a_hall, outcome
from tests.table.fakes import Ear


def reacted(ear: Ear) -> list[dict[str, Any]]:
    return [message for message in ear.messages if message.get("event") == "Reacted"]


async def watching(house: House, account: str | None, table: str) -> Ear:
    ear = house.ear()
    await house.hall.watch(account, table, ear)
    return ear


def test_there_are_six_of_them() -> None:
    assert len(REACTIONS) == 6


@in_a_hall
async def test_everybody_at_the_table_sees_who_reacted_from_which_seat(house: House) -> None:
    ann, bo, eve = await house.guests("Ann", "Bo", "Eve")
    table = await house.game_of(ann, bo)
    ears = [await watching(house, account, table) for account in (ann, bo, eve, None)]
    await house.hall.react(bo, table, "bravo")
    await house.after(PAUSE_S)
    await house.hall.react(eve, table, "wow")
    for ear in ears:
        first, second = reacted(ear)
        assert first["table"] == table
        assert first["reactions"] == [{"name": "Bo", "seat": 1, "reaction": "bravo"}]
        assert second["reactions"] == [{"name": "Eve", "seat": None, "reaction": "wow"}]
        assert "n" not in first


@in_a_hall
async def test_a_reaction_leaves_no_trace_in_the_journal(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.game_of(ann, bo)
    before = await house.journal.rows(table)
    await house.hall.react(ann, table, "thanks")
    assert await house.journal.rows(table) == before
    assert house.state(table).seq == len(before)


@in_a_hall
async def test_what_comes_shortly_after_another_is_told_together_with_the_newest_of_each(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.game_of(ann, bo)
    ear = await watching(house, ann, table)
    given: list[tuple[str, Reaction]] = [(ann, "hello"), (bo, "wow"), (bo, "ouch"), (ann, "luck")]
    for account, reaction in given:
        await house.hall.react(account, table, reaction)
    assert len(reacted(ear)) == 1
    await house.after(PAUSE_S)
    _, second = reacted(ear)
    assert [(one["name"], one["reaction"]) for one in second["reactions"]] == [("Bo", "ouch"), ("Ann", "luck")]
    await house.after(2 * PAUSE_S)
    assert len(reacted(ear)) == 2
    assert house.hall.reactions.tables == {}


@in_a_hall
async def test_a_crowd_is_counted_beyond_the_first_few(house: House) -> None:
    crowd = await house.guests(*(f"Fan {number}" for number in range(MOST_TOLD + 4)))
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.game_of(ann, bo)
    ear = await watching(house, ann, table)
    for fan in crowd:
        await watching(house, fan, table)
    await house.hall.react(ann, table, "hello")
    for _ in range(3):
        for fan in crowd:
            await house.hall.react(fan, table, "bravo")
    await house.after(PAUSE_S)
    _, told = reacted(ear)
    assert (len(told["reactions"]), told["more"]) == (MOST_TOLD, 4)


@in_a_hall
async def test_only_somebody_at_the_table_can_react(house: House) -> None:
    ann, bo, eve = await house.guests("Ann", "Bo", "Eve")
    table = await house.game_of(ann, bo)
    assert await outcome(house.hall.react(eve, table, "hello")) == "not_allowed"
    assert await outcome(house.hall.react(eve, "nowhere", "hello")) == "no_such_table"
    ear = await watching(house, eve, table)
    await house.hall.react(eve, table, "hello")
    house.hall.host.disconnect(table, ear.id)
    assert await outcome(house.hall.react(eve, table, "hello")) == "not_allowed"


@in_a_hall
async def test_whoever_was_removed_from_a_lobby_cannot_react_there(house: House) -> None:
    ann, eve = await house.guests("Ann", "Eve")
    table = await house.hall.open(ann, Opening("doordice"))
    for account in (ann, eve):
        await watching(house, account, table)
        await house.hall.sit(account, table)
    await house.hall.react(eve, table, "hello")
    await house.hall.ask(ann, table, requests.Remove(1))
    assert await outcome(house.hall.react(eve, table, "ouch")) == "not_allowed"


@in_a_hall
async def test_whoever_opens_a_table_can_switch_reactions_off_also_for_its_rematch(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.won(ann, bo, reactions=False)
    assert (await house.hall.look(ann, table))["reactions"] is False
    assert await outcome(house.hall.react(ann, table, "bravo")) == "not_allowed"
    again = await house.hall.rematch(bo, table)
    assert await outcome(house.hall.react(bo, again, "bravo")) == "not_allowed"


@in_a_hall
async def test_people_can_still_react_when_the_game_is_over(house: House) -> None:
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.won(ann, bo)
    ear = await watching(house, ann, table)
    await house.hall.react(bo, table, "bravo")
    assert [message["reactions"][0]["reaction"] for message in reacted(ear)] == ["bravo"]


@in_a_hall
async def test_a_connection_that_cannot_be_written_to_keeps_it_from_nobody(house: House) -> None:
    class Broken(Ear):
        def offer(self, message: bytes) -> None:
            raise BrokenPipeError

    ann, bo = await house.guests("Ann", "Bo")
    table = await house.game_of(ann, bo)
    await house.hall.watch(None, table, Broken("p1:broken"))
    ear = await watching(house, ann, table)
    await house.hall.react(ann, table, "hello")
    assert len(reacted(ear)) == 1
