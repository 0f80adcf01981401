"""The draws of `simulating_turns`, compiled (extra ``fast``): the same games from the same numbers, only sooner."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from random import Random
from threading import Lock
from typing import Any, NamedTuple

from dicehall.lab.simulating import Tally
from dicehall.lab.simulating_turns import RaceByTurns, Row, finished
from dicehall.solvers.compiling import njit

ENOUGH = 100_000  # games from which on loading the compiler is worth it
LARGEST = 2000  # scores up to the goal for which there is room for all pairs of scores
NUMBERS = 1 << 18  # drawn at once
LONGEST = 1 << 14  # turns; longer games are counted as this long


class Stopped(Exception):
    """Nobody wants these games any more."""


def fast_is_here() -> bool:
    return find_spec("numba") is not None


class CompiledTurns:
    """The turns of two bots in arrays, filled when a game first comes to them; threads may share it."""

    def __init__(self, race: RaceByTurns) -> None:
        import numpy

        self.race = race
        self.index = numpy.full((2, race.size**2), -1, numpy.int32)  # which row a pair of scores has
        self.known: dict[int, int] = {}  # rows by identity: bots that look at their own score only have few
        self.arrays = Arrays.with_room(1 << 10, 1 << 13)
        self.filling = Lock()
        self.stopped = False

    def play(self, games: int, chance: Random) -> Tally:
        import numpy

        size, firsts = self.race.size, numpy.array(self.race.firsts)
        numbers = same_numbers(chance)
        counts, lengths, rolls = numpy.zeros(4, numpy.int64), numpy.zeros(LONGEST, numpy.int64), numpy.zeros(1)
        drawn, done = numbers.random_sample(NUMBERS), 0
        while done < games:
            if self.stopped:
                raise Stopped
            arrays = self.arrays
            more, used, missing = compiled()(
                drawn, games - done, size, self.race.lag, firsts, self.index, *arrays, counts, lengths, rolls
            )
            done += more
            drawn = drawn[used:]
            if missing >= 0:
                self.fill(*divmod(missing, size * size))
            else:
                drawn = numpy.concatenate((drawn, numbers.random_sample(NUMBERS)))
        return told(games, counts, lengths, float(rolls[0]))

    def stop(self) -> None:
        """Make threads that still play give up; filling tables can take them many seconds."""
        self.stopped = True

    def fill(self, seat: int, at: int) -> None:
        with self.filling:
            if self.stopped:
                raise Stopped
            row = self.race.rows[seat][at]
            if id(row) not in self.known:
                self.arrays = self.arrays.holding(row)
                self.known[id(row)] = len(self.known)
            self.index[seat, at] = self.known[id(row)]


class Arrays(NamedTuple):
    """Rows end to end. Who works with older arrays finds in them all rows that they were said to hold."""

    rows: int
    starts: Any
    bounds: Any
    gains: Any
    rolls: Any

    @classmethod
    def with_room(cls, rows: int, gains: int) -> Arrays:
        import numpy

        return cls(
            0, numpy.zeros(rows + 1, numpy.int64), numpy.zeros(gains), numpy.zeros(gains, int), numpy.zeros(rows)
        )

    def holding(self, row: Row) -> Arrays:
        """These and one row more."""
        begin = int(self.starts[self.rows])
        end = begin + len(row.gains)
        grown = self.grown() if self.rows == len(self.rolls) or end > len(self.gains) else self
        grown.bounds[begin:end] = (*row.bounds, 2.0)  # the last is drawn by all that is left
        grown.gains[begin:end] = row.gains
        grown.rolls[self.rows] = row.rolls
        grown.starts[self.rows + 1] = end
        return grown._replace(rows=self.rows + 1)

    def grown(self) -> Arrays:
        import numpy

        return Arrays(self.rows, *(numpy.concatenate((array, numpy.zeros_like(array))) for array in self[1:]))


def same_numbers(chance: Random) -> Any:
    """numpy's twin of a Random: it goes on with the very same numbers."""
    import numpy

    state = chance.getstate()[1]
    twin = numpy.random.RandomState()
    twin.set_state(("MT19937", numpy.array(state[:-1], numpy.uint32), state[-1], 0, 0.0))
    return twin


def told(games: int, counts: Any, lengths: Any, rolls: float) -> Tally:
    tally = Tally.empty(2)
    tally.wins, tally.first_wins = [float(counts[0]), float(counts[1])], float(counts[2])
    tally.rolls, tally.comebacks = rolls, int(counts[3])
    tally.turns.update({turns: int(lengths[turns]) for turns in lengths.nonzero()[0].tolist()})
    return finished(tally, games)


@cache
def compiled() -> Callable[..., tuple[int, int, int]]:
    """The loop below, compiled; threads run it side by side."""
    made: Callable[..., tuple[int, int, int]] = njit(draw_games, nogil=True)
    return made


def draw_games(
    drawn: Any,
    games: int,
    size: int,
    lag: int,
    firsts: Any,
    index: Any,
    known: int,
    starts: Any,
    bounds: Any,
    gains: Any,
    rolls: Any,
    counts: Any,
    lengths: Any,
    rolled: Any,
) -> tuple[int, int, int]:
    """Games until there are enough, the numbers run out or a row is missing: how many games, how many numbers they
    took, and which row (-1: none).

    A game that is broken off is not counted: it begins again, with the same numbers, in the next call.
    """
    used = 0
    scores, most = [0, 0], [0, 0]  # by seat: points, and how far it led at most
    for done in range(games):
        scores[0] = scores[1] = most[0] = most[1] = 0
        turns, at, total, gain, first = 0, used, rolled[0], 0, firsts[0]
        if len(firsts) > 1:
            if at == len(drawn):
                return done, used, -1
            first = firsts[int(drawn[at] * len(firsts))]
            at += 1
        seat = 1 - first
        while gain >= 0:
            if at == len(drawn):
                return done, used, -1
            seat = 1 - seat
            pair = scores[seat] * size + scores[1 - seat]
            row = index[seat, pair]
            if row < 0 or row >= known:
                return done, used, seat * size * size + pair
            turns += 1
            total += rolls[row]
            which = starts[row]
            while drawn[at] >= bounds[which]:
                which += 1
            at += 1
            gain = gains[which]
            if gain > 0:
                scores[seat] += gain
                most[seat] = max(most[seat], scores[seat] - scores[1 - seat])
        used, rolled[0] = at, total
        counts[seat] += 1
        counts[2] += seat == first
        counts[3] += most[1 - seat] >= lag
        lengths[min(turns, len(lengths) - 1)] += 1
    return games, used, -1
