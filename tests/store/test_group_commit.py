"""How SQLite's journal gathers, and what it does when something is wrong with one commit, one caller or the file."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from dicehall.store import SqliteJournal
from dicehall.table.ports import Unavailable
from tests.store.journals import act, all_at_once, fill, numbers, outcome


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[SqliteJournal]:
    journal = SqliteJournal(tmp_path / "hall.db", patience=50)
    yield journal
    journal.close()


def commits_of(journal: SqliteJournal) -> list[str]:
    """The transactions that were ended from now on."""
    seen: list[str] = []
    journal._writer._connection.set_trace_callback(lambda sql: seen.append(sql) if sql == "COMMIT" else None)
    return seen


def test_all_that_wait_are_stored_in_one_transaction(journal: SqliteJournal) -> None:
    async def story() -> None:
        seen = commits_of(journal)
        waiting = [act(1, f"table {number}") for number in range(500)]
        await asyncio.gather(journal.pulse("one", 1), *map(journal.append, waiting), journal.archive("old", b"record"))
        assert 1 <= len(seen) <= 3  # the first may be under way before the others have come

    asyncio.run(story())


def test_rows_are_written_sorted_by_table(journal: SqliteJournal) -> None:
    async def story() -> None:
        names = [f"table {number:03}" for number in range(100)]
        await asyncio.gather(*(journal.append(act(1, name)) for name in reversed(names)))
        keys = await journal._read(
            lambda connection, _: connection.execute("SELECT name FROM heads ORDER BY key").fetchall()
        )
        firsts = [name for (name,) in keys]
        late = next((at for at in range(1, 100) if firsts[at] < firsts[at - 1]), 0)
        assert firsts[:late] == sorted(firsts[:late])
        assert firsts[late:] == sorted(firsts[late:])

    asyncio.run(story())


BAD: dict[str, dict[str, Any]] = {
    "a number beyond 64 bits": {"deadline": 2**70},
    "half a letter": {"id": "\ud800"},
    "no bytes": {"text": object()},
    "no status": {"status": None},
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_what_cannot_be_stored_is_refused_alone_and_whole(journal: SqliteJournal, bad: dict[str, Any]) -> None:
    async def story() -> None:
        await fill(journal)
        waiting = [act(1, "ash"), act(4, **{"secret": b"s", **bad}), act(1, "elm"), act(1, "yew")]
        assert await all_at_once(journal, waiting) == ["stored", "Unavailable", "stored", "stored"]
        assert await numbers(journal) == [1, 2, 3]
        assert await journal.secret("oak") is None
        assert await outcome(journal.append(act(4))) == "stored"

    asyncio.run(story())


def test_a_table_whose_name_cannot_be_stored_is_refused_alone(journal: SqliteJournal) -> None:
    async def story() -> None:
        assert await all_at_once(journal, [act(1), act(1, "\ud800", text=b""), act(2)]) == [
            "stored",
            "Unavailable",
            "stored",
        ]

    asyncio.run(story())


def test_a_cancelled_append_does_no_harm(journal: SqliteJournal) -> None:
    async def story() -> None:
        tasks = [asyncio.ensure_future(journal.append(act(1, f"table {number}"))) for number in range(50)]
        await asyncio.sleep(0)
        for task in tasks[::2]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert len(await journal.heads()) == 50  # they were on their way already: who gave up has to read

    asyncio.run(story())


def test_a_read_sees_every_append_asked_for_before_it(journal: SqliteJournal) -> None:
    async def story() -> None:
        for seq in range(1, 20):
            appending = asyncio.ensure_future(journal.append(act(seq)))
            await asyncio.sleep(0)
            assert await numbers(journal) == list(range(1, seq + 1))
            await appending

    asyncio.run(story())


def test_closing_stores_what_waits(tmp_path: Path) -> None:
    async def story() -> None:
        journal = SqliteJournal(tmp_path / "hall.db")
        tasks = [asyncio.ensure_future(journal.append(act(1, f"table {number}"))) for number in range(200)]
        await asyncio.sleep(0)
        journal.close()
        await asyncio.gather(*tasks)
        again = SqliteJournal(tmp_path / "hall.db")
        assert len(await again.heads()) == 200
        again.close()

    asyncio.run(story())


def test_a_loop_that_ended_without_waiting_does_not_end_the_journal(journal: SqliteJournal) -> None:
    async def leave() -> None:
        asyncio.ensure_future(journal.append(act(1)))  # noqa: RUF006
        await asyncio.sleep(0)

    asyncio.run(leave())
    asyncio.run(fill(journal, "elm"))
    assert asyncio.run(numbers(journal)) == [1]


def test_loops_in_several_threads_may_share_a_journal(journal: SqliteJournal) -> None:
    async def play(table: str) -> None:
        await fill(journal, table, 20)

    async def story() -> None:
        names = [f"table {number}" for number in range(4)]
        await asyncio.gather(*(asyncio.to_thread(asyncio.run, play(name)) for name in names))
        assert [await numbers(journal, name) for name in names] == [list(range(1, 21))] * 4

    asyncio.run(story())


class TestLocked:
    def test_another_program_that_locks_the_file_is_told_of_and_outlived(self, journal: SqliteJournal) -> None:
        async def story() -> None:
            await fill(journal)
            with closing(sqlite3.connect(journal.path, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                with pytest.raises(Unavailable, match="locked by another program"):
                    await journal.append(act(4))
                assert set(await all_at_once(journal, [act(4), act(1, "elm")])) == {"Unavailable"}
                assert await numbers(journal) == [1, 2, 3]
                other.execute("ROLLBACK")
            assert await all_at_once(journal, [act(4), act(1, "elm")]) == ["stored", "stored"]

        asyncio.run(story())


class TestMoved:
    def test_a_file_that_was_removed_takes_no_acts(self, journal: SqliteJournal) -> None:
        async def story() -> None:
            await fill(journal)
            away = journal.path.rename(f"{journal.path}.away")
            with pytest.raises(Unavailable, match="is gone"):
                await journal.append(act(4))
            away.rename(journal.path)
            assert await outcome(journal.append(act(4))) == "stored"

        asyncio.run(story())

    def test_a_file_that_was_replaced_takes_no_acts(self, journal: SqliteJournal) -> None:
        async def story() -> None:
            await fill(journal)
            away = journal.path.rename(f"{journal.path}.away")
            journal.path.write_bytes(away.read_bytes())
            with pytest.raises(Unavailable, match="was replaced"):
                await journal.append(act(4))
            os.replace(away, journal.path)
            assert await outcome(journal.append(act(4))) == "stored"

        asyncio.run(story())


def test_acts_that_vanished_are_told_of_not_skipped(journal: SqliteJournal) -> None:
    async def story() -> None:
        await fill(journal, acts=5)
        with closing(sqlite3.connect(journal.path)) as other, other:
            other.execute("DELETE FROM acts WHERE seq = 3")
        with pytest.raises(Unavailable, match="acts of table oak are missing"):
            await journal.rows("oak")
        assert [row.seq for row in await journal.rows("oak", 3)] == [4, 5]

    asyncio.run(story())


def test_a_time_that_is_text_is_told_of_as_damage(journal: SqliteJournal) -> None:
    """Even of the last act, where the rules do not look at it but clocks do."""

    async def story() -> None:
        await fill(journal, acts=5)
        with closing(sqlite3.connect(journal.path)) as other, other:
            other.execute("UPDATE acts SET at = 'soon' WHERE seq = 5")
        with pytest.raises(Unavailable, match="an act of table oak has no time"):
            await journal.rows("oak")

    asyncio.run(story())


def test_what_another_program_wrote_into_the_file_is_not_written_over(journal: SqliteJournal) -> None:
    async def story() -> None:
        await fill(journal)
        with closing(sqlite3.connect(journal.path)) as other, other:
            other.execute("INSERT INTO acts (key, seq, act, at) VALUES (1, 4, x'00', 1)")
        assert await all_at_once(journal, [act(4), act(1, "elm")]) == ["Taken", "stored"]

    asyncio.run(story())


def test_a_journal_after_a_bug_of_ours_says_it_does_not_know_and_goes_on(
    journal: SqliteJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        await fill(journal)
        with monkeypatch.context() as patch:
            patch.setattr(type(journal._writer), "_commit", lambda self: 1 / 0)
            assert await outcome(journal.append(act(4))) == "Uncertain"
        assert await numbers(journal) == [1, 2, 3]
        assert await outcome(journal.append(act(4))) == "stored"

    asyncio.run(story())


def test_an_id_that_was_used_before_a_restart_is_taken_after_it(tmp_path: Path) -> None:
    """No index keeps ids: they are read from the journal of a table when it is first written to again."""

    async def before(journal: SqliteJournal) -> None:
        await journal.append(act(1, account="ann", id="x"))
        await journal.append(act(2, id="x"))
        await journal.append(act(1, "elm", account="ann", id="y"))

    async def after(journal: SqliteJournal) -> None:
        taken = [act(3, account="ann", id="x"), act(3, id="x"), act(2, "elm", account="ann", id="y")]
        assert [await outcome(journal.append(one)) for one in taken] == ["Taken"] * 3
        assert await outcome(journal.append(act(3, account="ann", id="y"))) == "stored"
        assert await outcome(journal.append(act(4, account="ann", id="y"))) == "Taken"

    for story in (before, after):
        journal = SqliteJournal(tmp_path / "hall.db")
        asyncio.run(story(journal))
        journal.close()


def test_two_acts_with_one_id_in_one_group_are_one(journal: SqliteJournal) -> None:
    async def story() -> None:
        await journal.append(act(1))
        group = [act(2, account="ann", id="x"), act(3, account="ann", id="x"), act(3, account="ann", id="y")]
        assert [*await asyncio.gather(*(outcome(journal.append(one)) for one in group))] == [
            "stored",
            "Taken",
            "stored",
        ]
        assert [row.id for row in await journal.rows("oak")] == [None, "x", "y"]

    asyncio.run(story())


def test_a_table_that_came_and_went_in_one_group_leaves_no_ids_behind(journal: SqliteJournal) -> None:
    """The next table has its key, and an id that seems used would be tried for ever."""

    async def story() -> None:
        group = [outcome(journal.append(act(1, account="ann", id="x"))), outcome(journal.archive("oak", b"record"))]
        assert [*await asyncio.gather(*group)] == ["stored", "stored"]
        assert await outcome(journal.append(act(1, "elm", account="ann", id="x"))) == "stored"
        assert await outcome(journal.append(act(2, "elm", account="ann", id="x"))) == "Taken"

    asyncio.run(story())
