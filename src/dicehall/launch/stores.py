"""Which store a hall is kept in: an SQLite file, or a PostgreSQL database."""

from __future__ import annotations

import asyncio

from dicehall.hall.challenge_days import ChallengeStore
from dicehall.hall.ports import PeopleStore, WebhookStore
from dicehall.hall.ratings import RatingStore
from dicehall.hall.register import Register
from dicehall.launch.output import Failed
from dicehall.store.challenges import SqliteChallenges
from dicehall.store.errors import StoreError
from dicehall.store.host import StoreJournal
from dicehall.store.people import SqlitePeople
from dicehall.store.postgres_address import is_postgres, shown_url
from dicehall.store.ratings import SqliteRatings
from dicehall.store.register import SqliteRegister
from dicehall.store.sqlite import SqliteJournal
from dicehall.store.webhooks import SqliteWebhooks
from dicehall.table.ports import Nodes

NO_DRIVER = "PostgreSQL needs asyncpg: pip install 'dicehall[postgres]'"


def open_journal(db: str, runner: asyncio.Runner) -> StoreJournal:
    """The journal in a file or at an address, for the event loop of *runner*; Failed says why not."""
    try:
        return open_shared(db, runner) if is_postgres(db) else SqliteJournal(db)
    except StoreError as error:
        raise Failed(str(error)) from None


def open_shared(address: str, runner: asyncio.Runner) -> StoreJournal:
    try:
        from dicehall.store.postgres import open_postgres  # an extra that few need
    except ModuleNotFoundError:
        raise Failed(NO_DRIVER) from None
    return runner.run(open_postgres(address))


def shown_database(db: str) -> str:
    """Where games are stored, without a password."""
    return shown_url(db) if is_postgres(db) else db


def people_in(journal: StoreJournal) -> PeopleStore:
    if isinstance(journal, SqliteJournal):
        return SqlitePeople(journal)
    from dicehall.store.postgres import PostgresJournal
    from dicehall.store.postgres_people import PostgresPeople

    assert isinstance(journal, PostgresJournal)
    return PostgresPeople(journal)


def register_in(journal: StoreJournal) -> Register:
    if isinstance(journal, SqliteJournal):
        return SqliteRegister(journal)
    from dicehall.store.postgres import PostgresJournal
    from dicehall.store.postgres_register import PostgresRegister

    assert isinstance(journal, PostgresJournal)
    return PostgresRegister(journal)


def webhooks_in(journal: StoreJournal) -> WebhookStore:
    if isinstance(journal, SqliteJournal):
        return SqliteWebhooks(journal)
    from dicehall.store.postgres import PostgresJournal
    from dicehall.store.postgres_webhooks import PostgresWebhooks

    assert isinstance(journal, PostgresJournal)
    return PostgresWebhooks(journal)


def nodes_in(journal: StoreJournal) -> Nodes | None:
    """Other processes on the same journal, where there can be any."""
    if isinstance(journal, SqliteJournal):
        return None
    from dicehall.store.postgres import PostgresJournal
    from dicehall.store.postgres_nodes import PostgresNodes

    assert isinstance(journal, PostgresJournal)
    return PostgresNodes(journal)


def challenges_in(journal: StoreJournal) -> ChallengeStore:
    if isinstance(journal, SqliteJournal):
        return SqliteChallenges(journal)
    from dicehall.store.postgres import PostgresJournal
    from dicehall.store.postgres_challenges import PostgresChallenges

    assert isinstance(journal, PostgresJournal)
    return PostgresChallenges(journal)


def ratings_in(journal: StoreJournal) -> RatingStore:
    if isinstance(journal, SqliteJournal):
        return SqliteRatings(journal)
    from dicehall.store.postgres import PostgresJournal
    from dicehall.store.postgres_ratings import PostgresRatings

    assert isinstance(journal, PostgresJournal)
    return PostgresRatings(journal)
