"""A Dask cluster that shares the work of simulations and solutions.

Its workers need the same dicehall as this process: the same seed then gives the same numbers as on one machine. A
worker that dies is no fault: Dask gives its work to the others.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from distributed import CancelledError, Client, Future, KilledWorker, WorkerPlugin, as_completed
from distributed.comm.core import CommClosedError

import dicehall
from dicehall.core.game import AnyGame
from dicehall.lab.simulator import AHEAD, Batches, Progress, Sum
from dicehall.lab.solved import solver_ready
from dicehall.solvers.keeping import keep, kept_file, load, shipped_file
from dicehall.solvers.places import CACHE
from dicehall.solvers.races import RACES
from dicehall.solvers.shape import Explored, Shape
from dicehall.solvers.solving import Chances
from dicehall.solvers.supplying import explored_once
from dicehall.solvers.tiles import Tile, Tiling, effort, put, solve_tile

T = TypeVar("T")
PATIENCE_S = 20  # for the scheduler, and then for its first worker


class ClusterError(Exception):
    """A cluster that cannot do the work; the sentence is for a person."""


@cache
def fingerprint() -> str:
    """Of all code and words of this dicehall: numbers are the same where it is."""
    root = Path(dicehall.__file__).parent
    digest = sha256()
    for file in sorted(file for kind in ("*.py", "*.json", "*.bin") for file in root.rglob(kind)):
        digest.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Cluster:
    """Workers behind one scheduler."""

    client: Client

    @property
    def threads(self) -> int:
        """How much is worked on at the same time; workers come and go."""
        threads: dict[str, int] = self.client.nthreads()
        return max(1, sum(threads.values()))

    def submit(self, priority: int, work: Callable[..., Any], *given: Any) -> Future[Any]:
        return self.client.submit(run_alike, fingerprint(), work, *given, pure=False, priority=priority)

    def spread(self, batches: Batches, total: Sum) -> None:
        """The rest of the batches, some ahead of the workers."""
        self.give_table(batches.job.game)
        following = total.added
        running: Any = as_completed(loop=self.client.loop)
        asked: dict[Any, int] = {}
        with explained():
            while asked or following < total.count:
                while following < total.count and len(asked) < AHEAD * self.threads:
                    future = self.submit(-following, batches.play, following)
                    asked[future] = following
                    running.add(future)
                    following += 1
                future = next(running)
                total.add(asked.pop(future), future.result())

    def solve(self, shape: Shape, progress: Progress | None = None) -> Chances:
        """The table of a race: tile by tile, each once those that it needs are there."""
        tiling = Tiling.of(shape)
        tiles: dict[Tile, Future[Any]] = {}
        (everywhere,) = self.client.scatter([shape], broadcast=True)
        for number, tile in enumerate(tiling.in_order()):
            known = [tiles[needed] for needed in tiling.needs(tile)]
            tiles[tile] = self.submit(-number, solve_tile, everywhere, tiling, tile, known)
        table = array("d", bytes(8 * tiling.size**2))
        efforts = {future: effort(shape, tiling, tile) for tile, future in tiles.items()}
        done, whole = 0, sum(efforts.values())
        with explained():
            for future in as_completed(tiles.values(), loop=self.client.loop):
                put(table, tiling, future.result())
                done += efforts[future]
                if progress is not None:
                    progress(done / whole)
        return table

    def prepare(self, game: AnyGame, progress: Progress | None = None) -> bool:
        """Solve a race whose table is not ready yet, and keep it here; whether it was solved now."""
        shape = shape_of(game)
        if (
            shape is None
            or load(shipped_file(game.key), shape)
            or load(kept_file(CACHE.path(), game.key, shape), shape)
        ):
            return False
        return keep(kept_file(CACHE.path(), game.key, shape), shape, self.solve(shape, progress))

    def give_table(self, game: AnyGame) -> None:
        """Let exact bots on all workers, also on those who join later, play by a table that was solved here."""
        shape = shape_of(game)
        if shape is not None and (chances := load(kept_file(CACHE.path(), game.key, shape), shape)):
            self.client.register_plugin(SolvedTable(game.key, shape, chances), name=f"{game.key}-{shape.hash}")


def shape_of(game: AnyGame) -> Shape | None:
    """None where the game is no race, or one that cannot be solved."""
    rules: Any = game
    explored = explored_once(RACES[game.key], rules) if game.key in RACES else ""
    return explored.shape if isinstance(explored, Explored) else None


@dataclass
class SolvedTable(WorkerPlugin):
    """A table for every worker's own cache."""

    key: str
    shape: Shape
    chances: Chances

    def setup(self, worker: object) -> None:
        keep(kept_file(CACHE.path(), self.key, self.shape), self.shape, self.chances)
        solver_ready.cache_clear()  # it may remember that there was none


def run_alike(expected: str, work: Callable[..., T], *given: Any) -> T:
    """On a worker, which may have come after the others were checked."""
    if fingerprint() != expected:
        raise ClusterError("A worker that joined has another version of dicehall, so its numbers could differ.")
    return work(*given)


@contextmanager
def cluster_at(address: str) -> Iterator[Cluster]:
    """A cluster whose workers can do our work; ClusterError with a sentence otherwise."""
    try:
        client = Client(address, timeout=PATIENCE_S, set_as_default=False)
    except (OSError, TimeoutError):
        raise ClusterError(f"There is no Dask scheduler at {address}.") from None
    except ValueError as wrong:
        raise ClusterError(f"{address} is not the address of a Dask scheduler ({wrong}).") from None
    with client:
        check_workers(client, address)
        yield Cluster(client)


def check_workers(client: Client, address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=PATIENCE_S)
    except (OSError, TimeoutError):
        raise ClusterError(f"The cluster at {address} has no workers.") from None
    check_fingerprints(client.run(fingerprint, on_error="return"))


def check_fingerprints(found: dict[str, Any]) -> None:
    missing = [worker for worker, told in found.items() if not isinstance(told, str)]
    if missing:
        raise ClusterError(f"The worker {missing[0]} cannot run dicehall: install this version of it there.")
    others = [worker for worker, told in found.items() if told != fingerprint()]
    if others:
        raise ClusterError(f"The worker {others[0]} has another version of dicehall, so its numbers could differ.")


@contextmanager
def explained() -> Iterator[None]:
    """What can go wrong on the way, in a sentence; what the work itself raises is passed on."""
    try:
        yield
    except KilledWorker as killed:
        raise ClusterError(
            f"One part of the work crashed several workers, most recently {killed.last_worker.address}."
        ) from None
    except (CancelledError, CommClosedError, OSError, TimeoutError):
        raise ClusterError("The connection to the cluster is lost: its scheduler no longer answers.") from None
