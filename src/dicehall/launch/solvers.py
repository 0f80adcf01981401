"""The solver that a command needs: ready, quickly solved, or solved on demand with a bar; else a sentence."""

from __future__ import annotations

import time
from importlib.util import find_spec

from dicehall.core.game import AnyGame
from dicehall.core.house import changed_rules, written
from dicehall.lab.solved import solver_soon
from dicehall.launch.output import Failed
from dicehall.launch.progress import progress_bar
from dicehall.solvers.answers import Solver
from dicehall.solvers.finding import find
from dicehall.solvers.race import Unsolvable

PATIENCE = 20.0  # seconds that solving may take without being asked for


def solver_for(game: AnyGame, seats: int, *, solve: bool) -> Solver:
    try:
        found = solved_with_bar(game, seats) if solve else solver_soon(game, seats, PATIENCE, time.monotonic)
    except Unsolvable as unsolvable:
        raise Failed(str(unsolvable)) from None
    if found is not None:
        return found
    if solve or not find_spec(f"dicehall.solvers.{game.key}"):
        raise Failed(f"{game.key} with these house rules cannot be solved.")
    raise Failed(f"These house rules must be solved first: {solve_command(game)}, or add --solve here.")


def solved_with_bar(game: AnyGame, seats: int) -> Solver | None:
    with progress_bar("Solving") as progress:
        return find(game, seats, solve=True, progress=progress)


def solve_command(game: AnyGame) -> str:
    changed = {name: number for name, number in changed_rules(game).items() if "seconds" not in name}
    rules = f" --rules {','.join(written(changed))}" if changed else ""  # without clocks, which decide nothing here
    return f"dicehall solve {game.key}{rules}"
