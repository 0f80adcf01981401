"""The acts of an archived table as one packed row of the store."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterable, Iterator

import msgspec
from msgspec import Raw

from dicehall.table.ports import Row
from dicehall.table.slices import Slices

Packed = list[tuple[int, Raw, str | None, str | None]]  # when, the act, and whose request it answered


async def pack(rows: AsyncIterable[Row], slices: Slices) -> bytes:
    """A JSON list of all acts, compressed as they come."""
    packer = zlib.compressobj()
    packed, mark = [], b"["
    async for row in rows:
        packed.append(packer.compress(mark + msgspec.json.encode((row.at, Raw(row.act), row.account, row.id))))
        mark = b","
        await slices.pause_after(row.seq)
    return b"".join((*packed, packer.compress(b"]"), packer.flush()))


def unpack(table: str, packed: bytes) -> Iterator[Row]:
    kept = msgspec.json.decode(zlib.decompress(packed), type=Packed)
    for seq, (at, act, account, id) in enumerate(kept, 1):
        yield Row(table, seq, bytes(act), at, account, id)
