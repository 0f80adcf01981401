"""Abuse of tables and lobbies: acts for nothing, spam, tables that play by themselves, squatters."""

from __future__ import annotations

from pathlib import Path

import pytest

from dicehall.core.house import with_rules
from dicehall.games import catalogue
from dicehall.hall.opening import Opening, WantedBot
from dicehall.hall.register import Filter
from dicehall.server import parts as parts_module
from dicehall.server.limits import RATES, Limits
from dicehall.table import allowance, clocks, folding, live, sitting
from dicehall.table import host as host_module
from dicehall.table.requests import Hint, OpenWords, Reclaim, Remove, Stand
from tests.hall.halls import House, in_a_hall, outcome, promise
from tests.security.live import both_ways
from tests.server.doors import FREE, StoppedClock, open_doors

NEVER = 1 << 40


# -- acts that cost nothing ------------------------------------------------------------------------------


@both_ways
@in_a_hall
async def test_changing_chairs_for_ever_does_not_fill_a_journal(
    house: House, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(allowance, "BURST", NEVER)
    (eve,) = await house.guests("Eve")
    table = await house.lobby("aetharn", eve)
    answers = [await outcome(house.hall.sit(eve, table, seat=number % 2 + 1)) for number in range(300)]
    assert (house.state(table).seq > 200) is not guarded
    assert ("rate_limited" in answers) is guarded


@both_ways
@in_a_hall
async def test_sitting_down_and_standing_up_for_ever_does_not_fill_a_journal(
    house: House, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(allowance, "BURST", NEVER)
    ann, eve = await house.guests("Ann", "Eve")
    table = await house.lobby("tenthousand", ann)
    for _ in range(150):
        await outcome(house.hall.sit(eve, table))
        await outcome(house.hall.ask(eve, table, Stand()))
    assert (house.state(table).seq > 250) is not guarded


@both_ways
@in_a_hall
async def test_two_connections_that_take_a_seat_from_each_other_do_not_fill_a_journal(
    house: House, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(allowance, "BURST", NEVER)
    (eve,) = await house.guests("Eve")
    table = await house.lobby("aetharn", eve)
    ears = house.ear(), house.ear()
    for number in range(200):
        await outcome(house.hall.watch(eve, table, ears[number % 2]))
    assert (house.state(table).seq > 150) is not guarded


@both_ways
@in_a_hall
async def test_a_stand_in_that_comes_and_goes_does_not_fill_a_journal(
    house: House, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(allowance, "BURST", NEVER)
    ann, eve = await house.guests("Ann", "Eve")
    table = await house.lobby("wards", ann, eve)
    before = house.state(table).seq
    for _ in range(100):
        await outcome(house.hall.add_bot(eve, table, None, "greedy"))
        await outcome(house.hall.ask(eve, table, Reclaim()))
    assert (house.state(table).seq - before > 150) is not guarded


@in_a_hall
async def test_hints_asked_for_again_and_again_are_told_once_for_each_position(house: House) -> None:
    """Not switched off: there is no setting for it, a hint for the same position is simply nothing new."""
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.lobby("wards", ann, bo, hints=True)
    for _ in range(50):
        await house.hall.ask(ann, table, Hint())
    before = house.state(table).seq
    await house.hall.act(ann, table, "hold")
    await house.hall.ask(bo, table, Hint())
    assert before < 8
    assert house.state(table).seq == before + 2


@both_ways
@in_a_hall
async def test_many_guests_together_cannot_fill_the_journal_of_one_lobby(
    house: House, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    monkeypatch.setattr(sitting, "LOBBY_ACTS", 100 if guarded else NEVER)
    guests = await house.guests(*(f"Eve {number}" for number in range(60)))
    table = await house.lobby("tenthousand", guests[0])
    for guest in guests[1:]:
        for _ in range(2):
            await outcome(house.hall.sit(guest, table))
            await outcome(house.hall.ask(guest, table, Stand()))
    assert (house.state(table).seq > 110) is not guarded


@both_ways
@in_a_hall
async def test_two_friends_who_hold_at_nothing_for_ever_meet_an_end(
    house: House, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    monkeypatch.setattr(live, "TABLE_ACTS", 100 if guarded else NEVER)
    ann, bo = await house.guests("Ann", "Bo")
    table = await house.lobby("wards", ann, bo)
    for _ in range(100):
        for one in (ann, bo):
            await outcome(house.hall.act(one, table, "hold"))
    assert (house.state(table).phase == "abandoned") is guarded


# -- spam -------------------------------------------------------------------------------------------------


@both_ways
def test_guests_of_one_address_cannot_fill_the_lobby_with_tables(tmp_path: Path, guarded: bool) -> None:
    rates = {**FREE, "open_address": RATES["open_address"]} if guarded else dict(FREE)
    with open_doors(tmp_path, limits=Limits(StoppedClock(), rates)) as doors:
        guests = [doors.guest(f"Eve {number}") for number in range(10)]
        opened = sum(
            guest.ask("POST", "/api/tables", {"game": "wards"}).status_code == 200 for guest in guests for _ in range(7)
        )
        assert (opened > RATES["open_address"].burst) is not guarded


@both_ways
def test_one_address_cannot_make_guests_without_end(tmp_path: Path, guarded: bool) -> None:
    rates = {**FREE, "enter": RATES["enter"]} if guarded else dict(FREE)
    with open_doors(tmp_path, limits=Limits(StoppedClock(), rates)) as doors:
        made = sum(doors.nobody.ask("POST", "/api/accounts/guest", {}).status_code == 200 for _ in range(80))
        assert (made > RATES["enter"].burst) is not guarded


@in_a_hall
async def test_newer_empty_tables_do_not_hide_one_with_a_person_in_it(house: House) -> None:
    """Not switched off: it is the order of the list. The same order is asked of SQL in tests/store."""
    ann, eve = await house.guests("Ann", "Eve")
    table = await house.lobby("aetharn", ann)
    for _ in range(30):
        await house.after(1)
        await house.hall.open(eve, Opening("wards"))
    listed = await house.hall.find(Filter(statuses=("lobby",)), 0)
    assert listed[0]["id"] == table
    assert listed[1]["opened_at"] > listed[2]["opened_at"]


@both_ways
@in_a_hall
async def test_lobbies_that_nobody_is_in_do_not_stay_for_ever(
    house: House, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(clocks, "EMPTY_MS", NEVER)
    ann, eve = await house.guests("Ann", "Eve")
    kept, empty = await house.lobby("aetharn", ann), await house.hall.open(eve, Opening("wards"))
    await house.after(1_790)
    assert house.state(empty).phase == "lobby"
    await house.after(20)
    assert (house.state(empty).phase == "abandoned") is guarded
    assert house.state(kept).phase == "lobby"


@both_ways
@in_a_hall
async def test_an_empty_lobby_is_closed_after_a_restart_too_where_nobody_asks_for_it(
    house: House, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Decided by stored times; an outage starts the time afresh, like every other deadline (C5)."""
    if not guarded:
        monkeypatch.setattr(clocks, "EMPTY_MS", NEVER)
    (eve,) = await house.guests("Eve")
    table = await house.hall.open(eve, Opening("wards"))
    await house.after(600)
    await house.die()
    await house.after(60)
    await house.boot()
    await house.after(3_610)
    ending = await house.journal.register.ending(table)
    assert (ending is not None and ending.reason == "destroyed") is guarded


# -- tables that play by themselves --------------------------------------------------------------------------


@both_ways
@in_a_hall
async def test_bots_do_not_play_on_when_their_maker_is_gone(
    house: House, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(host_module, "is_attended", lambda state, now: True)
    (eve,) = await house.guests("Eve")
    rules = {"goal": 1000}
    table = await house.lobby("wards", eve, rules=rules, bots=[WantedBot(1, "greedy")])
    await house.hall.add_bot(eve, table, None, "greedy")
    await house.hall.leave(eve, table)
    await house.after(70)
    before = house.state(table).seq
    await house.after(60)
    assert (house.state(table).seq > before) is not guarded
    assert (house.state(table).phase == "asleep") is guarded


@in_a_hall
async def test_a_spectator_does_not_keep_bots_playing_but_the_player_wakes_them(house: House) -> None:
    """Not switched off: it is what being present means; see the attack before this one."""
    ann, eve = await house.guests("Ann", "Eve")
    table = await house.lobby("wards", ann, rules={"goal": 1000}, bots=[WantedBot(1, "greedy")])
    await house.hall.add_bot(ann, table, None, "greedy")
    await house.hall.leave(ann, table)
    await house.hall.watch(eve, table, house.ear())
    await house.after(70)
    assert house.state(table).phase == "asleep"
    await house.hall.watch(ann, table, house.ear())
    before = house.state(table).seq
    await house.after(10)
    assert house.state(table).phase == "playing"
    assert house.state(table).seq > before


LONG = [
    ("wards", "goal", 1001),
    ("aetharn", "goal", 10**9),
    ("aetharn", "hot_dice", 10**9),
    ("aetharn", "grace_seconds", 10**9),
    ("tenthousand", "goal", 10**9),
    ("tenthousand", "opening", 10**9),
    ("doordice", "hp", 10**9),
    ("doordice", "rounds", 10**9),
    ("mana", "rounds", 101),
]


@pytest.mark.parametrize(("game", "rule", "number"), LONG)
def test_house_rules_that_would_hardly_end_are_refused_at_every_door(
    tmp_path: Path, game: str, rule: str, number: int
) -> None:
    """The control is the rules themselves, which take such a number: records of such games are still read."""
    with open_doors(tmp_path) as doors:
        ann = doors.guest("Ann")
        answer = ann.ask("POST", "/api/tables", {"game": game, "rules": {rule: number}})
        assert answer.json()["error"]["code"] == "bad_request"
        assert rule in answer.json()["error"]["message"]
        with doors.socket(ann) as line:
            assert line.code("open", game=game, rules={rule: number}) == "bad_request"
    if (game, rule) != ("mana", "rounds"):
        assert getattr(with_rules(catalogue()[game], {rule: number}), rule) == number


# -- squatting ------------------------------------------------------------------------------------------------


@both_ways
@in_a_hall
async def test_a_squatter_who_never_opens_words_cannot_come_back_at_once(
    house: House, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(folding, "COOLDOWN_MS", 0)
    ann, eve, bo = await house.guests("Ann", "Eve", "Bo")
    table = await house.lobby("wards", ann)
    came = 0
    for _ in range(4):
        came += not isinstance(await outcome(house.hall.sit(eve, table, commitment=promise("never"))), str)
        await house.after(12)
    assert (came == 4) is not guarded
    if guarded:
        while house.state(table).clocks.words is not None:
            await house.after(2)
        await house.hall.sit(bo, table)
        assert house.state(table).phase == "playing"


@in_a_hall
async def test_who_leaves_during_every_start_waits_longer_each_time(house: House) -> None:
    """The control is one second more, after which they are let in."""
    ann, eve = await house.guests("Ann", "Eve")
    table = await house.hall.open(ann, Opening("wards"))
    await house.hall.sit(ann, table, commitment=promise("mine"))
    for seconds in (15, 30, 60):
        await house.hall.sit(eve, table)
        await house.hall.ask(eve, table, Stand())
        await house.after(seconds - 1)
        assert await outcome(house.hall.sit(eve, table)) == "rate_limited"
        await house.after(1)
    await house.hall.sit(eve, table)
    await house.hall.ask(ann, table, OpenWords("mine"))
    assert house.state(table).phase == "playing"


@in_a_hall
async def test_the_opener_removes_a_squatter_who_does_not_come_back_after_a_restart_either(house: House) -> None:
    """The control is the squatter's first visit: nothing kept them out before."""
    ann, eve, bo = await house.guests("Ann", "Eve", "Bo")
    table = await house.lobby("aetharn", ann, eve, bo)
    assert await outcome(house.hall.ask(eve, table, Remove(0))) == "not_allowed"
    await house.hall.ask(ann, table, Remove(1))
    assert await outcome(house.hall.sit(eve, table)) == "not_allowed"
    await house.die()
    await house.boot()
    assert await outcome(house.hall.sit(eve, table)) == "not_allowed"
    assert await outcome(house.hall.ask(ann, table, Remove(0))) == "bad_request"
    assert await outcome(house.hall.ask(ann, table, Remove(4))) == "not_seated"


@both_ways
def test_one_guest_cannot_sit_in_every_lobby(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool) -> None:
    if not guarded:
        monkeypatch.setattr(parts_module, "MOST_LOBBIES", NEVER)
    with open_doors(tmp_path) as doors:
        ann, eve = doors.guest("Ann"), doors.guest("Eve")
        tables = [ann.open("aetharn") for _ in range(12)]
        sat = sum(eve.ask("POST", f"/api/tables/{table}/sit", {}).status_code == 200 for table in tables)
        assert (sat == 12) is not guarded
        if guarded:
            room = ann.wards("lobbies/createRoom", name="a room")["ok"]["id"]
            join = eve.ask("POST", "/api/wards/lobbies/joinRoom", {"roomId": room})
            assert join.status_code == 429
            eve.post(f"/api/tables/{tables[0]}/stand")
            assert eve.ask("POST", f"/api/tables/{tables[11]}/sit", {}).status_code == 200


def test_a_squatter_who_is_removed_at_any_door_does_not_come_back(tmp_path: Path) -> None:
    """The control is somebody who was not removed, and sits down in the same seat."""
    with open_doors(tmp_path) as doors:
        ann, eve = doors.guest("Ann"), doors.guest("Eve")
        table = ann.open("aetharn")
        eve.sit(table)
        shown = ann.post(f"/api/tables/{table}/remove", {"seat": 0})["table"]
        assert shown["seats"][0]["name"] is None
        assert eve.wrong("POST", f"/api/tables/{table}/sit", {}) == (403, "not_allowed")
        bo = doors.guest("Bo")
        bo.sit(table)
        with doors.socket(ann) as line:
            assert line.ok("remove", table=table, seat=0)["table"]["seats"][0]["name"] is None
