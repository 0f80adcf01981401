"""Ratings as a fold over results: the same from SQL as from memory, once for each game, and the same when made anew."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

from dicehall.hall.cards import Ending, Result
from dicehall.hall.ratings import RatingStore, Skill
from dicehall.launch.stores import ratings_in
from dicehall.store.memory import MemoryJournal
from dicehall.store.memory_ratings import MemoryRatings
from dicehall.store.postgres import PostgresJournal
from dicehall.store.ratings import SqliteRatings
from dicehall.store.schema import APPLICATION, migrations
from dicehall.store.sqlite import SqliteJournal
from dicehall.table.ports import Commit, Head, HostJournal, Row
from tests.store.test_register import ALL, hall_store, opened

Work = Callable[[HostJournal, RatingStore], Awaitable[Any]]


def with_ratings(kind: str, folder: Path, work: Work) -> Any:
    async def run() -> Any:
        async with hall_store(kind, folder) as (journal, _):
            if isinstance(journal, MemoryJournal):
                return await work(journal, MemoryRatings(journal.register))
            assert isinstance(journal, SqliteJournal | PostgresJournal)
            return await work(journal, ratings_in(journal))

    return asyncio.run(run())


def result(seat: int, place: int, who: str) -> Result:
    bot = who.removeprefix("bot:") if who.startswith("bot:") else None
    return Result(seat, who, None if bot else who, bot, place, place == 1, 0)


async def play(journal: HostJournal, number: int, *who: str, rated: bool = True, game: str = "wards") -> None:
    """A game that ended for these, best first."""
    table = f"t{number}"
    await journal.append(opened(table, number, game=game))
    results = tuple(result(seat, seat + 1, one) for seat, one in enumerate(who))
    ending = Ending(table, game, 5000 + number, "won", None, results, rated=rated)
    await journal.append(Commit(Row(table, 2, b"{}", 5000 + number), Head(table, 2, None, "over"), None, (ending,)))


@ALL
def test_each_rated_game_counts_once_however_often_and_by_whomever_it_is_folded(kind: str, tmp_path: Path) -> None:
    async def work(journal: HostJournal, store: RatingStore) -> None:
        await play(journal, 1, "a1", "a2")
        await play(journal, 2, "a1", "bot:good", rated=False)
        await play(journal, 3)  # abandoned
        assert sum(await asyncio.gather(*(store.fold(2) for _ in range(4)))) == 3
        assert await store.fold(10) == 0
        ratings = await store.ratings("wards", ["a1", "a2", "a3", "bot:good"])
        assert {who: (one.games, one.won) for who, one in ratings.items()} == {"a1": (1, 1), "a2": (1, 0)}
        assert [change.who for change in await store.changes("t1")] == ["a1", "a2"]
        assert (await store.changes("t1"))[0].before == Skill()
        assert not await store.changes("t2")
        assert list(await store.ratings_of("a1")) == ["wards"]

    with_ratings(kind, tmp_path, work)


@ALL
def test_a_rebuild_gives_the_same_numbers_also_where_games_came_late(kind: str, tmp_path: Path) -> None:
    async def work(journal: HostJournal, store: RatingStore) -> Any:
        chance, people = Random(10), ["a1", "a2", "a4", "a5", "bot:good", "bot:exact"]
        for number in (5, 4, 9, 2, 7, 1, 8, 3, 6):  # in another order than their times
            await play(journal, number, *chance.sample(people, 3))
            await store.fold(1)
        before = await store.ratings("wards", people)
        await store.rebuild()
        after = await store.ratings("wards", people)
        assert before == after
        return {who: one.skill for who, one in after.items()}

    with_ratings(kind, tmp_path, work)


@ALL
def test_the_strongest_for_certain_come_first_and_kinds_are_apart(kind: str, tmp_path: Path) -> None:
    async def work(journal: HostJournal, store: RatingStore) -> None:
        for number in range(1, 7):
            await play(journal, number, "a1", "a2", "a3", "bot:good")
        await play(journal, 8, "a4", "a2")
        while await store.fold(3):
            pass
        best = await store.best("wards", "accounts", 0)
        assert [one.name for one in best] == ["Name1", "Name2", "Name4"]  # who won once may be lucky
        assert [one.rating.who for one in await store.best("wards", "guests", 0)] == ["a3"]
        assert [(one.rating.who, one.name) for one in await store.best("wards", "bots", 0)] == [("bot:good", "good")]
        assert not await store.best("mana", "accounts", 0)
        assert not await store.best("wards", "accounts", 1)

    with_ratings(kind, tmp_path, work)


def test_all_stores_have_the_same_numbers(tmp_path: Path) -> None:
    async def work(journal: HostJournal, store: RatingStore) -> Any:
        chance = Random(3)
        for number in range(20):
            await play(journal, number, *chance.sample(["a1", "a2", "bot:good", "bot:exact"], 3))
        await store.fold(100)
        return await store.ratings("wards", ["a1", "a2", "bot:good", "bot:exact"])

    memory, sqlite, postgres = (with_ratings(kind, tmp_path, work) for kind in ("memory", "sqlite", "postgres"))
    assert memory == sqlite == postgres


def test_games_that_ended_before_there_were_ratings_are_folded_in_by_time(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "hall.db")) as old:
        for sql in migrations()[:11]:
            old.executescript(sql)
        old.executescript(
            f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = 11; PRAGMA journal_mode = WAL;"
        )
        for name, at in (("late", 2000), ("early", 1000)):
            old.execute("INSERT INTO endings VALUES (?, 'wards', ?, 'won', NULL)", (name, at))
            for seat, who in enumerate(("a1", "a2") if name == "late" else ("a2", "a1")):
                values = (name, seat, "wards", who, who, None, seat + 1, seat == 0, 0, 1, 0)
                old.execute(f"INSERT INTO results VALUES ({','.join('?' * 11)})", values)
        old.commit()

    async def work() -> None:
        journal = SqliteJournal(tmp_path / "hall.db")
        store = SqliteRatings(journal)
        assert await store.fold(10) == 2
        first = {change.who: change.before for change in await store.changes("early")}
        assert first == {"a1": Skill(), "a2": Skill()}
        assert (await store.changes("late"))[0].before != Skill()
        journal.close()

    asyncio.run(work())
