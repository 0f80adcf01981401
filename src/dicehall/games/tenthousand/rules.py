"""Dice 10 000: lock what scores, roll on or bank; the first seat to earn 10 000 wins.

Clauses T1-T9. Nothing is hidden, and all play in rounds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, ClassVar, assert_never

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
    Refused,
    Roll,
    Seat,
    Seats,
    Step,
    Turn,
)
from dicehall.core.house import check_rules, check_seats, seconds, whole
from dicehall.games.farkle import Grouping, ScoreTable, without
from dicehall.games.tenthousand.actions import Action, Code, Lock, Word
from dicehall.games.tenthousand.events import (
    Busted,
    Locked,
    Rolled,
    RoundEnded,
    RoundStarted,
    TimedOut,
    TurnStarted,
    Won,
    Yielded,
)
from dicehall.games.tenthousand.scoring import TABLE
from dicehall.games.tenthousand.state import DICE, State, View


@dataclass(frozen=True, slots=True)
class TenThousand:
    goal: int = whole(10_000, hall_most=100_000)
    opening: int = whole(1000, least=0, hall_most=2000)  # the least a seat without points must earn at once
    turn_seconds: int | None = seconds(None)
    table: ScoreTable = TABLE

    key: ClassVar[str] = "tenthousand"
    edition: ClassVar[int] = 1
    seats: ClassVar[range] = range(2, 13)
    action: ClassVar[Any] = Action

    def __post_init__(self) -> None:
        check_rules(self)

    @property
    def policy(self) -> Policy:
        return Policy("asked", clock="turn", clock_seconds=self.turn_seconds, joined=True)

    def start(self, seats: int) -> State:
        check_seats(self, seats)
        return State((0,) * seats)

    def awaits(self, state: State) -> Awaited:
        if max(state.scores) >= self.goal:
            return Over(standings(state.scores), "goal")
        on_turn = frozenset({state.seat})
        return Dice((6,) * state.dice_left, by=on_turn) if state.rolling else Turn(on_turn)

    def count(self, state: State) -> int:
        return len(state.scores)

    def barred(self, state: State, seat: Seat) -> Refused | None:
        return None

    def anytime(self, action: Action) -> bool:
        return False

    def choices(self, state: State, seat: Seat) -> tuple[Action, ...]:
        if self.awaits(state) != Turn(frozenset({seat})):
            return ()
        roll = () if why_no_roll(state) else (Word.ROLL,)
        done = () if self.why_no_yield(state) else (Word.YIELD,)
        locks = self.table.locks[tuple(sorted(state.loose))]
        return (*roll, *(Lock(subsets) for subsets, _ in locks), *done)

    def readings(self, faces: Faces) -> tuple[tuple[Grouping, int], ...]:
        """Every grouping of dice of a roll that can be locked, with its points, best first."""
        return self.table.locks[tuple(sorted(faces))]

    def worth(self, state: State, action: Action) -> int | None:
        """What a lock adds to the turn; None for what is no lock."""
        return sum(self.table.worth[subset] for subset in action.subsets) if isinstance(action, Lock) else None

    def step(self, state: State, entry: Entry[Action]) -> Step[State]:
        match entry:
            case Move(action=action):
                return self.act(state, action)
            case Roll(faces):
                return self.rolled(state, faces)
            case Expired():  # T9
                return end_turn(state, TimedOut(state.seat, state.turn_points))
            case Attend():  # C9: absence changes nothing here
                return Step(state)
            case _:
                assert_never(entry)

    def act(self, state: State, action: Action) -> Step[State]:
        match action:
            case Word.ROLL:
                return roll(state)
            case Lock(subsets):
                return self.lock(state, subsets)
            case Word.YIELD:
                return self.give_way(state)
            case _:
                assert_never(action)

    def rolled(self, state: State, faces: Faces) -> Step[State]:
        told = Rolled(state.seat, faces)
        if self.table.busts(faces):  # T4
            return end_turn(state, told, Busted(state.seat, state.turn_points))
        return Step(replace(state, roll=faces, rolling=False), (told,))

    def lock(self, state: State, named: Grouping) -> Step[State]:
        """Set subsets of the roll aside for good, each as one row of the table (T2, T3)."""
        if state.roll is None:
            raise Refused(Code.NOTHING_ROLLED, "There is nothing to lock before the first roll.")
        if not named:
            raise Refused(Code.BAD_LOCK, "Lock one or more groups of dice, each as a list of faces.")
        subsets = tuple(tuple(sorted(subset)) for subset in named)
        self.check_subsets(state.loose, subsets)
        points = sum(self.table.worth[subset] for subset in subsets)
        total, left = state.turn_points + points, state.dice_left - sum(map(len, subsets))
        state = replace(state, turn_points=total, locked=state.locked + subsets, dice_left=left)
        return Step(state, (Locked(state.seat, subsets, points, total, left),))

    def check_subsets(self, loose: Faces, subsets: Grouping) -> None:
        for subset in subsets:
            if subset not in self.table.worth:
                raise Refused(Code.DOES_NOT_SCORE, f"{shown(subset)} does not score.")
            rest = without(loose, subset)
            if rest is None:
                raise Refused(Code.NOT_IN_ROLL, f"{shown(subset)} is not among the loose dice of this roll.")
            loose = rest

    def give_way(self, state: State) -> Step[State]:
        """Earn the turn's points; enough of them win at once (T6-T8)."""
        if refused := self.why_no_yield(state):
            raise refused
        score = state.scores[state.seat] + state.turn_points
        scores = tuple(score if at == state.seat else other for at, other in enumerate(state.scores))
        told = Yielded(state.seat, state.turn_points, score)
        if score < self.goal:
            return end_turn(replace(state, scores=scores), told)
        won = Won(state.seat, score, tuple(tuple(sorted(place)) for place in standings(scores)))
        return Step(State(scores, state.round, state.seat), (told, RoundEnded(state.round, scores), won))

    def why_no_yield(self, state: State) -> Refused | None:
        if not state.locked:
            return Refused(Code.MUST_LOCK, "Lock something from this roll before you bank.")
        missing = self.opening - state.turn_points
        if state.scores[state.seat] == 0 and missing > 0:  # T7
            sentence = f"You need {self.opening} to open; {missing} to go."
            return Refused(Code.BELOW_OPENING, sentence, missing=missing)
        return None

    def view(self, state: State, seat: Seat | None) -> View:
        return View(
            scores=state.scores,
            round=state.round,
            turn_points=state.turn_points,
            roll=state.roll,
            locked=state.locked,
            dice_left=state.dice_left,
            must_lock=state.must_lock,
            goal=self.goal,
            opening=self.opening,
        )


