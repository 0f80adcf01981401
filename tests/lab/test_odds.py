"""The odds of one position."""

from __future__ import annotations

import pytest

from dicehall.games import catalogue
from dicehall.lab.odds import odds, rolls
from dicehall.lab.positions import read
from tests.lab.courses import small, solver
from tests.launch.running import run


def test_at_41_against_49_one_rolls_at_27_and_holds_at_26() -> None:
    """A known oddity of optimal Pig: see SOLVERS.md's ground truth."""
    best = {
        pile: run("odds", "wards", f"41-49 +{pile}", "--json").last["choices"][0]["move"]
        for pile in (21, 22, 26, 27, 28)
    }
    assert best == {21: "roll", 22: "hold", 26: "hold", 27: "roll", 28: "hold"}


def test_the_odds_are_told_with_each_choice_and_each_face() -> None:
    ran = run("odds", "wards", "41-49 +27")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[:3] == ["Dice Wards: 41-49 +27", "(exact)", "seat 1 (to act): 65.6 %"]
    assert "  roll: 65.6 %" in ran.out
    assert "  1: 38.2 % (the turn is over)" in ran.out


@pytest.mark.parametrize(
    ("key", "line"), [("wards", "7-*9 +4"), ("aetharn", "0-*50 +300 dice 153 held 12"), ("tenthousand", "0-0")]
)
def test_the_mean_of_the_next_roll_is_what_rolling_is_worth(key: str, line: str) -> None:
    game = small(key)
    found = odds(game, read(game, line), solver(key))
    rolling = next(worth for worth in found.worths if str(worth.action) == "roll")
    assert found.roll is not None
    assert found.roll.mean == pytest.approx(rolling.chance.value, abs=1e-12)
    assert sum(outcome.likely for outcome in found.roll.outcomes) == pytest.approx(1)
    assert sum(chance.value for chance in found.chances) == pytest.approx(1)
    assert found.worths[0].chance.value == max(worth.chance.value for worth in found.worths)


def test_rolls_are_counted_with_all_their_orders() -> None:
    counted = dict(rolls((6, 6)))
    assert [counted[1, 1], counted[1, 2]] == pytest.approx([1 / 36, 1 / 18])
    assert len(counted) == 21


def test_a_finished_position_has_a_winner_and_nothing_to_choose() -> None:
    told = run("odds", "wards", "100-40", "--json").last
    assert [chance["chance"] for chance in told["chances"]] == [1, 0]
    assert (told["choices"], told["roll"], told["seat"]) == ([], None, None)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["wards", "41"], "exactly 2 seats"),
        (["chess", "0-0"], "There is no game 'chess'"),
        (["aetharn", "120-0"], "multiples of 50"),
        (["wards", "1-1", "--rules", "goal=x"], "goal must be a whole number"),
        (["wards", "0-0", "--rules", "goal=1000000", "--solve"], "too far away"),
        (["aetharn", "0-0", "--rules", "goal=20000"], "dicehall solve aetharn --rules goal=20000"),
    ],
)
def test_what_cannot_be_answered_is_said_in_a_sentence(arguments: list[str], sentence: str) -> None:
    ran = run("odds", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("key", list(catalogue()))
def test_the_help_shows_how_a_position_is_written(key: str) -> None:
    assert f"  {key}: " in run("odds", "--help").out
