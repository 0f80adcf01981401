"""A game of Aetharn to drive from a test, with dice that fall as told."""

from __future__ import annotations

from typing import Any

import pytest

from dicehall.core.fold import order_of, play
from dicehall.core.game import Attend, Entry, Event, Expired, Move, Presence, Refused, Roll, Seat, Step, Turn
from dicehall.games.aetharn.actions import Hold, Word
from dicehall.games.aetharn.rules import Aetharn
from dicehall.games.aetharn.state import State, View

HERE, AWAY, GONE = Presence.HERE, Presence.AWAY, Presence.GONE
BUST = (2, 3, 4, 6, 2, 3)
SIX_ONES = (1,) * 6


class Sitting:
    """Seats 0, 1, 2 ... play in this order unless another is drawn."""

    def __init__(self, seats: int = 2, order: tuple[int, ...] | None = None, **rules: Any) -> None:
        self.game = Aetharn(**rules)
        self.state: State = self.game.start(seats)
        self.step = self.play(Roll(order or (1,) * len(order_of(seats))))

    def play(self, entry: Entry[Any]) -> Step[State]:
        self.step = play(self.game, self.state, entry)
        self.state = self.step.state
        return self.step

    def act(self, action: Word | Hold) -> tuple[Event, ...]:
        return self.play(Move(self.on_turn, action)).events

    def roll(self, *faces: int) -> tuple[Event, ...]:
        """Roll, and let the dice fall."""
        self.act(Word.ROLL)
        return self.play(Roll(faces)).events

    def hold(self, *dice: int) -> tuple[Event, ...]:
        return self.act(Hold(dice))

    def bank(self) -> tuple[Event, ...]:
        return self.act(Word.BANK)

    def fold(self, seat: int) -> tuple[Event, ...]:
        return self.play(Move(Seat(seat), Word.FOLD)).events

    def expire(self) -> tuple[Event, ...]:
        return self.play(Expired(self.on_turn)).events

    def attend(self, seat: int, presence: Presence) -> tuple[Event, ...]:
        return self.play(Attend(Seat(seat), presence)).events

    def earn_100(self) -> tuple[Event, ...]:
        """A turn that banks a single one."""
        self.roll(1, 2, 3, 4, 6, 6)
        self.hold(0)
        return self.bank()

    def refused(self, entry: Entry[Any]) -> str:
        """The code of a refusal, which leaves the game as it is."""
        before = self.state
        with pytest.raises(Refused) as refused:
            play(self.game, self.state, entry)
        assert self.state == before
        assert refused.value.sentence
        return str(refused.value.code)

    def refuses(self, action: Word | Hold) -> str:
        return self.refused(Move(self.on_turn, action))

    @property
    def on_turn(self) -> Seat:
        awaited = self.game.awaits(self.state)
        assert isinstance(awaited, Turn)
        (seat,) = awaited.seats
        return seat

    @property
    def waits(self) -> bool:
        return self.game.awaits(self.state) == Turn(frozenset())

    @property
    def view(self) -> View:
        return self.game.view(self.state, None)


def names(events: tuple[Event, ...]) -> list[str]:
    return [type(event).__name__ for event in events]


def waiting(seats: int) -> Sitting:
    """A table all have left, and whose turn ran out."""
    table = Sitting(seats)
    for seat in range(seats):
        table.attend(seat, AWAY)
    table.expire()
    assert table.waits
    return table
