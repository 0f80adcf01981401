"""Reports: every kind of record gets one, and it says what happened in sentences."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dicehall.core.game import Over
from dicehall.games import catalogue
from dicehall.lab.coach import Report, report_of
from dicehall.lab.moments import course_of
from dicehall.lab.shown import show_report
from dicehall.lab.telling import told
from dicehall.solvers.doordice import DoOrDiceSolver
from dicehall.solvers.finding import find
from dicehall.wire.record import parse_record
from tools import golden

RECORDS = golden.records()
FEW = 24  # games played out for a position of DO or DICE
SOME = 6  # of so many records one is looked at every day
LARGE = 20  # goals in units of the score table that are solved here


def loaded(document: Any) -> Any:
    return parse_record(document, catalogue())


def reported(document: Any) -> Report | None:
    """The report of a record; None where its house rules would take long to solve."""
    course = course_of(loaded(document))
    game: Any = course.game
    if game.key == "doordice":
        return report_of(course, DoOrDiceSolver(game, FEW))
    quick = game.key in ("wards", "mana") or game.goal <= LARGE * 50
    solver = find(game, len(course.names), solve=quick)
    return None if solver is None else report_of(course, solver)


def lines(report: Report) -> list[str]:
    return [said.text for said in told(report)]


@pytest.mark.proof
@pytest.mark.parametrize("key", list(catalogue()))
def test_every_golden_record_gets_a_report(key: str) -> None:
    check_reports(key, 1)


@pytest.mark.parametrize("key", list(catalogue()))
def test_golden_records_get_reports(key: str) -> None:
    check_reports(key, SOME)


def check_reports(key: str, every: int) -> None:
    without = []
    for file in [record for record in RECORDS if record.parent.name == key][::every]:
        report = reported(json.loads(file.read_bytes()))
        if report is None:
            without.append(file.name)
            continue
        text, shown = lines(report), show_report(report)
        assert json.loads(json.dumps(shown))["game"] == key, file.name
        assert [seat.name for seat in report.seats] == list(report.names)
        for seat in report.seats:
            assert any(line.startswith(seat.name) for line in text), file.name
            assert seat.start + seat.luck - seat.lost + seat.given + seat.clock + seat.rest == pytest.approx(
                seat.result
            )
        assert bool(report.over) == isinstance(report.game.awaits(report.course.end), Over)
    assert len(without) <= (5 if key in ("aetharn", "tenthousand") else 0), without


def wards(*entries: Any, goal: int = 20, table: Any = ()) -> dict[str, Any]:
    document = {"dicehall": 1, "game": "wards", "rules": {"goal": goal}, "seats": ["Ann", "Bo"]}
    return {**document, "entries": list(entries), "table": list(table)}


def moved(seat: int, move: str) -> dict[str, Any]:
    return {"seat": seat, "move": move}


def rolled(seat: int, face: int) -> list[dict[str, Any]]:
    return [moved(seat, "roll"), {"roll": [face]}]


def report(document: dict[str, Any]) -> Report:
    found = reported(document)
    assert found is not None
    return found


def test_a_blunder_is_told_with_what_was_better_and_by_how_much() -> None:
    found = report(wards(*rolled(0, 6), *rolled(0, 6), *rolled(0, 6), *rolled(0, 6), *rolled(0, 1), goal=20))
    (blunder,) = [line for line in lines(found) if "with 24 on the pile" in line]
    assert "Ann rolled again" in blunder
    assert "Holding wins for certain. (entry 8)" in blunder
    assert found.seats[0].mistakes == 1
    assert found.seats[0].worst[0].moment.index == 8


def test_of_a_game_that_was_played_on_only_what_was_played_there_is_judged() -> None:
    """The mistakes of the game before it were told as those of this one."""
    before = [*rolled(0, 6), *rolled(0, 6), *rolled(0, 6), *rolled(0, 6), *rolled(0, 1), *rolled(1, 5)]
    seal = {"table": "old", "s0": "00" * 32, "words": []}
    document = wards(*before, moved(1, "hold"), goal=20) | {"origins": [{"entries": len(before), "seal": seal}]}
    found = report(document)
    assert [line.moment.index for line in found.lines] == [len(before)]
    assert [seat.decisions for seat in found.seats] == [0, 1]
    assert found.seats[0].mistakes == 0
    assert found.seats[0].start == found.lines[0].before[0].value
    whole = report({key: value for key, value in document.items() if key != "origins"})
    assert whole.seats[0].mistakes == 1


def test_an_unfinished_game_is_told_as_it_stands() -> None:
    found = report(wards(*rolled(0, 6)))
    assert "The game is not over." in lines(found)[0]
    assert f"Ann would win {100 * found.seats[0].result:.0f} % of games from here." in lines(found)
    assert show_report(found)["over"] is None


def test_a_record_of_nothing_has_a_report_too() -> None:
    found = report(wards())
    assert [seat.luck for seat in found.seats] == [0, 0]
    assert "  There was nothing to decide." in lines(found)


def test_a_refused_tail_ends_the_report_and_says_so() -> None:
    found = report(wards(*rolled(0, 6), moved(1, "roll"), *rolled(0, 5)))
    assert "Entry 2 is refused (It is not seat 1's turn.): this report ends before it." in lines(found)
    assert show_report(found)["refused"]["index"] == 2
    assert len(found.lines) == 2


def test_time_that_runs_out_is_no_mistake_but_is_counted() -> None:
    found = report(wards(*rolled(0, 2), {"seat": 0, "expired": True}))
    ann, bo = found.seats
    assert ann.mistakes == 0
    assert ann.lost == pytest.approx(0)
    assert ann.clock < -0.01
    assert ann.clock == pytest.approx(-bo.clock)
    assert any(line.startswith("  Time-outs and absences cost ") for line in lines(found))


def test_an_absence_is_neither_luck_nor_skill() -> None:
    """Bo is away, so Ann's bust brings the dice back to her: that is Bo's absence, and no luck of hers."""
    start = [{"roll": [1]}, {"seat": 1, "attend": "away"}, moved(0, "roll"), {"roll": [2, 3, 4, 6, 2, 3]}]
    document = {"dicehall": 1, "game": "aetharn", "rules": {"goal": 500}, "seats": ["Ann", "Bo"], "entries": start}
    found = report(document)
    bust = found.lines[-1]
    assert bust.parts[0].luck < 0 < bust.parts[0].clock
    assert bust.parts[0].luck == pytest.approx(-bust.parts[1].luck)


def test_hints_and_bots_that_stood_in_are_told() -> None:
    acts = [{"act": "started", "order": [1, 0]}, {"act": "hinted", "chair": 1}, {"act": "hinted", "chair": 1}]
    found = report(wards(*rolled(0, 6), table=[*acts, {"act": "deputed", "chair": 0}, "nonsense", {"act": "hinted"}]))
    assert {"Ann took a hint 2 times.", "Bo had a bot stand in."} <= set(lines(found))


def test_armies_that_were_never_shown_leave_nothing_to_judge() -> None:
    file = next(Path(record) for record in RECORDS if record.name.startswith("24-neither-revealed"))
    found = report(json.loads(file.read_bytes()))
    assert "The armies were never both shown, so there is nothing to judge." in lines(found)
    assert [seat.decisions for seat in found.seats] == [0, 0]


def test_more_than_two_seats_are_told_against_the_leader() -> None:
    document = {
        "dicehall": 1,
        "game": "tenthousand",
        "rules": {"goal": 400, "opening": 0},
        "seats": ["Ann", "Bo", "Cy"],
    }
    found = report({**document, "entries": [moved(0, "roll"), {"roll": [1, 2, 3, 4, 6, 6]}]})
    assert found.by_leader
    assert "beating the leader" in lines(found)[1]
