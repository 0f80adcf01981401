"""New acts of many tables in one query: what a process reads on at when others have written."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from dicehall.core.game import Refused
from dicehall.store.postgres import PostgresJournal
from dicehall.store.postgres_group_reads import MOST_ACTS, MOST_TABLES, GroupReads
from dicehall.table.ports import Damaged, Unavailable
from tests.postgres import emptied_database
from tests.store.journals import act, all_at_once, fill
from tests.store.test_postgres import opened

Story = Callable[[PostgresJournal, list[str]], Awaitable[None]]


def with_queries(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a story with a journal, and the queries that it sends."""
    queries: list[str] = []
    fetch = PostgresJournal.fetch

    async def counted(self: PostgresJournal, sql: str, *values: Any) -> list[Any]:
        queries.append(sql)
        return await fetch(self, sql, *values)

    monkeypatch.setattr(PostgresJournal, "fetch", counted)

    async def run() -> None:
        async with opened(emptied_database()) as journal:
            await story(journal, queries)

    asyncio.run(run())


async def fill_all(journal: PostgresJournal, tables: list[str], acts: int) -> None:
    for seq in range(1, acts + 1):
        assert set(await all_at_once(journal, [act(seq, table) for table in tables])) == {"stored"}


async def read_all(journal: PostgresJournal, tables: list[str], after: int) -> list[Any]:
    return await asyncio.gather(*(journal.rows(table, after) for table in tables), return_exceptions=True)


def test_new_acts_of_many_tables_are_read_in_one_query(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(journal: PostgresJournal, queries: list[str]) -> None:
        tables = [f"table {number}" for number in range(MOST_TABLES)]
        await fill_all(journal, tables, 3)
        queries.clear()
        found = await read_all(journal, tables, 1)
        assert len(queries) == 1
        assert [[(row.table, row.seq, row.act) for row in rows] for rows in found] == [
            [(table, seq, f"act {seq} of {table}".encode()) for seq in (2, 3)] for table in tables
        ]
        assert await read_all(journal, [*tables, "unknown"], 3) == [[]] * (len(tables) + 1)

    with_queries(story, monkeypatch)


@pytest.mark.parametrize("behind", [MOST_ACTS - 1, MOST_ACTS, MOST_ACTS + 1])
def test_a_table_that_is_far_behind_is_read_whole(behind: int, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(journal: PostgresJournal, queries: list[str]) -> None:
        await fill(journal, "oak", behind + 1)
        await fill(journal, "elm", 2)
        queries.clear()
        oak, elm = await read_all(journal, ["oak", "elm"], 1)
        assert [row.seq for row in oak] == list(range(2, behind + 2))
        assert [row.seq for row in elm] == [2]
        assert len(queries) == (1 if behind < MOST_ACTS else 2)

    with_queries(story, monkeypatch)


@pytest.mark.parametrize("bad", ["\0", "\ud800"])
def test_a_name_that_cannot_be_looked_up_harms_no_other_table(bad: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(journal: PostgresJournal, _: list[str]) -> None:
        await fill_all(journal, ["oak", "elm"], 2)
        oak, refused, elm = await read_all(journal, ["oak", bad, "elm"], 1)
        assert isinstance(refused, Refused)
        assert [row.seq for row in (*oak, *elm)] == [2, 2]

    with_queries(story, monkeypatch)


def test_a_missing_act_is_found_at_its_own_table(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(journal: PostgresJournal, _: list[str]) -> None:
        await fill_all(journal, ["oak", "elm"], 4)
        await journal.execute("DELETE FROM acts WHERE name = 'oak' AND seq = 3")
        oak, elm = await read_all(journal, ["oak", "elm"], 1)
        assert isinstance(oak, Damaged)
        assert [row.seq for row in elm] == [2, 3, 4]

    with_queries(story, monkeypatch)


def test_a_query_that_is_not_answered_holds_up_only_those_who_share_it() -> None:
    async def story() -> None:
        silent, queries = asyncio.Event(), 0

        async def fetch(_: str, tables: list[str], __: list[int]) -> list[Any]:
            nonlocal queries
            queries += 1
            if queries == 1:
                await silent.wait()
            return [(place, 2, 2, b"act", 0, None, None) for place, _ in enumerate(tables, 1)]

        reads = GroupReads(fetch)
        first, cancelled = (asyncio.create_task(reads.read("oak", 1)) for _ in range(2))
        while not queries:
            await asyncio.sleep(0)
        cancelled.cancel()
        assert await reads.read("elm", 1) == [(2, 2, b"act", 0, None, None)]
        assert not first.done()
        silent.set()
        assert await first == [(2, 2, b"act", 0, None, None)]

    asyncio.run(story())


def test_a_journal_out_of_reach_leaves_each_table_to_a_read_of_its_own() -> None:
    async def story() -> None:
        async def fetch(*_: Any) -> list[Any]:
            raise Unavailable("cannot be reached")

        reads = GroupReads(fetch)
        assert await asyncio.gather(*(reads.read(table, 1) for table in ("oak", "elm"))) == [None, None]

    asyncio.run(story())
