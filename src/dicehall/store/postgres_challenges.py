"""The days of the daily challenge and their rankings, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dicehall.hall.challenge_days import Attempt, Day, Unjudged
from dicehall.hall.register import PAGE, offset_of
from dicehall.store.postgres import PostgresJournal
from dicehall.store.postgres_connection import Connection

PLAYED = """FROM cards JOIN results ON results.name = cards.name AND results.account = cards.opener
    LEFT JOIN challenge_losses ON challenge_losses.name = cards.name"""
RANKED = f"""SELECT rank() OVER (ORDER BY place, average_loss IS NULL, average_loss) AS ranked, cards.name AS at,
    opener, accounts.name AS called, place, won, score, average_loss, decisions
    {PLAYED} JOIN accounts ON accounts.id = opener
    WHERE challenge = $1 AND cards.game = $2 AND (guest OR created >= $3) = $4"""
UNJUDGED = f"""SELECT cards.name, opener, seat {PLAYED}
    WHERE challenge IS NOT NULL AND challenge_losses.name IS NULL ORDER BY opened_at, cards.name LIMIT $1"""
DAY = "SELECT day, seal, secret FROM challenge_days WHERE day = $1"
ADD_DAY = "INSERT INTO challenge_days VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
JUDGE = "INSERT INTO challenge_losses VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
VOID_TABLES = "DELETE FROM secrets WHERE name IN (SELECT name FROM cards WHERE challenge > $1)"


class PostgresChallenges:
    def __init__(self, journal: PostgresJournal) -> None:
        self._journal = journal

    async def day(self, day: str) -> Day | None:
        found = await self._journal.fetch(DAY, day)
        return Day(*found[0]) if found else None

    async def add_day(self, day: Day) -> Day:
        await self._journal.execute(ADD_DAY, day.day, day.seal, day.secret)
        return await self.day(day.day) or day

    async def void_days(self, after: str) -> None:
        async def work(connection: Connection) -> None:
            await connection.execute("UPDATE challenge_days SET secret = NULL WHERE day > $1", after)
            await connection.execute(VOID_TABLES, after)

        await self._journal.change(work)

    async def ranking(self, game: str, day: str, began: int, page: int, *, newcomers: bool) -> Sequence[Attempt]:
        sql = f"{RANKED} ORDER BY ranked, called LIMIT {PAGE} OFFSET {offset_of(page)}"
        return await self._attempts(sql, day, game, began, newcomers)

    async def attempt(self, account: str, game: str, day: str, began: int, *, newcomers: bool) -> Attempt | None:
        sql = f"SELECT * FROM ({RANKED}) AS ranking WHERE opener = $5"
        found = await self._attempts(sql, day, game, began, newcomers, account)
        return found[0] if found else None

    async def unjudged(self, most: int) -> Sequence[Unjudged]:
        found = await self._journal.look_up(lambda connection: connection.fetch(UNJUDGED, most))
        return [Unjudged(*row) for row in found]

    async def judge(self, table: str, average_loss: float | None, decisions: int) -> None:
        await self._journal.execute(JUDGE, table, average_loss, decisions)

    async def _attempts(self, sql: str, *values: Any) -> list[Attempt]:
        found = await self._journal.look_up(lambda connection: connection.fetch(sql, *values))
        return [Attempt(*row) for row in found]
