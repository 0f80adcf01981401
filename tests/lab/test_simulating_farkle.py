"""Aetharn and Dice 10 000 by whole turns: the same game as by the rules, for bots that tables can stand for."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any

import pytest

from dicehall.games import catalogue
from dicehall.lab.simulated import length, rates
from dicehall.lab.simulating_farkle import FarkleRows
from dicehall.lab.simulating_watched import Untold
from dicehall.lab.simulator import WORTH_FILLING, ByRules, Job, by_turns, simulate

RULES: list[tuple[str, dict[str, int]]] = [("aetharn", {"goal": 800}), ("tenthousand", {"goal": 1200, "opening": 300})]


def job(key: str, rules: dict[str, int], *bots: Any) -> Job:
    return Job(catalogue()[key](**rules), bots, WORTH_FILLING, "fixed")


@pytest.mark.parametrize(("key", "rules"), RULES)
def test_tables_and_rules_agree_within_three_standard_errors(key: str, rules: dict[str, int]) -> None:
    wanted = job(key, rules, "greedy", "greedy")
    by_rules = ByRules(wanted.game, wanted.players).play(500, Random("rules"))
    by_tables = by_turns(wanted).play(20_000, Random("tables"))
    rate, other = rates(by_rules)[0], rates(by_tables)[0]
    assert abs(rate.value - other.value) < 3 * sqrt(rate.stderr**2 + other.stderr**2)
    first, other_first = by_rules.first_wins / by_rules.games, by_tables.first_wins / by_tables.games
    assert abs(first - other_first) < 3 * sqrt(0.25 / 500)
    assert length(by_rules) == pytest.approx(length(by_tables), rel=0.1)
    assert by_rules.rolls / by_rules.games == pytest.approx(by_tables.rolls / by_tables.games, rel=0.1)


def test_throws_bust_as_often_as_the_literature_says() -> None:
    rows = by_turns(job("aetharn", {"goal": 800}, "greedy", "greedy")).rows[0]
    assert isinstance(rows, FarkleRows)
    assert rows[0].gains
    chances = {dice: Fraction(throw.busts, throw.ways) for (dice, hot), throw in rows.throws.items() if not hot}
    wanted = {1: (2, 3), 2: (4, 9), 3: (5, 18), 4: (17, 108), 5: (25, 324)}
    assert {dice: chances[dice] for dice in wanted if dice in chances} == {
        dice: Fraction(*chance) for dice, chance in wanted.items() if dice in chances
    }
    assert len(chances) >= 4


@pytest.mark.parametrize(("key", "rules"), RULES)
@pytest.mark.parametrize("level", ["random", "good"])
def test_bots_that_take_chances_or_weigh_their_points_are_left_to_the_rules(
    key: str, rules: dict[str, int], level: str
) -> None:
    with pytest.raises(Untold):
        by_turns(job(key, rules, level, "greedy")).play(5, Random(1))


def test_short_runs_and_more_seats_go_by_the_rules() -> None:
    game = catalogue()["aetharn"](goal=400)
    assert simulate(Job(game, ("greedy", "greedy"), 5, "s"), workers=1).way == "rules"
    with pytest.raises(Untold):
        by_turns(Job(game, ("greedy",) * 3, WORTH_FILLING, "s"))
