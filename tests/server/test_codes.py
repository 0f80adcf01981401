"""Every code of the hall with its status, on a request that meets it; the rules' refusals are 409."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dicehall.dice.words import commitment
from dicehall.launch.mana_bot import ManaBotClient
from dicehall.server.errors import STATUS
from dicehall.server.limits import Limits, Rate
from dicehall.table.ports import Unavailable
from tests.server.doors import FREE, Doors, StoppedClock, open_doors

Met = tuple[int, str]
MEETS: dict[str, Callable[[Doors], Met]] = {}


def meets(code: str) -> Callable[[Callable[[Doors], Met]], Callable[[Doors], Met]]:
    def keep(story: Callable[[Doors], Met]) -> Callable[[Doors], Met]:
        MEETS[code] = story
        return story

    return keep


@meets("not_signed_in")
def without_a_token(doors: Doors) -> Met:
    return doors.nobody.wrong("GET", "/api/me")


@meets("not_allowed")
def closing_a_table_of_somebody_else(doors: Doors) -> Met:
    return doors.guest("Bo").wrong("DELETE", f"/api/tables/{doors.guest('Ann').open()}")


@meets("wrong_password")
def a_table_with_a_password(doors: Doors) -> Met:
    table = doors.guest("Ann").open(password="sesame")
    assert doors.guest("Cy").wrong("POST", f"/api/tables/{table}/sit", {}) == (403, "wrong_password")
    return doors.guest("Bo").wrong("POST", f"/api/tables/{table}/sit", {"password": "open"})


@meets("no_such_table")
def a_table_that_is_not_there(doors: Doors) -> Met:
    return doors.nobody.wrong("GET", "/api/tables/nowhere")


@meets("no_such_account")
def a_player_who_is_not_there(doors: Doors) -> Met:
    return doors.nobody.wrong("GET", "/api/players/nobody")


@meets("not_found")
def an_address_that_is_not_there(doors: Doors) -> Met:
    return doors.nobody.wrong("GET", "/api/nothing")


@meets("method_not_allowed")
def another_method(doors: Doors) -> Met:
    return doors.nobody.wrong("PATCH", "/api/games", {})


@meets("table_full")
def a_third_at_a_table_for_two(doors: Doors) -> Met:
    ann = doors.guest("Ann")
    table = ann.open(bots=[{"seat": 1, "level": "random"}], seats=2)
    words = {"commitment": commitment("mine")}
    ann.sit(table, **words)
    return doors.guest("Bo").wrong("POST", f"/api/tables/{table}/sit", {})


@meets("already_seated")
def sitting_twice(doors: Doors) -> Met:
    ann = doors.guest("Ann")
    table = ann.open()
    ann.sit(table)
    return ann.wrong("POST", f"/api/tables/{table}/sit", {})


@meets("seat_taken")
def a_chair_of_somebody_else(doors: Doors) -> Met:
    ann = doors.guest("Ann")
    table = ann.open("tenthousand")
    ann.sit(table, seat=1)
    return doors.guest("Bo").wrong("POST", f"/api/tables/{table}/sit", {"seat": 1})


@meets("not_seated")
def playing_without_a_seat(doors: Doors) -> Met:
    _, _, table = doors.pair()
    return doors.guest("Cy").wrong("POST", f"/api/tables/{table}/act", {"move": "roll"})


@meets("too_few_seats")
def starting_alone(doors: Doors) -> Met:
    ann = doors.guest("Ann")
    table = ann.open("tenthousand")
    ann.sit(table)
    assert ann.wrong("GET", f"/api/tables/{table}/record") == (409, "too_few_seats")
    return ann.wrong("POST", f"/api/tables/{table}/start", {})


@meets("already_started")
def sitting_down_at_a_game(doors: Doors) -> Met:
    _, _, table = doors.pair()
    return doors.guest("Cy").wrong("POST", f"/api/tables/{table}/sit", {})


@meets("name_taken")
def the_name_of_somebody(doors: Doors) -> Met:
    doors.guest("Ann")
    return doors.nobody.wrong("POST", "/api/accounts", {"name": "ann", "password": "correct horse"})


@meets("too_large")
def a_large_body(doors: Doors) -> Met:
    return doors.nobody.wrong("POST", "/api/accounts/guest", {"name": "x" * 70_000})


@meets("bad_request")
def a_body_that_makes_no_sense(doors: Doors) -> Met:
    ann = doors.guest("Ann")
    for body in (
        {"game": 7},
        {"game": "chess"},
        {"game": "wards", "rules": {"goal": 0}},
        {"game": "wards", "seats": 3},
    ):
        assert ann.wrong("POST", "/api/tables", body) == (422, "bad_request")
    answer = doors.client.post("/api/accounts/guest", content=b"{")
    return answer.status_code, answer.json()["error"]["code"]


@meets("rate_limited")
def too_many(doors: Doors) -> Met:
    doors.running.parts.limits.rates["request"] = Rate(burst=0, per_second=1)
    return doors.nobody.wrong("GET", "/api/games")


@meets("internal")
def something_broke(doors: Doors) -> Met:
    doors.running.parts.limits.rates.pop("enter")
    return doors.nobody.wrong("POST", "/api/accounts/guest", {})


@meets("shutting_down")
def a_hall_that_closes(doors: Doors) -> Met:
    ann, _, table = doors.pair()
    doors.running.host.stopping = True
    met = ann.wrong("POST", f"/api/tables/{table}/act", {"move": "roll"})
    doors.running.host.stopping = False
    return met


@meets("store_unavailable")
def a_store_that_is_away(doors: Doors) -> Met:
    ann, _, table = doors.pair()

    async def away(*_: object) -> None:
        raise Unavailable("the disk is full")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(doors.running.journal), "append", away)
        met = ann.wrong("POST", f"/api/tables/{table}/act", {"move": "hold"})
        return met if met[1] == "store_unavailable" else (0, "it played on")


@meets("bot_unavailable")
def a_bot_that_is_away(doors: Doors) -> Met:
    object.__setattr__(doors.running.parts, "mana_bot", ManaBotClient(None))
    return doors.nobody.wrong("GET", "/api/mana/bot/status")


@pytest.mark.parametrize("code", STATUS)
def test_every_code_is_met_with_its_status(tmp_path: Path, code: str) -> None:
    limits = Limits(StoppedClock(), dict(FREE))
    with open_doors(tmp_path, limits=limits) as doors:
        assert MEETS[code](doors) == (STATUS[code], code)


def test_the_rules_refuse_with_409_and_their_own_codes(doors: Doors) -> None:
    doors.box.named[1] = (1, 2, 2, 3, 4, 6)
    ann, bo = doors.guest("Ann"), doors.guest("Bo")
    table = ann.open("tenthousand", seats=2)
    ann.sit(table)
    bo.sit(table)
    act = f"/api/tables/{table}/act"
    assert ann.wrong("POST", act, {"move": "roll"}) == (409, "too_few_seats")
    ann.post(f"/api/tables/{table}/start")
    assert bo.wrong("POST", act, {"move": "roll"}) == (409, "not_your_turn")
    assert ann.wrong("POST", act, {"move": "juggle"}) == (409, "bad_move")
    ann.act(table, "roll")
    assert ann.wrong("POST", act, {"move": {"lock": [[6]]}}) == (409, "does_not_score")
    ann.act(table, {"lock": [[1]]})
    answer = ann.ask("POST", act, {"move": "yield"})
    assert answer.status_code == 409
    assert answer.json()["error"].keys() == {"code", "message", "missing"}
    assert answer.json()["error"]["missing"] == 900


def test_a_finished_game_is_game_finished(doors: Doors) -> None:
    doors.box.named[1] = (6,)
    ann, _, table = doors.pair(rules={"goal": 5}, drawn=False)
    ann.act(table, "roll")
    ann.act(table, "hold")
    assert ann.wrong("POST", f"/api/tables/{table}/act", {"move": "roll"}) == (409, "game_finished")
