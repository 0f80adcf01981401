"""The store of daily challenges: the same answers from SQL as from memory."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from dicehall.hall.cards import Card, Ending, Result
from dicehall.hall.challenge_days import ChallengeStore, Day, Unjudged
from dicehall.hall.register import Register
from dicehall.launch.stores import challenges_in
from dicehall.store.memory import MemoryJournal
from dicehall.store.memory_challenges import MemoryChallenges
from dicehall.store.postgres import PostgresJournal
from dicehall.store.sqlite import SqliteJournal
from dicehall.table.ports import Commit, Head, HostJournal, Row, Taken
from tests.store.test_register import ALL, hall_store

DAY = "2026-11-17"
Work = Callable[[HostJournal, Register, ChallengeStore], Awaitable[Any]]


def with_challenges(kind: str, folder: Path, work: Work) -> Any:
    async def run() -> Any:
        async with hall_store(kind, folder) as (journal, register):
            if isinstance(journal, MemoryJournal):
                return await work(journal, register, MemoryChallenges(journal))
            assert isinstance(journal, SqliteJournal | PostgresJournal)
            return await work(journal, register, challenges_in(journal))

    return asyncio.run(run())


def attempt(table: str, opener: str, day: str = DAY, game: str = "wards") -> Commit:
    card = Card(table, game, "challenge", opener, 1000, public=False, challenge=day)
    return Commit(Row(table, 1, b"{}", 1000), Head(table, 1, None, "playing"), b"s" * 32, (card,))


def ended(table: str, account: str, place: int, score: int = 90) -> Commit:
    bot = Result(0, "Bot", None, "exact", 3 - place, place == 2, 100)
    mine = Result(1, account, account, None, place, place == 1, score)
    ending = Ending(table, "wards", 2000, "won", None, (bot, mine), rated=False)
    return Commit(Row(table, 2, b"{}", 2000), Head(table, 2, None, "over"), None, (ending,))


@ALL
def test_of_two_secrets_for_one_day_the_first_is_kept(kind: str, tmp_path: Path) -> None:
    async def work(journal: HostJournal, register: Register, store: ChallengeStore) -> None:
        assert await store.day(DAY) is None
        first = Day(DAY, "seal", b"1" * 32)
        assert await store.add_day(first) == first
        assert await store.add_day(Day(DAY, "other", b"2" * 32)) == first
        assert await store.day(DAY) == first

    with_challenges(kind, tmp_path, work)


@ALL
def test_an_account_has_one_table_for_each_game_and_day(kind: str, tmp_path: Path) -> None:
    async def work(journal: HostJournal, register: Register, store: ChallengeStore) -> None:
        await journal.append(attempt("t1", "a1"))
        with pytest.raises(Taken):
            await journal.append(attempt("t2", "a1"))
        await journal.append(attempt("t3", "a1", game="mana"))
        await journal.append(attempt("t4", "a1", day="2026-11-18"))
        await journal.append(attempt("t5", "a2"))
        found = await register.attempt_at("a1", "wards", DAY)
        assert found is not None
        assert found.table == "t1"
        assert await register.attempt_at("a3", "wards", DAY) is None

    with_challenges(kind, tmp_path, work)


@ALL
def test_attempts_are_ranked_by_place_and_loss_and_newcomers_apart(kind: str, tmp_path: Path) -> None:
    async def work(journal: HostJournal, register: Register, store: ChallengeStore) -> None:
        places = {"a1": 2, "a2": 1, "a3": 1, "a4": 1, "a5": 1, "a7": 2}
        losses = {"a1": 0.5, "a2": 0.02, "a4": 0.01, "a5": 0.02}
        for account, place in places.items():
            await journal.append(attempt(f"t-{account}", account))
            await journal.append(ended(f"t-{account}", account, place))
        await journal.append(attempt("running", "a6"))
        waiting = await store.unjudged(3)
        assert waiting == [Unjudged(f"t-a{n}", f"a{n}", 1) for n in (1, 2, 3)]
        for account, loss in losses.items():
            await store.judge(f"t-{account}", loss, 10)
        assert {one.account for one in await store.unjudged(10)} == {"a3", "a7"}
        ranking = await store.ranking("wards", DAY, 5000, 0, newcomers=False)
        assert [(one.rank, one.account) for one in ranking] == [(1, "a4"), (2, "a2"), (2, "a5"), (4, "a1"), (5, "a7")]
        assert [one.account for one in await store.ranking("wards", DAY, 5000, 0, newcomers=True)] == ["a3"]
        everybody_new = await store.ranking("wards", DAY, 1, 0, newcomers=True)
        assert len(everybody_new) == 6
        mine = await store.attempt("a5", "wards", DAY, 5000, newcomers=False)
        assert mine == ranking[2]
        assert await store.attempt("a3", "wards", DAY, 5000, newcomers=False) is None
        assert not await store.ranking("wards", DAY, 5000, 1, newcomers=False)
        await store.judge("t-a3", None, 0)
        assert {one.account for one in await store.unjudged(10)} == {"a7"}

    with_challenges(kind, tmp_path, work)


@ALL
def test_a_void_day_has_no_secret_and_neither_have_its_tables(kind: str, tmp_path: Path) -> None:
    async def work(journal: HostJournal, register: Register, store: ChallengeStore) -> None:
        await store.add_day(Day("2026-11-16", "old", b"0" * 32))
        await store.add_day(Day(DAY, "seal", b"1" * 32))
        await journal.append(attempt("t1", "a1"))
        await journal.append(attempt("t0", "a1", day="2026-11-16"))
        await store.void_days("2026-11-16")
        assert await store.day(DAY) == Day(DAY, "seal", None)
        assert await store.day("2026-11-16") == Day("2026-11-16", "old", b"0" * 32)
        assert await journal.secret("t1") is None
        assert await journal.secret("t0") is not None

    with_challenges(kind, tmp_path, work)
