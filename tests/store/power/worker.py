"""The child under the shim: it uses a journal and notes what it was told, in order, in a file of its own."""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import sys
from pathlib import Path
from random import Random

from dicehall.store import SqliteJournal
from dicehall.store.writer import Writer
from dicehall.table.ports import JournalError
from tests.store.journals import act, all_at_once, numbers, outcome
from tests.store.power.disk import NOTES

FULL, NO_SYNC, NO_WRITE = 1, 2, 3


class Notes:
    def __init__(self, folder: Path) -> None:
        self._file = os.open(folder / NOTES, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def __call__(self, *words: object) -> None:
        os.write(self._file, (" ".join(map(str, words)) + "\n").encode())


def text(table: str, seq: int) -> bytes:
    """Every act is another one, and of another length: some fill more than a page."""
    chance = Random(f"{table} {seq}")
    return chance.randbytes(chance.choice([40, 300, 300, 700, 6000]))


async def play(journal: SqliteJournal, tables: dict[str, int], notes: Notes, chance: Random) -> None:
    """Some groups of acts, a pulse, and now and then an archived table."""

    async def store(table: str) -> None:
        seq = tables[table] + 1
        await journal.append(act(seq, table, account="ann", id=f"{seq}", text=text(table, seq), secret=b"s" * 32))
        tables[table] = seq
        notes("stored", table, seq)

    for _ in range(12):
        await asyncio.gather(*(store(table) for table in chance.sample(sorted(tables), 4)))
        await journal.pulse("worker", sum(tables.values()))
    done = chance.choice(sorted(tables))
    await journal.archive(done, text(done, 0))
    notes("archived", done)
    del tables[done]


async def work(folder: Path, synchronous: str, seed: int) -> None:
    notes, chance = Notes(folder), Random(seed)
    tables = {f"table{number}": 0 for number in range(12)}
    for _ in range(3):
        journal = SqliteJournal(folder / "hall.db", synchronous=synchronous, checkpoint=60)
        await play(journal, tables, notes, chance)
        await play(journal, tables, notes, chance)
        journal.close()


async def trouble(folder: Path, kind: int, settling: bool) -> None:
    """What a journal says before, in and after trouble with its disk; one JSON object."""
    if not settling:
        Writer._settle = lambda self: None  # type: ignore[method-assign]
    shim = ctypes.CDLL(None)
    notes = Notes(folder)
    journal = SqliteJournal(folder / "hall.db", checkpoint=60)
    said = {"before": await outcome(journal.append(act(1)))}
    notes("stored oak 1")
    shim.power_trouble(kind)
    try:
        await journal.append(act(2, text=b"lost"))
    except JournalError as error:
        said["in"], said["sentence"] = type(error).__name__, str(error)
    said["together"] = " ".join(sorted(set(await all_at_once(journal, [act(1, "elm"), act(1, "ash"), act(2)]))))
    said["read in"] = await outcome(journal.rows("oak"))
    shim.power_trouble(0)
    said["read"] = str(await numbers(journal))
    said["heads"] = str([(head.table, head.seq) for head in await journal.heads(live=False)])
    notes("absent oak 2")
    said["after"] = await outcome(journal.append(act(2, text=b"kept")))
    said["rows"] = str([row.act.decode() for row in await journal.rows("oak")])
    journal.close()
    print(json.dumps(said))


if __name__ == "__main__":
    task, folder, *rest = sys.argv[1:]
    if task == "work":
        asyncio.run(work(Path(folder), rest[0], int(rest[1])))
    else:
        asyncio.run(trouble(Path(folder), int(rest[0]), rest[1] == "settling"))
