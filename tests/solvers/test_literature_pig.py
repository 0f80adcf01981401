"""Dice Wards is Pig, about which much is known: what was printed elsewhere comes out of our rules and our solver."""

from __future__ import annotations

import pytest

from dicehall.games.wards.rules import Wards
from dicehall.solvers.certifying import certify
from dicehall.solvers.duel import Duel
from dicehall.solvers.races import RACES
from dicehall.solvers.shape import explore
from dicehall.solvers.solving import solve
from tests.solvers.policies import at_twenty, keep_pace, outcomes, perfect, versus


@pytest.fixture(scope="module")
def wards() -> Duel:
    """Solved here, and not read from the package."""
    explored = explore(RACES["wards"](Wards()))
    return Duel(explored, solve(explored.shape, fast=False), 2, "solved")


def test_the_first_of_two_perfect_players_wins_53_06_percent(wards: Duel) -> None:
    """Neller and Presser, Optimal Play of the Dice Game Pig, 2004: .5306."""
    assert wards.first_seat == pytest.approx(0.5305927, abs=5e-8)
    assert certify(wards.shape, wards.chances, 200) < 1e-14


def test_holding_at_twenty_earns_8_14_a_turn_and_busts_in_five_of_eight(wards: Duel) -> None:
    lost, kept = outcomes(wards.shape, lambda points: points >= 20)
    assert lost == pytest.approx(0.62454, abs=5e-6)
    assert sum(points * chance for points, chance in kept.items()) == pytest.approx(8.14179, abs=5e-6)


@pytest.mark.proof
def test_between_two_who_hold_at_twenty_the_first_wins_53_47_percent(wards: Duel) -> None:
    """Neller's page on Pig: .5347."""
    first, again = versus(wards.shape, at_twenty, at_twenty)
    assert first == pytest.approx(0.5347, abs=5e-5)
    assert again == pytest.approx(first, abs=1e-14)


def test_with_41_against_49_one_holds_from_22_on_but_rolls_at_exactly_27(wards: Duel) -> None:
    """possiblywrong, 2014; with 98 or 99 in all the next roll nearly always wins."""
    holds = perfect(wards)
    assert [points for points in range(2, 57) if holds(41, 49, points)] == [*range(22, 27), *range(28, 57)]


@pytest.mark.proof
def test_keep_pace_and_end_race_is_0_922_percent_behind(wards: Duel) -> None:
    """Neller and Presser, Practical Play of the Dice Game Pig, 2010: the difference between the two who begin."""
    thumb_first, perfect_first = versus(wards.shape, keep_pace, perfect(wards))
    assert perfect_first - thumb_first == pytest.approx(0.00922, abs=5e-6)
