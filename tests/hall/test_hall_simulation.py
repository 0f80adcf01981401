"""Whole halls in bad weather: whatever dies and however often people ask, what a hall says is true and counted once."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.hall.hall_checking import Check, wrongs
from tests.hall.hall_simulation import LateResults, ShakyJournal, TwiceAllowed, simulate

SEEDS, CHUNK = 100, 20


def first_wrong(seeds: range, journal: type[ShakyJournal] = ShakyJournal) -> str | None:
    for seed in seeds:
        if wrong := wrongs(simulate(seed, journal)):
            return f"seed {seed}: {wrong[0]}"
    return None


@pytest.mark.parametrize("start", [0, *(pytest.param(n, marks=pytest.mark.proof) for n in range(CHUNK, SEEDS, CHUNK))])
def test_a_hall_keeps_its_word_however_often_its_host_dies(start: int) -> None:
    """W12, C8, C9: results are counted once, and every acknowledged request is true afterwards."""
    assert first_wrong(range(start, start + CHUNK)) is None


@pytest.mark.parametrize("bug", [LateResults, TwiceAllowed])
def test_the_checker_finds_deliberate_bugs(bug: type[ShakyJournal]) -> None:
    """Results written after the act instead of with it; two rematches of one table."""
    found = first_wrong(range(SEEDS), bug)
    assert found is not None
    assert found.startswith("seed ")


def test_the_runs_are_worth_checking() -> None:
    """A checker that sees nothing finds nothing wrong."""
    seen: Counter[str] = Counter()
    for seed in range(12):
        crowd = simulate(seed)
        seen.update(ack.kind for ack in crowd.acks)
        seen["finished"] += len(list(Check(crowd).outcomes()))
        seen["archived"] += len(crowd.journal._archive)
        seen["processes"] += crowd.starts - 1
        seen["heard"] += sum(len(ear.messages) for ear in crowd.listening)
        seen["grown up"] += sum(not crowd.journal.register.accounts[account].guest for account in crowd.who[:2])
    scarce = {what: seen[what] for what in SEEN if seen[what] < SEEN[what]}
    assert not scarce, seen


SEEN = {
    **{"open": 30, "sit": 30, "start": 3, "act": 100, "rematch": 5, "depute": 3, "leave": 3},
    **{"finished": 20, "archived": 5, "processes": 12, "heard": 30, "grown up": 5},
}


def test_a_seed_is_the_same_run_again() -> None:
    first, second = simulate(3), simulate(3)
    assert [commit.row for commit in first.journal.kept] == [commit.row for commit in second.journal.kept]
    assert first.acks == second.acks
