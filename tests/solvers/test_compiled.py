"""The programme compiled and plain: one text, the same numbers to the last bit, and no cost where it is not used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dicehall.core.game import AnyGame
from dicehall.games.aetharn.rules import Aetharn
from dicehall.games.tenthousand.rules import TenThousand
from dicehall.solvers import solving
from dicehall.solvers.races import RACES
from dicehall.solvers.shape import explore
from dicehall.solvers.solving import solve

ROOT = Path(__file__).parents[2]
ASKING = """
import sys
from dicehall.core.game import Seat
from dicehall.games.wards.rules import Wards
from dicehall.solvers.finding import find
game = Wards()
state = game.start(2)
find(game, 2).worths(game.view(state, Seat(0)), Seat(0), game.choices(state, Seat(0)))
print([name for name in ("numba", "numpy", "rich", "msgspec") if name in sys.modules])
"""


@pytest.mark.parametrize(
    "game", [pytest.param(Aetharn(goal=500), marks=pytest.mark.proof), TenThousand(goal=700, opening=300)]
)
def test_compiled_and_plain_give_the_same_numbers_bit_by_bit(
    game: AnyGame, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr(solving, "ENOUGH_WORK", 0.0)
    shape = explore(RACES[game.key](game)).shape
    beside = {file.name for file in (ROOT / "src/dicehall/solvers/__pycache__").glob("*.nb*")}
    assert solve(shape) == solve(shape, fast=False)
    assert not beside
    assert list((cache / "numba").rglob("*.nbi"))


def test_progress_grows_to_one() -> None:
    told: list[float] = []
    solve(explore(RACES["aetharn"](Aetharn(goal=150))).shape, told.append, fast=False)
    assert told == sorted(told)
    assert told[-1] == 1


def test_asking_a_solver_imports_no_compiler() -> None:
    asked = subprocess.run([sys.executable, "-c", ASKING], capture_output=True, text=True, check=True, timeout=60)
    assert asked.stdout == "[]\n"
