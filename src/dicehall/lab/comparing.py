"""Comparing house rules: how much the first seat is ahead, how long games last, how often somebody comes back.

A comeback: who won had been, as some turn began, at least a quarter of the goal behind the leader; in DO or DICE
five victory points, in Mana a round.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import inf
from typing import Any

from dicehall.bots.levels import plays_as
from dicehall.core.fold import play
from dicehall.core.game import AnyGame, Dice, Roll, Turn
from dicehall.core.house import with_rules, written
from dicehall.lab.intervals import Interval, known, mean_of, share_of
from dicehall.lab.picture import Bar, Panel, picture
from dicehall.lab.simulated import length
from dicehall.lab.simulator import Job, Pool, Progress, simulate
from dicehall.lab.solved import solver_soon
from dicehall.solvers.finding import find
from dicehall.solvers.race import Unsolvable

QUICK = 10.0  # seconds that solving may take where nobody asked for it


@dataclass(frozen=True, slots=True)
class Variant:
    """A game, and the house rules in which it differs from the others that are compared."""

    game: AnyGame
    rules: Mapping[str, int | None]

    @property
    def name(self) -> str:
        return ", ".join(written(self.rules))


@dataclass(frozen=True, slots=True)
class Compared:
    variant: Variant
    played: tuple[str, ...]  # the levels on which the bots really played, by seat
    first_seat: Interval | None  # None where nobody is alone to begin
    exact: bool  # whether the first seat's chance is that of exact play, not counted
    turns: Interval
    rolls: float
    comebacks: Interval
    games: int


def variants(
    kind: type[Any], rules: Mapping[str, int | None], varied: Mapping[str, Sequence[int | None]]
) -> list[Variant]:
    """Every combination of the varied rules; several multiply."""
    combined = [dict(zip(varied, numbers, strict=True)) for numbers in product(*varied.values())]
    return [Variant(with_rules(kind, {**rules, **one}), one) for one in combined]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How to compare: all variants get the same seed, so that luck differs as little as it can."""

    bots: tuple[str, ...]
    games: int
    seed: str
    workers: int | None = None
    solve: bool = False  # work exact chances out however long it takes
    pool: Pool | None = None  # who shares the work, if not this machine alone

    def all(self, variants: Sequence[Variant], progress: Progress) -> list[Compared]:
        def part(nth: int) -> Progress:
            return lambda done: progress((nth + done) / len(variants))

        return [self.one(variant, part(nth)) for nth, variant in enumerate(variants)]

    def one(self, variant: Variant, progress: Progress) -> Compared:
        game = variant.game
        exact = self.first_seat(game, lambda done: progress(done / 2)) if len(self.bots) == 2 else None
        played = tuple(plays_as(game, bot, len(self.bots)) for bot in self.bots)  # after solving, which exact bots use
        job = Job(game, self.bots, self.games, self.seed)
        found = simulate(job, self.workers, lambda done: progress((1 + done) / 2), self.pool)
        tally = found.tally
        counted = share_of(tally.first_wins, tally.led) if tally.led else None
        squares = sum(turns * turns * games for turns, games in tally.turns.items())
        return Compared(
            variant,
            played,
            counted if exact is None else known(exact),
            exact is not None,
            mean_of(length(tally) * tally.games, squares, tally.games),
            tally.rolls / tally.games,
            share_of(tally.comebacks, tally.games),
            tally.games,
        )

    def first_seat(self, game: AnyGame, progress: Progress) -> float | None:
        """The chance of who begins, where both play exactly; None where that is not known or not soon."""
        state = begun(game)
        awaited = game.awaits(state)
        if not isinstance(awaited, Turn) or len(awaited.seats) != 1:
            return None
        if self.solve and self.pool is not None:
            self.pool.prepare(game, progress)
        try:
            solver = (
                find(game, 2, solve=True, progress=progress)
                if self.solve
                else solver_soon(game, 2, QUICK, time.monotonic)
            )
        except Unsolvable:
            return None
        if solver is None or solver.note != "exact":
            return None
        (seat,) = awaited.seats
        return solver.chance(game.view(state, seat), awaited, seat).value


def begun(game: AnyGame) -> Any:
    """The first decision of a game of two; whoever is drawn to begin."""
    state = game.start(2)
    awaited = game.awaits(state)
    return play(game, state, Roll((1,) * len(awaited.sides))).state if isinstance(awaited, Dice) else state


def pictured(found: Sequence[Compared], title: str, seats: int) -> str:
    edges = [(one, one.first_seat) for one in found if one.first_seat is not None]
    panels = [
        Panel(
            "First seat",
            "house rules",
            "games won by the first player, in %",
            [bar(one, edge, 100, 2) for one, edge in edges],
            mark=100 / seats,
        ),
        Panel("Length", "house rules", "turns per game", [bar(one, one.turns, 1, 1) for one in found]),
        Panel("Comebacks", "house rules", "games in %", [bar(one, one.comebacks, 100, 1) for one in found]),
    ]
    return picture(title, [panel for panel in panels if panel.bars])


def bar(one: Compared, found: Interval, scale: int, places: int) -> Bar:
    """With a whisker where the number was counted and its spread is known."""
    whisker = (scale * found.low, scale * found.high) if 0 < found.stderr < inf else None
    return Bar(one.variant.name, scale * found.value, whisker, f"{scale * found.value:.{places}f}")
