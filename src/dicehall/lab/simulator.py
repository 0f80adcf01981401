"""Many games between bots on all cores. The same seed gives the same numbers, however many workers share the work.

Games come in batches of a fixed size, each with chances of its own, named by the seed and the batch's number.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import lru_cache, partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from random import Random
from threading import Thread
from time import monotonic
from typing import Protocol, TypeAlias

from dicehall.bots.levels import Bot, bots_for
from dicehall.core.game import AnyGame, Seat
from dicehall.games.wards.rules import Wards
from dicehall.lab.simulating import Tally, play_out
from dicehall.lab.simulating_farkle import FarkleRows
from dicehall.lab.simulating_farkle_kin import KIN
from dicehall.lab.simulating_fast import ENOUGH, LARGEST, CompiledTurns, fast_is_here
from dicehall.lab.simulating_turns import RaceByTurns
from dicehall.lab.simulating_wards import WardsRows
from dicehall.lab.simulating_watched import Untold

Progress: TypeAlias = Callable[[float], None]  # how much is done, 0 to 1
BATCH = {"rules": 50, "tables": 10_000}  # games
AHEAD = 4  # batches that wait for each worker
WORTH_FILLING = 10_000  # games of Farkle's kin, whose tables take seconds to fill
PATIENCE = 0.5  # seconds of work before other processes are worth starting


class Way(Protocol):
    """A way to play games out: by the rules, or by tables made from them."""

    def play(self, games: int, chance: Random) -> Tally: ...


@dataclass(frozen=True, slots=True)
class Job:
    """What to simulate; bots are levels of the game, or functions that other processes can import."""

    game: AnyGame
    bots: tuple[str | Bot, ...]
    games: int
    seed: str

    @property
    def players(self) -> tuple[Bot, ...]:
        known = bots_for(self.game)
        return tuple(known[bot] if isinstance(bot, str) else bot for bot in self.bots)


class Pool(Protocol):
    """Others who share the work, such as a cluster."""

    def spread(self, batches: Batches, total: Sum) -> None:
        """Play what is left of the batches and add it up."""

    def prepare(self, game: AnyGame, progress: Progress) -> bool:
        """Solve a race whose table is not ready yet, and keep it; whether it was solved now."""
        ...


@dataclass(frozen=True, slots=True)
class Simulated:
    tally: Tally
    seconds: float
    way: str  # "rules", "tables" or "compiled tables"


@dataclass(frozen=True, slots=True)
class ByRules:
    game: AnyGame
    bots: tuple[Bot, ...]

    def play(self, games: int, chance: Random) -> Tally:
        tally = Tally.empty(len(self.bots))
        for _ in range(games):
            tally.count(play_out(self.game, self.bots, chance))
        return tally


@dataclass(frozen=True, slots=True)
class Batches:
    """The games of a job in batches; a batch is the same wherever and whenever it is played."""

    job: Job
    way: str

    @property
    def count(self) -> int:
        return -(-self.job.games // BATCH[self.way])

    def play(self, number: int, way: Way | None = None) -> Tally:
        size = BATCH[self.way]
        games = min(size, self.job.games - number * size)
        return (way or way_of(self.job, self.way)).play(games, Random(f"{self.job.seed}:{number}"))


@lru_cache(maxsize=4)
def way_of(job: Job, way: str) -> Way:
    """Kept for the next batch, with all that it has worked out."""
    return by_turns(job) if way == "tables" else ByRules(job.game, job.players)


def by_turns(job: Job) -> RaceByTurns:
    """Tables for the job's bots, still empty; Untold where there are none for such a game."""
    game: object = job.game
    if len(job.bots) == 2:
        first, second = job.players
        if isinstance(game, Wards):
            return RaceByTurns(job.game, (WardsRows(game, first, Seat(0)), WardsRows(game, second, Seat(1))))
        if job.game.key in KIN and job.games >= WORTH_FILLING:
            return RaceByTurns(job.game, (FarkleRows(game, first, Seat(0)), FarkleRows(game, second, Seat(1))))
    raise Untold("There are no tables for this game.")


