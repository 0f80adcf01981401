"""What a hall writes down of its tables, and what is counted from it, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from dicehall.hall.cards import Card, Ending, Result
from dicehall.hall.register import LONG_PAGE, PAGE, Count, Filter, Kind, Leader, Listed, Order, Past, Tally, offset_of
from dicehall.store.count_cache import CountCache
from dicehall.store.host import LIVE
from dicehall.store.postgres import PostgresJournal
from dicehall.store.postgres_connection import Connection

CARD = "cards.name, cards.game, title, opener, opened_at, id, public, password, before, origin, challenge"
STATUS = """coalesce(heads.status, CASE WHEN EXISTS (SELECT FROM results WHERE results.name = cards.name)
    THEN 'over' ELSE 'abandoned' END)"""
LISTED = f"SELECT {CARD}, {STATUS} AS now, attended FROM cards LEFT JOIN heads ON heads.name = cards.name"
GOING_ON = f"SELECT {CARD}, heads.status AS now, attended FROM heads JOIN cards ON cards.name = heads.name"
NEWEST = "ORDER BY opened_at DESC, name"
ATTENDED = f"ORDER BY attended DESC, {NEWEST.removeprefix('ORDER BY ')}"  # tables with somebody present first
ENDING = "SELECT name, game, at, reason, rounds FROM endings"
RESULTS = """SELECT name, seat, player, account, bot, place, won, score, continued, rated FROM results
    WHERE name = ANY($1::text[]) ORDER BY name, seat"""
COUNTED = "EXISTS (SELECT FROM results WHERE results.name = endings.name)"
PLAYED = "EXISTS (SELECT FROM results WHERE results.name = endings.name AND results.account = {})"
FARED = f"{PLAYED[:-1]} AND won = ({{}}::text = 'won'))"
PEOPLE_THERE = "EXISTS (SELECT FROM results WHERE results.name = endings.name AND results.account != $1)"
OPEN = "EXISTS (SELECT FROM cards WHERE cards.name = endings.name AND public AND password IS NULL)"
LOBBIES = "SELECT name FROM sitters JOIN heads USING (name) WHERE account = $1 AND status = 'lobby'"
LAST_NAME = """(SELECT player FROM results AS mine JOIN endings USING (name)
    WHERE mine.account = best.account AND mine.game = $1 ORDER BY endings.at DESC, name LIMIT 1)"""
TALLIES = f"""SELECT account, bot, CASE WHEN account IS NULL THEN bot ELSE {LAST_NAME} END, games, wins, scored
    FROM (SELECT account, bot, count(*) AS games, count(*) FILTER (WHERE won) AS wins, sum(score)::bigint AS scored
        FROM results WHERE game = $1 AND NOT continued GROUP BY account, bot
        ORDER BY wins DESC, scored DESC, coalesce(account, 'bot:' || bot) LIMIT {PAGE} OFFSET $2) AS best"""
COUNTS = """SELECT game, count(*), count(*) FILTER (WHERE won) FROM results
    WHERE account = $1 AND (rated OR NOT $2) AND NOT continued GROUP BY game ORDER BY game"""
VERSUS = """SELECT mine.game, count(*), count(*) FILTER (WHERE mine.won), count(*) FILTER (WHERE theirs.won)
    FROM results AS mine JOIN results AS theirs ON theirs.name = mine.name AND theirs.account = $2
    WHERE mine.account = $1 AND NOT mine.continued GROUP BY mine.game ORDER BY mine.game"""
BEST = {"won": "wins DESC, games, who", "rate": "wins::float8 / games DESC, games DESC, who"}
PEOPLE = """SELECT account AS who, accounts.name AS called, count(*) AS games, count(*) FILTER (WHERE won) AS wins
    FROM results JOIN accounts ON accounts.id = results.account
    WHERE rated AND (game = $1 OR $1 IS NULL) AND guest = $3 GROUP BY account, accounts.name HAVING count(*) >= $2"""
BOTS = """SELECT bot AS who, bot AS called, count(*) AS games, count(*) FILTER (WHERE won) AS wins
    FROM results WHERE bot IS NOT NULL AND rated AND (game = $1 OR $1 IS NULL) GROUP BY bot HAVING count(*) >= $2"""


class PostgresRegister:
    def __init__(self, journal: PostgresJournal) -> None:
        self._journal = journal
        self._cache = CountCache(lambda: journal.version)

    async def card(self, table: str) -> Card | None:
        return await self._card("cards.name = $1", table)

    async def opened_as(self, opener: str, id: str) -> Card | None:
        return await self._card("opener = $1 AND id = $2", opener, id)

    async def rematch_of(self, table: str) -> Card | None:
        return await self._card("before = $1", table)

    async def attempt_at(self, opener: str, game: str, day: str) -> Card | None:
        return await self._card("opener = $1 AND game = $2 AND challenge = $3", opener, game, day)

    async def _card(self, where: str, *values: str) -> Card | None:
        found = await self._journal.fetch(f"SELECT {CARD} FROM cards WHERE {where}", *values)
        return Card(*found[0]) if found else None

    async def continuations(self, table: str, account: str) -> Sequence[Card]:
        known = "opener = $2 OR name IN (SELECT name FROM sitters WHERE account = $2)"
        sql = f"SELECT {CARD} FROM cards WHERE origin = $1 AND ({known}) {NEWEST} LIMIT {PAGE}"
        found = await self._journal.look_up(lambda connection: connection.fetch(sql, table, account))
        return [Card(*row) for row in map(tuple, found)]

    async def find(self, wanted: Filter, page: int) -> Sequence[Listed]:
        where, values = conditions(wanted)
        going_on = bool(wanted.statuses) and set(wanted.statuses) <= set(LIVE)  # few of many tables
        listed, order = (GOING_ON, ATTENDED) if going_on else (LISTED, NEWEST)
        sql = f"SELECT * FROM ({listed}) AS listed WHERE {where} {order} LIMIT {PAGE} OFFSET {offset_of(page)}"
        return await self._listed(sql, *values)

    async def tables_of(self, account: str, game: str, page: int) -> Sequence[Listed]:
        where = "cards.name IN (SELECT name FROM sitters WHERE account = $1) AND cards.game = $2"
        offset = offset_of(page, LONG_PAGE)
        return await self._listed(f"{LISTED} WHERE {where} {NEWEST} LIMIT {LONG_PAGE} OFFSET {offset}", account, game)

    async def lobbies_of(self, account: str) -> Sequence[str]:
        return [name for (name,) in await self._journal.fetch(LOBBIES, account)]

    async def tallies(self, game: str, page: int) -> Sequence[Tally]:
        return [Tally(*row) for row in await self._counted(TALLIES, game, offset_of(page))]

    async def ending(self, table: str) -> Ending | None:
        found = await self._journal.ask(lambda connection: endings(connection, f"{ENDING} WHERE name = $1", table))
        return found[0] if found else None

    async def endings(
        self, game: str | None, account: str | None, page: int, *, viewer: str | None = None, private: bool = False
    ) -> Sequence[Ending]:
        values: list[str] = []
        where = [COUNTED if account is None else PLAYED.format(mark(values, account))]
        if game is not None:
            where.append(f"game = {mark(values, game)}")
        if not private:
            where.append(OPEN if viewer is None else f"({OPEN} OR {PLAYED.format(mark(values, viewer))})")
        order = f"ORDER BY at DESC, name LIMIT {PAGE} OFFSET {offset_of(page)}"
        sql = f"{ENDING} WHERE {' AND '.join(where)} {order}"
        return await self._journal.look_up(lambda connection: endings(connection, sql, *values))

    async def past(self, account: str, wanted: Past, page: int, viewer: str | None = None) -> Sequence[Ending]:
        values: list[Any] = [account]
        where = [PLAYED.format("$1") if wanted.outcome is None else FARED.format("$1", mark(values, wanted.outcome))]
        if wanted.game is not None:
            where.append(f"game = {mark(values, wanted.game)}")
        if wanted.against is not None:
            where.append(PEOPLE_THERE if wanted.against == "people" else f"NOT {PEOPLE_THERE}")
        where.append(f"at >= {mark(values, wanted.since)}")
        where.append(OPEN if viewer is None else f"({OPEN} OR {PLAYED.format(mark(values, viewer))})")
        order = f"ORDER BY at DESC, name LIMIT {PAGE} OFFSET {offset_of(page)}"
        sql = f"{ENDING} WHERE {' AND '.join(where)} {order}"
        return await self._journal.look_up(lambda connection: endings(connection, sql, *values))

    async def counts(self, account: str, *, rated: bool = False) -> Sequence[Count]:
        return [Count(*row) for row in await self._counted(COUNTS, account, rated)]

    async def versus(self, account: str, other: str) -> Sequence[tuple[Count, Count]]:
        found = await self._counted(VERSUS, account, other)
        return [(Count(game, played, won), Count(game, played, lost)) for game, played, won, lost in found]

    async def leaders(self, game: str | None, kind: Kind, order: Order, least: int, page: int) -> Sequence[Leader]:
        best = f"ORDER BY {BEST[order]} LIMIT {PAGE} OFFSET {offset_of(page)}"
        values: tuple[Any, ...] = (game, max(1, least))
        if kind == "bots":
            found = await self._counted(f"SELECT * FROM ({BOTS}) AS bots {best}", *values)
        else:
            found = await self._counted(f"SELECT * FROM ({PEOPLE}) AS people {best}", *values, kind == "guests")
        return [Leader(*row) for row in found]

    async def _listed(self, sql: str, *values: Any) -> list[Listed]:
        found = await self._journal.look_up(lambda connection: connection.fetch(sql, *values))
        return [Listed(Card(*row[:-2]), row[-2]) for row in map(tuple, found)]

    async def _counted(self, sql: str, *values: Any) -> list[Any]:
        def count() -> Any:
            return self._journal.look_up(lambda connection: connection.fetch(sql, *values))

        return await self._cache.get((sql, values), count)


def conditions(wanted: Filter) -> tuple[str, list[Any]]:
    """A filter as SQL, with the values it needs."""
    values: list[Any] = []
    parts = ["true"]
    if wanted.game is not None:
        parts.append(f"game = {mark(values, wanted.game)}")
    if wanted.public_only:
        parts.append(f"public AND (password IS NULL OR now IN {LIVE})")
    if wanted.opener is not None:
        parts.append(f"opener = {mark(values, wanted.opener)}")
    if wanted.sitter is not None:
        parts.append(f"name IN (SELECT name FROM sitters WHERE account = {mark(values, wanted.sitter)})")
    if wanted.statuses:
        parts.append(f"now = ANY({mark(values, list(wanted.statuses))}::text[])")
    return " AND ".join(parts), values


def mark(values: list[Any], value: Any) -> str:
    """One more value, and what stands for it in the SQL."""
    values.append(value)
    return f"${len(values)}"


async def endings(connection: Connection, sql: str, *values: Any) -> list[Ending]:
    found = [tuple(row) for row in await connection.fetch(sql, *values)]
    results = [tuple(row) for row in await connection.fetch(RESULTS, [row[0] for row in found])]
    by_table = {name: list(rows) for name, rows in groupby(results, key=lambda row: row[0])}
    return [to_ending(row, by_table.get(row[0], [])) for row in found]


def to_ending(row: tuple[Any, ...], results: Sequence[tuple[Any, ...]]) -> Ending:
    shown = tuple(Result(*result[1:-2]) for result in results)
    rated, continued = all(result[-1] for result in results), any(result[-2] for result in results)
    return replace(Ending(*row), results=shown, rated=rated, continued=continued)
