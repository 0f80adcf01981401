"""What every journal promises a host of many tables: SQLite, PostgreSQL and memory answer alike."""

from __future__ import annotations

import asyncio

import pytest

from dicehall.store import StoreJournal
from dicehall.table.ports import Commit, Head, Outage, Unavailable
from tests.store.journals import act, fill, numbers, outcome


class TestHeads:
    def test_live_heads_come_by_deadline_and_those_without_one_last(self, journal: StoreJournal) -> None:
        async def story() -> None:
            for name, deadline, status in [
                ("b", None, "asleep"),
                ("late", 30, "playing"),
                ("soon", 10, "lobby"),
                ("done", 5, "over"),
                ("left", None, "abandoned"),
                ("a", None, "lobby"),
            ]:
                await journal.append(act(1, name, deadline=deadline, status=status))
            assert [head.table for head in await journal.heads()] == ["soon", "late", "a", "b"]
            assert [head.table for head in await journal.heads(live=False)] == [
                "done",
                "soon",
                "late",
                "a",
                "b",
                "left",
            ]

        asyncio.run(story())

    def test_a_head_moves_with_its_act(self, journal: StoreJournal) -> None:
        async def story() -> None:
            await journal.append(act(1, deadline=10, status="lobby"))
            await journal.append(act(2, deadline=None, status="asleep"))
            assert await journal.heads() == [Head("oak", 2, None, "asleep")]

        asyncio.run(story())

    def test_due_are_the_live_tables_whose_time_has_come(self, journal: StoreJournal) -> None:
        async def story() -> None:
            for name, deadline, status in [
                ("c", 30, "playing"),
                ("a", 10, "playing"),
                ("b", 20, "lobby"),
                ("z", 1, "over"),
            ]:
                await journal.append(act(1, name, deadline=deadline, status=status))
            await journal.append(act(1, "asleep", status="asleep"))
            assert [[head.table for head in await journal.due(now)] for now in (9, 10, 20, 99)] == [
                [],
                ["a"],
                ["a", "b"],
                ["a", "b", "c"],
            ]

        asyncio.run(story())


class TestSecrets:
    def test_a_secret_comes_with_its_act_and_stays(self, journal: StoreJournal) -> None:
        async def story() -> None:
            await journal.append(act(1))
            assert await journal.secret("oak") is None
            await journal.append(act(2, secret=b"\x00" * 32))
            await journal.append(act(3))
            assert await journal.secret("oak") == b"\x00" * 32

        asyncio.run(story())

    def test_a_refused_commit_leaves_no_secret(self, journal: StoreJournal) -> None:
        async def story() -> None:
            await journal.append(act(1, account="ann", id="x", secret=b"kept"))
            assert await outcome(journal.append(act(1, secret=b"other"))) == "Taken"
            assert await outcome(journal.append(act(2, account="ann", id="x", secret=b"other"))) == "Taken"
            assert await journal.secret("oak") == b"kept"

        asyncio.run(story())


class TestPulses:
    def test_the_last_pulse_is_the_latest_of_any_process(self, journal: StoreJournal) -> None:
        async def story() -> None:
            assert await journal.last_pulse() is None
            for process, at in [("one", 10), ("two", 30), ("one", 20)]:
                await journal.pulse(process, at)
            assert await journal.last_pulse() == 30

        asyncio.run(story())

    def test_an_outage_told_twice_is_one(self, journal: StoreJournal) -> None:
        async def story() -> None:
            for gap in [Outage(50, 60), Outage(10, 20), Outage(50, 60)]:
                await journal.add_outage(gap)
            assert await journal.outages() == [Outage(10, 20), Outage(50, 60)]

        asyncio.run(story())


class TestArchive:
    def test_an_archived_table_leaves_its_record_only(self, journal: StoreJournal) -> None:
        async def story() -> None:
            await journal.append(act(1, account="ann", id="x", secret=b"s", status="over"))
            await fill(journal, "elm")
            await journal.archive("oak", b"record")
            assert await journal.archived("oak") == b"record"
            assert list(await journal.rows("oak")) == []
            assert await journal.secret("oak") is None
            assert [head.table for head in await journal.heads(live=False)] == ["elm"]
            assert await numbers(journal, "elm") == [1, 2, 3]

        asyncio.run(story())

    def test_archiving_twice_keeps_the_first_record(self, journal: StoreJournal) -> None:
        async def story() -> None:
            await fill(journal)
            await journal.archive("oak", b"first")
            await journal.archive("oak", b"second")
            assert await journal.archived("oak") == b"first"

        asyncio.run(story())

    @pytest.mark.parametrize("seq", [1, 4])
    def test_an_archived_table_takes_no_more_acts(self, journal: StoreJournal, seq: int) -> None:
        async def story() -> None:
            await fill(journal)
            await journal.archive("oak", b"record")
            assert await outcome(journal.append(act(seq))) == "Taken"
            assert await journal.heads(live=False) == []

        asyncio.run(story())

    def test_an_act_that_waits_behind_the_archive_is_refused(self, journal: StoreJournal) -> None:
        async def story() -> None:
            await fill(journal)
            results = await asyncio.gather(
                outcome(journal.append(act(4))), outcome(journal.archive("oak", b"4")), later(act(5))
            )
            assert [*results] == ["stored", "stored", "Taken"]

        async def later(commit: Commit) -> str:
            return await outcome(journal.append(commit))

        asyncio.run(story())

    def test_a_record_of_a_table_kept_elsewhere_can_be_archived(self, journal: StoreJournal) -> None:
        async def story() -> None:
            await journal.archive("ephemeral", b"record")
            assert await journal.archived("ephemeral") == b"record"

        asyncio.run(story())


class TestClosing:
    def test_a_closed_journal_says_so(self, journal: StoreJournal) -> None:
        async def story() -> None:
            await fill(journal)
            journal.close()
            journal.close()
            for asked in (journal.append(act(4)), journal.rows("oak"), journal.heads(), journal.pulse("one", 1)):
                with pytest.raises(Unavailable, match="closed"):
                    await asked

        asyncio.run(story())
