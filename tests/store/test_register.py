"""The register of a hall: the same answers from SQL as from memory."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from dicehall.hall.cards import Card, Ending, Result, Seated
from dicehall.hall.names import read_name
from dicehall.hall.ports import Account
from dicehall.hall.register import PAGE, Count, Filter, Past, Register
from dicehall.store.memory import MemoryJournal
from dicehall.store.memory_people import MemoryPeople
from dicehall.store.people import SqlitePeople
from dicehall.store.postgres import open_postgres
from dicehall.store.postgres_people import PostgresPeople
from dicehall.store.postgres_register import PostgresRegister
from dicehall.store.register import SqliteRegister
from dicehall.store.schema import APPLICATION, migrations
from dicehall.store.sqlite import SqliteJournal
from dicehall.table.ports import Commit, Head, HostJournal, Row, Taken
from tests.postgres import emptied_database

ACCOUNTS = [Account(f"a{n}", f"Name{n}", "fox", guest=n % 3 == 0, created=1) for n in range(8)]
ALL = pytest.mark.parametrize("kind", ["memory", "sqlite", "postgres"])
Work = Callable[[HostJournal, Register], Awaitable[Any]]


@asynccontextmanager
async def hall_store(kind: str, folder: Path) -> AsyncIterator[tuple[HostJournal, Register]]:
    if kind == "memory":
        memory = MemoryJournal()
        for account in ACCOUNTS:
            await MemoryPeople(memory).add(account, read_name(account.name))
        yield memory, memory.register
        return
    if kind == "postgres":
        shared = await open_postgres(emptied_database())
        for account in ACCOUNTS:
            await PostgresPeople(shared).add(account, read_name(account.name))
        yield shared, PostgresRegister(shared)
        shared.close()
        await shared.wait_closed()
        return
    journal = SqliteJournal(folder / "hall.db")
    for account in ACCOUNTS:
        await SqlitePeople(journal).add(account, read_name(account.name))
    yield journal, SqliteRegister(journal)
    journal.close()


def with_store(kind: str, folder: Path, work: Work) -> Any:
    async def run() -> Any:
        async with hall_store(kind, folder) as (journal, register):
            return await work(journal, register)

    return asyncio.run(run())


def opened(table: str, n: int, **more: Any) -> Commit:
    card = Card(table, more.pop("game", "wards"), f"table {n}", more.pop("opener", "a1"), 1000 + n, **more)
    return Commit(Row(table, 1, b"{}", 1000 + n), Head(table, 1, None, "lobby"), b"s" * 32, (card,))


def ended(table: str, at: int, game: str, *seats: tuple[str | None, str | None, int]) -> Commit:
    first = [account or bot for account, bot, place in seats if place == 1]
    results = tuple(
        Result(n, str(account or bot), account, bot, place, place == 1 and len(first) == 1, 10 * n)
        for n, (account, bot, place) in enumerate(seats)
    )
    ending = Ending(table, game, at, "goal", None, results)
    return Commit(Row(table, 2, b"{}", at), Head(table, 2, None, "over"), also=(ending,))


@ALL
def test_a_card_is_stored_with_the_act_that_opens_the_table(kind: str, tmp_path: Path) -> None:
    async def work(journal: HostJournal, register: Register) -> None:
        await journal.append(opened("t1", 1, id="x", public=False, password="hash"))
        card = await register.card("t1")
        assert card is not None
        assert (card.name, card.public, card.password) == ("table 1", False, "hash")
        assert await register.opened_as("a1", "x") == card
        assert await register.opened_as("a2", "x") is None
        assert await register.card("t2") is None

    with_store(kind, tmp_path, work)


@ALL
def test_the_same_id_opens_one_table_and_nothing_of_a_second_is_kept(kind: str, tmp_path: Path) -> None:
    async def work(journal: HostJournal, register: Register) -> None:
        await journal.append(opened("t1", 1, id="x"))
        with pytest.raises(Taken):
            await journal.append(opened("t2", 2, id="x"))
        assert await journal.rows("t2") == []
        assert await journal.secret("t2") is None
        await journal.append(opened("t3", 3, before="t1"))
        with pytest.raises(Taken):
            await journal.append(opened("t4", 4, before="t1", opener="a2"))
        rematch = await register.rematch_of("t1")
        assert rematch is not None
        assert rematch.table == "t3"

    with_store(kind, tmp_path, work)


@ALL
def test_tables_are_found_by_game_status_and_page_the_newest_first(kind: str, tmp_path: Path) -> None:
    async def work(journal: HostJournal, register: Register) -> None:
        for n in range(PAGE + 5):
            await journal.append(opened(f"t{n}", n, game="mana" if n % 2 else "wards", public=n != 4))
        await journal.append(ended("t2", 5000, "wards", ("a1", None, 1), ("a2", None, 2)))
        first, second = await register.find(Filter(), 0), await register.find(Filter(), 1)
        assert len(first) == PAGE
        assert [one.card.opened_at for one in (*first, *second)] == sorted(
            (1000 + n for n in range(PAGE + 5) if n != 4), reverse=True
        )
        assert {one.card.game for one in await register.find(Filter(game="mana"), 0)} == {"mana"}
        over = await register.find(Filter(statuses=("over",)), 0)
        assert [(one.card.table, one.status) for one in over] == [("t2", "over")]
        await journal.archive("t2", b"{}")
        assert await register.find(Filter(statuses=("over",)), 0) == over
        hidden = await register.find(Filter(public_only=False, opener="a1", statuses=("lobby",)), 1)
        assert "t4" in {one.card.table for one in hidden}

    with_store(kind, tmp_path, work)


def attended(table: str, n: int, status: str = "lobby", *, present: bool) -> Commit:
    """Somebody came or went at a table."""
    return Commit(Row(table, n, b"{}", 9000 + n), Head(table, n, None, status, present))


async def found(register: Register, wanted: Filter, pages: int = 1) -> list[str]:
    return [one.card.table for page in range(pages) for one in await register.find(wanted, page)]


@ALL
def test_tables_with_somebody_present_come_first_and_the_newest_of_them(kind: str, tmp_path: Path) -> None:
    async def work(journal: HostJournal, register: Register) -> None:
        for n in range(4):
            await journal.append(opened(f"t{n}", n))
        lobbies = Filter(statuses=("lobby",))
        assert await found(register, lobbies) == ["t3", "t2", "t1", "t0"]
        await journal.append(attended("t0", 2, present=True))
        await journal.append(attended("t2", 2, present=True))
        assert await found(register, lobbies) == ["t2", "t0", "t3", "t1"]
        await journal.append(attended("t2", 3, present=False))  # the last one left
        assert await found(register, lobbies) == ["t0", "t3", "t2", "t1"]

    with_store(kind, tmp_path, work)


@ALL
def test_tables_opened_at_the_same_moment_are_in_the_order_of_their_names(kind: str, tmp_path: Path) -> None:
    async def work(journal: HostJournal, register: Register) -> None:
        for table in ("c", "a", "d", "b"):
            await journal.append(opened(table, 1))
        for table in ("d", "b"):
            await journal.append(attended(table, 2, present=True))
        assert await found(register, Filter(statuses=("lobby",))) == ["b", "d", "a", "c"]

    with_store(kind, tmp_path, work)


@ALL
def test_a_page_of_newer_empty_tables_does_not_hide_an_older_one_with_somebody_present(
    kind: str, tmp_path: Path
) -> None:
    async def work(journal: HostJournal, register: Register) -> None:
        for n in range(2 * PAGE):
            await journal.append(opened(f"t{n:02}", n))
        await journal.append(attended("t00", 2, present=True))
        listed = await found(register, Filter(statuses=("lobby",)), pages=3)
        assert listed[0] == "t00"
        assert listed[1:] == [f"t{n:02}" for n in range(2 * PAGE - 1, 0, -1)]

    with_store(kind, tmp_path, work)


@ALL
def test_the_order_holds_for_every_filter_of_what_goes_on_and_lists_with_finished_games_are_by_age(
    kind: str, tmp_path: Path
) -> None:
    async def work(journal: HostJournal, register: Register) -> None:
        for n in range(6):
            await journal.append(opened(f"t{n}", n, game="mana" if n % 2 else "wards", public=n != 5))
            await journal.append(seated(f"t{n}", 2, "a1"))
        for n, status in ((0, "playing"), (1, "lobby"), (5, "asleep")):
            await journal.append(attended(f"t{n}", 3, status, present=True))
        going_on = ("lobby", "playing", "asleep")
        assert await found(register, Filter(statuses=going_on)) == ["t1", "t0", "t4", "t3", "t2"]
        assert await found(register, Filter(statuses=going_on, public_only=False, sitter="a1")) == [
            *("t5", "t1", "t0"),
            *("t4", "t3", "t2"),
        ]
        mine = await found(register, Filter(statuses=going_on, public_only=False, opener="a1"))
        assert mine == ["t5", "t1", "t0", "t4", "t3", "t2"]
        assert await found(register, Filter(game="mana", statuses=going_on)) == ["t1", "t3"]
        assert await found(register, Filter(statuses=("lobby",))) == ["t1", "t4", "t3", "t2"]
        assert await found(register, Filter()) == ["t4", "t3", "t2", "t1", "t0"]
        assert await found(register, Filter(statuses=("lobby", "over"))) == ["t4", "t3", "t2", "t1"]

    with_store(kind, tmp_path, work)


def test_who_is_present_is_known_after_the_file_is_opened_again(tmp_path: Path) -> None:
    async def first(journal: HostJournal, register: Register) -> None:
        for n in range(3):
            await journal.append(opened(f"t{n}", n))
        await journal.append(attended("t1", 2, present=True))

    async def second() -> list[str]:
        journal = SqliteJournal(tmp_path / "hall.db")
        try:
            return await found(SqliteRegister(journal), Filter(statuses=("lobby",)))
        finally:
            journal.close()

    with_store("sqlite", tmp_path, first)
    assert asyncio.run(second()) == ["t1", "t2", "t0"]


def test_the_order_of_random_tables_is_the_same_from_sql_as_from_memory(tmp_path: Path) -> None:
    random = Random("attended")
    commits = [opened(f"t{n:02}", random.randrange(9), game=random.choice(["mana", "wards"])) for n in range(50)]
    for at, n in enumerate(random.sample(range(50), 40)):
        status = random.choice(["lobby", "playing", "asleep"])
        commits.append(attended(f"t{n:02}", 2, status, present=at % 2 == 0))
    filters = [
        Filter(game, statuses)
        for game in (None, "mana")
        for statuses in [(), ("lobby",), ("playing",), ("lobby", "playing"), ("lobby", "playing", "asleep")]
    ]

    async def work(journal: HostJournal, register: Register) -> list[list[str]]:
        for commit in commits:
            await journal.append(commit)
        return [await found(register, wanted, pages=3) for wanted in filters]

    in_memory = with_store("memory", tmp_path, work)
    assert with_store("sqlite", tmp_path, work) == in_memory
    assert with_store("postgres", tmp_path, work) == in_memory


def planned(sql: str, connection: sqlite3.Connection) -> list[str]:
    """How SQLite would go about it."""
    return [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}")]


def test_what_goes_on_is_found_without_a_look_at_every_table_there_ever_was(tmp_path: Path) -> None:
    """The lobby asks for it again and again, and the archive only grows."""
    seen: list[str] = []

    async def work(journal: HostJournal, register: Register) -> None:
        assert isinstance(journal, SqliteJournal)
        await journal.look_up(lambda connection: connection.set_trace_callback(seen.append))
        for statuses in (("lobby",), ("lobby", "playing", "asleep")):
            await register.find(Filter(statuses=statuses), 0)
        await journal.look_up(lambda connection: connection.set_trace_callback(None))
        for sql in [sql for sql in seen if sql.startswith("SELECT cards")]:
            plan = await journal.ask(partial(planned, sql))
            assert [step for step in plan if "cards" in step] == [
                "SEARCH cards USING INDEX sqlite_autoindex_cards_1 (name=?)"
            ]

    with_store("sqlite", tmp_path, work)
    assert sum(sql.startswith("SELECT cards") for sql in seen) == 2


def test_counts_of_random_games_are_the_same_from_sql_as_from_memory(tmp_path: Path) -> None:
    """W12: statistics are counts over results."""

    async def work(journal: HostJournal, register: Register) -> Any:
        chance = Random("results")
        for n in range(60):
            game = chance.choice(["wards", "aetharn"])
            await journal.append(opened(f"t{n}", n, game=game))
            who = [(a.id, None) for a in chance.sample(ACCOUNTS, 2)] + [(None, chance.choice(["greedy", "random"]))]
            places = chance.choice([(1, 2, 3), (2, 1, 3), (1, 1, 3), (3, 2, 1)])
            await journal.append(ended(f"t{n}", 9000 + n, game, *[(*w, p) for w, p in zip(who, places, strict=True)]))
        told: list[Any] = [await register.counts(account.id) for account in ACCOUNTS]
        told += [await register.versus("a1", other.id) for other in ACCOUNTS if other.id != "a1"]
        told += [await register.endings(None, "a1", 0), await register.endings("wards", None, 1)]
        for who_kind in ("accounts", "guests", "bots"):
            told += [
                await register.leaders(g, who_kind, o, least, 0)
                for g in (None, "wards")
                for o in ("won", "rate")
                for least in (1, 12)
            ]
        return told

    from_sql = with_store("sqlite", tmp_path, work)
    assert from_sql == with_store("memory", tmp_path, work) == with_store("postgres", tmp_path, work)
    assert any(from_sql[0])
    assert all(from_sql)


def seated(table: str, seq: int, *accounts: str) -> Commit:
    return Commit(Row(table, seq, b"{}", 2000 + seq), Head(table, seq, None, "lobby"), also=(Seated(table, accounts),))


@ALL
def test_tables_of_an_account_are_those_where_it_sits_now_or_sat_at_the_end(kind: str, tmp_path: Path) -> None:
    async def work(journal: HostJournal, register: Register) -> None:
        for n in range(PAGE + 2):
            await journal.append(opened(f"t{n}", n, game="mana" if n == 3 else "wards", public=n != 4))
            await journal.append(seated(f"t{n}", 2, "a1", "a2"))
        await journal.append(seated("t1", 3, "a2"))
        await journal.archive("t2", b"null")
        mine = [(one.card.table, one.status) for one in await register.tables_of("a1", "wards", 0)]
        left = [n for n in range(PAGE + 1, -1, -1) if n not in (1, 3)]
        assert mine == [(f"t{n}", "abandoned" if n == 2 else "lobby") for n in left]
        assert [one.card.table for one in await register.tables_of("a2", "mana", 0)] == ["t3"]
        assert await register.tables_of("a5", "wards", 0) == []
        lobbies = Filter(statuses=("lobby",), public_only=False, sitter="a1")
        found = [one.card.table for page in (0, 1) for one in await register.find(lobbies, page)]
        assert found == [f"t{n}" for n in range(PAGE + 1, -1, -1) if n not in (1, 2)]

    with_store(kind, tmp_path, work)


def test_tallies_of_random_games_are_the_same_from_sql_as_from_memory(tmp_path: Path) -> None:
    """D11."""

    async def work(journal: HostJournal, register: Register) -> Any:
        chance = Random("tallies")
        for n in range(40):
            await journal.append(opened(f"t{n}", n, game="doordice"))
            who = [(a.id, None) for a in chance.sample(ACCOUNTS, 2)] + [(None, chance.choice(["greedy", "random"]))]
            seats = [(*one, place) for one, place in zip(who, chance.sample((1, 2, 3), 3), strict=True)]
            await journal.append(ended(f"t{n}", 9000 + n // 2, "doordice", *seats))
        return [await register.tallies("doordice", 0), await register.tallies("doordice", 1)]

    first, second = with_store("sqlite", tmp_path, work)
    assert [first, second] == with_store("memory", tmp_path, work) == with_store("postgres", tmp_path, work)
    assert sum(one.played for one in first) == 120
    assert second == []


def test_an_older_file_learns_who_sits_where_from_its_acts(tmp_path: Path) -> None:
    """Who stood up is not among them, nor who moved and then stood up."""
    path = tmp_path / "old.db"
    acts = [
        '{"act":"sat","chair":0,"name":"A","account":"a1"}',
        '{"act":"sat","chair":1,"name":"B","account":"a2"}',
        '{"act":"sat","chair":2,"name":"B","account":"a2"}',
        '{"act":"stood","chairs":[2],"why":"left"}',
        '{"act":"sat","chair":1,"name":"Bot","bot":"greedy"}',
        "no document",
    ]
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.executescript("".join(migrations()[:3]))
        file.execute(f"PRAGMA application_id = {APPLICATION}")
        file.execute("PRAGMA user_version = 3")
        file.execute("INSERT INTO heads VALUES (1, 't1', ?, NULL, 'lobby')", (len(acts),))
        for seq, act in enumerate(acts, 1):
            file.execute("INSERT INTO acts VALUES (1, ?, ?, 0, NULL, NULL)", (seq, act.encode()))
        file.execute("INSERT INTO results VALUES ('t0', 0, 'wards', 'C', 'a3', NULL, 1, 1, 100)")
    SqliteJournal(path).close()
    with closing(sqlite3.connect(path)) as file:
        assert set(file.execute("SELECT account, name FROM sitters")) == {("a1", "t1"), ("a3", "t0")}


def test_games_of_an_older_file_stay_rated(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.executescript("".join(migrations()[:7]))
        file.execute(f"PRAGMA application_id = {APPLICATION}")
        file.execute("PRAGMA user_version = 7")
        file.execute("INSERT INTO endings VALUES ('t0', 'wards', 1, 'goal', NULL)")
        file.execute("INSERT INTO results VALUES ('t0', 0, 'wards', 'C', 'a3', NULL, 1, 1, 100)")
    journal = SqliteJournal(path)
    register = SqliteRegister(journal)
    assert asyncio.run(register.counts("a3", rated=True)) == [Count("wards", 1, 1)]
    journal.close()


@ALL
def test_somebodys_games_are_found_by_game_outcome_opponents_and_time(kind: str, tmp_path: Path) -> None:
    async def work(journal: HostJournal, register: Register) -> None:
        games: list[tuple[str, Any]] = [
            ("won", ("wards", ("a1", None, 1), ("a2", None, 2))),
            ("lost", ("wards", ("a1", None, 2), ("a2", None, 1))),
            ("bot", ("mana", ("a1", None, 2), (None, "greedy", 1))),
            ("drawn", ("mana", ("a1", None, 1), ("a2", None, 1))),
            ("theirs", ("wards", ("a2", None, 1), ("a3", None, 2))),
        ]
        for n, (table, (game, *seats)) in enumerate(games):
            await journal.append(opened(table, n, game=game, public=table != "lost"))
            await journal.append(ended(table, 5000 + n, game, *seats))

        async def found(viewer: str | None = "a1", **wanted: Any) -> list[str]:
            return [ending.table for ending in await register.past("a1", Past(**wanted), 0, viewer)]

        assert await found() == ["drawn", "bot", "lost", "won"]
        assert await found(viewer=None) == ["drawn", "bot", "won"]
        assert await found(game="wards") == ["lost", "won"]
        assert await found(outcome="won") == ["won"]
        assert await found(outcome="lost") == ["drawn", "bot", "lost"]
        assert await found(against="bots") == ["bot"]
        assert await found(against="people", since=5001) == ["drawn", "lost"]
        assert await found(game="mana", outcome="lost", against="bots") == ["bot"]

    with_store(kind, tmp_path, work)


@ALL
def test_a_game_that_was_played_on_counts_for_nothing_and_is_named_to_its_people(kind: str, tmp_path: Path) -> None:
    async def work(journal: HostJournal, register: Register) -> None:
        await journal.append(opened("first", 1))
        await journal.append(ended("first", 5000, "wards", ("a1", None, 1), ("a2", None, 2)))
        counted = await counts(register)
        await journal.append(opened("second", 2, origin="first", public=False))
        commit = ended("second", 6000, "wards", ("a1", None, 1), ("a2", None, 2))
        ending = replace(commit.also[0], rated=False, continued=True)
        await journal.append(msgspec.structs.replace(commit, also=(ending, Seated("second", ("a2",)))))
        assert await counts(register) == counted
        assert await register.ending("second") == ending
        assert [e.table for e in await register.past("a1", Past(), 0, "a1")] == ["second", "first"]
        for account, tables in (("a1", ["second"]), ("a2", ["second"]), ("a4", [])):
            assert [card.table for card in await register.continuations("first", account)] == tables
        assert await register.continuations("second", "a1") == []

    async def counts(register: Register) -> Any:
        mine, both = await register.counts("a1"), await register.versus("a1", "a2")
        return mine, both, await register.tallies("wards", 0), await register.leaders(None, "accounts", "won", 1, 0)

    with_store(kind, tmp_path, work)
