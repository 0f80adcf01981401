"""Aetharn, read as a race: the dice left and the hot dice left tell one throw from another."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from dicehall.core.game import Seat
from dicehall.games.aetharn.actions import Word
from dicehall.games.aetharn.state import State, View
from dicehall.games.aetharn.turn import DICE, TurnState
from dicehall.solvers.race import ME, Race
from dicehall.solvers.supplying import solver_of


class AetharnRace(Race[State]):
    roll = Word.ROLL
    bank = Word.BANK
    leaving = Word.FOLD

    def begin(self, scores: tuple[int, int], seat: Seat = ME) -> State:
        return State(scores, (ME, Seat(1)), TurnState(seat))

    def points(self, state: State) -> int:
        return turn_of(state).points

    def holding(self, state: State, scores: tuple[int, int], points: int) -> State:
        return replace(state, scores=scores, turn=replace(turn_of(state), points=points))

    def kind(self, state: State) -> Hashable:
        turn = turn_of(state)
        return turn.dice_left, self.hot_left(turn)

    def sight(self, state: State) -> Hashable:
        turn = turn_of(state)
        loose = sorted((turn.roll or ())[at] for at in turn.loose)
        return tuple(loose), turn.dice_left, self.hot_left(turn), turn.must_hold

    def seen(self, view: View, scores: tuple[int, int], *, rolling: bool) -> State:
        used = view.hot_dice_used
        turn = TurnState(ME, view.turn_points, view.roll, view.held, view.dice_left, used, rolling)
        return replace(self.begin(scores), turn=turn)

    def living(self, view: View) -> list[Seat]:
        return [seat for seat in super().living(view) if str(seat) not in view.out]

    def locks(self, state: State, choices: Sequence[Any]) -> list[Any]:
        roll = turn_of(state).roll or ()
        holds = {tuple(sorted(roll[at] for at in hold.dice)): hold for hold in super().locks(state, choices)}
        return list(holds.values())

    def hot_left(self, turn: TurnState) -> int:
        """How often all six may be thrown again, as far as it can matter before the turn wins."""
        hot_dice: int = self.game.hot_dice
        return min(hot_dice - turn.hot_dice_used, self.plenty)

    @cached_property
    def plenty(self) -> int:
        """More hot dice than a turn can use up: six dice that score are worth so much at least."""
        cheapest = min(points / len(row) for row, points in self.game.table.rows)
        return int(self.game.goal / (cheapest * DICE)) + 1


def turn_of(state: State) -> TurnState:
    assert state.turn is not None, "only positions in which a turn runs are looked at"
    return state.turn


solver = solver_of(AetharnRace)
