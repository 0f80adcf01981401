"""Facts of the hall that become true with acts, written to PostgreSQL in the acts' own transaction."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from dicehall.hall.cards import Card, Ending, Seated
from dicehall.hall.webhooks import Webhook
from dicehall.store.facts import card_columns
from dicehall.store.postgres_connection import Connection

CARDS = """INSERT INTO cards SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[],
    $6::text[], $7::boolean[], $8::text[], $9::text[], $10::text[], $11::text[]) AS asked (name)
    ORDER BY asked.name ON CONFLICT DO NOTHING RETURNING name"""
ENDINGS = """INSERT INTO endings (name, game, at, reason, rounds)
    SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[]) AS asked (name)
    ORDER BY asked.name ON CONFLICT DO NOTHING RETURNING name"""
RESULTS = """INSERT INTO results SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[],
    $6::text[], $7::bigint[], $8::boolean[], $9::bigint[], $10::boolean[], $11::boolean[])"""
WEBHOOKS = """INSERT INTO webhooks SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[],
    $6::bigint[], $7::text[]) ON CONFLICT DO NOTHING RETURNING name"""
END_WEBHOOKS = """UPDATE webhooks SET state = 'pending', due = ended.at
    FROM unnest($1::text[], $2::bigint[]) AS ended (name, at) WHERE webhooks.name = ended.name AND state = 'waiting'"""
STOOD = "DELETE FROM sitters WHERE name = ANY($1::text[])"
SAT = "INSERT INTO sitters SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING"


async def write_facts(connection: Connection, facts: Sequence[Any]) -> bool:
    """Whether all facts are new; where one is not, the transaction must be rolled back."""
    for kind, write in WRITERS.items():
        some = [fact for fact in facts if isinstance(fact, kind)]
        if some and not await write(connection, some):
            return False
    return True


async def write_cards(connection: Connection, cards: Sequence[Card]) -> bool:
    rows = [card_columns(card) for card in cards]
    return len(await connection.fetch(CARDS, *columns(rows))) == len(rows)


async def write_endings(connection: Connection, endings: Sequence[Ending]) -> bool:
    rows = [(one.table, one.game, one.at, one.reason, one.rounds) for one in endings]
    if len(await connection.fetch(ENDINGS, *columns(rows))) != len(rows):
        return False
    await connection.execute(END_WEBHOOKS, *columns([(one.table, one.at) for one in endings]))
    results = [
        (one.table, r.seat, one.game, r.name, r.account, r.bot, r.place, r.won, r.score) + (one.rated, one.continued)
        for one in endings
        for r in one.results
    ]
    if results:
        await connection.execute(RESULTS, *columns(results))
    return True


async def write_webhooks(connection: Connection, webhooks: Sequence[Webhook]) -> bool:
    rows = [(one.table, one.url, one.secret, one.state, one.due, one.tries, one.problem) for one in webhooks]
    return len(await connection.fetch(WEBHOOKS, *columns(rows))) == len(rows)


async def write_seated(connection: Connection, seated: Sequence[Seated]) -> bool:
    await connection.execute(STOOD, [one.table for one in seated])
    rows = [(account, one.table) for one in seated for account in one.accounts]
    if rows:
        await connection.execute(SAT, *columns(rows))
    return True  # it may be said any number of times


def columns(rows: Sequence[tuple[Any, ...]]) -> list[list[Any]]:
    """Rows as the arrays that unnest takes; there is at least one row."""
    return [list(column) for column in zip(*rows, strict=True)]


WRITERS: dict[type[Any], Callable[[Connection, Any], Awaitable[bool]]] = {
    Card: write_cards,
    Webhook: write_webhooks,
    Ending: write_endings,
    Seated: write_seated,
}
