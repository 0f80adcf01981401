"""NIP-01 events: strict reading, ids, signatures.

An event comes from a stranger. Its shape is checked before anything else is done with it, so that no code
behind this module meets a lone surrogate, a tag that is not text, or a number beyond a float.
"""

from __future__ import annotations

import hashlib
from itertools import chain
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from dicehall.nostr.keys import SecretKey, verify

MAX_EVENT_BYTES = 64 * 1024
MAX_TAGS = 2000
MAX_TIME = 1 << 40  # seconds; beyond it lies no date that a program could mean

Hex32 = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Hex64 = Annotated[str, Meta(pattern=r"\A[0-9a-f]{128}\Z")]
Tag = tuple[str, ...]


class InvalidEvent(ValueError):
    """Bytes that are not a well-formed, correctly signed event."""


class Event(Struct, frozen=True, forbid_unknown_fields=False):
    id: Hex32
    pubkey: Hex32
    created_at: Annotated[int, Meta(ge=0, le=MAX_TIME)]
    kind: Annotated[int, Meta(ge=0, le=65535)]
    tags: Annotated[tuple[Tag, ...], Meta(max_length=MAX_TAGS)]
    content: str
    sig: Hex64

    @property
    def is_authentic(self) -> bool:
        """Whether the id is that of the contents, and the signature that of its author."""
        expected = event_id(self.pubkey, self.created_at, self.kind, self.tags, self.content)
        return self.id == expected and verify(
            bytes.fromhex(self.pubkey), bytes.fromhex(self.sig), bytes.fromhex(self.id)
        )

    @property
    def size(self) -> int:
        """The characters of what its author could choose freely."""
        return len(self.content) + self.tags_size

    @property
    def tags_size(self) -> int:
        return len("".join(chain.from_iterable(self.tags)))

    def tag(self, name: str) -> str | None:
        """The first value of the first tag of this name."""
        for tag in self.tags:
            if len(tag) > 1 and tag[0] == name:
                return tag[1]
        return None

    def tag_values(self, name: str) -> tuple[str, ...]:
        """The first value of every tag of this name."""
        return tuple([tag[1] for tag in self.tags if len(tag) > 1 and tag[0] == name])


DECODER = msgspec.json.Decoder(Event)


def read_event(data: bytes) -> Event:
    """An event from JSON: well-formed and authentic, or InvalidEvent."""
    if len(data) > MAX_EVENT_BYTES:
        raise InvalidEvent(f"An event can have at most {MAX_EVENT_BYTES} bytes.")
    try:
        return authentic(DECODER.decode(data))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidEvent(f"This is not an event: {error}") from None


def convert_event(value: Any) -> Event:
    """An event from JSON that was decoded already, as relays send it inside a message."""
    try:
        return authentic(msgspec.convert(value, Event))
    except (msgspec.ValidationError, UnicodeEncodeError, RecursionError) as error:  # a lone surrogate has no bytes
        raise InvalidEvent(f"This is not an event: {error}") from None


def authentic(event: Event) -> Event:
    if not event.is_authentic:
        raise InvalidEvent("The id or the signature of this event does not match its contents.")
    return event


def sign_event(key: SecretKey, created_at: int, kind: int, tags: tuple[Tag, ...], content: str) -> Event:
    author = key.public_hex
    id = event_id(author, created_at, kind, tags, content)
    return Event(id, author, created_at, kind, tags, content, key.sign(bytes.fromhex(id)).hex())


def event_id(pubkey: str, created_at: int, kind: int, tags: tuple[Tag, ...], content: str) -> str:
    """The SHA-256 of the canonical form: JSON without spaces or ASCII escapes."""
    canonical = msgspec.json.encode((0, pubkey, created_at, kind, tags, content))
    return hashlib.sha256(canonical).hexdigest()


def encode_event(event: Event) -> bytes:
    return msgspec.json.encode(event)
