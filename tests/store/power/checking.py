"""Opening what the disk kept, and looking for what was promised."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence
from pathlib import Path
from random import Random

from dicehall.store import SqliteJournal, StoreError
from dicehall.table.ports import JournalError
from tests.store.power.disk import Disk
from tests.store.power.shim import Op
from tests.store.power.worker import text


def cuts(log: Sequence[Op], folder: Path, count: int, seed: int) -> list[str]:
    """Cut the power *count* times; return what was broken, a sentence each."""
    faults: list[str] = []
    for number in range(count):
        chance = Random(f"{seed} {number}")
        cut = chance.randrange(len(log) + 1)
        faults += [
            f"seed {seed}, number {number}, cut {cut}: {fault}" for fault in after_a_cut(log[:cut], folder, chance)
        ]
    return faults


def after_a_cut(log: Sequence[Op], folder: Path, chance: Random) -> list[str]:
    disk, found = Disk(log), folder / "found"
    disk.rebuild(found, chance)
    try:
        journal = SqliteJournal(found / "hall.db")
    except StoreError as error:
        shutil.rmtree(found)
        return [f"it does not open: {error}"]
    try:
        return asyncio.run(broken(journal, disk.told))
    except JournalError as error:
        return [f"it cannot be read: {error}"]
    finally:
        journal.close()
        shutil.rmtree(found)


async def broken(journal: SqliteJournal, told: Sequence[str]) -> list[str]:
    faults = []
    heads = {head.table: head.seq for head in await journal.heads(live=False)}
    archived = {line.split()[1] for line in told if line.startswith("archived")}
    stored: dict[str, int] = {}
    for line in told:
        if line.startswith("stored"):
            stored[line.split()[1]] = int(line.split()[2])
    for table, seq in stored.items():
        rows, record = await journal.rows(table), await journal.archived(table)
        if record is not None:
            faults += [f"{table} has a wrong record"] * (record != text(table, 0))
            faults += [f"{table} is in the archive and live"] * (table in heads or len(rows) > 0)
            continue
        faults += [f"{table} was archived and is not"] * (table in archived)
        faults += [f"{table} has {len(rows)} acts of {seq} acknowledged"] * (len(rows) < seq)
        faults += [f"{table} has gaps"] * ([row.seq for row in rows] != list(range(1, heads.get(table, 0) + 1)))
        faults += [f"{table}, act {row.seq} is another" for row in rows if row.act != text(table, row.seq)]
        faults += [f"{table} has no secret"] * (await journal.secret(table) != b"s" * 32)
    return faults
