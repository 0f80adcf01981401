"""Steps resolved in advance: entries played to decide an act are not played again to store it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from msgspec import Struct

from dicehall.core.fold import play
from dicehall.core.game import AnyGame, Awaited, Entry, Step
from dicehall.table.acts import EntryDoc
from dicehall.wire.actions import codec_of
from dicehall.wire.entries import decode_entry

Played: TypeAlias = tuple[Entry[Any], Step[Any], Awaited]  # an entry, what it did, and what the game waits for then


class Foreseen(Struct, frozen=True):
    position: Any  # of the game, before the entries
    entries: tuple[EntryDoc, ...]
    steps: tuple[Played, ...]


def steps(
    game: AnyGame, position: Any, entries: tuple[EntryDoc, ...], foreseen: Foreseen | None = None
) -> Iterable[Played]:
    """The steps of an act's entries; reused only for the same entries on the same position."""
    if foreseen is not None and foreseen.entries is entries and foreseen.position is position:
        return foreseen.steps
    return read_and_played(game, position, entries)


def read_and_played(game: AnyGame, position: Any, entries: tuple[EntryDoc, ...]) -> Iterator[Played]:
    codec = codec_of(type(game))
    for document in entries:
        entry = decode_entry(codec, document).entry
        step = play(game, position, entry)
        position = step.state
        yield entry, step, game.awaits(position)
