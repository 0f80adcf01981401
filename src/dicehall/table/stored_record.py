"""Records of the store, read, written and replayed in slices: that of a long game has tens of thousands of entries."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import msgspec
from msgspec import Raw

from dicehall.core.fold import play
from dicehall.core.game import Step
from dicehall.games import Catalogue
from dicehall.table.slices import Slices
from dicehall.wire.entries import Logged
from dicehall.wire.record import Record, parse_record, text_of_document, write_record

LONG = ("entries", "table")  # the lists of a record that grow with its game


async def encode_record(record: Record, slices: Slices) -> dict[str, Any]:
    """The document of a record; its long lists are encoded already, so that encoding the rest takes no time."""
    document = write_record(record)
    for name in LONG:
        if name in document:
            document[name] = await slices.encode_each(document[name])
    return document


async def stored_text(record: Record, slices: Slices) -> bytes:
    """A record as the store keeps it."""
    return text_of_document(await encode_record(record, slices))


async def read_stored(text: bytes, games: Catalogue, slices: Slices) -> Record:
    """A record from the store. Finding the ends of its parts is all that is done in one go."""
    parts = msgspec.json.decode(text, type=dict[str, Raw])
    await slices.pause()
    document: dict[str, Any] = {}
    for name, part in parts.items():
        document[name] = await read_list(part, slices) if name in LONG else msgspec.json.decode(part)
    return parse_record(document, games)


async def read_list(text: Raw, slices: Slices) -> list[Any]:
    items = []
    for item in msgspec.json.decode(text, type=list[Raw]):
        items.append(msgspec.json.decode(item))
        await slices.pause_after(len(items))
    return items


async def replay_stored(record: Record, slices: Slices) -> AsyncIterator[tuple[Logged, Step[Any]]]:
    """Every entry of a record with what it did; the last step holds the position at the end."""
    position, done = record.game.start(len(record.names)), 0
    for logged in record.logged():
        step = play(record.game, position, logged.entry)
        position, done = step.state, done + 1
        yield logged, step
        await slices.pause_after(done)
