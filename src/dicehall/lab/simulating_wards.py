"""Dice Wards by whole turns: what a turn can bring, worked out once by asking the rules and the bot, then drawn.

The rules are asked for every roll and hold; that a roll does the same whatever the scores, so that its answer is kept,
is the one thing taken from the game (W3, W4), and a test compares it with play by the rules.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from dicehall.bots.levels import Bot
from dicehall.core.fold import play
from dicehall.core.game import Dice, Move, Over, Roll, Seat
from dicehall.games.wards.rules import Action, State, View, Wards
from dicehall.lab.simulating import Tally, measure
from dicehall.lab.simulating_watched import Scores, Still, Untold, seen, watched

WON = -1  # in place of points: this turn won the game
LONGEST = 1000  # points above the goal at which a bot that never holds is left to the rules
STILL = Still(0)
WATCHED = watched(View, ["last_roll"])


class Row(NamedTuple):
    """All that a turn can bring."""

    bounds: list[float]  # a number below the first bound draws the first of the gains, and so on; the last has none
    gains: list[int]  # points banked, 0 where the turn was lost, or WON
    rolls: float  # on average


@dataclass(frozen=True, slots=True)
class Reached:
    """Some points at stake: what may be done, and what each face of the die makes of them; None is a lost turn."""

    choices: tuple[Action, ...]
    after: tuple[int | None, ...]


class Rows(dict[int, Row]):
    """The turns of one seat, by its score times the goal plus the other's score; each worked out when first asked."""

    def __init__(self, game: Wards, bot: Bot, seat: Seat) -> None:
        super().__init__()
        self.game, self.bot, self.seat = game, bot, seat
        self.reached: dict[int, Reached] = {}
        self.alone: dict[int, Row] = {}  # by the seat's own score, where the bot looks at no other

    def __missing__(self, at: int) -> Row:
        mine, theirs = divmod(at, self.game.goal)
        row = self.alone.get(mine)
        if row is None:
            pair = (mine, theirs) if self.seat == 0 else (theirs, mine)
            shown = Scores.of(pair)
            row = self.worked_out(pair, shown)
            if 1 - self.seat not in shown.read:
                self.alone[mine] = row
        self[at] = row
        return row

    def worked_out(self, scores: tuple[int, int], shown: Scores) -> Row:
        """The turn from its first decision, by growing points: they never shrink while a turn lasts."""
        ways: dict[int, float] = {0: 1.0}
        brought: dict[int, float] = {}
        rolls = 0.0
        while ways:
            points = min(ways)
            likely = ways.pop(points)
            reached = self.reached.get(points) or self.reach(points)
            if self.decided(shown, points, reached) is not Action.ROLL:
                gain = self.held(scores, points)
                brought[gain] = brought.get(gain, 0.0) + likely
                continue
            rolls += likely
            each = likely / len(reached.after)
            for after in reached.after:
                into, where = (brought, 0) if after is None else (ways, after)
                into[where] = into.get(where, 0.0) + each
        return drawn(brought, rolls)

    def decided(self, shown: Scores, points: int, reached: Reached) -> Action:
        if points > self.game.goal + LONGEST:
            raise Untold("The bot never holds.")
        view = seen(WATCHED, scores=shown, round_score=points, goal=self.game.goal)
        action = self.bot(view, self.seat, reached.choices, STILL)
        if action not in reached.choices:
            raise Untold("The bot does what is no choice.")
        return Action(action)

    def reach(self, points: int) -> Reached:
        state = State(round_score=points)
        rolling = play(self.game, state, Move(state.seat, Action.ROLL)).state
        awaited = self.game.awaits(rolling)
        assert isinstance(awaited, Dice)
        fallen = [play(self.game, rolling, Roll((face,))).state for face in range(1, awaited.sides[0] + 1)]
        after = tuple(state.round_score if state.seat == rolling.seat else None for state in fallen)
        self.reached[points] = Reached(self.game.choices(State(round_score=points), state.seat), after)
        return self.reached[points]

    def held(self, scores: tuple[int, int], points: int) -> int:
        state = play(self.game, State(scores, self.seat, points), Move(self.seat, Action.HOLD)).state
        return WON if isinstance(self.game.awaits(state), Over) else state.scores[self.seat] - scores[self.seat]


def drawn(brought: dict[int, float], rolls: float) -> Row:
    """The likeliest first, so that drawing is over soon."""
    gains = sorted(brought, key=lambda gain: (-brought[gain], gain))
    bounds, below = [], 0.0
    for gain in gains[:-1]:
        below += brought[gain]
        bounds.append(below)
    return Row(bounds, gains, rolls)


class WardsTurns:
    """Games of Dice Wards between two bots, drawn turn by turn."""

    def __init__(self, game: Wards, bots: Sequence[Bot]) -> None:
        self.game = game
        self.rows = tuple(Rows(game, bot, Seat(seat)) for seat, bot in enumerate(bots))
        self.lag = measure(game, len(bots))[1]

    def play(self, games: int, chance: Random) -> Tally:
        tally = Tally.empty(2)
        for _ in range(games):
            self.play_one(tally, chance)
        tally.games = tally.led = games
        tally.squares = list(tally.wins)
        tally.first_wins = tally.first_squares = tally.wins[0]
        return tally

    def play_one(self, tally: Tally, chance: Random) -> None:
        """Two local names per seat and no calls but the draws: this is the loop that takes the time."""
        (first, second), goal, draw, find = self.rows, self.game.goal, chance.random, bisect_right
        ahead = behind = turns = 0  # how far the first seat led, and lagged, at most
        mine = theirs = 0
        rolls = tally.rolls
        while True:
            turns += 1
            bounds, gains, average = first[mine * goal + theirs]
            rolls += average
            gain = gains[find(bounds, draw())]
            if gain < 0:
                winner, lag = 0, behind
                break
            if gain:
                mine += gain
                if mine - theirs > ahead:
                    ahead = mine - theirs
            turns += 1
            bounds, gains, average = second[theirs * goal + mine]
            rolls += average
            gain = gains[find(bounds, draw())]
            if gain < 0:
                winner, lag = 1, ahead
                break
            if gain:
                theirs += gain
                if theirs - mine > behind:
                    behind = theirs - mine
        tally.rolls = rolls
        tally.wins[winner] += 1
        tally.comebacks += lag >= self.lag
        tally.turns[turns] += 1
