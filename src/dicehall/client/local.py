"""A game hosted in this process: the rules, a source of dice, and a record of everything that happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from dicehall.core.fold import play
from dicehall.core.game import (
    AnyGame,
    Attend,
    Awaited,
    Dice,
    Entry,
    Event,
    Faces,
    Move,
    Over,
    Presence,
    Refused,
    Roll,
    Seat,
)
from dicehall.wire.answers import Replay
from dicehall.wire.entries import Logged
from dicehall.wire.record import Record


class BadRecord(Exception):
    """A record whose entries the rules refuse."""

    def __init__(self, index: int, refused: Refused) -> None:
        super().__init__(f"Entry {index} of this record is refused: {refused.sentence}")
        self.index = index
        self.refused = refused


class LocalGame:
    """Keeps the interface Playing. An act is a move with the dice that answer it: both or neither."""

    def __init__(
        self,
        record: Record,
        roll: Callable[[Faces], Faces],
        *,
        secret: Callable[[int], str] | None = None,  # of a roll by its number from 1, where the dice are sealed
        store: Callable[[Record], None] | None = None,  # is given the record after every act
    ) -> None:
        self._record = record
        self._roll = roll
        self._secret = secret
        self._store = store
        self._state = replayed(record)

    @property
    def game(self) -> AnyGame:
        return self._record.game

    @property
    def names(self) -> Sequence[str]:
        return self._record.names

    def awaited(self) -> Awaited:
        return self.game.awaits(self._state)

    def view(self, seat: Seat | None) -> Any:
        return self.game.view(self._state, seat)

    def choices(self, seat: Seat) -> tuple[Any, ...]:
        return self.game.choices(self._state, seat)

    def record(self) -> Record:
        return self._record

    def begin(self) -> tuple[Event, ...]:
        """Roll the awaited dice, and bring back players who were away when the record was made."""
        events = self._do(None)
        if not self.game.policy.grace:
            return events
        for seat in map(Seat, range(len(self.names))):
            with suppress(Refused):  # here already, or out for good, or the game is over
                events += self._do(Attend(seat, Presence.HERE))
        return events

    def act(self, seat: Seat, action: Any) -> tuple[Event, ...]:
        return self._do(Move(seat, action))

    def hinted(self, seat: Seat) -> None:
        """Write down that a seat took a hint, as a hall does."""
        act = {"act": "hinted", "chair": self._record.chairs()[seat], "entry": len(self._record.entries)}
        self._stored(replace(self._record, table=(*self._record.table, act)))

    def _do(self, entry: Entry[Any] | None) -> tuple[Event, ...]:
        """Apply an entry and roll the dice it asks for; memory changes only when all of it went well."""
        state, record = self._state, self._record
        events: tuple[Event, ...] = ()
        while entry := entry or self._dice(state):
            step = play(self.game, state, entry)
            logged = self._logged(entry, self.game.awaits(state), record)
            state, record, events = step.state, record.with_entry(logged), events + step.events
            entry = None
        if isinstance(self.game.awaits(state), Over) and record is not self._record:
            record = replace(record, end={"entries": len(record.entries)})
        self._state = state
        self._stored(record)
        return events

    def _logged(self, entry: Entry[Any], awaited: Awaited, record: Record) -> Logged:
        """An entry for the record; a sealed roll has the secret and the sides by which it can be checked."""
        if self._secret is None or not isinstance(entry, Roll) or not isinstance(awaited, Dice):
            return Logged(entry)
        number = 1 + sum("roll" in before for before in record.entries)
        return Logged(entry, opened=self._secret(number), sides=awaited.sides)

    def _stored(self, record: Record) -> None:
        if self._store is not None and record is not self._record:
            self._store(record)
        self._record = record

    def _dice(self, state: Any) -> Roll | None:
        awaited = self.game.awaits(state)
        return Roll(self._roll(awaited.sides)) if isinstance(awaited, Dice) else None


def replayed(record: Record) -> Any:
    """The position a record leads to."""
    replay = Replay(record)
    for _ in replay.steps():
        pass
    if replay.refused:
        raise BadRecord(*replay.refused)
    return replay.state


def continued(record: Record) -> Record:
    """A game continued from a record, with dice that are not sealed."""
    return replace(record, seal=None)
