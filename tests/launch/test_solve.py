"""``dicehall solve``: the chances of perfect play, for people and for programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from dicehall.solvers.places import CACHE
from tests.launch.running import process, run

KEYS = ["game", "rules", "first_seat", "states", "residual", "seconds", "source"]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(CACHE.setting, str(tmp_path))
    return tmp_path


def test_a_ready_table_in_json() -> None:
    ran = run("solve", "wards", "--json")
    assert ran.code == 0
    assert list(ran.last) == KEYS
    assert ran.last["first_seat"] == pytest.approx(0.5305927, abs=5e-8)
    assert ran.last["rules"] == {"goal": 100, "turn_seconds": 30}
    assert (ran.last["states"], ran.last["residual"], ran.last["source"]) == (10_000, None, "shipped")
    assert ran.err == ""


def test_house_rules_are_solved_once_and_then_cached(cache: Path) -> None:
    sources = [process("solve", "wards", "--rules", "goal=15", "--json", DICEHALL_CACHE=str(cache)) for _ in range(2)]
    assert [b'"solved"' in sources[0].stdout, b'"cached"' in sources[1].stdout] == [True, True]
    assert [done.stderr for done in sources] == [b"", b""]
    assert list(cache.glob("wards-*.bin"))


def test_a_certificate_says_how_many_pairs_it_looked_at() -> None:
    ran = run("solve", "wards", "--certify")
    assert ran.code == 0
    assert "the first seat wins 53.0593 %" in ran.out
    assert "10,000 score pairs, from the shipped table" in ran.out
    assert "at 200 random pairs" in ran.out
    assert 0 <= run("solve", "wards", "--certify", "--json").last["residual"] < 1e-12


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("mana",), "Mana is not solved in advance"),
        (("doordice",), "DO or DICE has no exact solution"),
        (("pig",), "There is no game 'pig'"),
        (("wards", "--rules", "goal=0"), "goal must be from 1"),
        (("wards", "--rules", "goal"), "Write house rules as name=number"),
        (("wards", "--rules", "opening=5"), "wards has no house rule 'opening'"),
        (("wards", "--rules", "goal=1000000000"), "too far away to solve"),
    ],
)
def test_what_cannot_be_solved_gets_a_sentence(words: tuple[str, ...], sentence: str) -> None:
    ran = run("solve", *words)
    assert ran.code == 2
    assert ran.out == ""
    assert sentence in ran.err
    assert ran.err.count("\n") == 1


def test_the_help_shows_an_example() -> None:
    ran = run("solve", "--help")
    assert ran.code == 0
    assert "dicehall solve aetharn --rules goal=2000,hot_dice=0" in ran.out
