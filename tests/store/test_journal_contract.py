"""What every journal promises: SQLite, PostgreSQL and memory answer alike."""

from __future__ import annotations

import asyncio

import pytest

from dicehall.store import StoreJournal
from dicehall.table.ports import Head, Row, Taken
from tests.store.journals import act, all_at_once, fill, numbers, outcome


class TestActs:
    def test_an_act_is_read_as_it_was_written(self, journal: StoreJournal) -> None:
        async def story() -> None:
            written = act(1, account="ann", id="first", text=b'\x00{"said": "\xff"}')
            await journal.append(written)
            await journal.append(act(2))
            assert await journal.rows("oak") == [written.row, Row("oak", 2, b"act 2 of oak", 1002, None, None)]

        asyncio.run(story())

    def test_acts_are_read_from_any_number_on(self, journal: StoreJournal) -> None:
        async def story() -> None:
            rows = await fill(journal, acts=5)
            for after in range(7):
                assert list(await journal.rows("oak", after)) == list(rows[after:])
            assert list(await journal.rows("oak", -1)) == list(rows)

        asyncio.run(story())

    def test_an_unknown_table_has_no_acts_and_no_secret(self, journal: StoreJournal) -> None:
        async def story() -> None:
            assert list(await journal.rows("nowhere")) == []
            assert await journal.secret("nowhere") is None
            assert await journal.archived("nowhere") is None

        asyncio.run(story())

    @pytest.mark.parametrize("seq", [-1, 0, 1, 2, 3, 5, 99])
    def test_only_the_next_number_is_free(self, journal: StoreJournal, seq: int) -> None:
        async def story() -> None:
            before = await fill(journal, acts=3)
            with pytest.raises(Taken, match="not the next"):
                await journal.append(act(seq, text=b"other"))
            assert await journal.rows("oak") == before
            assert await journal.heads() == [Head("oak", 3, None, "playing")]

        asyncio.run(story())

    @pytest.mark.parametrize("seq", [0, 2])
    def test_a_story_begins_with_act_1(self, journal: StoreJournal, seq: int) -> None:
        async def story() -> None:
            assert await outcome(journal.append(act(seq))) == "Taken"
            assert await journal.heads(live=False) == []
            assert await outcome(journal.append(act(1))) == "stored"

        asyncio.run(story())

    def test_the_same_id_of_the_same_account_is_taken_once_per_table(self, journal: StoreJournal) -> None:
        async def story() -> None:
            await journal.append(act(1, account="ann", id="x"))
            assert await outcome(journal.append(act(2, account="ann", id="x", text=b"again"))) == "Taken"
            assert await outcome(journal.append(act(2, account="bo", id="x"))) == "stored"
            assert await outcome(journal.append(act(3, account="ann", id="y"))) == "stored"
            assert await outcome(journal.append(act(1, "elm", account="ann", id="x"))) == "stored"
            assert await numbers(journal) == [1, 2, 3]

        asyncio.run(story())

    def test_an_id_without_an_account_is_taken_once_too(self, journal: StoreJournal) -> None:
        async def story() -> None:
            assert await outcome(journal.append(act(1, id="x"))) == "stored"
            assert await outcome(journal.append(act(2, id="x"))) == "Taken"
            assert await outcome(journal.append(act(2, account="ann", id="x"))) == "stored"

        asyncio.run(story())

    def test_acts_without_an_id_never_collide(self, journal: StoreJournal) -> None:
        async def story() -> None:
            results = [
                await outcome(journal.append(act(seq, account=who)))
                for seq, who in enumerate(["ann", "ann", None, None], 1)
            ]
            assert results == ["stored"] * 4

        asyncio.run(story())

    def test_a_refused_id_stays_free(self, journal: StoreJournal) -> None:
        async def story() -> None:
            await journal.append(act(1))
            assert await outcome(journal.append(act(1, account="ann", id="x"))) == "Taken"
            assert await outcome(journal.append(act(2, account="ann", id="x"))) == "stored"

        asyncio.run(story())

    def test_a_head_must_belong_to_its_act(self, journal: StoreJournal) -> None:
        async def story() -> None:
            one, other = act(1), act(2)
            with pytest.raises(ValueError, match="head of oak at 2"):
                await journal.append(type(one)(one.row, other.head))
            assert await journal.heads(live=False) == []

        asyncio.run(story())


class TestTogether:
    def test_one_bad_commit_among_many_is_refused_alone(self, journal: StoreJournal) -> None:
        async def story() -> None:
            await fill(journal, "bad", 2)
            await journal.append(act(1, "twice", account="ann", id="x"))
            waiting = [act(1, f"table {number}") for number in range(200)]
            waiting[50] = act(2, "bad")  # its number is taken
            waiting[100] = act(7, "bad")  # a gap
            waiting[150] = act(2, "twice", account="ann", id="x")  # its id is taken
            results = await all_at_once(journal, waiting)
            assert [at for at, result in enumerate(results) if result != "stored"] == [50, 100, 150]
            assert {results[at] for at in (50, 100, 150)} == {"Taken"}
            assert len(await journal.heads()) == 197 + 2
            assert await numbers(journal, "twice") == [1]

        asyncio.run(story())

    def test_of_two_acts_with_one_number_the_first_wins(self, journal: StoreJournal) -> None:
        async def story() -> None:
            results = await all_at_once(journal, [act(1, text=b"first"), act(1, text=b"second"), act(2)])
            assert results == ["stored", "Taken", "stored"]
            assert [row.act for row in await journal.rows("oak")] == [b"first", b"act 2 of oak"]

        asyncio.run(story())

    def test_what_follows_a_refused_act_is_refused(self, journal: StoreJournal) -> None:
        async def story() -> None:
            waiting = [act(1, account="ann", id="x"), act(2, account="ann", id="x"), act(3), act(2), act(1, "elm")]
            assert await all_at_once(journal, waiting) == ["stored", "Taken", "Taken", "stored", "stored"]
            assert await numbers(journal) == [1, 2]

        asyncio.run(story())

    def test_acts_of_one_table_keep_their_order(self, journal: StoreJournal) -> None:
        async def story() -> None:
            waiting = [act(seq, f"table {number}") for seq in range(1, 31) for number in range(9, -1, -1)]
            assert set(await all_at_once(journal, waiting)) == {"stored"}
            for number in range(10):
                assert await numbers(journal, f"table {number}") == list(range(1, 31))

        asyncio.run(story())