@dataclass(slots=True)
class Sum:
    """Batches added up in their order, for sums of fractions depend on it, in whatever order they are done."""

    tally: Tally
    count: int
    progress: Progress
    added: int = 0
    early: dict[int, Tally] = field(default_factory=dict)

    def add(self, number: int, tally: Tally) -> None:
        self.early[number] = tally
        while self.added in self.early:
            self.tally.add(self.early.pop(self.added))
            self.added += 1
        self.progress((self.added + len(self.early)) / self.count)


def simulate(
    job: Job, workers: int | None = None, progress: Progress = lambda done: None, pool: Pool | None = None
) -> Simulated:
    """Play them all: by tables where the bots allow it, else by the rules; on this machine, or shared with a pool."""
    started = monotonic()
    pool = pool or Processes(workers or os.cpu_count() or 1)
    try:
        tally, way = by_tables(job, pool, progress)
    except Untold:
        tally, way = shared_out(Batches(job, "rules"), pool, progress), "rules"
    return Simulated(tally, monotonic() - started, way)


def by_tables(job: Job, pool: Pool, progress: Progress) -> tuple[Tally, str]:
    race, batches = by_turns(job), Batches(job, "tables")
    compiled = fast_is_here() and job.games >= ENOUGH and race.size <= LARGEST
    if not (compiled and isinstance(pool, Processes)):
        return shared_out(batches, pool, progress), "tables"
    total = Sum(Tally.empty(2), batches.count, progress)
    turns = CompiledTurns(race)
    with ThreadPoolExecutor(pool.workers) as threads:  # compiled code runs without the interpreter's lock
        spread(partial(batches.play, way=turns), total, threads, pool.workers, turns.stop)
    return total.tally, "compiled tables"


def shared_out(batches: Batches, pool: Pool, progress: Progress) -> Tally:
    total = Sum(Tally.empty(len(batches.job.bots)), batches.count, progress)
    pool.spread(batches, total)
    return total.tally


@dataclass(frozen=True, slots=True)
class Processes:
    """This machine: the process itself at first; what takes longer is shared with others."""

    workers: int

    def spread(self, batches: Batches, total: Sum) -> None:
        started = monotonic()
        while total.added < total.count and (self.workers == 1 or monotonic() - started < PATIENCE):
            total.add(total.added, batches.play(total.added))
        if total.added < total.count:
            context = get_context("spawn")
            theirs, ours = context.Pipe(duplex=False)
            with (
                theirs,
                ours,
                ProcessPoolExecutor(self.workers, context, initializer=settle_in, initargs=(theirs,)) as processes,
            ):
                spread(batches.play, total, processes, self.workers, ours.close)

    def prepare(self, game: AnyGame, progress: Progress) -> bool:
        return False  # solving needs no help on one machine


def spread(play: Callable[[int], Tally], total: Sum, pool: Executor, workers: int, stop: Callable[[], None]) -> None:
    """The rest of the batches on a pool, a few ahead of the workers; *stop* makes them drop what they are at."""
    asked: dict[Future[Tally], int] = {}
    following = total.added
    try:
        while asked or following < total.count:
            while following < total.count and len(asked) < AHEAD * workers:
                asked[pool.submit(play, following)] = following
                following += 1
            for future in wait(asked, return_when=FIRST_COMPLETED).done:
                total.add(asked.pop(future), future.result())
    except BaseException:
        stop()
        pool.shutdown(wait=True, cancel_futures=True)
        raise


def settle_in(line: Connection) -> None:
    """A worker leaves interrupts to the first process, and ends at once when that hangs up or dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=leave_with, args=(line,), daemon=True).start()


def leave_with(line: Connection) -> None:
    try:
        line.recv()
    except (EOFError, OSError):
        os._exit(1)
