"""Ratings in SQL: a fold over the results of rated games, some games in a transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from dicehall.hall.cards import Result
from dicehall.hall.ratings import ERRORS, Change, RatedLeader, Rating, Skill, changes_of, who_of
from dicehall.hall.register import PAGE, Kind, offset_of
from dicehall.store.sqlite import SqliteJournal

PENDING = "SELECT name, game FROM endings WHERE folded = 0 ORDER BY at, name LIMIT ?"
RESULTS = "SELECT seat, player, account, bot, place, won, score FROM results WHERE name = ? AND rated ORDER BY seat"
RATED = "SELECT who, mu, sigma, games, won FROM ratings"
WRITE = """INSERT INTO ratings (game, who, mu, sigma, games, won) VALUES (?, ?, ?, ?, 1, ?) ON CONFLICT (game, who)
    DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma, games = ratings.games + 1,
    won = ratings.won + excluded.won"""
CHANGE = """INSERT INTO rating_changes (name, who, number, before_mu, before_sigma, mu, sigma)
    VALUES (?, ?, ?, ?, ?, ?, ?)"""
CERTAIN = f"mu - {ERRORS} * sigma"
PEOPLE = f"""SELECT who, mu, sigma, games, won, accounts.name FROM ratings JOIN accounts ON accounts.id = who
    WHERE game = ? AND guest = ? ORDER BY {CERTAIN} DESC, who LIMIT {PAGE} OFFSET ?"""
BOTS = f"""SELECT who, mu, sigma, games, won, substr(who, 5) FROM ratings
    WHERE game = ? AND who LIKE 'bot:%' ORDER BY {CERTAIN} DESC, who LIMIT {PAGE} OFFSET ?"""


class SqliteRatings:
    def __init__(self, journal: SqliteJournal) -> None:
        self._journal = journal

    async def fold(self, most: int) -> int:
        waiting = await self._journal.ask(lambda connection: connection.execute(PENDING, (1,)).fetchone())
        return 0 if waiting is None else await self._journal.change(lambda connection: fold(connection, most))

    async def rebuild(self) -> None:
        await self._journal.change(rebuild)

    async def ratings_of(self, who: str) -> Mapping[str, Rating]:
        sql = "SELECT game, who, mu, sigma, games, won FROM ratings WHERE who = ? ORDER BY game"
        found = await self._journal.look_up(lambda connection: connection.execute(sql, (who,)).fetchall())
        return {game: to_rating(*row) for game, *row in found}

    async def ratings(self, game: str, who: Sequence[str]) -> Mapping[str, Rating]:
        return await self._journal.look_up(lambda connection: ratings(connection, game, who))

    async def changes(self, table: str) -> Sequence[Change]:
        sql = "SELECT who, before_mu, before_sigma, mu, sigma FROM rating_changes WHERE name = ? ORDER BY who"
        found = await self._journal.look_up(lambda connection: connection.execute(sql, (table,)).fetchall())
        return [Change(who, Skill(*numbers[:2]), Skill(*numbers[2:])) for who, *numbers in found]

    async def best(self, game: str, kind: Kind, page: int) -> Sequence[RatedLeader]:
        sql, values = (BOTS, (game,)) if kind == "bots" else (PEOPLE, (game, kind == "guests"))
        values = (*values, offset_of(page))
        found = await self._journal.look_up(lambda connection: connection.execute(sql, values).fetchall())
        return [RatedLeader(to_rating(*row), name) for *row, name in found]


def fold(connection: sqlite3.Connection, most: int) -> int:
    """Fold in the next games; run in one transaction, so that each counts once."""
    pending = connection.execute(PENDING, (most,)).fetchall()
    (number,) = connection.execute("SELECT coalesce(max(number), 0) FROM rating_changes").fetchone()
    for name, game in pending:
        number += fold_game(connection, name, game, number + 1)
        connection.execute("UPDATE endings SET folded = 1 WHERE name = ?", (name,))
    return len(pending)


def fold_game(connection: sqlite3.Connection, name: str, game: str, number: int) -> bool:
    """Whether the game changed anybody's rating."""
    rows = connection.execute(RESULTS, (name,)).fetchall()
    results = [
        Result(seat, player, account, bot, place, bool(won), score)
        for seat, player, account, bot, place, won, score in rows
    ]
    people = [who_of(result) for result in results]
    before = {who: rating.skill for who, rating in ratings(connection, game, people).items()}
    changes = changes_of(results, before)
    winner = next((who_of(result) for result in results if result.won), None)
    for change in changes:
        old, new = change.before, change.after
        connection.execute(WRITE, (game, change.who, new.mu, new.sigma, change.who == winner))
        connection.execute(CHANGE, (name, change.who, number, old.mu, old.sigma, new.mu, new.sigma))
    return bool(changes)


def ratings(connection: sqlite3.Connection, game: str, who: Sequence[str]) -> dict[str, Rating]:
    marks = ",".join("?" * len(who))
    found = connection.execute(f"{RATED} WHERE game = ? AND who IN ({marks})", (game, *who)).fetchall()
    return {row[0]: to_rating(*row) for row in found}


def rebuild(connection: sqlite3.Connection) -> None:
    sql = "SELECT DISTINCT number, name, game FROM rating_changes JOIN endings USING (name) ORDER BY number"
    folded = connection.execute(sql).fetchall()
    connection.execute("DELETE FROM ratings")
    connection.execute("DELETE FROM rating_changes")
    for number, name, game in folded:
        fold_game(connection, name, game, number)


def to_rating(who: str, mu: float, sigma: float, games: int, won: int) -> Rating:
    return Rating(who, Skill(mu, sigma), games, won)
