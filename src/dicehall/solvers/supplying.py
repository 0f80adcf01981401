"""Where the solver of a race comes from: a table in the package, one that was kept, or one worked out now."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from dicehall.core.game import AnyGame
from dicehall.solvers.duel import Duel
from dicehall.solvers.keeping import keep, kept_file, load, shipped_file
from dicehall.solvers.places import CACHE
from dicehall.solvers.race import Race, Unsolvable
from dicehall.solvers.shape import Explored, explore
from dicehall.solvers.solving import Progress, solve

Supply: TypeAlias = Callable[[AnyGame, int, Path | None, bool, Progress | None], Duel | None]

GAMES = 8  # house rules whose solvers are remembered


def solver_of(race: type[Race[Any]]) -> Supply:
    """What a game's module gives as its ``solver``; asked again it gives the same one, which remembers its turns."""
    known: dict[tuple[AnyGame, int, Path], Duel] = {}

    def solver(game: AnyGame, seats: int, folder: Path | None, solve: bool, progress: Progress | None) -> Duel | None:
        which = game, seats, folder or CACHE.path()
        if which not in known:
            duel = supplied(race, *which, progress, solving=solve)
            if duel is None:
                return None
            if len(known) >= GAMES:
                known.clear()
            known[which] = duel
        return known[which]

    return solver


def supplied(
    race: type[Race[Any]], game: Any, seats: int, folder: Path, progress: Progress | None, *, solving: bool
) -> Duel | None:
    """A solver if one is ready or wanted; rules that cannot be solved are an error only if one is wanted."""
    explored = explored_once(race, game)
    if isinstance(explored, Explored):
        return ready(explored, seats, folder, progress, solving=solving)
    if solving:
        raise Unsolvable(explored)
    return None


@lru_cache(GAMES)
def explored_once(race: type[Race[Any]], game: Any) -> Explored | str:
    """What the rules answer, or the sentence that says why they cannot be solved."""
    try:
        return explore(race(game))
    except Unsolvable as cannot:
        return str(cannot)


def ready(explored: Explored, seats: int, folder: Path, progress: Progress | None, *, solving: bool) -> Duel | None:
    shape, key = explored.shape, explored.explorer.race.game.key
    if (chances := load(shipped_file(key), shape)) is not None:
        return Duel(explored, chances, seats, "shipped")
    file = kept_file(folder, key, shape)
    if (chances := load(file, shape)) is not None:
        return Duel(explored, chances, seats, "cached")
    if not solving:
        return None
    chances = solve(shape, progress)
    keep(file, shape, chances)
    return Duel(explored, chances, seats, "solved")
