"""Facts of the hall that become true with an act: written in the same transaction, or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

from dicehall.hall.cards import Card, Ending, Seated
from dicehall.hall.webhooks import Webhook

END_WEBHOOK = "UPDATE webhooks SET state = 'pending', due = ? WHERE name = ? AND state = 'waiting'"


def write_fact(connection: sqlite3.Connection, fact: Any) -> bool:
    """Write a fact if it is new; returns whether it was."""
    return WRITERS[type(fact)](connection, fact)


def card_columns(card: Card) -> tuple[Any, ...]:
    """In the order of the table, which is the same in PostgreSQL."""
    return (
        card.table,
        card.game,
        card.name,
        card.opener,
        card.opened_at,
        card.id,
        card.public,
        card.password,
        card.before,
        card.origin,
        card.challenge,
    )


def write_card(connection: sqlite3.Connection, card: Card) -> bool:
    columns = card_columns(card)
    sql = f"INSERT INTO cards VALUES ({','.join('?' * len(columns))}) ON CONFLICT DO NOTHING"
    return connection.execute(sql, columns).rowcount == 1


def write_ending(connection: sqlite3.Connection, ending: Ending) -> bool:
    columns = (ending.table, ending.game, ending.at, ending.reason, ending.rounds)
    sql = "INSERT INTO endings (name, game, at, reason, rounds) VALUES (?,?,?,?,?) ON CONFLICT DO NOTHING"
    new = connection.execute(sql, columns).rowcount == 1
    if new:
        connection.execute(END_WEBHOOK, (ending.at, ending.table))
        connection.executemany(
            "INSERT INTO results VALUES (?,?,?,?,?,?,?,?,?,?,?)",
            [
                (ending.table, r.seat, ending.game, r.name, r.account, r.bot, r.place, r.won, r.score)
                + (ending.rated, ending.continued)
                for r in ending.results
            ],
        )
    return new


def write_webhook(connection: sqlite3.Connection, webhook: Webhook) -> bool:
    columns = (webhook.table, webhook.url, webhook.secret, webhook.state, webhook.due, webhook.tries, webhook.problem)
    sql = "INSERT INTO webhooks VALUES (?,?,?,?,?,?,?) ON CONFLICT DO NOTHING"
    return connection.execute(sql, columns).rowcount == 1


def write_seated(connection: sqlite3.Connection, seated: Seated) -> bool:
    connection.execute("DELETE FROM sitters WHERE name = ?", (seated.table,))
    rows = [(account, seated.table) for account in seated.accounts]
    connection.executemany("INSERT INTO sitters (account, name) VALUES (?, ?) ON CONFLICT DO NOTHING", rows)
    return True  # it may be said any number of times


WRITERS: dict[type[Any], Callable[[sqlite3.Connection, Any], bool]] = {
    Card: write_card,
    Ending: write_ending,
    Seated: write_seated,
    Webhook: write_webhook,
}
