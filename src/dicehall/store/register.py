"""What a hall writes down of its tables, and what is counted from it, in SQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from itertools import groupby
from typing import Any

from dicehall.hall.cards import Card, Ending, Result
from dicehall.hall.register import LONG_PAGE, PAGE, Count, Filter, Kind, Leader, Listed, Order, Past, Tally, offset_of
from dicehall.store.count_cache import CountCache
from dicehall.store.host import LIVE
from dicehall.store.sqlite import SqliteJournal

CARD = "cards.name, cards.game, title, opener, opened_at, id, public, password, before, origin, challenge"
STATUS = """coalesce(heads.status, CASE WHEN EXISTS (SELECT 1 FROM results WHERE results.name = cards.name)
    THEN 'over' ELSE 'abandoned' END)"""
ENDING = "SELECT name, game, at, reason, rounds FROM endings"
RESULTS = "SELECT name, seat, player, account, bot, place, won, score, continued, rated FROM results"
COUNTED = "EXISTS (SELECT 1 FROM results WHERE results.name = endings.name)"
LISTED = f"SELECT {CARD}, {STATUS} AS now FROM cards LEFT JOIN heads ON heads.name = cards.name"
GOING_ON = f"SELECT {CARD}, heads.status AS now FROM heads CROSS JOIN cards ON cards.name = heads.name"  # in this order
LISTED_FOR_ALL = f"public AND (password IS NULL OR now IN {LIVE})"
NEWEST = "ORDER BY opened_at DESC, cards.name"
OPEN_TO_ALL = """(+endings.name IN (SELECT name FROM results WHERE account = :viewer)
    OR EXISTS (SELECT 1 FROM cards WHERE cards.name = endings.name AND public AND password IS NULL))"""
ATTENDED = (
    "ORDER BY attended DESC, opened_at DESC, cards.name"  # of unfinished tables, those with somebody present first
)
LOBBIES = """SELECT sitters.name FROM sitters CROSS JOIN heads ON heads.name = sitters.name
    WHERE account = ? AND status = 'lobby'"""
MINE = "+endings.name IN (SELECT name FROM results WHERE account = :account)"
PAST = """endings.name IN (SELECT name FROM results WHERE account = :account
        AND (:outcome IS NULL OR won = (:outcome = 'won')))
    AND (game = :game OR :game IS NULL) AND at >= :since
    AND (:against IS NULL OR (:against = 'people') = EXISTS (SELECT 1 FROM results
        WHERE results.name = endings.name AND results.account IS NOT NULL AND results.account != :account))"""
LAST_NAME = """(SELECT player FROM results AS mine JOIN endings ON endings.name = mine.name
    WHERE mine.account = results.account AND mine.game = results.game ORDER BY at DESC, endings.name LIMIT 1)"""
TALLIES = f"""SELECT account, bot, CASE WHEN account IS NULL THEN bot ELSE {LAST_NAME} END, games, wins, scored
    FROM (SELECT account, bot, game, count(*) AS games, sum(won) AS wins, sum(score) AS scored
        FROM results WHERE game = ? AND NOT continued GROUP BY account, bot
        ORDER BY wins DESC, scored DESC, coalesce(account, 'bot:' || bot) LIMIT {PAGE} OFFSET ?) AS results"""

BEST = {"won": "wins DESC, games, who", "rate": "1.0 * wins / games DESC, games DESC, who"}
PEOPLE = """SELECT account AS who, accounts.name AS called, count(*) AS games, sum(won) AS wins
    FROM results JOIN accounts ON accounts.id = results.account WHERE guest = :guest AND rated
    AND (game = :game OR :game IS NULL)
    GROUP BY account HAVING count(*) >= :least"""
BOTS = """SELECT bot AS who, bot AS called, count(*) AS games, sum(won) AS wins
    FROM results WHERE bot IS NOT NULL AND rated AND (game = :game OR :game IS NULL)
    GROUP BY bot HAVING count(*) >= :least"""


class SqliteRegister:
    def __init__(self, journal: SqliteJournal) -> None:
        self._journal = journal
        self._cache = CountCache(lambda: journal.version)

    async def card(self, table: str) -> Card | None:
        return await self._card("cards.name = ?", table)

    async def opened_as(self, opener: str, id: str) -> Card | None:
        return await self._card("opener = ? AND id = ?", opener, id)

    async def rematch_of(self, table: str) -> Card | None:
        return await self._card("before = ?", table)

    async def attempt_at(self, opener: str, game: str, day: str) -> Card | None:
        return await self._card("opener = ? AND cards.game = ? AND challenge = ?", opener, game, day)

    async def _card(self, where: str, *values: str) -> Card | None:
        """From the journal's own thread, which knows of a card that was just stored in a race."""
        sql = f"SELECT {CARD} FROM cards WHERE {where}"
        found = await self._journal.ask(lambda connection: connection.execute(sql, values).fetchone())
        return to_card(found) if found else None

    async def continuations(self, table: str, account: str) -> Sequence[Card]:
        sql = f"""SELECT {CARD} FROM cards WHERE origin = ? AND (opener = ?
            OR name IN (SELECT name FROM sitters WHERE account = ?)) {NEWEST} LIMIT {PAGE}"""
        return [to_card(row) for row in await self._journal.look_up(all_rows(sql, (table, account, account)))]

    async def find(self, wanted: Filter, page: int) -> Sequence[Listed]:
        where, values = conditions(wanted)
        going_on = bool(wanted.statuses) and set(wanted.statuses) <= set(LIVE)  # few of many tables
        listed, order = (GOING_ON, ATTENDED) if going_on else (LISTED, NEWEST)
        sql = f"{listed} WHERE {where} {order} LIMIT {PAGE} OFFSET ?"
        found = await self._journal.look_up(all_rows(sql, (*values, offset_of(page))))
        return [Listed(to_card(row[:-1]), row[-1]) for row in found]

    async def tables_of(self, account: str, game: str, page: int) -> Sequence[Listed]:
        where = "cards.name IN (SELECT name FROM sitters WHERE account = ?) AND +cards.game = ?"
        sql = f"{LISTED} WHERE {where} {NEWEST} LIMIT {LONG_PAGE} OFFSET ?"
        found = await self._journal.look_up(all_rows(sql, (account, game, offset_of(page, LONG_PAGE))))
        return [Listed(to_card(row[:-1]), row[-1]) for row in found]

    async def lobbies_of(self, account: str) -> Sequence[str]:
        return [name for (name,) in await self._journal.ask(all_rows(LOBBIES, (account,)))]

    async def tallies(self, game: str, page: int) -> Sequence[Tally]:
        return [Tally(*row) for row in await self._counted(TALLIES, (game, offset_of(page)))]

    async def ending(self, table: str) -> Ending | None:
        found = await self._journal.ask(endings_where("name = ?", (table,), 0))
        return found[0] if found else None

    async def endings(
        self, game: str | None, account: str | None, page: int, *, viewer: str | None = None, private: bool = False
    ) -> Sequence[Ending]:
        where = f"(game = :game OR :game IS NULL) AND {COUNTED if account is None else MINE}"
        values = {"game": game, "account": account, "viewer": viewer}
        shown = where if private else f"{where} AND {OPEN_TO_ALL}"
        return await self._journal.look_up(endings_where(shown, values, page))

    async def past(self, account: str, wanted: Past, page: int, viewer: str | None = None) -> Sequence[Ending]:
        values = {"account": account, "viewer": viewer, **asdict(wanted)}
        return await self._journal.look_up(endings_where(f"+{PAST} AND {OPEN_TO_ALL}", values, page))

    async def counts(self, account: str, *, rated: bool = False) -> Sequence[Count]:
        sql = """SELECT game, count(*), sum(won) FROM results WHERE account = ? AND rated >= ?
            AND NOT continued GROUP BY game ORDER BY game"""
        return [Count(*row) for row in await self._counted(sql, (account, rated))]

    async def versus(self, account: str, other: str) -> Sequence[tuple[Count, Count]]:
        sql = """SELECT mine.game, count(*), sum(mine.won), sum(theirs.won)
            FROM results AS mine JOIN results AS theirs ON theirs.name = mine.name AND theirs.account = ?
            WHERE mine.account = ? AND NOT mine.continued GROUP BY mine.game ORDER BY mine.game"""
        found = await self._counted(sql, (other, account))
        return [(Count(game, played, won), Count(game, played, lost)) for game, played, won, lost in found]

    async def leaders(self, game: str | None, kind: Kind, order: Order, least: int, page: int) -> Sequence[Leader]:
        sql = f"{BOTS if kind == 'bots' else PEOPLE} ORDER BY {BEST[order]} LIMIT {PAGE} OFFSET {offset_of(page)}"
        values = {"guest": kind == "guests", "game": game, "least": max(1, least)}
        return [Leader(*row) for row in await self._counted(sql, values)]

    async def _counted(self, sql: str, values: Any) -> list[Any]:
        key = (sql, tuple(values.items()) if isinstance(values, dict) else values)
        return await self._cache.get(key, lambda: self._journal.count(all_rows(sql, values)))


