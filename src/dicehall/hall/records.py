"""The record of a table: of a live one as an account may see it, of an archived one from its stored text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dicehall.core.game import Refused
from dicehall.table.host import Host
from dicehall.table.requests import Code
from dicehall.table.retiring import NEVER_STARTED
from dicehall.table.stored_record import read_stored
from dicehall.table.updates import audience
from dicehall.wire.record import Record


class DamagedRecord(Refused):
    """The stored record of a finished table cannot be read."""


@contextmanager
def damage_refused() -> Iterator[None]:
    """Report any error while reading a stored record as damage to it."""
    try:
        yield
    except Exception as broken:
        raise DamagedRecord(Code.STORE_UNAVAILABLE, "The stored record of this table is damaged.") from broken


async def record_of(host: Host, account: str | None, table: str) -> Record:
    try:
        state = (await host.current(table)).state
    except Refused as refused:
        if refused.code != Code.NO_SUCH_TABLE:
            raise
        return await archived_record(host, table)
    if not state.sitting:
        raise Refused(Code.TOO_FEW_SEATS, "The game has not started.")
    return (await host.history.record(state)).record_for(state, audience(state, account))


async def archived_record(host: Host, table: str) -> Record:
    text = await host.parts.journal.archived(table)
    if text is None:
        raise Refused(Code.NO_SUCH_TABLE, "There is no such table.")
    if text == NEVER_STARTED:
        raise Refused(Code.TOO_FEW_SEATS, "The game never started.")
    with damage_refused():
        return await read_archived(host, text)


async def read_archived(host: Host, text: bytes) -> Record:
    return await read_stored(text, host.parts.games, host.slices)
