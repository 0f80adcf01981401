"""A game of Dice 10 000 to drive from a test, with dice that fall as told."""

from __future__ import annotations

from typing import Any

import pytest

from dicehall.core.fold import play
from dicehall.core.game import Entry, Event, Expired, Move, Refused, Roll, Seat, Step
from dicehall.games.tenthousand.actions import Lock, Word
from dicehall.games.tenthousand.rules import TenThousand
from dicehall.games.tenthousand.state import State, View

BUST = (2, 3, 4, 6, 2, 3)


class Sitting:
    def __init__(self, seats: int = 2, **rules: Any) -> None:
        self.game = TenThousand(**rules)
        self.state: State = self.game.start(seats)
        self.step: Step[State] = Step(self.state)

    def play(self, entry: Entry[Any]) -> tuple[Event, ...]:
        self.step = play(self.game, self.state, entry)
        self.state = self.step.state
        return self.step.events

    def act(self, action: Word | Lock) -> tuple[Event, ...]:
        return self.play(Move(self.state.seat, action))

    def roll(self, *faces: int) -> tuple[Event, ...]:
        self.act(Word.ROLL)
        return self.play(Roll(faces))

    def lock(self, *subsets: tuple[int, ...]) -> tuple[Event, ...]:
        return self.act(Lock(subsets))

    def give_way(self) -> tuple[Event, ...]:
        return self.act(Word.YIELD)

    def expire(self) -> tuple[Event, ...]:
        return self.play(Expired(self.state.seat))

    def earn_1000(self) -> tuple[Event, ...]:
        """A turn that opens with three ones."""
        self.roll(1, 1, 1, 2, 3, 4)
        self.lock((1, 1, 1))
        return self.give_way()

    def refused(self, entry: Entry[Any]) -> Refused:
        """A refusal, which leaves the game as it is."""
        before = self.state
        with pytest.raises(Refused) as refused:
            play(self.game, self.state, entry)
        assert self.state == before
        assert refused.value.sentence
        return refused.value

    def refuses(self, action: Word | Lock) -> str:
        return str(self.refused(Move(Seat(self.state.seat), action)).code)

    @property
    def view(self) -> View:
        return self.game.view(self.state, None)


def names(events: tuple[Event, ...]) -> list[str]:
    return [type(event).__name__ for event in events]
