"""Webhooks in PostgreSQL: what one process has claimed, another does not send."""

from __future__ import annotations

from collections.abc import Sequence

from dicehall.hall.webhooks import Webhook
from dicehall.store.postgres import PostgresJournal
from dicehall.store.postgres_connection import Connection
from dicehall.store.webhooks import COLUMNS

CLAIM = f"""UPDATE webhooks SET due = $2, tries = tries + 1 WHERE name IN (
    SELECT name FROM webhooks WHERE due <= $1 ORDER BY tries, due DESC, name LIMIT $3 FOR UPDATE SKIP LOCKED
    ) RETURNING {COLUMNS}"""
SETTLE = "UPDATE webhooks SET secret = $1, state = $2, due = $3, problem = $4 WHERE name = $5 AND tries = $6"


class PostgresWebhooks:
    def __init__(self, journal: PostgresJournal) -> None:
        self._journal = journal

    async def webhook(self, table: str) -> Webhook | None:
        found = await self._journal.fetch(f"SELECT {COLUMNS} FROM webhooks WHERE name = $1", table)
        return Webhook(*found[0]) if found else None

    async def claim(self, now: int, until: int, most: int) -> Sequence[Webhook]:
        if not await self._journal.fetch("SELECT FROM webhooks WHERE due <= $1 LIMIT 1", now):
            return []

        async def work(connection: Connection) -> list[Webhook]:
            return [Webhook(*row) for row in await connection.fetch(CLAIM, now, until, most)]

        return await self._journal.change(work)

    async def settle(self, webhook: Webhook) -> None:
        values = (webhook.secret, webhook.state, webhook.due, webhook.problem, webhook.table, webhook.tries)
        await self._journal.execute(SETTLE, *values)
