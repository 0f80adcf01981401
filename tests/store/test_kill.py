"""kill -9 in the middle of committing: every acknowledged act is there, once and in order."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from dicehall.store import SqliteJournal
from tests.store.processes import child

WORK = """
import asyncio, sys
from dicehall.store import SqliteJournal
from tests.store.journals import act, numbers

async def play(journal, table):
    seq = len(await numbers(journal, table))
    while True:
        seq += 1
        await journal.append(act(seq, table, account="ann", id=str(seq)))
        print(table, seq, flush=True)

async def main():
    journal = SqliteJournal(sys.argv[1], checkpoint=100)
    await asyncio.gather(*(play(journal, f"table{number}") for number in range(10)))

asyncio.run(main())
"""


def killed(path: Path, acts: int) -> dict[str, int]:
    """The last act of each table that was acknowledged before the kill, after about *acts* of them."""
    told: dict[str, int] = {}
    with child(WORK, path) as process:
        assert process.stdout is not None
        for number, line in enumerate(process.stdout):
            if number == acts:
                process.kill()
            if line.endswith("\n"):  # a line that the kill cut off told nobody anything
                table, seq = line.split()
                told[table] = int(seq)
    return told


def test_every_act_acknowledged_before_a_kill_is_there_once_and_in_order(tmp_path: Path) -> None:
    chance, path, told = Random(3), tmp_path / "hall.db", dict[str, int]()

    async def check() -> None:
        journal = SqliteJournal(path)
        for table, seq in told.items():
            rows = await journal.rows(table)
            assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
            assert seq <= len(rows) <= seq + 1  # one may have been stored and not told
            assert [row.act for row in rows] == [f"act {row.seq} of {table}".encode() for row in rows]
        assert {head.table: head.seq for head in await journal.heads()} == {
            table: len(await journal.rows(table)) for table in told
        }
        journal.close()

    for _ in range(5):
        told.update(killed(path, chance.randrange(20, 400)))
        asyncio.run(check())
    assert min(told.values()) > 5


@pytest.mark.proof
def test_every_act_acknowledged_before_one_of_many_kills_is_there(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / str(number)).mkdir()
        test_every_act_acknowledged_before_a_kill_is_there_once_and_in_order(tmp_path / str(number))
