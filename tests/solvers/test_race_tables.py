"""The tables of the race games: proven, of the present rules, and never believed where they could be wrong."""

from __future__ import annotations

from array import array
from itertools import pairwise
from pathlib import Path

import pytest

from dicehall.games import catalogue
from dicehall.games.tenthousand.rules import TenThousand
from dicehall.games.wards.rules import Wards
from dicehall.solvers.certifying import certify
from dicehall.solvers.duel import Duel
from dicehall.solvers.finding import find
from dicehall.solvers.keeping import keep, kept_file, load, packed, shipped_file, unpacked
from dicehall.solvers.races import RACES
from dicehall.solvers.shape import Explored, explore
from dicehall.solvers.supplying import ready

SMALL = Wards(goal=12)


def shipped(key: str) -> Duel:
    duel = find(catalogue()[key](), 2)
    assert isinstance(duel, Duel)
    return duel


def small() -> Explored:
    return explore(RACES["wards"](SMALL))


def source(folder: Path, *, solving: bool = True) -> str | None:
    """Where a table comes from, with nothing remembered."""
    duel = ready(small(), 2, folder, None, solving=solving)
    return None if duel is None else duel.source


@pytest.mark.parametrize("key", RACES)
def test_the_shipped_table_is_of_the_present_rules(key: str) -> None:
    """Where it is not, `make tables` writes it anew."""
    assert shipped(key).source == "shipped"


@pytest.mark.parametrize("key", RACES)
def test_the_shipped_table_is_the_solution_at_20_random_pairs(key: str) -> None:
    duel = shipped(key)
    assert certify(duel.shape, duel.chances, 20, seed=20) < 1e-12


@pytest.mark.proof
@pytest.mark.parametrize("key", RACES)
def test_the_shipped_table_is_the_solution_at_1000_random_pairs(key: str) -> None:
    duel = shipped(key)
    assert certify(duel.shape, duel.chances, 1000, seed=1000) < 1e-12


@pytest.mark.parametrize("key", RACES)
def test_more_points_are_never_worse_and_a_turn_is_never_worth_losing(key: str) -> None:
    """The programme leans on the first, and leaves a hold of nothing out because of the second."""
    duel = shipped(key)
    size = len(duel.shape.scores)
    rows = [duel.chances[at * size : (at + 1) * size] for at in range(size)]
    for row, above in pairwise(rows):
        assert all(low <= high + 1e-15 for low, high in zip(row, above, strict=True))
    assert all(rows[a][b] > 1 - rows[b][a] for a in range(size) for b in range(size))


def test_a_certificate_notices_a_wrong_number() -> None:
    duel = shipped("wards")
    wrong = array("d", duel.chances)
    wrong[:] = array("d", [chance + 1e-9 for chance in wrong])
    assert certify(duel.shape, duel.chances, 5) < 1e-14 < 1e-10 < certify(duel.shape, wrong, 5)


def test_a_table_is_solved_once_and_then_found_on_disk(tmp_path: Path) -> None:
    assert source(tmp_path, solving=False) is None
    assert source(tmp_path) == "solved"
    assert source(tmp_path, solving=False) == "cached"
    assert [file.suffix for file in tmp_path.iterdir()] == [".bin"]


@pytest.mark.parametrize("at", [0, 20, 60, 200, -1])
def test_a_file_with_one_wrong_byte_is_solved_again(tmp_path: Path, at: int) -> None:
    source(tmp_path)
    (file,) = tmp_path.iterdir()
    whole = bytearray(file.read_bytes())
    whole[at] ^= 1
    file.write_bytes(whole)
    assert source(tmp_path) == "solved"
    assert source(tmp_path) == "cached"


@pytest.mark.parametrize("length", [0, 10, 80, -8])
def test_a_file_that_ends_early_is_solved_again(tmp_path: Path, length: int) -> None:
    source(tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:length])
    assert source(tmp_path) == "solved"


def test_the_table_of_other_rules_is_not_believed(tmp_path: Path) -> None:
    explored, other = small(), explore(RACES["wards"](Wards(goal=13)))
    duel = ready(other, 2, tmp_path, None, solving=True)
    assert duel is not None
    assert keep(kept_file(tmp_path, "wards", explored.shape), other.shape, duel.chances)
    assert source(tmp_path) == "solved"


def test_a_folder_that_cannot_be_written_only_costs_time(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    assert source(blocked) == "solved"
    assert source(blocked) == "solved"


def test_a_table_survives_being_written_and_read() -> None:
    duel = shipped("wards")
    assert unpacked(packed(duel.shape, duel.chances), duel.shape) == duel.chances
    assert load(shipped_file("no such game"), duel.shape) is None


def test_a_house_rule_changes_the_hash_and_a_clock_does_not() -> None:
    usual, other_clock, opening, further = (
        explore(RACES["tenthousand"](game)).shape.hash
        for game in (
            TenThousand(goal=2050),
            TenThousand(goal=2001, turn_seconds=7),  # points come in fifties, so this is the same goal
            TenThousand(goal=2050, opening=500),
            TenThousand(goal=2051),
        )
    )
    assert usual == other_clock
    assert len({usual, opening, further}) == 3


def test_what_nobody_asked_to_solve_is_not_ready() -> None:
    assert find(Wards(goal=77), 2) is None
    assert find(Wards(goal=10**9), 2) is None
    assert find(catalogue()["aetharn"](goal=10**9, hot_dice=10**9), 2) is None
