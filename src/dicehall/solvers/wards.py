"""Dice Wards, read as a race: one die, one kind of throw."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from dicehall.core.game import Seat
from dicehall.games.wards.rules import Action, State, View
from dicehall.solvers.race import ME, Race
from dicehall.solvers.supplying import solver_of


class WardsRace(Race[State]):
    roll = Action.ROLL
    bank = Action.HOLD

    def begin(self, scores: tuple[int, int], seat: Seat = ME) -> State:
        return State(scores, seat)

    def points(self, state: State) -> int:
        return state.round_score

    def holding(self, state: State, scores: tuple[int, int], points: int) -> State:
        return replace(state, scores=scores, round_score=points)

    def kind(self, state: State) -> Hashable:
        return ()

    def sight(self, state: State) -> Hashable:
        return ()

    def seen(self, view: View, scores: tuple[int, int], *, rolling: bool) -> State:
        return State(scores, ME, view.round_score, rolling=rolling)  # the last roll says nothing about what comes


solver = solver_of(WardsRace)
