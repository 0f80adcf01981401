"""Several processes in all weathers: nothing is lost, doubled, told twice or unfairly timed out."""

from __future__ import annotations

import pytest

from tests.nodes.seeds import first_wrong
from tools.bugs import NODE_BUGS
from tools.controls import MISSED, found, judged

EVERY_DAY, PROOF = 10, 600


def test_several_processes_are_one_hall() -> None:
    assert first_wrong(range(EVERY_DAY)) is None


@pytest.mark.proof
@pytest.mark.parametrize("start", range(EVERY_DAY, PROOF, 59))
def test_several_processes_are_one_hall_in_many_more_weathers(start: int) -> None:
    assert first_wrong(range(start, start + 59)) is None


@pytest.mark.proof
@pytest.mark.parametrize("name", NODE_BUGS)
def test_a_deliberate_bug_is_found(name: str) -> None:
    seed, check = judged(found(name))
    assert seed != MISSED, check
