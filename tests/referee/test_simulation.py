"""Hundreds of seeds: whatever relays, mint, players and strangers do, the referee keeps the rules (M1-M13)."""

from __future__ import annotations

import pytest

from tests.referee.simulation.judge import judge
from tests.referee.simulation.seeds import first_wrong, told
from tests.referee.simulation.world import World
from tools.bugs import REFEREE_BUGS
from tools.controls import MISSED, found, judged

CHUNK = 10
EVERY_DAY = 30
PROOF = 3_000


@pytest.mark.parametrize("start", range(0, EVERY_DAY, CHUNK))
def test_the_referee_keeps_the_rules_in_all_weathers(start: int) -> None:
    """M8, M10, M11: one result and one reward, crashes and outages cost nobody anything."""
    wrong = first_wrong(range(start, start + CHUNK))
    assert wrong is None, told(*wrong)


@pytest.mark.proof
@pytest.mark.parametrize("start", range(EVERY_DAY, PROOF, 3 * CHUNK))
def test_the_referee_keeps_the_rules_in_many_more_weathers(start: int) -> None:
    wrong = first_wrong(range(start, start + 3 * CHUNK))
    assert wrong is None, told(*wrong)


@pytest.mark.parametrize(
    "name",
    [
        "published before it is stored",
        "loot is paid before the result is out",
        "a second commitment replaces the first",
        "clocks run on while the referee is down",
    ],
)
def test_the_judge_finds_deliberate_bugs(name: str) -> None:
    """`make controls` has all of them."""
    seed, check = judged(found(name, 40))
    assert seed != MISSED, check


def test_the_referee_has_none_of_the_deliberate_bugs_after_they_were_tried() -> None:
    for bug in REFEREE_BUGS.values():
        with bug():
            pass
    assert first_wrong(range(2)) is None


@pytest.mark.parametrize("seed", [0, 7])
def test_a_seed_is_the_same_run_again(seed: int) -> None:
    first, second = World(seed).run(), World(seed).run()
    assert list(first.first_said.items()) == list(second.first_said.items())
    assert (first.kills, first.reach) == (second.kills, second.reach)
    assert judge(first) == []
