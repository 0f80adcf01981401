"""Aetharn: roll six dice, hold what scores, roll on or bank; the first seat to bank 5000 wins.

Clauses A1-A15, A18 and A19. A seat can fold at any time, and can leave and come back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, ClassVar, assert_never

from dicehall.core.fold import order_of, ordered
from dicehall.core.game import (
    Attend,
    Awaited,
    Dice,
    Entry,
    Event,
    Expired,
    Faces,
    Move,
    Over,
    Policy,
    Presence,
    Refused,
    Roll,
    Seat,
    Step,
    Turn,
)
from dicehall.core.house import check_rules, check_seats, seconds, whole
from dicehall.games.aetharn.actions import Action, Code, Hold, Word
from dicehall.games.aetharn.events import (
    DiceHeld,
    DiceRolled,
    GameAbandoned,
    GameEnded,
    GameStarted,
    HotDice,
    PlayerAbsent,
    PlayerBusted,
    PlayerFolded,
    PlayerRemoved,
    PlayerReturned,
    PointsScored,
    TurnEnded,
    TurnSkipped,
    TurnStarted,
    TurnTimedOut,
)
from dicehall.games.aetharn.scoring import TABLE, result_of
from dicehall.games.aetharn.state import Fate, State, View, following, standings
from dicehall.games.aetharn.turn import TurnState, named, thrown, why_no_bank, why_no_roll
from dicehall.games.farkle import Positions, ScoreTable


class Reason(StrEnum):
    GOAL = "WinnerReached5000"
    LAST = "LastPlayerStanding"
    LEFT = "AllPlayersLeft"


@dataclass(frozen=True, slots=True)
class Aetharn:
    goal: int = whole(5000, hall_most=50_000)
    turn_seconds: int | None = seconds(30)
    grace_seconds: int = whole(60, hall_most=86_400)
    hot_dice: int = whole(1, least=0, hall_most=100)  # how often in a turn all six may be rolled again
    table: ScoreTable = TABLE

    key: ClassVar[str] = "aetharn"
    edition: ClassVar[int] = 1
    seats: ClassVar[range] = range(2, 7)
    action: ClassVar[Any] = Action

    def __post_init__(self) -> None:
        check_rules(self)

    @property
    def policy(self) -> Policy:
        return Policy(
            "asked",
            clock="turn",
            clock_seconds=self.turn_seconds,
            grace=True,
            grace_seconds=self.grace_seconds,
            clears=True,
        )

    def start(self, seats: int) -> State:
        check_seats(self, seats)
        return State((0,) * seats)

    def awaits(self, state: State) -> Awaited:
        if not state.order:
            return Dice(order_of(len(state.scores)))
        if state.turn is None:
            return self.over(state) or Turn(frozenset())
        on_turn = frozenset({state.turn.seat})
        return Dice((6,) * state.turn.dice_left, by=on_turn) if state.turn.rolling else Turn(on_turn)

    def count(self, state: State) -> int:
        return len(state.scores)

    def barred(self, state: State, seat: Seat) -> Refused | None:
        if any(seat == gone for gone, _ in state.out):
            return Refused(Code.SEAT_IS_OUT, f"Seat {seat} is out of the game.")
        if seat in state.away:  # A13: folding too
            return Refused(Code.SEAT_IS_AWAY, f"Seat {seat} is away and has to come back first.")
        return None

    def anytime(self, action: Action) -> bool:
        return action is Word.FOLD

    def choices(self, state: State, seat: Seat) -> tuple[Action, ...]:
        turn = state.turn
        if turn is None or turn.rolling or turn.seat != seat or seat in state.away:
            return ()
        roll = () if why_no_roll(turn, self.hot_dice) else (Word.ROLL,)
        bank = () if why_no_bank(turn) else (Word.BANK,)
        loose = turn.loose
        holds = self.table.holds[tuple((turn.roll or ())[at] for at in loose)]
        return (*roll, *(Hold(tuple(loose[at] for at in dice)) for dice, _ in holds), *bank, Word.FOLD)

    def readings(self, faces: Faces) -> tuple[tuple[Positions, int], ...]:
        """Every set of positions of a roll that can be held, with its points, best first."""
        return self.table.holds[faces]

    def worth(self, state: State, action: Action) -> int | None:
        """What a hold adds to the turn; None for what is no hold."""
        roll = (state.turn and state.turn.roll) or ()
        return self.table.points([roll[at] for at in action.dice]) if isinstance(action, Hold) else None

    def step(self, state: State, entry: Entry[Action]) -> Step[State]:
        match entry:
            case Roll(faces):
                return self.rolled(state, faces) if state.order else drawn(state, faces)
            case Move(seat, action):
                return self.act(state, seat, action)
            case Expired():
                return self.time_out(state, running(state))
            case Attend(seat, presence):
                return self.attend(state, seat, presence)
            case _:
                assert_never(entry)

    def act(self, state: State, seat: Seat, action: Action) -> Step[State]:
        match action:
            case Word.ROLL:
                return self.roll(state, running(state))
            case Hold(dice):
                return self.hold(state, running(state), dice)
            case Word.BANK:
                return self.bank(state, running(state))
            case Word.FOLD:
                return self.leave(state, seat, Fate.FOLDED)
            case _:
                assert_never(action)

    def view(self, state: State, seat: Seat | None) -> View:
        turn = state.turn or TurnState(Seat(0))
        return View(
            scores=state.scores,
            order=state.order or None,
            turn_points=turn.points,
            roll=turn.roll,
            held=turn.held,
            dice_left=turn.dice_left,
            must_hold=turn.must_hold,
            hot_dice_used=turn.hot_dice_used,
            away=tuple(sorted(state.away)),
            out={str(gone): fate.value for gone, fate in state.out},
            goal=self.goal,
            hot_dice=self.hot_dice,
        )

    def over(self, state: State) -> Over | None:
        """How the game stands if no turn runs: won, abandoned, or still waiting for somebody (A10, A15)."""
        remaining = state.remaining
        if max(state.scores) >= self.goal:
            return Over(standings(state.scores, state.gone), Reason.GOAL)
        if not remaining:
            return Over((), Reason.LEFT)
        if len(remaining) == 1 and not state.away:
            return Over(standings(state.scores, state.gone), Reason.LAST)
        return None

    def roll(self, state: State, turn: TurnState) -> Step[State]:
        if refused := why_no_roll(turn, self.hot_dice):
            raise refused
        return Step(replace(state, turn=thrown(turn)))

    def rolled(self, state: State, faces: Faces) -> Step[State]:
        turn = replace(running(state), roll=faces, rolling=False)
        told = DiceRolled(faces, result_of(self.table, faces))
        if self.table.busts(faces):
            return self.end_turn(state, told, PlayerBusted(turn.seat, turn.points), was_bust=True)
        return Step(replace(state, turn=turn), (told,))

    def hold(self, state: State, turn: TurnState, dice: Positions) -> Step[State]:
        """Set dice of the current roll aside; they score together, and never with others (A4, A5)."""
        faces = named(turn, dice)
        points = self.table.points(faces)
        if not points:
            raise Refused(Code.DOES_NOT_SCORE, "Every die you hold must score.")
        held = tuple(sorted((*turn.held, *dice)))
        left = turn.dice_left - len(dice)
        turn = replace(turn, points=turn.points + points, held=held, dice_left=left)
        hot = not left and turn.hot_dice_used < self.hot_dice
        told = (HotDice(turn.seat, turn.points),) if hot else ()
        return Step(replace(state, turn=turn), (DiceHeld(faces, points, left), *told), fresh_clock=hot)

    def bank(self, state: State, turn: TurnState) -> Step[State]:
        if refused := why_no_bank(turn):
            raise refused
        total = state.scores[turn.seat] + turn.points
        scores = tuple(total if at == turn.seat else score for at, score in enumerate(state.scores))
        told = PointsScored(turn.seat, turn.points, total)
        return self.end_turn(replace(state, scores=scores), told, points_banked=turn.points)

    def time_out(self, state: State, turn: TurnState) -> Step[State]:
        return self.end_turn(state, TurnTimedOut(turn.seat, turn.points), was_bust=True)

    def attend(self, state: State, seat: Seat, presence: Presence) -> Step[State]:
        away = seat in state.away
        if any(seat == gone for gone, _ in state.out):
            raise Refused(Code.SEAT_IS_OUT, f"Seat {seat} is out of the game for good.")
        if presence is (Presence.AWAY if away else Presence.HERE):
            raise Refused(Code.NO_CHANGE, f"Seat {seat} is already {presence.value}.")
        if presence is Presence.AWAY:  # A13: a turn that runs simply runs on
            return Step(replace(state, away=state.away | {seat}), (PlayerAbsent(seat),))
        if not away:
            raise Refused(Code.NOT_AWAY, f"Seat {seat} is here: only a seat that is away can be removed.")
        if presence is Presence.GONE:
            return self.leave(state, seat, Fate.REMOVED)
        return self.come_back(replace(state, away=state.away - {seat}), seat)

    def come_back(self, state: State, seat: Seat) -> Step[State]:
        """The last seat wins by returning (A15); the first to return to a waiting table is on turn (A14)."""
        told = PlayerReturned(seat)
        if state.turn is not None:
            return Step(state, (told,))
        if self.over(state):
            return Step(state, (told, *self.ending(state)))
        return Step(replace(state, turn=TurnState(seat)), (told, TurnStarted(seat)), fresh_clock=True)

    def leave(self, state: State, seat: Seat, fate: Fate) -> Step[State]:
        """Out for good; one's own turn ends with it, and so does any turn when one seat is left (A11, A12, A15)."""
        out = tuple(sorted((*state.out, (seat, fate))))
        state = replace(state, out=out, away=state.away - {seat})
        left = len(state.remaining)
        told = PlayerFolded(seat, left) if fate is Fate.FOLDED else PlayerRemoved(seat, left)
        if state.turn is not None and (state.turn.seat == seat or left == 1):
            return self.end_turn(state, told)
        return Step(state, (told, *self.ending(state)))

    def end_turn(self, state: State, *told: Event, was_bust: bool = False, points_banked: int = 0) -> Step[State]:
        """After what was told the turn passes, or the game is over, or it waits (A13-A15)."""
        seat = running(state).seat
        state = replace(state, turn=None)
        skipped, after = ((), None) if self.over(state) else following(state, seat)
        ended = TurnEnded(seat, after, was_bust, points_banked)
        if after is None:
            return Step(state, (*told, ended, *self.ending(state)))
        passed = (TurnSkipped(other) for other in skipped)
        return Step(replace(state, turn=TurnState(after)), (*told, ended, *passed, TurnStarted(after)), True)

    def ending(self, state: State) -> tuple[Event, ...]:
        """The events of the game's end; none while it is running."""
        over = None if state.turn else self.over(state)
        if over is None:
            return ()
        if over.winner is None:
            return (GameAbandoned(state.order),)
        return (GameEnded(over.winner, tuple(seat for place in over.places for seat in sorted(place))),)


def drawn(state: State, faces: Faces) -> Step[State]:
    """The order of play is drawn once and kept (A1)."""
    order = ordered([Seat(at) for at in range(len(state.scores))], faces)
    state = replace(state, order=order, turn=TurnState(order[0]))
    return Step(state, (GameStarted(order, order[0]), TurnStarted(order[0])), fresh_clock=True)


def running(state: State) -> TurnState:
    assert state.turn is not None, "play lets nobody act while no turn runs"
    return state.turn
