"""The turns of Farkle's kin (Aetharn, Dice 10 000), for bots that set dice aside by what they see of the roll alone.

The rules are asked what every roll and every answer to it does. Taken for granted, and compared by tests with play by
the rules, is that rolls and holds do the same whatever the scores and the points so far, and that it does not matter
in which order dice lie; the last is asked of the bot as well.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, fields
from typing import Any

from dicehall.bots.levels import Bot
from dicehall.core.fold import play
from dicehall.core.game import Dice, Faces, Move, Over, Roll, Seat
from dicehall.lab.simulating_farkle_kin import KIN
from dicehall.lab.simulating_turns import STILL, WON, Row, Rows, drawn
from dicehall.lab.simulating_watched import Scores, Untold, seen, watched
from dicehall.solvers.races import RACES
from dicehall.solvers.throws import throws_of

NONE = 1e-18  # ways through a turn that are less likely than this are left out
FAR = 50_000  # points above the goal at which a bot that never banks is left to the rules
NOTHING = (0, 0)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the bot makes of some rolls: points more, and the position after it set dice aside (with no points yet)."""

    more: int
    state: Any
    ways: int  # how many rolls are answered so


@dataclass(frozen=True, slots=True)
class Throw:
    """All rolls of one kind of throw."""

    ways: int
    busts: int
    answers: tuple[Answer, ...]


class FarkleRows(Rows):
    def __init__(self, game: Any, bot: Bot, seat: Seat) -> None:
        super().__init__(game.goal, seat, game.table.unit)
        self.game, self.bot, self.race = game, bot, RACES[game.key](game)
        self.kin = kin = KIN[game.key]
        self.throws: dict[Any, Throw] = {}
        self.positions: dict[Any, Any] = {}  # one for all that leave the bot with the same decision
        self.holding = watched(kin.view, ["scores", "turn_points", kin.order])
        self.banking = watched(kin.view, ["roll", kin.held, kin.order])

    def worked_out(self, scores: tuple[int, int], shown: Scores) -> Row:
        """The turn from its first decision, by growing points: every roll that does not bust brings some."""
        turn = TurnWays(self, scores, shown)
        turn.decide(self.race.begin(scores, self.seat), 0, 1.0)
        while turn.ways:
            turn.throw()
        return drawn(turn.brought, turn.rolls)

    def thrown(self, state: Any) -> Throw:
        """What a throw can bring; *state* is before its dice, and only its kind matters."""
        kind = self.kind(state)
        if kind not in self.throws:
            self.throws[kind] = self.worked_out_throw(self.race.holding(state, NOTHING, 0))
        return self.throws[kind]

    def kind(self, state: Any) -> Hashable:
        """What beside the points matters to a throw, all of which the bot sees."""
        view = self.game.view(state, self.seat)
        return tuple(getattr(view, name) for name in self.kin.thrown)

    def worked_out_throw(self, state: Any) -> Throw:
        awaited = self.game.awaits(state)
        assert isinstance(awaited, Dice)
        busts, found = 0, dict[Any, Answer]()
        for faces, ways in throws_of(len(awaited.sides)):
            after = self.set_aside(state, faces)
            if after is None:
                busts += ways
                continue
            more, choices = self.race.points(after), self.game.choices(after, self.seat)
            alike = (self.kind(after), choices)  # roll and held dice apart, which no table holds
            position = self.positions.setdefault(alike, self.race.holding(after, NOTHING, 0))
            known = found.get((more, alike), Answer(more, position, 0))
            found[more, alike] = Answer(more, position, known.ways + ways)
        return Throw(6 ** len(awaited.sides), busts, tuple(found.values()))

    def set_aside(self, state: Any, faces: Faces) -> Any | None:
        """The position after the bot answered a roll, None for a bust; it must not matter how the dice lie."""
        one, other = (self.answered(state, order) for order in (faces, faces[::-1]))
        if one is None or other is None:
            return None
        if (self.race.points(one), self.kind(one)) != (self.race.points(other), self.kind(other)):
            raise Untold("The bot looks at the order in which dice lie.")
        return one

    def answered(self, state: Any, faces: Faces) -> Any | None:
        fallen = play(self.game, state, Roll(faces)).state
        if not self.mine(fallen):
            return None
        action = self.asked(self.holding, fallen, None)
        held = play(self.game, fallen, Move(self.seat, action)).state
        if not self.mine(held) or isinstance(self.game.awaits(held), Dice):
            raise Untold("The bot answers a roll with something else than dice set aside.")
        return held

    def mine(self, state: Any) -> bool:
        awaited = self.game.awaits(state)
        if isinstance(awaited, Over):
            return False
        return self.seat in (awaited.by if isinstance(awaited, Dice) else awaited.seats)

    def asked(self, kind: type[Any], state: Any, scores: tuple[int, ...] | None) -> Any:
        """The bot's choice, with scores shown as given."""
        view = self.game.view(state, self.seat)
        told = {field.name: getattr(view, field.name) for field in fields(view) if not fenced(kind, field.name)}
        if scores is not None:
            told["scores"] = scores
        choices = self.game.choices(state, self.seat)
        action = self.bot(seen(kind, **told), self.seat, choices, STILL)
        if action not in choices:
            raise Untold("The bot made a move that is not a choice.")
        return action


