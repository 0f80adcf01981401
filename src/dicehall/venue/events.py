"""What the module posts: one event of one player, as JSON."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from dicehall.core.game import Refused
from dicehall.core.text import is_visible
from dicehall.table.requests import Code
from dicehall.wire.decode_errors import DECODE_ERRORS, describe

MOST_BYTES = 16 * 1024  # of an event
AT_OBJECTS = ("chair_used", "chair_left", "observer_used", "placeable_destroyed")
# What NUI sends beside these; nothing depends on it.
IGNORED = ("open", "mousedown", "mouseup", "mousescroll", "focus", "blur", "range")
IN_THE_WORLD = (*AT_OBJECTS, "player_left", "module_loaded")
UNLIMITED = ("chair_left", "player_left", "placeable_destroyed", "module_loaded")
TYPES = ("click", "watch", "close", *IGNORED, *IN_THE_WORLD)


class Player(Struct, frozen=True):
    key: Annotated[str, Meta(min_length=1, max_length=128)]  # the same for the same person: one key, one account
    name: Annotated[str, Meta(max_length=256)] = ""  # of the character


class Event(Struct, frozen=True):
    type: Annotated[str, Meta(max_length=32)]
    player: Player | None = None
    window: Annotated[str, Meta(max_length=64)] = ""
    element: Annotated[str, Meta(max_length=64)] = ""
    index: int = -1  # of a row in a list
    payload: Any = None
    id: Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    since: Annotated[str, Meta(max_length=64)] | None = None

    @property
    def rate(self) -> Literal["venue_player", "venue_use"] | None:
        """What a player can do how often; to sit down may open a table, which is work. None: as often as they like."""
        if self.type in UNLIMITED:
            return None
        return "venue_use" if self.type in AT_OBJECTS or self.element == "start" else "venue_player"

    @property
    def object(self) -> str:
        """The object that was used, by its id."""
        return self.text_of("object")

    @property
    def area(self) -> str:
        return self.text_of("area")

    def text_of(self, field: str) -> str:
        value = self.payload.get(field) if isinstance(self.payload, dict) else None
        if not isinstance(value, str):
            raise bad(f"The payload of {self.type} needs an area and an object, as GET /nwn/tables lists them.")
        return value

    @property
    def value(self) -> bool:
        """What a tick box shows now."""
        value = self.payload.get("value") if isinstance(self.payload, dict) else None
        if not isinstance(value, bool):
            raise bad('The payload of watch is {"value": true} or {"value": false}: what the bind is now.')
        return value


def bad(sentence: str) -> Refused:
    return Refused(Code.BAD_REQUEST, sentence)


def read_event(body: bytes) -> Event:
    """An event, or Refused."""
    if len(body) > MOST_BYTES:
        raise Refused(Code.TOO_LARGE, f"An event can have at most {MOST_BYTES} bytes.")
    try:
        event = msgspec.json.decode(as_utf8(body), type=Event)
    except DECODE_ERRORS as wrong:
        raise bad(describe(wrong, "The event", Event)) from None
    if event.type not in TYPES:
        raise bad(f"The types of events are {', '.join(TYPES)}.")
    if event.player is not None and not is_visible(event.player.key):
        raise bad("The key of a player cannot contain control characters or invisible characters.")
    return event


def as_utf8(body: bytes) -> bytes:
    """The game's own strings are in code page 1252, which some plugins send as they are."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return body.decode("cp1252", "replace").encode("utf-8")
    return body
