"""Connections to PostgreSQL, and what can be wrong with them, in sentences without a password."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeVar
from urllib.parse import unquote, urlsplit

import asyncpg

from dicehall.store.postgres_address import shown_url
from dicehall.table.ports import Unavailable

T = TypeVar("T")

CONNECT_S = 5.0
COMMAND_S = 10.0  # after which a connection is given up

# A process that stands still in the middle of a transaction must not hold up the others.
SETTINGS = {
    "application_name": "dicehall",
    "jit": "off",
    "statement_timeout": "10s",
    "idle_in_transaction_session_timeout": "5s",
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
}

# For work that takes as long as it takes: a migration, a whole hall that is moved.
PATIENT = {"statement_timeout": "0", "idle_in_transaction_session_timeout": "0"}

Connection: TypeAlias = Any  # asyncpg ships no types
Pool: TypeAlias = Any

# What goes wrong on the way, as opposed to what the database says no to.
LOST = (
    OSError,
    EOFError,
    TimeoutError,
    asyncio.IncompleteReadError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # the database has said goodbye, and the connection is not closed yet
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.TooManyConnectionsError,
)


async def connect(url: str) -> Connection:
    """A new connection; raises Unavailable with a sentence for people."""
    return await connect_with(url, COMMAND_S, SETTINGS)


async def connect_patiently(url: str) -> Connection:
    """The same without any limit of time. For asyncpg a command's `timeout=None` is the limit of its connection."""
    return await connect_with(url, None, {**SETTINGS, **PATIENT})


async def connect_with(url: str, patience: float | None, settings: dict[str, str]) -> Connection:
    with told(url):
        return await asyncpg.connect(url, timeout=CONNECT_S, command_timeout=patience, server_settings=settings)


async def unless_lost(connection: Connection, work: Coroutine[Any, Any, T]) -> T:
    """Await work, or fail when the connection is lost: asyncpg would wait forever for a COPY that was cut off."""
    lost, task = asyncio.Event(), asyncio.ensure_future(work)
    connection.add_termination_listener(lambda _: lost.set())
    waiting = asyncio.ensure_future(lost.wait())
    await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    if lost.is_set():
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        raise asyncpg.ConnectionDoesNotExistError("the connection was lost")
    return task.result()


def make_pool(url: str, most: int, **settings: str) -> Pool:
    """Connections that are made when they are needed."""
    return asyncpg.create_pool(
        url,
        min_size=0,
        max_size=most,
        timeout=CONNECT_S,
        command_timeout=COMMAND_S,
        server_settings={**SETTINGS, **settings},
        reset=leave_as_it_is,
    )


async def leave_as_it_is(connection: Connection) -> None:
    """Nothing that a connection is used for leaves anything behind."""


@contextmanager
def told(url: str) -> Iterator[None]:
    """Turn trouble with a database into its sentence."""
    try:
        yield
    except (asyncpg.PostgresError, *LOST) as error:
        raise Unavailable(sentence_of(error, url)) from None  # what asyncpg says may hold the whole address


def sentence_of(error: BaseException, url: str) -> str:
    parts = urlsplit(url)
    name, place = unquote(parts.path.strip("/")), shown_url(url)
    match error:
        case asyncpg.InvalidAuthorizationSpecificationError():
            return f"{place}: the database rejected this user or password."
        case asyncpg.InvalidCatalogNameError():
            return f"There is no database {name} at {place}. Create it first, for example with createdb."
        case asyncpg.CannotConnectNowError() | asyncpg.AdminShutdownError() | asyncpg.CrashShutdownError():
            return f"{place}: the database is starting or stopping."
        case asyncpg.TooManyConnectionsError():
            return f"{place}: the database has no free connections."
        case asyncpg.InsufficientPrivilegeError():
            return f"{place}: this user is not allowed to do that ({error})."
        case asyncpg.PostgresError():
            return f"{place}: {error}."
        case TimeoutError():
            return f"{place} does not answer."
        case OSError():
            return f"{place} cannot be reached ({(error.strerror or type(error).__name__).lower()})."
    return f"The connection to {place} was lost."