class TurnWays:
    """The ways through one turn, from one pair of scores."""

    def __init__(self, rows: FarkleRows, scores: tuple[int, int], shown: Scores) -> None:
        self.rows, self.scores, self.shown = rows, scores, shown
        self.ways: dict[tuple[int, Any], tuple[float, Any]] = {}  # throws to come, by points and kind
        self.brought: dict[int, float] = {}
        self.rolls = 0.0
        self.decided: dict[tuple[int, int], int | tuple[Hashable, Any]] = {}  # by points and answer: what came of it

    def throw(self) -> None:
        at = min(self.ways, key=lambda way: way[0])
        points, (likely, state) = at[0], self.ways.pop(at)
        if points > self.rows.game.goal + FAR:
            raise Untold("The bot never banks.")
        throw = self.rows.thrown(state)
        self.rolls += likely
        self.bring(0, likely * throw.busts / throw.ways)
        for answer in throw.answers:
            self.decide(answer.state, points + answer.more, likely * answer.ways / throw.ways)

    def decide(self, state: Any, points: int, likely: float) -> None:
        """Roll on or bank, as the bot says."""
        if likely < NONE:
            return
        key = (points, id(state))
        if key not in self.decided:
            self.decided[key] = self.after(self.rows.race.holding(state, self.scores, points))
        after = self.decided[key]
        if isinstance(after, int):
            self.bring(after, likely)
            return
        kind, state = after
        before = self.ways.get((points, kind), (0.0, state))[0]
        self.ways[points, kind] = (before + likely, state)

    def after(self, state: Any) -> int | tuple[Hashable, Any]:
        """The kind of the throw that comes and the position with its dice in the air, or what was banked."""
        rows = self.rows
        told = self.scores if 1 - rows.seat in self.shown.read else self.shown
        action = rows.asked(rows.banking, state, told)
        state = play(rows.game, state, Move(rows.seat, action)).state
        awaited = rows.game.awaits(state)
        if isinstance(awaited, Over):
            if awaited.winner != rows.seat:
                raise Untold("The bot leaves the game.")
            return WON
        if isinstance(awaited, Dice):
            return rows.kind(state), state
        if rows.mine(state):
            raise Untold("The bot sets dice aside twice.")
        return int(state.scores[rows.seat] - self.scores[rows.seat]) // rows.unit

    def bring(self, gain: int, likely: float) -> None:
        if likely:
            self.brought[gain] = self.brought.get(gain, 0.0) + likely


def fenced(kind: type[Any], name: str) -> bool:
    return isinstance(vars(kind).get(name), property)
