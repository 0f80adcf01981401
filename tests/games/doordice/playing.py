"""Short ways to say what happens in a game of DO or DICE."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

import pytest

from dicehall.core.fold import play
from dicehall.core.game import Event, Expired, Move, Refused, Roll, Seat, Turn
from dicehall.games.doordice.rules import Choose, DoOrDice, Word
from dicehall.games.doordice.state import State

E = TypeVar("E", bound=Event)
GAME = DoOrDice()
START = GAME.start(5)
JUST_VOID = 1  # a face with which the fallen do nothing


class Table:
    """A game that goes on from any position, and everything it told."""

    def __init__(self, game: DoOrDice = GAME, **position: Any) -> None:
        self.game = game
        self.state: State = replace(game.start(5), **position)
        self.told: list[Event] = []
        self.fresh: list[bool] = []  # for each entry whether it asked for a new deadline

    def enter(self, *entries: Any) -> Table:
        for entry in entries:
            step = play(self.game, self.state, entry)
            self.state = step.state
            self.told += step.events
            self.fresh.append(step.fresh_clock)
        return self

    def turn(self, face: int, effect: str | None = None, target: int | None = None) -> Table:
        """The seat on turn rolls this face and chooses."""
        seat = self.seat
        self.enter(Move(seat, Word.ROLL), Roll((face,)))
        return self if effect is None else self.enter(Move(seat, choose(effect, target)))

    def turns(self, *faces: int) -> Table:
        """Turns that resolve themselves."""
        for face in faces:
            self.turn(face)
        return self

    def expire(self) -> Table:
        return self.enter(Expired(self.seat))

    def dice(self, *faces: int) -> Table:
        return self.enter(Roll(faces))

    def code(self, *entries: Any) -> str:
        """The code with which the last of these entries is refused."""
        self.enter(*entries[:-1])
        before = self.state
        with pytest.raises(Refused) as refusal:
            self.enter(entries[-1])
        assert refusal.value.sentence.endswith(".")
        assert self.state == before
        return str(refusal.value.code)

    @property
    def seat(self) -> Seat:
        awaited = self.game.awaits(self.state)
        assert isinstance(awaited, Turn)
        (seat,) = awaited.seats
        return seat

    def all(self, kind: type[E]) -> list[E]:
        return [event for event in self.told if isinstance(event, kind)]

    def only(self, kind: type[E]) -> E:
        (event,) = self.all(kind)
        return event


def choose(effect: str, target: int | None = None) -> Choose:
    return Choose(effect, None if target is None else Seat(target))
