"""Turns of Dice Wards with their numbers and beginnings: a fold over the journal, kept so far as it was read (W13)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from dicehall.core.game import Event
from dicehall.games.wards.rules import Held, Lost, Won
from dicehall.table import acts
from dicehall.table.history import History
from dicehall.table.state import TableState, Told

KEPT = 1024  # rooms that are remembered; any other is read again from its beginning


@dataclass(frozen=True, slots=True)
class Turns:
    number: int = 0  # of the running or the last turn, from 1
    since: int | None = None  # when it began
    started_at: int | None = None  # the game


@dataclass(frozen=True, slots=True)
class Place:
    """A table right after one of its acts."""

    state: TableState
    turns: Turns


@dataclass(frozen=True, slots=True)
class TurnBook:
    history: History
    most: int = KEPT
    kept: OrderedDict[str, Place] = field(default_factory=OrderedDict)

    async def at(self, table: str, n: int) -> Place | None:
        """A table right after act number n; None where nothing but its record is left."""
        place = self.kept.get(table)
        if place is not None and place.state.seq > n:
            place = None
        if place is None or place.state.seq < n:
            place = await self.read_on(table, place, n)
        if place is None or place.state.seq != n:
            return None
        self.keep(place)
        return place

    async def read_on(self, table: str, place: Place | None, n: int) -> Place | None:
        turns = Turns() if place is None else place.turns
        async for _, one in self.history.replay(table, None if place is None else place.state):
            if one.seq > n:
                break
            assert one.after is not None
            turns = begun(one) if isinstance(one.act, acts.Started) else counted(turns, one.at, one.events)
            place = Place(one.after, turns)
        return place

    def keep(self, place: Place) -> None:
        self.kept[place.state.id] = place
        self.kept.move_to_end(place.state.id)
        if len(self.kept) > self.most:
            self.kept.popitem(last=False)


def begun(one: Told) -> Turns:
    return Turns(1, one.at, one.at)


def counted(turns: Turns, at: int, events: Iterable[Event]) -> Turns:
    """The turn after these events of one act: a lost or held pile passes it, unless that ended the game."""
    known = tuple(events)
    if any(isinstance(event, Won) for event in known) or not any(isinstance(event, Lost | Held) for event in known):
        return turns
    return replace(turns, number=turns.number + 1, since=at)
