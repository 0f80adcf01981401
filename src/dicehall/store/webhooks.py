"""Webhooks in the same file as the journals: what is due becomes so in the transaction that ends a game."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from dicehall.hall.webhooks import Webhook
from dicehall.store.sqlite import SqliteJournal

COLUMNS = "name, url, secret, state, due, tries, problem"
DUE = "SELECT name FROM webhooks WHERE due <= ? ORDER BY tries, due DESC, name LIMIT ?"
CLAIM = f"UPDATE webhooks SET due = ?, tries = tries + 1 WHERE name = ? RETURNING {COLUMNS}"
SETTLE = "UPDATE webhooks SET secret = ?, state = ?, due = ?, problem = ? WHERE name = ? AND tries = ?"


class SqliteWebhooks:
    def __init__(self, journal: SqliteJournal) -> None:
        self._journal = journal

    async def webhook(self, table: str) -> Webhook | None:
        sql = f"SELECT {COLUMNS} FROM webhooks WHERE name = ?"
        found = await self._journal.ask(lambda connection: connection.execute(sql, (table,)).fetchone())
        return None if found is None else Webhook(*found)

    async def claim(self, now: int, until: int, most: int) -> Sequence[Webhook]:
        due = await self._journal.ask(lambda connection: connection.execute(DUE, (now, most)).fetchall())
        if not due:
            return []

        def work(connection: sqlite3.Connection) -> list[Webhook]:
            return [Webhook(*connection.execute(CLAIM, (until, name)).fetchone()) for (name,) in due]

        return await self._journal.change(work)

    async def settle(self, webhook: Webhook) -> None:
        values = (webhook.secret, webhook.state, webhook.due, webhook.problem, webhook.table, webhook.tries)
        await self._journal.change(lambda connection: connection.execute(SETTLE, values))
