"""Dice 10 000, read as a race: the dice left tell one throw from another."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from dicehall.core.game import Seat
from dicehall.games.tenthousand.actions import Word
from dicehall.games.tenthousand.state import State, View
from dicehall.solvers.race import ME, Race
from dicehall.solvers.supplying import solver_of


class TenThousandRace(Race[State]):
    roll = Word.ROLL
    bank = Word.YIELD

    def begin(self, scores: tuple[int, int], seat: Seat = ME) -> State:
        return State(scores, seat=seat)

    def points(self, state: State) -> int:
        return state.turn_points

    def holding(self, state: State, scores: tuple[int, int], points: int) -> State:
        return replace(state, scores=scores, turn_points=points)

    def kind(self, state: State) -> Hashable:
        return state.dice_left

    def sight(self, state: State) -> Hashable:
        return tuple(sorted(state.loose)), state.dice_left, state.must_lock

    def seen(self, view: View, scores: tuple[int, int], *, rolling: bool) -> State:
        return State(scores, view.round, ME, view.turn_points, view.roll, view.locked, view.dice_left, rolling)


solver = solver_of(TenThousandRace)
