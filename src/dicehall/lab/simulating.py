"""Whole games between bots by the real rules, one after the other, and what is counted of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from math import ceil
from random import Random
from typing import Any

from dicehall.bots.levels import Bot
from dicehall.core.fold import play
from dicehall.core.game import AnyGame, Dice, Faces, Move, Over, Roll, Seat, Seats
from dicehall.solvers.answers import share

LIMIT = 1_000_000  # entries; a game that takes more does not end
NOBODY: Seats = frozenset()
# How far behind counts for a comeback, by the field of the view that says who is ahead.
LAGS = {"vp": 5, "wins": 1}
QUARTER = 4  # in a race: a quarter of the goal
SIX = tuple(tuple(product(range(1, 7), repeat=dice)) for dice in range(7))  # every roll of so many six-sided dice


class Endless(Exception):
    """Bots that do not bring a game to its end."""


@dataclass(frozen=True, slots=True)
class Played:
    """One game that is over."""

    over: Over
    first: Seat | None  # who was alone to move first
    turns: int
    rolls: int
    comeback: bool


@dataclass(slots=True)
class Tally:
    """What is counted of many games."""

    wins: list[float]  # by seat; a shared first place counts as its share
    squares: list[float]
    games: int = 0
    first_wins: float = 0.0
    first_squares: float = 0.0
    led: int = 0  # games in which one seat was alone to move first
    rolls: float = 0.0
    comebacks: int = 0
    turns: Counter[int] = field(default_factory=Counter)  # how many games took so many

    @classmethod
    def empty(cls, seats: int) -> Tally:
        return cls([0.0] * seats, [0.0] * seats)

    def count(self, played: Played) -> None:
        shares = [share(played.over, Seat(seat)) for seat in range(len(self.wins))]
        for seat, won in enumerate(shares):
            self.wins[seat] += won
            self.squares[seat] += won * won
        if played.first is not None:
            self.led += 1
            self.first_wins += shares[played.first]
            self.first_squares += shares[played.first] ** 2
        self.games += 1
        self.rolls += played.rolls
        self.comebacks += played.comeback
        self.turns[played.turns] += 1

    def add(self, other: Tally) -> None:
        self.wins = [mine + more for mine, more in zip(self.wins, other.wins, strict=True)]
        self.squares = [mine + more for mine, more in zip(self.squares, other.squares, strict=True)]
        self.games += other.games
        self.first_wins += other.first_wins
        self.first_squares += other.first_squares
        self.led += other.led
        self.rolls += other.rolls
        self.comebacks += other.comebacks
        self.turns += other.turns


def play_out(game: AnyGame, bots: Sequence[Bot], chance: Random) -> Played:
    """One game by the real rules: dice and bots take from one chance."""
    state, waited, first = game.start(len(bots)), NOBODY, NOBODY
    turns = rolls = 0
    standing = Standing(game, len(bots))
    for _ in range(LIMIT):
        awaited = game.awaits(state)
        if isinstance(awaited, Over):
            return Played(awaited, alone(first), turns, rolls, standing.comeback(awaited.winner))
        if isinstance(awaited, Dice):
            state = play(game, state, Roll(thrown(awaited.sides, chance))).state
            rolls += bool(awaited.by)
            continue
        if not awaited.seats <= waited:  # a turn begins when the game waits for somebody it did not wait for before
            turns += 1
            first = first or awaited.seats
            standing.note(state)
        waited = awaited.seats
        seat = min(waited)
        action = bots[seat](game.view(state, seat), seat, game.choices(state, seat), chance)
        state = play(game, state, Move(seat, action)).state
    raise Endless(f"A game of {game.key} did not end within {LIMIT} entries: these bots never finish it.")


def alone(seats: Seats) -> Seat | None:
    return min(seats) if len(seats) == 1 else None


def thrown(sides: Faces, chance: Random) -> Faces:
    if len(sides) < len(SIX) and sides == (6,) * len(sides):
        rolls = SIX[len(sides)]
        return rolls[int(chance.random() * len(rolls))]
    return tuple(int(chance.random() * n) + 1 for n in sides)


class Standing:
    """How far each seat was behind whoever led, at its worst, looked at as a turn begins."""

    def __init__(self, game: AnyGame, seats: int) -> None:
        self.game = game
        self.behind = [0] * seats
        self.field, self.lag = measure(game, seats)

    def note(self, state: Any) -> None:
        if self.field is None:
            return
        points = getattr(self.game.view(state, None), self.field)
        most = max(points)
        for seat, has in enumerate(points):
            if most - has > self.behind[seat]:
                self.behind[seat] = most - has

    def comeback(self, winner: Seat | None) -> bool:
        return self.field is not None and winner is not None and self.behind[winner] >= self.lag


def measure(game: AnyGame, seats: int) -> tuple[str | None, int]:
    """What says who is ahead, and how far behind a seat has to be for a comeback: in a race a quarter of the goal."""
    view = game.view(game.start(seats), None)
    if hasattr(view, "scores") and hasattr(game, "goal"):
        return "scores", ceil(game.goal / QUARTER)
    return next(((name, lag) for name, lag in LAGS.items() if hasattr(view, name)), (None, 0))
