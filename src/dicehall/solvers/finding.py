"""Finding the solver of a game: a module of its name beside this one, asked for what is ready or can be worked out."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from dicehall.core.game import AnyGame
from dicehall.solvers.answers import Solver


def find(
    game: AnyGame,
    seats: int,
    *,
    folder: Path | None = None,
    solve: bool = False,
    progress: Callable[[float], None] | None = None,
) -> Solver | None:
    """The solver of a game with its house rules; None where none is ready and *solve* does not ask to work one out.

    *folder* is where worked-out tables are kept, by default the user's cache; *progress* hears how much is done, to 1.
    """
    name = f"{__package__}.{game.key}"
    if not game.key.isidentifier() or find_spec(name) is None:
        return None
    module = import_module(name)
    if not hasattr(module, "solver"):
        return None
    found: Solver | None = module.solver(game, seats, folder, solve, progress)
    return found
