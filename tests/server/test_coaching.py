"""The coach after a game, over HTTP: /api/tables/{id}/coach."""

from __future__ import annotations

from pathlib import Path

import pytest

from dicehall.server.bodies import coaching
from dicehall.server.limits import Limits, Rate
from tests.server.doors import FREE, Doors, Person, StoppedClock, open_doors
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
        assert seat["told"]["headline"] == seat["headline"]
        assert seat["yours"]["headline"].startswith("You ")
    assert report["progress"] == 1
    assert report["graph"][-1]["chances"] in ([1, 0], [0, 1])
    assert bo.get(f"{table}/coach") == report
    assert bo.get(f"{table}/coach?wait_ms=0") == report
    assert doors.nobody.get(f"{table}/coach") == report  # whoever may see a game may learn from it
    assert len(doors.running.reporter.known) == 1


def test_bots_are_named_as_bots_in_a_report(doors: Doors) -> None:
    ann = doors.guest("Ann")
    table = ann.open("wards", rules={"goal": 6}, bots=[{"seat": 1, "level": "greedy"}])
    doors.box.named[1] = (6,)
    ann.sit(table)
    ann.act(table, "roll")
    ann.act(table, "hold")
    seats = ann.get(f"/api/tables/{table}/coach")["seats"]
    assert [seat["bot"] for seat in seats] == [False, True]


def test_a_game_that_runs_is_not_judged_nor_one_that_nobody_knows(doors: Doors) -> None:
    ann, _, table = playing(doors)
    assert ann.wrong("GET", f"{table}/coach") == (403, "not_allowed")
    assert ann.wrong("GET", "/api/tables/none/coach") == (404, "no_such_table")
    assert doors.nobody.wrong("GET", f"{table}/coach") == (403, "not_allowed")


def test_nobody_without_a_name_asks_for_reports_without_a_limit(tmp_path: Path) -> None:
    limits = Limits(StoppedClock(), {**FREE, "coach": Rate(burst=1, per_second=0.1)})
    with open_doors(tmp_path, limits=limits) as doors:
        tables = []
        for _ in range(2):
            ann, bo, table = playing(doors, rules={"goal": 5})
            play_on(table, ann, bo)
            tables.append(table)
        for _ in range(2):  # asking again for the same one costs nothing
            assert len(doors.nobody.get(f"{tables[0]}/coach")["seats"]) == 2
        assert doors.nobody.wrong("GET", f"{tables[1]}/coach") == (429, "rate_limited")


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


def test_whoever_does_not_want_to_wait_hears_how_far_it_is(doors: Doors) -> None:
    ann, bo, table = playing(doors, rules={"goal": 12})
    play_on(table, ann, bo)
    first = ann.get(f"{table}/coach?wait_ms=0")
    assert first["progress"] < 1
    assert first["seats"] == []
    report = first
    while report["progress"] < 1:
        report = ann.get(f"{table}/coach?wait_ms=2000")
    assert len(report["seats"]) == 2
    assert ann.wrong("GET", f"{table}/coach?wait_ms=-1") == (422, "bad_request")


def test_where_chances_are_estimates_a_rough_report_comes_first(doors: Doors) -> None:
    five = [doors.guest(name) for name in ("Ann", "Bo", "Cy", "Di", "Ed")]
    ann = five[0]
    table = f"/api/tables/{ann.open('doordice', rules={'rounds': 1}, drawn=False)}"
    doors.box.named |= dict.fromkeys(range(1, 6), (5,))  # which leaves nothing to choose
    for person in five:
        person.post(f"{table}/sit")
    for person in five:
        person.post(f"{table}/act", {"move": "roll"})
    rough = ann.get(f"{table}/coach?wait_ms=10000")
    assert 0 < rough["progress"] < 1
    assert len(rough["seats"]) == 5
    report = ann.get(f"{table}/coach")
    assert report["progress"] == 1
    assert [seat["result"] for seat in report["seats"]] == [seat["result"] for seat in rough["seats"]]
    assert report["seats"][0]["luck_stderr"] < rough["seats"][0]["luck_stderr"]
    for told in (rough, report):
        assert "estimates from games played out with random dice, give or take" in told["trust"]
    assert ann.get(f"{table}/coach?wait_ms=0") == report


def test_a_report_that_is_not_here_yet_is_never_told_as_done() -> None:
    assert coaching(1.0).progress < 1
    assert coaching(0.25).progress == 0.25
    rough = coaching(0.3)
    assert [coaching(progress, rough).progress for progress in (0.0, 0.5, 1.0)] == [0.3, 0.5, coaching(1.0).progress]


def test_asking_again_for_a_report_counts_once(doors: Doors) -> None:
    ann, bo, table = playing(doors, rules={"goal": 12})
    play_on(table, ann, bo)
    for _ in range(40):  # many more than reports that somebody may ask for at once
        assert "progress" in ann.get(f"{table}/coach?wait_ms=0")
