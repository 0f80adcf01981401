"""The coach's books: what a seat ends with is what it began with and everything that was entered for it."""

from __future__ import annotations

import pytest

from dicehall.lab.coach import report_of
from dicehall.lab.ledger import Part
from dicehall.solvers.doordice import DoOrDiceSolver
from tests.lab.courses import SMALL, course, small, solver
from tests.laws.playing import GAMES

EXACT = 1e-9


def total(part: Part) -> float:
    return part.luck + part.play + part.clock + part.rest


@pytest.mark.parametrize("unrest", [0.0, 0.15])
@pytest.mark.parametrize("key", list(SMALL))
def test_the_result_is_start_and_luck_and_losses_in_every_random_game(key: str, unrest: float) -> None:
    for seed in range(15):
        report = report_of(course(small(key), 2, seed, unrest), solver(key))
        for seat in report.seats:
            told = seat.start + seat.luck - seat.lost + seat.given + seat.clock
            assert told == pytest.approx(seat.result, abs=EXACT)
            assert seat.adjusted == pytest.approx(seat.start - seat.lost + seat.given + seat.clock, abs=EXACT)
            assert seat.rest == pytest.approx(0, abs=EXACT)
        first, second = report.seats
        if key != "mana" or not unrest:  # where time runs out, a pick that was not met gives nothing
            assert (first.given, second.given) == pytest.approx((second.lost, first.lost), abs=EXACT)
        assert report.over is not None
        if report.over.winner is not None:
            assert [seat.result for seat in report.seats] == [float(report.over.winner == at) for at in range(2)]


@pytest.mark.parametrize("key", list(SMALL))
def test_every_line_adds_up_for_every_seat(key: str) -> None:
    for seed in range(8):
        for line in report_of(course(small(key), 2, seed, 0.15), solver(key)).lines:
            for seat, part in enumerate(line.parts):
                change = line.after[seat].value - line.before[seat].value
                assert total(part) == pytest.approx(change, abs=EXACT)


@pytest.mark.parametrize("key", ["wards", "aetharn", "tenthousand"])
def test_a_position_to_decide_in_is_worth_its_best_choice(key: str) -> None:
    for line in report_of(course(small(key), 2, 5, 0.0), solver(key)).lines:
        if line.decision and line.decision.best and line.seat is not None:
            assert line.before[line.seat].value == pytest.approx(line.decision.best.chance.value, abs=EXACT)
            assert line.after[line.seat].value == pytest.approx(line.decision.chosen.value, abs=EXACT)


@pytest.mark.parametrize("key", ["aetharn", "tenthousand"])
def test_more_than_two_seats_are_measured_against_the_leader_and_still_add_up(key: str) -> None:
    for seed in range(5):
        report = report_of(course(small(key), 3, seed, 0.1), solver(key, 3))
        assert (report.by_leader, report.note) == (True, "against the leader")
        for seat in report.seats:
            told = seat.start + seat.luck - seat.lost + seat.given + seat.clock + seat.rest
            assert told == pytest.approx(seat.result, abs=EXACT)


def test_rollouts_add_up_too_and_say_how_sure_they_are() -> None:
    game = GAMES["doordice"](hp=6, rounds=2)
    report = report_of(course(game, 5, 1, 0.1), DoOrDiceSolver(game, games=48))
    assert not report.exact
    assert min(seat.luck_stderr for seat in report.seats) > 0
    for seat in report.seats:
        told = seat.start + seat.luck - seat.lost + seat.given + seat.clock + seat.rest
        assert told == pytest.approx(seat.result, abs=EXACT)


def test_luck_of_an_estimated_game_is_known_better_than_the_chances_on_its_way() -> None:
    """Positions between the first and the last are on both sides: only what decisions changed is left in doubt."""
    game = GAMES["doordice"](rounds=2)
    report = report_of(course(game, 5, 2, 0.0), DoOrDiceSolver(game, games=48))
    rolls = [line for line in report.lines if line.kind == "roll"]
    one_by_one = [chance.stderr**2 for line in rolls for chance in (*line.before, *line.after)]
    assert sum(seat.luck_stderr**2 for seat in report.seats) < 0.7 * sum(one_by_one)


def test_who_folds_loses_all_there_was_and_the_other_is_given_it() -> None:
    folded = next(
        report
        for report in (report_of(course(small("aetharn"), 2, seed, 0.0), solver("aetharn")) for seed in range(40))
        if any(line.decision and str(line.decision.action) == "fold" for line in report.lines)
    )
    line = next(line for line in folded.lines if line.decision and str(line.decision.action) == "fold")
    assert line.decision is not None
    assert line.seat is not None
    assert line.decision.loss == pytest.approx(line.before[line.seat].value)
    assert line.parts[1 - line.seat].play == pytest.approx(line.decision.loss)
