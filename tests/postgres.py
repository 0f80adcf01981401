"""A real PostgreSQL for tests: one server for each test process, an empty hall for each test."""

from __future__ import annotations

import asyncio
import atexit
import itertools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

import asyncpg

from dicehall.store.postgres import PostgresJournal, open_postgres
from tools.postgres import PostgresServer

T = TypeVar("T")
numbers = itertools.count(1)
EMPTY = """DO $$ DECLARE name TEXT; BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'dicehall' LOOP
        EXECUTE 'DELETE FROM ' || name;
    END LOOP;
END $$"""


@cache
def keeper() -> Loop:
    """The thread that starts the server lives as long as this process: the server ends with it."""
    return Loop()


@cache
def server() -> PostgresServer:
    """Started when it is first needed."""
    started: PostgresServer = keeper().run(start())
    atexit.register(started.stop)
    return started


async def start() -> PostgresServer:
    """With a hall in which nothing is yet: copying it is faster than migrating."""
    started = PostgresServer()
    await command(started.url(), "CREATE DATABASE empty")
    journal = await open_postgres(started.url("empty"))
    journal.close()
    await journal.wait_closed()
    return started


async def command(url: str, sql: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(sql)
    finally:
        await connection.close()


def new_database(template: str = "empty") -> str:
    """The address of a database of one's own."""
    name = f"hall{next(numbers)}"
    keeper().run(command(server().url(), f"CREATE DATABASE {name} TEMPLATE {template}"))
    return server().url(name)


def emptied_database() -> str:
    """The address of a hall in which nothing is: the same database each time, because making one takes longer."""
    url = shared_database()
    keeper().run(command(url, EMPTY))
    return url


@cache
def shared_database() -> str:
    return new_database()


class Loop:
    """An event loop in a thread: what lives in it can be used by several loops, one after the other."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()

    def run(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    def stop(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()


class Anywhere:
    """A journal, or what reads from one, whose methods can be awaited in any loop."""

    def __init__(self, loop: Loop, real: Any) -> None:
        self.loop = loop
        self.real = real

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.real, name)

        def call(*values: Any, **named: Any) -> Any:
            return asyncio.wrap_future(asyncio.run_coroutine_threadsafe(awaited(method, values, named), self.loop.loop))

        return call

    def beside(self, kind: Callable[[Any], Any]) -> Any:
        """What stores or reads something else in the same database."""
        return Anywhere(self.loop, kind(self.real))

    def close(self) -> None:
        self.loop.run(closed(self.real))


async def awaited(method: Any, values: Any, named: Any) -> Any:
    return await method(*values, **named)


async def closed(journal: PostgresJournal) -> None:
    journal.close()
    await journal.wait_closed()


@contextmanager
def postgres_journal(url: str | None = None) -> Iterator[Any]:
    """A journal in an empty database."""
    loop = Loop()
    journal = Anywhere(loop, loop.run(open_postgres(url or emptied_database())))
    try:
        yield journal
    finally:
        journal.close()
        loop.stop()
