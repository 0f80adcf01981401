"""Facts of the hall that become true with an act: written in the same transaction, or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

from dicehall.hall.cards import Card, Ending, Seated


def write_fact(connection: sqlite3.Connection, fact: Any) -> bool:
    """Whether the fact is new; one that is known already is not written again."""
    return WRITERS[type(fact)](connection, fact)


def write_card(connection: sqlite3.Connection, card: Card) -> bool:
    columns = (
        card.table,
        card.game,
        card.name,
        card.opener,
        card.opened_at,
        card.id,
        card.public,
        card.password,
        card.before,
    )
    sql = f"INSERT INTO cards VALUES ({','.join('?' * len(columns))}) ON CONFLICT DO NOTHING"
    return connection.execute(sql, columns).rowcount == 1


def write_ending(connection: sqlite3.Connection, ending: Ending) -> bool:
    columns = (ending.table, ending.game, ending.at, ending.reason, ending.rounds)
    new = connection.execute("INSERT INTO endings VALUES (?,?,?,?,?) ON CONFLICT DO NOTHING", columns).rowcount == 1
    if new:
        connection.executemany(
            "INSERT INTO results VALUES (?,?,?,?,?,?,?,?,?,?)",
            [
                (ending.table, r.seat, ending.game, r.name, r.account, r.bot, r.place, r.won, r.score, ending.rated)
                for r in ending.results
            ],
        )
    return new


def write_seated(connection: sqlite3.Connection, seated: Seated) -> bool:
    connection.execute("DELETE FROM sitters WHERE name = ?", (seated.table,))
    rows = [(account, seated.table) for account in seated.accounts]
    connection.executemany("INSERT INTO sitters (account, name) VALUES (?, ?) ON CONFLICT DO NOTHING", rows)
    return True  # it may be said any number of times


WRITERS: dict[type[Any], Callable[[sqlite3.Connection, Any], bool]] = {
    Card: write_card,
    Ending: write_ending,
    Seated: write_seated,
}
