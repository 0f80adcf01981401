"""Short ways to say what happens in a game of Dice Wards."""

from __future__ import annotations

from typing import Any, TypeVar

import pytest

from dicehall.core.fold import play
from dicehall.core.game import Event, Expired, Move, Refused, Roll, Seat
from dicehall.games.wards.rules import Action, State, Wards

E = TypeVar("E", bound=Event)
GAME = Wards()
P1, P2 = Seat(0), Seat(1)


class Table:
    """A game that goes on from any position, and everything it told."""

    def __init__(self, game: Wards = GAME, **position: Any) -> None:
        self.game = game
        self.state = State(**position)
        self.told: list[Event] = []
        self.fresh: list[bool] = []

    def enter(self, *entries: Any) -> Table:
        for entry in entries:
            step = play(self.game, self.state, entry)
            self.state = step.state
            self.told += step.events
            self.fresh.append(step.fresh_clock)
        return self

    def roll(self, *faces: int) -> Table:
        for face in faces:
            self.enter(Move(self.state.seat, Action.ROLL), Roll((face,)))
        return self

    def hold(self) -> Table:
        return self.enter(Move(self.state.seat, Action.HOLD))

    def expire(self) -> Table:
        return self.enter(Expired(self.state.seat))

    def code(self, *entries: Any) -> str:
        """The code with which the last of these entries is refused."""
        self.enter(*entries[:-1])
        before = self.state
        with pytest.raises(Refused) as refusal:
            self.enter(entries[-1])
        assert refusal.value.sentence.endswith(".")
        assert self.state == before
        return str(refusal.value.code)

    def all(self, kind: type[E]) -> list[E]:
        return [event for event in self.told if isinstance(event, kind)]
