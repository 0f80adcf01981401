"""What only PostgreSQL has to prove: connections that break, other processes, and sentences without a password."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest

from dicehall.store import postgres_connection, postgres_schema
from dicehall.store.errors import StoreError
from dicehall.store.postgres import PostgresJournal, open_postgres
from dicehall.store.postgres_address import shown_url
from dicehall.store.postgres_schema import LOCK, newest
from dicehall.store.postgres_writer import NOTICE_BYTES, notices
from dicehall.table.ports import Commit, Unavailable, Uncertain
from dicehall.table.writing import write
from tests.postgres import command, emptied_database, new_database, server
from tests.store.journals import act, all_at_once, fill, numbers, outcome
from tests.tcp_proxy import TcpProxy
from tools.postgres import PostgresServer

Story = Callable[[PostgresJournal], Awaitable[None]]


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[PostgresJournal]:
    journal = await open_postgres(url)
    try:
        yield journal
    finally:
        journal.close()
        await journal.wait_closed()


def with_journal(story: Story) -> None:
    async def run() -> None:
        async with opened(emptied_database()) as journal:
            await story(journal)

    asyncio.run(run())


class TestGroupCommit:
    def test_what_waits_is_one_transaction(self) -> None:
        async def story(journal: PostgresJournal) -> None:
            await fill(journal, "first", 1)
            before = await transactions(journal)
            await all_at_once(journal, [act(1, f"table {number}") for number in range(200)])
            assert await transactions(journal) == before + 1

        with_journal(story)

    @pytest.mark.parametrize("bad", [{"account": "\0"}, {"id": "\ud800"}, {"deadline": 1 << 70}])
    def test_a_commit_that_cannot_be_stored_is_refused_alone(self, bad: dict[str, Any]) -> None:
        async def story(journal: PostgresJournal) -> None:
            await fill(journal)
            waiting = [act(1, "ash"), act(4, **{"id": "x", "secret": b"s", **bad}), act(1, "elm"), act(1, "yew")]
            assert await all_at_once(journal, waiting) == ["stored", "Unavailable", "stored", "stored"]
            assert await numbers(journal) == [1, 2, 3]
            assert await outcome(journal.append(act(4))) == "stored"

        with_journal(story)

    def test_several_acts_of_one_table_are_stored_in_their_order(self) -> None:
        async def story(journal: PostgresJournal) -> None:
            assert await all_at_once(journal, [act(1), act(2), act(2), act(3), act(5)]) == [
                "stored",
                "stored",
                "Taken",
                "stored",
                "Taken",
            ]
            assert await numbers(journal) == [1, 2, 3]

        with_journal(story)

    def test_closing_stores_what_waits(self) -> None:
        async def story(journal: PostgresJournal) -> None:
            tasks = [asyncio.ensure_future(journal.append(act(1, f"table {number}"))) for number in range(50)]
            journal.close()
            await journal.wait_closed()
            await asyncio.gather(*tasks)

        with_journal(story)


async def transactions(journal: PostgresJournal) -> int:
    """How many transactions have stored acts so far."""
    return int(await journal.value(int, "SELECT count(DISTINCT xmin::text) FROM acts") or 0)


class TestNotifications:
    def test_none_is_longer_than_postgresql_takes(self) -> None:
        names = [f"{number:012}" for number in range(1000)]
        counted = notices(names)
        for number in set(counted):
            assert sum(len(name) + 26 for name, n in zip(names, counted, strict=True) if n == number) <= NOTICE_BYTES
        assert counted == sorted(counted)
        assert notices(["x" * 9000, "short"]) == [-1, 0]

    def test_a_group_of_many_tables_is_stored_and_told(self) -> None:
        async def story(journal: PostgresJournal) -> None:
            heard: list[str] = []
            ear = await asyncpg.connect(journal.url)
            await ear.add_listener("dicehall", lambda *said: heard.append(said[-1]))
            results = await all_at_once(journal, [act(1, f"a table with a long name {n:05}") for n in range(600)])
            assert set(results) == {"stored"}
            while sum(text.count("a table") for text in heard) < 600:
                await asyncio.sleep(0.01)
            assert max(map(len, heard)) < 7000
            await ear.close()

        with_journal(story)


class TestBrokenConnections:
    def test_a_commit_whose_answer_is_lost_is_uncertain_and_settled_by_reading(self) -> None:
        async def story(journal: PostgresJournal, proxy: TcpProxy) -> None:
            await fill(journal)
            proxy.silent = True
            appending = asyncio.ensure_future(journal.append(act(4)))
            await stored_elsewhere(4)
            proxy.cut()
            await asyncio.wait({appending})
            assert isinstance(appending.exception(), Uncertain)
            proxy.silent = False
            await write(journal, act(4), appending)  # it finds its own act
            assert await numbers(journal) == [1, 2, 3, 4]
            assert await outcome(write(journal, act(4, text=b"another"))) == "Taken"

        through_proxy(story)

    def test_a_database_out_of_reach_is_unavailable_and_then_back(self) -> None:
        async def story(journal: PostgresJournal, proxy: TcpProxy) -> None:
            await fill(journal)
            proxy.refusing = True
            proxy.cut()
            results = [await outcome(journal.append(act(4))) for _ in range(2)]
            assert results[1] == "Unavailable"
            with pytest.raises(Unavailable):
                await journal.rows("oak")
            proxy.refusing = False
            await write(journal, act(4))
            assert await numbers(journal) == [1, 2, 3, 4]

        through_proxy(story)


async def stored_elsewhere(seq: int) -> None:
    """Until the database has this act, whatever the journal under test knows of it."""
    connection = await asyncpg.connect(server().url(DATABASE[0]))
    while await connection.fetchval("SELECT max(seq) FROM acts") != seq:
        await asyncio.sleep(0.01)
    await connection.close()


DATABASE = [""]


def through_proxy(story: Callable[[PostgresJournal, TcpProxy], Awaitable[None]]) -> None:
    async def run() -> None:
        url = emptied_database()
        DATABASE[0] = url.rpartition("/")[2]
        async with TcpProxy(server().port) as proxy, opened(server().url(DATABASE[0], port=proxy.port)) as journal:
            await story(journal, proxy)

    asyncio.run(run())


TERMINATE = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = $1"


def test_a_connection_that_the_database_ended_and_did_not_close_yet_is_a_lost_one() -> None:
    """In the moment between both asyncpg takes no requests, and that is no bug of ours: clients try again."""

    async def story() -> None:
        url = emptied_database()
        name = url.rpartition("/")[2]
        async with TcpProxy(server().port) as proxy, opened(server().url(name, port=proxy.port)) as journal:
            await fill(journal)
            stored = await numbers(journal)
            proxy.lingering = True
            other = await asyncpg.connect(server().url())
            await other.fetch(TERMINATE, name)
            await other.close()
            while len(proxy.ended) < 2:  # one writes, one reads
                await asyncio.sleep(0.01)
            with pytest.raises(Unavailable):
                await journal.rows("oak")
            assert await outcome(journal.append(act(len(stored) + 1))) == "Uncertain"
            proxy.lingering = False
            proxy.cut()
            assert await until_read(journal) == stored

    asyncio.run(asyncio.wait_for(story(), 60))


@pytest.mark.proof
def test_a_database_that_is_killed_has_all_that_it_acknowledged() -> None:
    async def story(own: PostgresServer) -> None:
        acknowledged = 0
        async with opened(own.url()) as journal:
            for _ in range(3):
                writing = asyncio.create_task(write_on(journal, acknowledged))
                await asyncio.sleep(0.3)
                await asyncio.to_thread(own.kill)
                acknowledged = await writing
                await asyncio.to_thread(own.restart)
                stored = await until_read(journal)
                assert acknowledged <= len(stored) <= acknowledged + 1
                acknowledged = len(stored)
            assert acknowledged > 3

    with PostgresServer(durable=True) as own:
        asyncio.run(story(own))


async def write_on(journal: PostgresJournal, last: int) -> int:
    while await outcome(journal.append(act(last + 1))) == "stored":
        last += 1
    return last


async def until_read(journal: PostgresJournal) -> list[int]:
    while True:
        try:
            return await numbers(journal)
        except Unavailable:
            await asyncio.sleep(0.05)


class TestOpening:
    def test_several_processes_may_migrate_at_once(self) -> None:
        async def story() -> None:
            url = new_database("template0")
            results = await asyncio.gather(*(try_to_open(url) for _ in range(4)))
            assert results == ["opened"] * 4
            connection = await asyncpg.connect(url)
            assert await connection.fetchval("SELECT schema FROM dicehall") == newest()
            await connection.close()

        asyncio.run(story())

    @pytest.mark.proof
    @pytest.mark.parametrize("version", range(1, newest()))
    def test_an_older_hall_is_brought_up_to_date_by_the_first_of_two_processes(
        self, version: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        every = postgres_schema.migrations()

        async def story() -> None:
            url = new_database("template0")
            with monkeypatch.context() as patch:
                patch.setattr(postgres_schema, "migrations", lambda: every[:version])
                async with opened(url) as old:
                    await fill(old)
                    stored = await numbers(old)
            assert await asyncio.gather(*(try_to_open(url) for _ in range(2))) == ["opened"] * 2
            async with opened(url) as new:
                assert await numbers(new) == stored
                assert await outcome(new.append(act(len(stored) + 1))) == "stored"

        asyncio.run(asyncio.wait_for(story(), 60))

    def test_a_process_waits_for_a_migration_that_takes_longer_than_any_request_may(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(postgres_connection, "COMMAND_S", 0.1)

        async def story() -> None:
            url = new_database()
            other = await asyncpg.connect(url)
            await other.execute("SELECT pg_advisory_lock($1)", LOCK)
            opening = asyncio.create_task(try_to_open(url))
            await asyncio.wait({opening}, timeout=1)
            assert not opening.done(), opening.result()
            await other.close()
            assert await opening == "opened"

        asyncio.run(asyncio.wait_for(story(), 60))

    @pytest.mark.parametrize(
        ("sql", "sentence"),
        [
            ("UPDATE dicehall SET schema = 99", r"newer Dicehall \(schema 99; this one knows \d+\)"),
            ("DROP TABLE dicehall", "another program's database"),
        ],
    )
    def test_a_database_of_somebody_else_is_left_alone(self, sql: str, sentence: str) -> None:
        async def story() -> None:
            url = new_database()
            await command(url, sql)
            assert re.search(sentence, await try_to_open(url))

        asyncio.run(story())

    def test_what_is_wrong_is_said_without_the_password(self) -> None:
        async def story() -> None:
            right = server().url("empty")
            password = server().password
            wrong = {
                right.replace(password, "swordfish"): "rejected this user or password",
                right.replace(f":{server().port}", ":1"): "cannot be reached",
                right.replace("/empty", "/nowhere"): "There is no database nowhere",
                "postgresql://ann:swordfish@127.0.0.1": "looks like",
                "postgresql://ann:swordfish@127.0.0.1:port/x": "not the address",
            }
            for url, expected in wrong.items():
                sentence = await try_to_open(url)
                assert expected in sentence
                assert not {"swordfish", password} & set(re.split(r"\W", sentence))

        asyncio.run(story())

    def test_an_address_is_shown_without_its_password(self) -> None:
        assert shown_url("postgresql://ann:pw@h:5/d?sslmode=require&password=pw") == (
            "postgresql://ann@h:5/d?sslmode=require"
        )


async def try_to_open(url: str) -> str:
    try:
        async with opened(url):
            return "opened"
    except StoreError as error:
        return str(error)


def test_text_that_no_row_has_is_refused_and_does_no_harm() -> None:
    async def story(journal: PostgresJournal) -> None:
        from dicehall.core.game import Refused

        for name in ("\0", "\ud800"):
            with pytest.raises(Refused, match="cannot be stored"):
                await journal.rows(name)
        strange: Commit = act(1, "\ud800", text=b"")
        assert await all_at_once(journal, [act(1), strange, act(1, "elm")]) == ["stored", "Unavailable", "stored"]

    with_journal(story)
