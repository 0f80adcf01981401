"""Piglet with a goal of two can be solved by hand; Neller and Presser print the fractions."""

from __future__ import annotations

from pathlib import Path

import pytest

from dicehall.core.game import Seat, Turn
from dicehall.solvers.supplying import solver_of
from tests.piglet.rules import Piglet, View
from tests.solvers.piglet import PigletRace

FRACTIONS = {(0, 0, 0): 4 / 7, (0, 0, 1): 5 / 7, (0, 1, 0): 2 / 5, (0, 1, 1): 3 / 5, (1, 0, 0): 4 / 5, (1, 1, 0): 2 / 3}


@pytest.mark.parametrize(("position", "chance"), FRACTIONS.items())
def test_the_six_fractions(position: tuple[int, int, int], chance: float, tmp_path: Path) -> None:
    mine, other, stake = position
    duel = solver_of(PigletRace)(Piglet(), 2, tmp_path, True, None)
    assert duel is not None
    me = Seat(0)
    answer = duel.chance(View((mine, other), stake), Turn(frozenset({me})), me)
    assert answer.value == pytest.approx(chance, abs=1e-15)
    assert answer.stderr == 0
