"""The turns of Dice Wards, worked out by asking the rules and the bot.

The rules are asked for every roll and hold; that a roll does the same whatever the scores, so that its answer is kept,
is the one thing taken for granted, and a test compares it with play by the rules.
"""

from __future__ import annotations

from dataclasses import dataclass

from dicehall.bots.levels import Bot
from dicehall.core.fold import play
from dicehall.core.game import Dice, Move, Over, Roll, Seat
from dicehall.games.wards.rules import Action, State, View, Wards
from dicehall.lab.simulating_turns import STILL, WON, Row, Rows, drawn
from dicehall.lab.simulating_watched import Scores, Untold, seen, watched

LONGEST = 1000  # points above the goal at which a bot that never holds is left to the rules
WATCHED = watched(View, ["last_roll"])


@dataclass(frozen=True, slots=True)
class Reached:
    """Some points at stake: what may be done, and what each face of the die makes of them; None is a lost turn."""

    choices: tuple[Action, ...]
    after: tuple[int | None, ...]


class WardsRows(Rows):
    def __init__(self, game: Wards, bot: Bot, seat: Seat) -> None:
        super().__init__(game.goal, seat, 1)
        self.game, self.bot = game, bot
        self.reached: dict[int, Reached] = {}

    def worked_out(self, scores: tuple[int, int], shown: Scores) -> Row:
        """The turn from its first decision, by growing points: they never shrink while a turn lasts."""
        ways: dict[int, float] = {0: 1.0}
        brought: dict[int, float] = {}
        rolls = 0.0
        while ways:
            points = min(ways)
            likely = ways.pop(points)
            reached = self.reached.get(points) or self.reach(points)
            told = scores if 1 - self.seat in shown.read else shown  # nothing more to find out
            if self.decided(told, points, reached) is not Action.ROLL:
                gain = self.held(scores, points)
                brought[gain] = brought.get(gain, 0.0) + likely
                continue
            rolls += likely
            each = likely / len(reached.after)
            for after in reached.after:
                into, where = (brought, 0) if after is None else (ways, after)
                into[where] = into.get(where, 0.0) + each
        return drawn(brought, rolls)

    def decided(self, scores: tuple[int, ...], points: int, reached: Reached) -> Action:
        if points > self.game.goal + LONGEST:
            raise Untold("The bot never holds.")
        view = seen(WATCHED, scores=scores, round_score=points, goal=self.game.goal)
        action = self.bot(view, self.seat, reached.choices, STILL)
        if action not in reached.choices:
            raise Untold("The bot made a move that is not a choice.")
        return Action(action)

    def reach(self, points: int) -> Reached:
        state = State(round_score=points)
        rolling = play(self.game, state, Move(state.seat, Action.ROLL)).state
        awaited = self.game.awaits(rolling)
        assert isinstance(awaited, Dice)
        fallen = [play(self.game, rolling, Roll((face,))).state for face in range(1, awaited.sides[0] + 1)]
        after = tuple(state.round_score if state.seat == rolling.seat else None for state in fallen)
        self.reached[points] = Reached(self.game.choices(state, state.seat), after)
        return self.reached[points]

    def held(self, scores: tuple[int, int], points: int) -> int:
        state = play(self.game, State(scores, self.seat, points), Move(self.seat, Action.HOLD)).state
        return WON if isinstance(self.game.awaits(state), Over) else state.scores[self.seat] - scores[self.seat]
