"""The journal: how many commits a second, how long a sync takes, how soon a hall with a history is ready.

    python bench/store.py [folder]

One JSON object a line. Figures of one run may be compared with each other; the sync latency says what the disk was
worth.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.load.disk import sync_latency
from dicehall.store import SqliteJournal
from dicehall.table.ports import Commit, Head, Row

ACT = b'{"act":"move","seat":0,"move":{"hold":[1,5]},"roll":[3,1,6,6,2,5],"opened":"' + b"5feceb66ffc86f38" * 4 + b'"}'
ACCOUNT = "2vxsx-fae-aaaaa-aaaaa-aaaaa-aaaaa-aaaaa-aaaaa-aaaaa-aaaaa-aaa"
ARCHIVED, LIVE, ACTS, RECORD = 10_000, 1_000, 100, b"r" * 20_000


def commit(table: str, seq: int) -> Commit:
    row = Row(table, seq, ACT, 1_700_000_000_000 + seq, ACCOUNT, f"{seq:08x}-{table}")
    return Commit(row, Head(table, seq, row.at + 30_000, "playing"))


def show(what: str, **figures: Any) -> None:
    print(json.dumps({"bench": what, **figures}), flush=True)


async def group(folder: Path, tables: int, rounds: int) -> float:
    """Every table has one commit waiting, always; the commits a second."""
    journal = SqliteJournal(folder / f"group-{tables}.db")

    async def play(table: str) -> None:
        for seq in range(1, rounds + 1):
            await journal.append(commit(table, seq))

    begun = time.perf_counter()
    await asyncio.gather(*(play(f"table-{number}") for number in range(tables)))
    took = time.perf_counter() - begun
    journal.close()
    return tables * rounds / took


async def one_by_one(folder: Path, tables: int, commits: int) -> float:
    """The same tables, but each act is a transaction of its own; the commits a second."""
    journal = SqliteJournal(folder / f"single-{tables}.db")
    begun = time.perf_counter()
    for number in range(commits):
        await journal.append(commit(f"table-{number % tables}", number // tables + 1))
    took = time.perf_counter() - begun
    journal.close()
    return commits / took


async def history(path: Path) -> None:
    journal = SqliteJournal(path)
    for first in range(0, ARCHIVED, 500):
        await asyncio.gather(*(journal.archive(f"done-{number}", RECORD) for number in range(first, first + 500)))
    for seq in range(1, ACTS + 1):
        await asyncio.gather(*(journal.append(commit(f"live-{number}", seq)) for number in range(LIVE)))
    journal.close()


async def start(path: Path) -> dict[str, Any]:
    """What a host does before it is ready, and then each table when somebody comes."""
    begun = time.perf_counter()
    journal = SqliteJournal(path)
    opened = time.perf_counter()
    heads = await journal.heads()
    ready = time.perf_counter()
    for head in heads:
        assert len(await journal.rows(head.table)) == ACTS
    loaded = time.perf_counter()
    journal.close()
    marks = {"open_ms": opened - begun, "ready_ms": ready - begun, "all_acts_read_ms": loaded - ready}
    return {"live": len(heads), **{name: round(seconds * 1000, 1) for name, seconds in marks.items()}}


async def main(folder: Path) -> None:
    show("sync", **sync_latency(folder))
    for tables, rounds in ((1, 300), (100, 100), (1000, 30)):
        together = await group(folder, tables, rounds)
        single = await one_by_one(folder, tables, 300)
        show(
            "commits",
            tables=tables,
            group_per_s=round(together),
            commit_per_act_per_s=round(single),
            ratio=round(together / single, 2),
        )
    show("sync", **sync_latency(folder))
    await history(folder / "history.db")
    size = (folder / "history.db").stat().st_size
    show("start", archived=ARCHIVED, acts_per_live_table=ACTS, file_mb=size >> 20, **await start(folder / "history.db"))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as place:
        asyncio.run(main(Path(place)))
