"""Archived tables of the longest games: unpacked, read, replayed and written in short steps, whoever asks for them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import msgspec
import pytest

from dicehall.games import catalogue
from dicehall.hall.archived import show_archived
from dicehall.hall.cards import Card, Ending
from dicehall.hall.seeds.tales import from_record
from dicehall.table import packing, slices
from dicehall.table.packing import pack, unpack
from dicehall.table.ports import Row
from dicehall.table.slices import Slices
from dicehall.table.stored_record import encode_record, read_stored, replay_stored, stored_text
from dicehall.wire.record import Record, Seal, read_record, record_text, write_record
from tests.security.live import both_ways

ACTS = 4_000
CARD = Card("long", "wards", "Long", "ann", 0)
ENDING = Ending("long", "wards", ACTS, "left", None)


def long_record() -> Record:
    """Two people who only hold."""
    entries = tuple({"seat": at % 2, "move": "hold", "at": at} for at in range(ACTS))
    opened = {"n": 1, "at": 0, "act": "opened"}
    table = (
        opened,
        {"n": 2, "at": 0, "act": "started", "order": [0, 1]},
        *({"n": at, "act": "played"} for at in range(3, ACTS)),
    )
    seal = Seal("long", "0" * 64, ("a", "b"))
    return Record(catalogue()["wards"](turn_seconds=None), ("Ann", "Bo"), entries, seal, table)


async def long_journal() -> AsyncIterator[Row]:
    """Acts that hardly pack."""
    for at in range(1, ACTS + 1):
        yield Row(
            "long", at, msgspec.json.encode({"act": "played", "secret": f"{at * 7**40:064x}"}), at, "ann", str(at)
        )


class CountedSlices(Slices):
    """Counts how often everything else had its turn."""

    def __init__(self) -> None:
        super().__init__()
        self.pauses = 0

    async def pause(self) -> None:
        self.pauses += 1
        await super().pause()


async def unpack_all(counted: Slices) -> None:
    packed = await pack(long_journal(), Slices())
    assert [row async for row in unpack("long", packed, counted)] == [row async for row in long_journal()]


async def read(counted: Slices) -> None:
    text = record_text(long_record())
    assert await read_stored(text, catalogue(), counted) == read_record(text, catalogue())


async def write(counted: Slices) -> None:
    assert await stored_text(long_record(), counted) == record_text(long_record())


async def answer(counted: Slices) -> None:
    document = await encode_record(long_record(), counted)
    assert msgspec.json.encode(document) == msgspec.json.encode(write_record(long_record()))


async def replay(counted: Slices) -> None:
    assert len([step async for step in replay_stored(long_record(), counted)]) == ACTS


async def show(counted: Slices) -> None:
    assert (await show_archived(CARD, ENDING, long_record(), 0, counted))["view"]


async def tell(counted: Slices) -> None:
    assert len((await from_record(CARD, long_record(), ENDING, counted)).happened) == ACTS


WORK: list[Callable[[Any], Awaitable[None]]] = [unpack_all, read, write, answer, replay, show, tell]


@both_ways
@pytest.mark.parametrize("work", WORK, ids=lambda work: str(work.__name__))
def test_a_long_game_that_was_archived_does_not_hold_up_others(
    monkeypatch: pytest.MonkeyPatch, work: Callable[[Any], Awaitable[None]], guarded: bool
) -> None:
    """Counted: the turns that everybody else has meanwhile."""
    if not guarded:
        monkeypatch.setattr(slices, "ACTS", 10**9)
        monkeypatch.setattr(packing, "PIECE", 10**9)

    async def story() -> int:
        counted = CountedSlices()
        await work(counted)
        return counted.pauses

    assert (asyncio.run(story()) >= 5) is guarded
