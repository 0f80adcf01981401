"""Piglet, the game that only the tests know, read as a race: the method knows nothing of dice with six sides."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from dicehall.core.game import Seat
from dicehall.solvers.race import ME, Race
from tests.piglet.rules import Action, State, View


class PigletRace(Race[State]):
    roll = Action.FLIP
    bank = Action.HOLD

    def begin(self, scores: tuple[int, int], seat: Seat = ME) -> State:
        return State(scores, seat)

    def points(self, state: State) -> int:
        return state.stake

    def holding(self, state: State, scores: tuple[int, int], points: int) -> State:
        return replace(state, scores=scores, stake=points)

    def kind(self, state: State) -> Hashable:
        return ()

    def sight(self, state: State) -> Hashable:
        return ()

    def seen(self, view: View, scores: tuple[int, int], *, rolling: bool) -> State:
        return State(scores, ME, view.stake, rolling)