def why_no_roll(state: State) -> Refused | None:
    return Refused(Code.MUST_LOCK, "Lock something from this roll before you roll again.") if state.must_lock else None


def roll(state: State) -> Step[State]:
    """Throw the dice that are left; with all six locked, all six (T5)."""
    if refused := why_no_roll(state):
        raise refused
    return Step(replace(state, roll=None, locked=(), dice_left=state.dice_left or DICE, rolling=True))


def end_turn(state: State, *told: Event) -> Step[State]:
    """The next seat is on turn; after the last seat a round ends and the next one starts (T1)."""
    after = Seat((state.seat + 1) % len(state.scores))
    if after:
        started: tuple[Event, ...] = (TurnStarted(after, state.round),)
        return Step(State(state.scores, state.round, after), told + started, fresh_clock=True)
    following = state.round + 1
    started = (RoundEnded(state.round, state.scores), RoundStarted(following), TurnStarted(after, following))
    return Step(State(state.scores, following, after), told + started, fresh_clock=True)


def standings(scores: tuple[int, ...]) -> tuple[Seats, ...]:
    """All by score, equals together (C8, T8)."""
    seats = sorted((Seat(at) for at in range(len(scores))), key=lambda seat: -scores[seat])
    return tuple(frozenset(equals) for _, equals in groupby(seats, key=lambda seat: scores[seat]))


def shown(subset: Faces) -> str:
    return " ".join(str(face) for face in subset) or "An empty group"
