"""The solver of a race: two seats exactly, more of them as a duel with the leader."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from dicehall.core.game import Awaited, Dice, Move, Over, Seat
from dicehall.solvers.answers import Estimate, Worth, share
from dicehall.solvers.race import ME, Race, Unsolvable
from dicehall.solvers.shape import Explored, Shape
from dicehall.solvers.solving import Chances
from dicehall.solvers.turns import Turns, TurnValues

Source: TypeAlias = Literal["shipped", "cached", "solved"]

REMEMBERED = 64  # turns whose values are kept: a table of two asks about two at a time


class Duel:
    """Answers from a table of chances at the start of a turn, and from one pass through the turn that runs."""

    def __init__(self, explored: Explored, chances: Chances, seats: int, source: Source) -> None:
        self.explored = explored
        self.chances = chances
        self.source: Source = source
        self.note = "exact" if seats == 2 else "against the leader"
        self.race: Race[Any] = explored.explorer.race
        self.turns = Turns(explored.shape, chances)
        self.turn: Callable[[int, int], TurnValues] = lru_cache(REMEMBERED)(self.turns.turn)

    @property
    def shape(self) -> Shape:
        return self.explored.shape

    @property
    def first_seat(self) -> float:
        """The chance of the seat that begins."""
        return self.chances[0]

    def chance(self, view: Any, awaits: Awaited, seat: Seat) -> Estimate:
        if isinstance(awaits, Over):
            return Estimate(share(awaits, seat))
        return Estimate(self.running(view, awaits, seat))

    def running(self, view: Any, awaits: Any, seat: Seat) -> float:
        rolling = isinstance(awaits, Dice)
        movers = awaits.by if isinstance(awaits, Dice) else awaits.seats
        if seat not in self.race.living(view):
            return 0.0
        rival = self.leader(view, seat, movers)
        if rival is None:
            return 1.0
        if seat in movers:
            return self.moving(view, seat, rival, rolling=rolling)
        if rival in movers:
            return 1.0 - self.moving(view, rival, seat, rolling=rolling)
        mine, other = self.places(view, seat, rival)
        if movers:
            return 1.0 - self.begun(other, mine)
        first, later = self.begun(mine, other), 1.0 - self.begun(other, mine)
        return later + (first - later) / len(self.race.living(view))  # whose turn comes is open

    def rougher(self) -> None:
        """There is none: answers are exact."""

    def worths(self, view: Any, seat: Seat, choices: Sequence[Any]) -> Sequence[Worth]:
        rival = self.leader(view, seat, frozenset({seat}))
        if rival is None:
            raise Unsolvable("There is nobody left to play against.")
        state = self.race.seen(view, (view.scores[seat], view.scores[rival]), rolling=False)
        turn = self.turn(*self.places(view, seat, rival))
        return [Worth(action, Estimate(self.worth(turn, state, action))) for action in choices]

    def worth(self, turn: TurnValues, state: Any, action: Any) -> float:
        if self.race.leaving is not None and action == self.race.leaving:
            return 0.0
        if action == self.race.bank:
            return turn.kept(self.units(self.race.points(state)))
        after = self.race.game.step(state, Move(ME, action)).state
        return self.thrown(turn, after) if action == self.race.roll else self.deciding(turn, after)

    def moving(self, view: Any, seat: Seat, rival: Seat, *, rolling: bool) -> float:
        """What the turn that runs is worth to its seat, against one rival."""
        state = self.race.seen(view, (view.scores[seat], view.scores[rival]), rolling=rolling)
        turn = self.turn(*self.places(view, seat, rival))
        return self.thrown(turn, state) if rolling else self.deciding(turn, state)

    def thrown(self, turn: TurnValues, state: Any) -> float:
        number = self.explored.number(self.race.kind(state))
        if number == len(self.shape.kinds):  # a turn that should have been banked long ago
            bust = self.explored.explorer.bust(state)
            return 1.0 - bust * (1.0 - turn.lose)
        return turn.throw(self.units(self.race.points(state)), number)

    def deciding(self, turn: TurnValues, state: Any) -> float:
        points = self.race.points(state)
        ends = self.explored.explorer.ends(state).items()
        return max(turn.best(self.units(points + gain.most), self.explored.number(kind)) for kind, gain in ends)

    def begun(self, mine: int, other: int) -> float:
        return self.chances[mine * len(self.shape.scores) + other]

    def places(self, view: Any, seat: Seat, rival: Seat) -> tuple[int, int]:
        return self.shape.place(view.scores[seat]), self.shape.place(view.scores[rival])

    def leader(self, view: Any, seat: Seat, movers: frozenset[Seat]) -> Seat | None:
        """The rival with the most points; of equals the one on turn."""
        rivals = [rival for rival in self.race.living(view) if rival != seat]
        return max(rivals, key=lambda rival: (view.scores[rival], rival in movers), default=None)

    def units(self, points: int) -> int:
        return self.shape.units(points)
