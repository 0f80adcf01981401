"""The acts of an archived table as one packed row of the store."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterable, AsyncIterator

import msgspec
from msgspec import Raw

from dicehall.table.ports import Row
from dicehall.table.slices import Slices

PIECE = 64 * 1024  # bytes that are unpacked in one slice
PackedAct = tuple[int, Raw, str | None, str | None]  # when, the act, and whose request it answered


async def pack(rows: AsyncIterable[Row], slices: Slices) -> bytes:
    """A JSON list of all acts, compressed as they come."""
    packer = zlib.compressobj()
    packed, mark = [], b"["
    async for row in rows:
        packed.append(packer.compress(mark + msgspec.json.encode((row.at, Raw(row.act), row.account, row.id))))
        mark = b","
        await slices.pause_after(row.seq)
    return b"".join((*packed, packer.compress(b"]"), packer.flush()))


async def unpack(table: str, packed: bytes, slices: Slices) -> AsyncIterator[Row]:
    """Yield the acts one by one; only finding their ends is done in one go."""
    unpacker, pieces = zlib.decompressobj(), []
    while packed:
        pieces.append(unpacker.decompress(packed, PIECE))
        packed = unpacker.unconsumed_tail
        await slices.pause()
    pieces.append(unpacker.flush())
    for seq, text in enumerate(msgspec.json.decode(b"".join(pieces), type=list[Raw]), 1):
        at, act, account, id = msgspec.json.decode(text, type=PackedAct)
        yield Row(table, seq, bytes(act), at, account, id)
