"""Races of two seats by whole turns: what a turn can bring is worked out from the rules and the bot, then drawn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Sequence
from math import ceil
from random import Random
from typing import NamedTuple

from dicehall.core.fold import play
from dicehall.core.game import AnyGame, Dice, Roll, Seat, Turn
from dicehall.lab.simulating import Tally, measure
from dicehall.lab.simulating_watched import Scores, Still

WON = -1  # in place of points: this turn won the game
STILL = Still(0)


class Row(NamedTuple):
    """All that a turn can bring."""

    bounds: list[float]  # a number below the first bound draws the first of the gains, and so on; the last has none
    gains: list[int]  # units banked, 0 where the turn was lost, or WON
    rolls: float  # on average


class Rows(dict[int, Row], ABC):
    """The turns of one seat by ``mine * size + theirs``, both in units; each is worked out when first asked for."""

    def __init__(self, goal: int, seat: Seat, unit: int) -> None:
        super().__init__()
        self.seat, self.unit, self.size = seat, unit, ceil(goal / unit)
        self.alone: dict[int, Row] = {}  # by the seat's own score, where the bot looks at no other

    @abstractmethod
    def worked_out(self, scores: tuple[int, int], shown: Scores) -> Row:
        """A turn begun with these scores; the bot is shown them in a shape that knows what was read."""

    def __missing__(self, at: int) -> Row:
        mine, theirs = divmod(at, self.size)
        row = self.alone.get(mine)
        if row is None:
            pair = (mine * self.unit, theirs * self.unit)
            scores = pair if self.seat == 0 else (pair[1], pair[0])
            shown = Scores.of(scores)
            row = self.worked_out(scores, shown)
            if 1 - self.seat not in shown.read:
                self.alone[mine] = row
        self[at] = row
        return row


def drawn(brought: dict[int, float], rolls: float) -> Row:
    """The likeliest first, so that drawing is over soon."""
    gains = sorted(brought, key=lambda gain: (-brought[gain], gain))
    bounds, below = [], 0.0
    for gain in gains[:-1]:
        below += brought[gain]
        bounds.append(below)
    return Row(bounds, gains, rolls)


class RaceByTurns:
    """Games between two bots, drawn turn by turn."""

    def __init__(self, game: AnyGame, rows: tuple[Rows, Rows]) -> None:
        self.rows, self.size = rows, rows[0].size
        self.firsts = firsts(game)
        self.lag = ceil(measure(game, 2)[1] / rows[0].unit)

    def play(self, games: int, chance: Random) -> Tally:
        tally = Tally.empty(2)
        for _ in range(games):
            first = self.firsts[int(chance.random() * len(self.firsts))] if len(self.firsts) > 1 else self.firsts[0]
            tally.first_wins += self.play_one(tally, chance, first) == first
        return finished(tally, games)

    def play_one(self, tally: Tally, chance: Random, first: int) -> int:
        """Two names for each seat and no calls but the draws: this is the loop that takes the time."""
        leading, following = self.rows[first], self.rows[1 - first]
        size, draw, find = self.size, chance.random, bisect_right
        mine = theirs = turns = 0
        ahead = behind = 0  # how far who began led, and lagged, at most
        rolls = tally.rolls
        while True:
            turns += 1
            bounds, gains, average = leading[mine * size + theirs]
            rolls += average
            gain = gains[find(bounds, draw())]
            if gain < 0:
                winner, lag = first, behind
                break
            if gain:
                mine += gain
                if mine - theirs > ahead:
                    ahead = mine - theirs
            turns += 1
            bounds, gains, average = following[theirs * size + mine]
            rolls += average
            gain = gains[find(bounds, draw())]
            if gain < 0:
                winner, lag = 1 - first, ahead
                break
            if gain:
                theirs += gain
                if theirs - mine > behind:
                    behind = theirs - mine
        tally.rolls = rolls
        tally.wins[winner] += 1
        tally.comebacks += lag >= self.lag
        tally.turns[turns] += 1
        return winner


def finished(tally: Tally, games: int) -> Tally:
    """With the sums that follow from the others where every game has one winner."""
    tally.games = tally.led = games
    tally.squares, tally.first_squares = list(tally.wins), tally.first_wins
    return tally


def firsts(game: AnyGame) -> Sequence[int]:
    """The seats that can move first, all equally likely."""
    state = game.start(2)
    awaited = game.awaits(state)
    if not isinstance(awaited, Dice):
        return [mover(game, state)]
    (sides,) = awaited.sides
    return [mover(game, play(game, state, Roll((face,))).state) for face in range(1, sides + 1)]


def mover(game: AnyGame, state: object) -> int:
    awaited = game.awaits(state)
    assert isinstance(awaited, Turn), "a race begins with somebody's turn"
    (seat,) = awaited.seats
    return seat
