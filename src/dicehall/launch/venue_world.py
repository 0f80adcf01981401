"""The game world of the demo: it knows who sits where, and posts what people do to the bridge, as a module does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from dicehall.venue.bridge import Bridge
from dicehall.venue.layout import Venue, VenueTable
from dicehall.venue.window_layout import SPECTATOR

WELCOME_S = 10.0
GONE_S = 40.0  # after which a page that has asked for nothing is gone; one poll takes up to 25 s
SWEEP_S = 5.0
VISITOR = "visitor/"  # the keys of people at a browser begin like this


@dataclass(frozen=True, slots=True)
class Person:
    key: str
    name: str

    @property
    def is_visitor(self) -> bool:
        return self.key.startswith(VISITOR)


@dataclass(slots=True)
class World:
    """Characters and the objects that they use."""

    bridge: Bridge
    venue: Venue
    seated: dict[str, Person] = field(default_factory=dict)  # by chair
    watching: dict[str, str] = field(default_factory=dict)  # table, by the key of who watches
    expected: set[str] = field(default_factory=set)  # tables that somebody wants to watch, but nobody plays at
    listeners: list[Callable[[], None]] = field(default_factory=list)
    heard: dict[str, float] = field(default_factory=dict)  # when a page last asked for something, by the visitor's key
    now: Callable[[], float] = time.monotonic

    async def post(self, person: Person, type: str, **more: Any) -> None:
        """Let a person of this process do something."""
        event = {"player": {"key": person.key, "name": person.name}, "type": type, **more}
        answer = await self.bridge.post(msgspec.json.encode(event))
        self.note(person, type, more.get("payload"), answer["commands"])

    def note(self, person: Person, type: str, payload: object, commands: Sequence[Mapping[str, Any]]) -> None:
        """Remember what was done, after the bridge accepted it."""
        object = object_in(payload)
        if type in ("chair_used", "chair_left", "player_left"):
            self.seated = {chair: one for chair, one in self.seated.items() if one.key != person.key}
        if type == "chair_used":
            self.seated[object] = person
        table, window = self.table_of(object), last_window(person, commands)
        if type == "player_left" or window == "destroy":
            self.watching.pop(person.key, None)
        if type == "observer_used" and table is not None and window == "create":
            self.watching[person.key] = table.id
        self.tell()

    async def welcome(self, type: str, payload: object) -> None:
        """Somebody wants to watch a table at which nobody plays: wait until a patron has sat down."""
        table = self.table_of(object_in(payload))
        if type != "observer_used" or table is None:
            return
        changed = asyncio.Event()
        self.listeners.append(changed.set)
        self.expected.add(table.id)
        self.tell()
        try:
            async with asyncio.timeout(WELCOME_S):
                while self.phase(table) == "Empty":
                    changed.clear()
                    await changed.wait()
        except TimeoutError:
            pass  # the bridge says that nobody plays here
        finally:
            self.listeners.remove(changed.set)
            self.expected.discard(table.id)

    # -- pages that are gone without a word, such as those of a browser that was ended ------------------------

    def hear(self, key: str) -> None:
        if key.startswith(VISITOR):
            self.heard[key] = self.now()

    async def watch_over(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_S)
            await self.sweep()

    async def sweep(self) -> None:
        """Let visitors leave whose page has not asked for anything for a while."""
        silent = [key for key, at in self.heard.items() if self.now() - at > GONE_S]
        present = {one.key: one for one in self.seated.values()} | {
            key: Person(key, "Visitor") for key in self.watching
        }
        for key in silent:
            del self.heard[key]
            if key in present:
                await self.post(present[key], "player_left")

    def tell(self) -> None:
        for listen in self.listeners:
            listen()

    # -- what anybody can see -----------------------------------------------------------------------------

    def table_of(self, object: str) -> VenueTable | None:
        for table in self.venue.tables:
            if any(spot.id == object for spot in (*table.chairs, *table.observers)):
                return table
        return None

    def phase(self, table: VenueTable) -> str:
        shown = {one["id"]: one["phase"] for one in self.bridge.tables()["tables"]}
        return str(shown.get(table.id, "Destroyed"))

    def has_visitor(self, table: VenueTable) -> bool:
        """Whether somebody at a browser sits here."""
        return any(chair.id in self.seated and self.seated[chair.id].is_visitor for chair in table.chairs)

    def is_watched(self, table: VenueTable) -> bool:
        return table.id in self.watching.values() or table.id in self.expected

    def is_visited(self, table: VenueTable) -> bool:
        return self.has_visitor(table) or self.is_watched(table)


def last_window(person: Person, commands: Sequence[Mapping[str, Any]]) -> str | None:
    """What became of the window in which somebody watches: "create", "destroy", or nothing."""
    own = [one["op"] for one in commands if one["player"] == person.key and one.get("window") == SPECTATOR]
    return next((op for op in reversed(own) if op != "bind"), None)


def object_in(payload: object) -> str:
    named = payload.get("object") if isinstance(payload, dict) else None
    return named if isinstance(named, str) else ""
