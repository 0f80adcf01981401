"""The coach after a game, over HTTP: /api/tables/{id}/coach."""

from __future__ import annotations

import pytest

from tests.server.doors import Doors, Person
from tests.server.test_hints import playing


def play_on(table: str, *people: Person) -> None:
    """Everybody rolls once and holds, in turn, until the game is over."""
    while (shown := people[0].get(table))["phase"] == "playing":
        person = people[shown["view"]["turn"][0]]
        for move in ("roll", "hold"):
            person.ask("POST", f"{table}/act", {"move": move})


def test_a_finished_game_is_judged_once_for_everybody(doors: Doors) -> None:
    ann, bo, table = playing(doors, rules={"goal": 12})
    play_on(table, ann, bo)
    report = ann.get(f"{table}/coach")
    assert (report["game"], report["note"], report["exact"]) == ("wards", "exact", True)
    assert [seat["name"] for seat in report["seats"]] == ["Ann", "Bo"]
    assert sum(seat["result"] for seat in report["seats"]) == 1
    for seat in report["seats"]:
        assert seat["decisions"] > 0
        assert seat["headline"].startswith(seat["name"])
        assert seat["adjusted"] == pytest.approx(seat["result"] - seat["luck"])
        assert len(seat["worst"]) <= seat["mistakes"]
    assert bo.get(f"{table}/coach") == report
    assert len(doors.running.reporter.known) == 1


def test_a_game_that_runs_is_not_judged_nor_one_that_nobody_knows(doors: Doors) -> None:
    ann, _, table = playing(doors)
    assert ann.wrong("GET", f"{table}/coach") == (403, "not_allowed")
    assert ann.wrong("GET", "/api/tables/none/coach") == (404, "no_such_table")
    assert doors.nobody.wrong("GET", f"{table}/coach") == (401, "not_signed_in")


def test_house_rules_that_nobody_solved_are_said_to_be_that(doors: Doors) -> None:
    ann, bo = doors.guest("Ann"), doors.guest("Bo")
    table = ann.open("aetharn", rules={"goal": 4950, "hot_dice": 3})
    for person in (ann, bo):
        person.sit(table)
    path = f"/api/tables/{table}"
    ann.post(f"{path}/start")
    ann.post(f"{path}/act", {"move": "fold"})
    assert ann.get(path)["phase"] == "over"
    assert ann.wrong("GET", f"{path}/coach") == (403, "not_allowed")
