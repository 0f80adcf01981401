"""The odds of one position: the chance to win, what each choice is worth, and what the next roll can bring."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dicehall.core.game import AnyGame, Dice, Faces, Move, Over, Roll, Seat, Turn
from dicehall.lab.phrases import to_act
from dicehall.lab.values import Chances, Values
from dicehall.solvers.answers import Estimate, Solver, Worth
from dicehall.solvers.throws import throws_of


@dataclass(frozen=True, slots=True)
class Outcome:
    """One roll, whatever the order of its dice, and the chance to win after it."""

    faces: Faces
    likely: float
    chance: Estimate
    ends_turn: bool


@dataclass(frozen=True, slots=True)
class NextRoll:
    """What a roll can bring to who rolls, the best first."""

    outcomes: tuple[Outcome, ...]

    @property
    def ends_turn(self) -> float:
        """How likely the roll ends the turn."""
        return sum(outcome.likely for outcome in self.outcomes if outcome.ends_turn)

    @property
    def mean(self) -> float:
        return sum(outcome.likely * outcome.chance.value for outcome in self.outcomes)


@dataclass(frozen=True, slots=True)
class Odds:
    game: AnyGame
    state: Any
    note: str
    seat: Seat | None  # whose decision or roll it is
    chances: Chances
    worths: tuple[Worth, ...]  # of that seat's choices, the best first
    roll: NextRoll | None


def odds(game: AnyGame, state: Any, solver: Solver) -> Odds:
    values = Values(game, solver)
    seat = to_act(game, state)
    deciding = seat is not None and isinstance(game.awaits(state), Turn)
    worths = values.worths(state, seat) if deciding and seat is not None else ()
    best_first = tuple(sorted(worths, key=lambda worth: -worth.chance.value))
    roll = None if seat is None else next_roll(values, state, seat)
    return Odds(game, state, solver.note, seat, values.of(state), best_first, roll)


def next_roll(values: Values, state: Any, seat: Seat) -> NextRoll | None:
    """What the dice can show that are in the air, or that the seat may throw now."""
    thrown = in_the_air(values.game, state, seat)
    if thrown is None:
        return None
    awaited = values.game.awaits(thrown)
    assert isinstance(awaited, Dice)
    found = [outcome_of(values, thrown, seat, faces, likely) for faces, likely in rolls(awaited.sides)]
    return NextRoll(tuple(sorted(found, key=lambda outcome: -outcome.chance.value)))


def in_the_air(game: AnyGame, state: Any, seat: Seat) -> Any | None:
    awaited = game.awaits(state)
    if isinstance(awaited, Over):
        return None
    if isinstance(awaited, Dice):
        return state if awaited.by else None
    for action in game.choices(state, seat):
        after = game.step(state, Move(seat, action)).state
        if isinstance(game.awaits(after), Dice):
            return after
    return None


def outcome_of(values: Values, thrown: Any, seat: Seat, faces: Faces, likely: float) -> Outcome:
    after = values.game.step(thrown, Roll(faces)).state
    awaited = values.game.awaits(after)
    goes_on = isinstance(awaited, Turn) and seat in awaited.seats
    return Outcome(faces, likely, values.chance(after, seat), not goes_on)


def rolls(sides: Faces) -> Iterator[tuple[Faces, float]]:
    """Every roll of like dice without regard to order, with how likely it is."""
    assert len(set(sides)) == 1, "seats throw dice of one kind"
    whole = sides[0] ** len(sides)
    return ((faces, ways / whole) for faces, ways in throws_of(len(sides), sides[0]))
