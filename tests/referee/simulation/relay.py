"""Relays of a simulation: they speak NIP-01 to the real relay client, late, twice, out of order or not at all."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec
from websockets.exceptions import ConnectionClosedError

from dicehall.nostr.events import Event, encode_event

if TYPE_CHECKING:
    from tests.referee.simulation.process import Process
    from tests.referee.simulation.world import World

MAX_ANSWER = 40  # stored events in one answer, so that the client has to page
DELETION = 5  # NIP-09


@dataclass(slots=True, eq=False)
class SimulatedRelay:
    url: str
    world: World
    up: bool = True
    stored: dict[str, Event] = field(default_factory=dict)
    connections: list[Connection] = field(default_factory=list)

    def take(self, event: Event) -> bool:
        """Store an event and hand it on; one that is stored already is not handed on again."""
        if not self.up:
            return False
        if event.id not in self.stored:
            self.stored[event.id] = event
            if event.kind == DELETION:
                self.delete(event)
            for connection in tuple(self.connections):
                connection.tell(event)
        return True

    def delete(self, event: Event) -> None:
        for id in event.tag_values("e"):
            if id in self.stored and self.stored[id].pubkey == event.pubkey:
                del self.stored[id]

    def forget(self, share: float) -> None:
        for id in tuple(self.stored):
            if self.world.faults.random() < share:
                del self.stored[id]

    def go_down(self) -> None:
        self.up = False
        for connection in tuple(self.connections):
            connection.cut()


@dataclass(slots=True, eq=False)
class Connection:
    """The referee's connection to a relay, in place of a websocket."""

    relay: SimulatedRelay
    process: Process
    messages: asyncio.Queue[str | None] = field(default_factory=asyncio.Queue)
    filters: dict[str, dict[str, Any]] = field(default_factory=dict)
    answered: dict[str, float] = field(default_factory=dict)  # when a subscription has all that was stored
    is_open: bool = False

    async def __aenter__(self) -> Connection:
        await asyncio.sleep(self.relay.world.delay())
        if not self.relay.up or self.process.dead:
            raise OSError("nobody listens")
        self.is_open = True
        self.relay.connections.append(self)
        self.relay.world.note_reach()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.cut()

    def cut(self) -> None:
        if self.is_open:
            self.is_open = False
            self.relay.connections.remove(self)
            self.relay.world.note_reach()
            self.messages.put_nowait(None)

    def __aiter__(self) -> Connection:
        return self

    async def __anext__(self) -> str:
        message = await self.messages.get()
        if message is None:
            raise ConnectionClosedError(None, None)
        return message

    # -- from the relay to the referee ---------------------------------------------------------------------

    def push(self, message: list[Any], delay: float) -> None:
        self.push_all([message], delay)

    def push_all(self, messages: list[list[Any]], delay: float) -> None:
        """In this order."""
        texts = [msgspec.json.encode(message).decode() for message in messages]
        self.relay.world.loop.call_later(delay, self.put, texts)

    def put(self, texts: list[str]) -> None:
        if self.is_open:
            for text in texts:
                self.messages.put_nowait(text)

    def tell(self, event: Event) -> None:
        world = self.relay.world
        for name, wanted in self.filters.items():
            if not is_wanted(event, wanted):
                continue
            for _ in range(2 if world.happens(world.weather.doubled) else 1):
                self.push(["EVENT", name, event], max(world.delay(), self.answered[name] - world.clock.elapsed))

    def answer(self, name: str, wanted: dict[str, Any]) -> None:
        found = sorted(
            (event for event in self.relay.stored.values() if is_wanted(event, wanted)),
            key=lambda event: (-event.created_at, event.id),
        )
        delay = self.relay.world.delay()
        self.answered[name] = self.relay.world.clock.elapsed + delay + 0.001
        sent = found[: min(MAX_ANSWER, wanted.get("limit", MAX_ANSWER))]
        self.push_all([*(["EVENT", name, event] for event in sent), ["EOSE", name]], delay)

    # -- from the referee to the relay ---------------------------------------------------------------------

    async def send(self, text: str) -> None:
        if not self.is_open:
            raise ConnectionClosedError(None, None)
        match json.loads(text):
            case ["REQ", name, wanted]:
                self.filters[name] = wanted
                self.answer(name, wanted)
            case ["CLOSE", name]:
                self.filters.pop(name, None)
            case ["EVENT", value]:
                self.publish(msgspec.convert(value, Event))

    def publish(self, event: Event) -> None:
        world = self.relay.world
        world.check_stored_before_said(event)
        self.process.may_die("before an event reaches a relay")
        world.loop.call_later(world.delay(), self.arrive, event)

    def arrive(self, event: Event) -> None:
        """An event that was sent reaches the relay even if its sender is dead by then."""
        world = self.relay.world
        if not self.relay.up or world.happens(world.weather.lost):
            return
        if world.happens(world.weather.lost):
            return self.push(["OK", event.id, False, "rate-limited: slow down"], world.delay())
        self.relay.take(event)
        world.note_said(event)
        if world.happens(world.weather.dying):
            return world.kill("after an event reached a relay")
        if not world.happens(world.weather.lost):
            self.push(["OK", event.id, True, ""], world.delay())


def is_wanted(event: Event, wanted: dict[str, Any]) -> bool:
    tagged = {name[1:]: values for name, values in wanted.items() if name.startswith("#")}
    return (
        event.kind in wanted.get("kinds", [event.kind])
        and event.pubkey in wanted.get("authors", [event.pubkey])
        and all(event.tag(letter) in values for letter, values in tagged.items())
        and wanted.get("since", 0) <= event.created_at <= wanted.get("until", 1 << 60)
    )


def as_message(event: Event) -> Any:
    return json.loads(encode_event(event))
