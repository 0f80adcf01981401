"""The shape of a PostgreSQL database: numbered SQL in `postgres_migrations`, each run once, by one process."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from dicehall.store.errors import StoreError
from dicehall.store.postgres_address import shown_url
from dicehall.store.postgres_connection import Connection

LOCK = 0x44696365  # of all who migrate
OTHERS = """SELECT min(table_name) FROM information_schema.tables
    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'"""


@cache
def migrations() -> tuple[str, ...]:
    """The SQL of migration 1, 2, ..."""
    folder = files(__package__).joinpath("postgres_migrations")
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)
    return tuple(file.read_text("utf-8") for file in found)


def newest() -> int:
    return len(migrations())


async def migrate(connection: Connection, url: str) -> None:
    """Bring a database up to date, on a patient connection: processes that start at once wait for the first of them."""
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
        version = await version_of(connection, url)
        if version > newest():
            sentence = f"was written by a newer Dicehall (schema {version}; this one knows {newest()})."
            raise StoreError(f"{shown_url(url)} {sentence}")
        for sql in migrations()[version:]:
            await connection.execute(sql)
        if version < newest():
            await connection.execute("UPDATE dicehall SET schema = $1", newest())


async def version_of(connection: Connection, url: str) -> int:
    """The number of the last migration; a database in which nothing is yet is marked as a hall's."""
    if await connection.fetchval("SELECT to_regclass('dicehall')") is None:
        if (other := await connection.fetchval(OTHERS)) is not None:
            raise StoreError(f"{shown_url(url)} is another program's database (it has a table {other}).")
        await connection.execute("CREATE TABLE dicehall (schema BIGINT NOT NULL)")
        await connection.execute("INSERT INTO dicehall VALUES (0)")
    return int(await connection.fetchval("SELECT schema FROM dicehall"))
