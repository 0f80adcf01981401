"""Thousands of seeds: whatever goes wrong around it, a table keeps its promises (C3-C5, C7, C10, W5-W8, A12-A17)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.simulation.seeds import first_wrong, told
from tests.simulation.world import simulate
from tools.bugs import BUGS
from tools.controls import MISSED, found, judged

ROOT = Path(__file__).parents[2]
CHUNK = 25
EVERY_DAY = 500  # `make controls` tries four times as many with each deliberate bug
PROOF = 22_500


@pytest.mark.parametrize("start", range(0, EVERY_DAY, CHUNK))
def test_a_table_keeps_its_promises_in_all_weathers(start: int) -> None:
    """C4, C5, W6, W7, W8, A12, A13: an acknowledged action is never lost, an outage never costs a turn."""
    wrong = first_wrong(range(start, start + CHUNK))
    assert wrong is None, told(*wrong)


@pytest.mark.proof
@pytest.mark.parametrize("start", range(EVERY_DAY, PROOF, 10 * CHUNK))
def test_a_table_keeps_its_promises_in_many_more_weathers(start: int) -> None:
    wrong = first_wrong(range(start, start + 10 * CHUNK))
    assert wrong is None, told(*wrong)


@pytest.mark.parametrize(
    "name",
    ["told before it is stored", "answered before it is stored", "ids forgotten on restart", "dice redrawn on restart"],
)
def test_the_checker_finds_deliberate_bugs(name: str) -> None:
    """A check that cannot fail is a defect; `make controls` has all of them."""
    seed, check = judged(found(name, 400))
    assert seed != MISSED, check


def test_the_code_as_it_is_has_none_of_the_deliberate_bugs_after_they_were_tried() -> None:
    for bug in BUGS.values():
        with bug():
            pass
    assert first_wrong(range(3)) is None


@pytest.mark.parametrize("seed", [11, 28])
def test_a_seed_is_the_same_run_again(seed: int) -> None:
    first, second = simulate(seed, traced=True), simulate(seed, traced=True)
    assert first.notes == second.notes
    assert len(first.notes) > 20


def test_a_seed_is_the_same_run_whatever_python_hashes_with() -> None:
    traces = []
    for hash_seed in ("1", "2"):
        command = [sys.executable, "-m", "tests.simulation", "28", "--trace"]
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True, timeout=60)
        traces.append(run.stdout)
    assert traces[0] == traces[1]
