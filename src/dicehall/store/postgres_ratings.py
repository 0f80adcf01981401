"""Ratings in PostgreSQL: a fold over the results of rated games, some games in a transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from dicehall.hall.cards import Result
from dicehall.hall.ratings import ERRORS, Change, RatedLeader, Rating, Skill, changes_of, who_of
from dicehall.hall.register import PAGE, Kind, offset_of
from dicehall.store.postgres import PostgresJournal
from dicehall.store.postgres_connection import Connection

ALONE = "LOCK TABLE rating_changes IN EXCLUSIVE MODE"  # so that no game is folded in twice
PENDING = "SELECT name, game FROM endings WHERE NOT folded ORDER BY at, name LIMIT $1"
RESULTS = "SELECT seat, player, account, bot, place, won, score FROM results WHERE name = $1 AND rated ORDER BY seat"
RATED = "SELECT who, mu, sigma, games, won FROM ratings"
WRITE = """INSERT INTO ratings VALUES ($1, $2, $3, $4, 1, $5) ON CONFLICT (game, who) DO UPDATE SET mu = excluded.mu,
    sigma = excluded.sigma, games = ratings.games + 1, won = ratings.won + excluded.won"""
CHANGE = "INSERT INTO rating_changes VALUES ($1, $2, $3, $4, $5, $6, $7)"
FOLDED = "SELECT DISTINCT number, name, game FROM rating_changes JOIN endings USING (name) ORDER BY number"
BEST = f"ORDER BY mu - {ERRORS} * sigma DESC, who LIMIT {PAGE} OFFSET"
PEOPLE = f"""SELECT who, mu, sigma, games, won, accounts.name FROM ratings JOIN accounts ON accounts.id = who
    WHERE game = $1 AND guest = $3 {BEST} $2"""
BOTS = f"""SELECT who, mu, sigma, games, won, substr(who, 5) FROM ratings
    WHERE game = $1 AND who LIKE 'bot:%' {BEST} $2"""


class PostgresRatings:
    def __init__(self, journal: PostgresJournal) -> None:
        self._journal = journal

    async def fold(self, most: int) -> int:
        if not await self._journal.fetch(PENDING, 1):
            return 0
        return await self._journal.change(lambda connection: fold(connection, most))

    async def rebuild(self) -> None:
        await self._journal.change(rebuild)

    async def ratings_of(self, who: str) -> Mapping[str, Rating]:
        sql = "SELECT game, who, mu, sigma, games, won FROM ratings WHERE who = $1 ORDER BY game"
        found = await self._journal.look_up(lambda connection: connection.fetch(sql, who))
        return {game: to_rating(*row) for game, *row in map(tuple, found)}

    async def ratings(self, game: str, who: Sequence[str]) -> Mapping[str, Rating]:
        return await self._journal.look_up(lambda connection: ratings(connection, game, who))

    async def changes(self, table: str) -> Sequence[Change]:
        sql = "SELECT who, before_mu, before_sigma, mu, sigma FROM rating_changes WHERE name = $1 ORDER BY who"
        found = await self._journal.look_up(lambda connection: connection.fetch(sql, table))
        return [Change(who, Skill(*numbers[:2]), Skill(*numbers[2:])) for who, *numbers in map(tuple, found)]

    async def best(self, game: str, kind: Kind, page: int) -> Sequence[RatedLeader]:
        values: tuple[Any, ...] = (game, offset_of(page))
        if kind != "bots":
            values = (*values, kind == "guests")
        sql = BOTS if kind == "bots" else PEOPLE
        found = await self._journal.look_up(lambda connection: connection.fetch(sql, *values))
        return [RatedLeader(to_rating(*row), name) for *row, name in map(tuple, found)]


async def fold(connection: Connection, most: int) -> int:
    await connection.execute(ALONE)
    pending = await connection.fetch(PENDING, most)
    number = await connection.fetchval("SELECT coalesce(max(number), 0) FROM rating_changes")
    for name, game in pending:
        number += await fold_game(connection, name, game, number + 1)
        await connection.execute("UPDATE endings SET folded = true WHERE name = $1", name)
    return len(pending)


async def fold_game(connection: Connection, name: str, game: str, number: int) -> bool:
    """Whether the game changed anybody's rating."""
    results = [Result(*row) for row in await connection.fetch(RESULTS, name)]
    known = await ratings(connection, game, [who_of(result) for result in results])
    before = {who: rating.skill for who, rating in known.items()}
    changes = await asyncio.to_thread(changes_of, results, before)
    winner = next((who_of(result) for result in results if result.won), None)
    for change in changes:
        old, new = change.before, change.after
        await connection.execute(WRITE, game, change.who, new.mu, new.sigma, int(change.who == winner))
        await connection.execute(CHANGE, name, change.who, number, old.mu, old.sigma, new.mu, new.sigma)
    return bool(changes)


async def ratings(connection: Connection, game: str, who: Sequence[str]) -> dict[str, Rating]:
    found = await connection.fetch(f"{RATED} WHERE game = $1 AND who = ANY($2::text[])", game, list(who))
    return {row[0]: to_rating(*row) for row in map(tuple, found)}


async def rebuild(connection: Connection) -> None:
    await connection.execute(ALONE)
    folded = await connection.fetch(FOLDED)
    for kept in ("ratings", "rating_changes"):
        await connection.execute(f"DELETE FROM {kept}")
    for number, name, game in folded:
        await fold_game(connection, name, game, number)


def to_rating(who: str, mu: float, sigma: float, games: int, won: int) -> Rating:
    return Rating(who, Skill(mu, sigma), games, won)
