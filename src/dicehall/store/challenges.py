"""The days of the daily challenge and their rankings, in SQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from dicehall.hall.challenge_days import Attempt, Day, Unjudged
from dicehall.hall.register import PAGE, offset_of
from dicehall.store.sqlite import SqliteJournal

PLAYED = """FROM cards JOIN results ON results.name = cards.name AND results.account = cards.opener
    LEFT JOIN challenge_losses ON challenge_losses.name = cards.name"""
RANKED = f"""SELECT rank() OVER (ORDER BY place, average_loss IS NULL, average_loss) AS ranked, cards.name AS at,
    opener, accounts.name AS called, place, won, score, average_loss, decisions
    {PLAYED} JOIN accounts ON accounts.id = opener
    WHERE challenge = :day AND cards.game = :game AND (guest = 1 OR created >= :began) = :newcomers"""
UNJUDGED = f"""SELECT cards.name, opener, seat {PLAYED}
    WHERE challenge IS NOT NULL AND challenge_losses.name IS NULL ORDER BY opened_at, cards.name LIMIT ?"""
ADD_DAY = "INSERT INTO challenge_days (day, seal, secret) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
JUDGE = "INSERT INTO challenge_losses (name, average_loss, decisions) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"


class SqliteChallenges:
    def __init__(self, journal: SqliteJournal) -> None:
        self._journal = journal

    async def day(self, day: str) -> Day | None:
        return await self._journal.ask(lambda connection: stored_day(connection, day))

    async def add_day(self, day: Day) -> Day:
        def add(connection: sqlite3.Connection) -> Day:
            connection.execute(ADD_DAY, (day.day, day.seal, day.secret))
            return stored_day(connection, day.day) or day

        return await self._journal.change(add)

    async def void_days(self, after: str) -> None:
        await self._journal.change(lambda connection: void_days(connection, after))

    async def ranking(self, game: str, day: str, began: int, page: int, *, newcomers: bool) -> Sequence[Attempt]:
        values = {"game": game, "day": day, "began": began, "newcomers": newcomers}
        sql = f"{RANKED} ORDER BY ranked, called LIMIT {PAGE} OFFSET {offset_of(page)}"
        return await self._attempts(sql, values)

    async def attempt(self, account: str, game: str, day: str, began: int, *, newcomers: bool) -> Attempt | None:
        values = {"game": game, "day": day, "began": began, "newcomers": newcomers, "account": account}
        found = await self._attempts(f"SELECT * FROM ({RANKED}) WHERE opener = :account", values)
        return found[0] if found else None

    async def unjudged(self, most: int) -> Sequence[Unjudged]:
        found = await self._journal.look_up(lambda connection: connection.execute(UNJUDGED, (most,)).fetchall())
        return [Unjudged(*row) for row in found]

    async def judge(self, table: str, average_loss: float | None, decisions: int) -> None:
        def write(connection: sqlite3.Connection) -> None:
            connection.execute(JUDGE, (table, average_loss, decisions))

        await self._journal.change(write)

    async def _attempts(self, sql: str, values: dict[str, Any]) -> list[Attempt]:
        found = await self._journal.look_up(lambda connection: connection.execute(sql, values).fetchall())
        return [to_attempt(*row) for row in found]


def stored_day(connection: sqlite3.Connection, day: str) -> Day | None:
    found = connection.execute("SELECT day, seal, secret FROM challenge_days WHERE day = ?", (day,)).fetchone()
    return Day(*found) if found else None


def void_days(connection: sqlite3.Connection, after: str) -> None:
    """Forget the secrets of all days after this one, where they are kept and at their tables."""
    connection.execute("UPDATE challenge_days SET secret = NULL WHERE day > ?", (after,))
    tables = "SELECT key FROM heads JOIN cards ON cards.name = heads.name WHERE challenge > ?"
    connection.execute(f"DELETE FROM secrets WHERE key IN ({tables})", (after,))


def to_attempt(rank: int, table: str, account: str, name: str, place: int, won: int, *more: Any) -> Attempt:
    return Attempt(rank, table, account, name, place, bool(won), *more)
