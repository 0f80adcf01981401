"""Dice 10 000's records for the members of a game (T10), DO or DICE's sessions and statistics for everybody (D11)."""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import quote

import pytest

from tests.server.doors import Doors, Person

FIELDS = {
    "players": {"id", "created_at", "name", "games"},
    "games": {"id", "created_at", "name", "players", "rounds", "ended_at"},
    "rounds": {
        *("id", "created_at", "index", "game", "turn_queue", "completed_turns", "remaining_turns", "ended_at"),
    },
    "turns": {"id", "created_at", "player", "round", "game", "ended_at", "rolls"},
    "rolls": {
        *("id", "created_at", "index", "player", "turn", "round", "game", "ended_at", "outcome", "locked_dices"),
    },
}


def ten_thousand(doors: Doors) -> tuple[Person, Person, str]:
    """Two at a table; the first of them has rolled and locked a 1."""
    doors.box.named[1] = (1, 2, 3, 3, 4, 6)
    ann, bo = doors.guest("Ann"), doors.guest("Bo")
    table = ann.open("tenthousand", seats=2)
    ann.sit(table)
    bo.sit(table)
    ann.post(f"/api/tables/{table}/start")
    ann.act(table, "roll")
    ann.act(table, {"lock": [[1]]})
    return ann, bo, table


def record(person: Person, kind: str, id: str) -> Any:
    shown = person.get(f"/api/tenthousand/{kind}/{id}")
    assert shown.keys() == FIELDS[kind]
    assert shown["id"] == id
    assert person.get(f"/api/tenthousand/{kind}/{quote(id, safe='')}") == shown
    return shown


def test_members_read_a_game_down_to_its_rolls(doors: Doors) -> None:
    """T10."""
    ann, bo, table = ten_thousand(doors)
    game = record(bo, "games", table)
    assert (game["players"], game["ended_at"]) == ([ann.id, bo.id], None)
    (round_id,) = game["rounds"]
    round = record(ann, "rounds", round_id)
    assert (round["index"], round["turn_queue"], round["completed_turns"]) == (0, [ann.id, bo.id], [])
    turn = record(ann, "turns", round["remaining_turns"][0])
    assert (turn["player"], turn["ended_at"]) == (ann.id, None)
    roll = record(ann, "rolls", turn["rolls"][0])
    assert (roll["outcome"], roll["index"]) == ([1, 2, 3, 3, 4, 6], 0)
    assert roll["locked_dices"] == [{"die_faces": [1], "points": 100}]
    assert record(ann, "players", bo.id)["games"] == [table]
    assert ann.get("/api/tenthousand/games") == [game]


def test_nobody_else_reads_it(doors: Doors) -> None:
    """T10: members only."""
    ann, _, table = ten_thousand(doors)
    cy = doors.guest("Cy")
    for path in (f"games/{table}", f"rounds/{table}/r0", f"turns/{table}/r0/t0", f"rolls/{table}/r0/t0/x0"):
        assert cy.wrong("GET", f"/api/tenthousand/{path}") == (403, "not_allowed")
        assert doors.nobody.wrong("GET", f"/api/tenthousand/{path}") == (401, "not_signed_in")
    assert cy.wrong("GET", f"/api/tenthousand/players/{ann.id}") == (403, "not_allowed")
    assert doors.nobody.wrong("GET", "/api/tenthousand/games") == (401, "not_signed_in")
    assert cy.get("/api/tenthousand/games") == []


def test_records_that_are_not_there_are_not_found(doors: Doors) -> None:
    ann, _, table = ten_thousand(doors)
    wards = ann.open("wards")
    for path in (f"rounds/{table}/r9", f"rolls/{table}", "games/nothing", f"games/{wards}", "turns/a//b"):
        assert ann.wrong("GET", f"/api/tenthousand/{path}") == (404, "no_such_table")
    assert ann.wrong("GET", "/api/tenthousand/players/nobody") == (404, "no_such_account")
    assert ann.wrong("GET", "/api/tenthousand/dice/x") == (404, "not_found")
    assert ann.wrong("POST", f"/api/tenthousand/games/{table}", {}) == (405, "method_not_allowed")


def do_or_dice(doors: Doors) -> tuple[Person, str]:
    """A game of one round against three bots, played to its end by a bot that stands in."""
    ann = doors.guest("Ann")
    bots = [{"seat": seat, "level": "random"} for seat in range(1, 5)]
    table = ann.open("doordice", seats=5, rules={"rounds": 1}, bots=bots)
    ann.sit(table)
    ann.post(f"/api/tables/{table}/bots", {"level": "random"})
    return ann, table


@pytest.mark.proof
def test_sessions_and_statistics_of_do_or_dice(doors: Doors) -> None:
    """D11: for everybody, with pages."""
    assert doors.nobody.get("/api/doordice/sessions") == []
    assert doors.nobody.get("/api/doordice/stats") == []
    ann, table = do_or_dice(doors)
    while ann.get(f"/api/tables/{table}")["phase"] == "playing":
        time.sleep(0.05)
    (session,) = doors.nobody.get("/api/doordice/sessions")
    assert session.keys() == {"id", "date", "winner_id", "total_rounds"}
    assert (session["id"], session["total_rounds"]) == (table, 1)
    stats = doors.nobody.get("/api/doordice/stats?page=0")
    mine = {"player_id", "player_name", "kind", "games_played", "wins", "total_vp_earned"}
    assert {frozenset(one) for one in stats} == {frozenset(mine)}
    assert sum(one["games_played"] for one in stats) == 5
    assert {one["kind"] for one in stats} == {"account", "bot"}
    assert doors.nobody.get("/api/doordice/stats?page=1") == doors.nobody.get("/api/doordice/sessions?page=1") == []
    assert doors.nobody.wrong("GET", "/api/doordice/stats?page=-1") == (422, "bad_request")