def all_rows(sql: str, values: Any) -> Callable[[sqlite3.Connection], list[Any]]:
    return lambda connection: connection.execute(sql, values).fetchall()


def endings_where(where: str, values: Any, page: int) -> Callable[[sqlite3.Connection], list[Ending]]:
    sql = f"{ENDING} WHERE {where} ORDER BY at DESC, name LIMIT {PAGE} OFFSET {offset_of(page)}"

    def ask(connection: sqlite3.Connection) -> list[Ending]:
        found = connection.execute(sql, values).fetchall()
        names = [row[0] for row in found]
        marks = ",".join("?" * len(names))
        results = connection.execute(f"{RESULTS} WHERE name IN ({marks}) ORDER BY name, seat", names).fetchall()
        by_table = {name: list(rows) for name, rows in groupby(results, key=lambda row: row[0])}
        return [to_ending(row, by_table.get(row[0], [])) for row in found]

    return ask


def conditions(wanted: Filter) -> tuple[str, tuple[Any, ...]]:
    """A filter as SQL, with the values it needs."""
    parts: list[tuple[str, tuple[Any, ...]]] = [("1", ())]
    if wanted.game is not None:
        parts.append(("cards.game = ?", (wanted.game,)))
    if wanted.public_only:
        parts.append((LISTED_FOR_ALL, ()))
    if wanted.opener is not None:
        parts.append(("opener = ?", (wanted.opener,)))
    if wanted.sitter is not None:
        parts.append(("cards.name IN (SELECT name FROM sitters WHERE account = ?)", (wanted.sitter,)))
    if wanted.statuses:
        parts.append((f"now IN ({','.join('?' * len(wanted.statuses))})", wanted.statuses))
    return " AND ".join(sql for sql, _ in parts), tuple(value for _, values in parts for value in values)


def to_card(row: Sequence[Any]) -> Card:
    table, game, title, opener, opened_at, id, public, password, before, origin, challenge = row
    return Card(table, game, title, opener, opened_at, id, bool(public), password, before, origin, challenge)


def to_ending(row: Sequence[Any], results: Sequence[Sequence[Any]]) -> Ending:
    rated, continued = all(result[-1] for result in results), any(result[-2] for result in results)
    return replace(Ending(*row), results=tuple(map(to_result, results)), rated=rated, continued=continued)


def to_result(row: Sequence[Any]) -> Result:
    _, seat, player, account, bot, place, won, score, *_ = row
    return Result(seat, player, account, bot, place, bool(won), score)
