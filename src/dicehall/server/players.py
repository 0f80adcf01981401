"""Endpoints about people as players: history, statistics, leaderboards; and the check of a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from dicehall.core.game import Refused
from dicehall.hall.cards import Ending
from dicehall.hall.rated_games import RATED_NOTE
from dicehall.hall.ratings import (
    BOT,
    RatedLeader,
    Rating,
    chance,
    error,
    games_to_tell_apart,
    points,
    show_rating,
)
from dicehall.hall.register import Count, Past
from dicehall.server import bodies
from dicehall.server.endpoints import Call, Endpoint
from dicehall.server.languages import translated
from dicehall.server.parts import ServerParts
from dicehall.server.shapes import LeadersShown, PlayerShown, TableRatings
from dicehall.table.requests import Code

Asked = Call[ServerParts]
Shown = dict[str, Any]
MOST_RECORD = 4 * 1024 * 1024


async def player(call: Asked) -> Shown:
    """A player with statistics and games, latest first; private games only for people who played in them."""
    call.parts.limits.take_both("count", call.account, call.address)
    account = await call.parts.people.account(call.path["id"])
    register = call.parts.hall.parts.register
    rated, played = await register.counts(account.id, rated=True), await register.counts(account.id)
    query: bodies.PastQuery = call.query
    wanted = Past(query.game, query.outcome, query.against, query.since)
    history = await register.past(account.id, wanted, query.page, call.account)
    shown = {"account": bodies.show_account(account), "statistics": show_statistics(rated, played, call.language)}
    ratings = await call.parts.ratings.ratings_of(account.id)
    shown["ratings"] = {game: show_rating(rating) for game, rating in ratings.items()}
    if call.account is not None and call.account != account.id:
        shown["versus"] = await versus(call, account.id)
        shown["apart"] = show_apart(await call.parts.ratings.ratings_of(call.account), ratings)
    return {**shown, "history": [show_ending(ending) for ending in history], "page": query.page}


def show_statistics(rated: Sequence[Count], played: Sequence[Count], language: str) -> Shown:
    """Rated games by game and in sum, and beside them the number of games that do not count."""
    games = {count.game: {"played": count.played, "won": count.won} for count in rated}
    total, everything = summed(rated), summed(played)
    casual = {name: everything[name] - total[name] for name in total}
    return {"games": games, "total": total, "casual": casual, "note": translated(RATED_NOTE, language)}


def summed(counts: Sequence[Count]) -> dict[str, int]:
    return {"played": sum(count.played for count in counts), "won": sum(count.won for count in counts)}


async def versus(call: Asked, other: str) -> Shown:
    """The games we played together: how often each of us won."""
    met = await call.parts.hall.parts.register.versus(call.signed, other)
    return {mine.game: {"played": mine.played, "mine": mine.won, "theirs": theirs.won} for mine, theirs in met}


def show_apart(mine: Mapping[str, Rating], theirs: Mapping[str, Rating]) -> Shown:
    """How many games would tell us apart, in each game of which both of us have a rating."""
    both = {game: chance(mine[game].skill, theirs[game].skill) for game in mine if game in theirs}
    return {game: {"chance": win, "games": games_to_tell_apart(win)} for game, win in both.items()}


def show_ending(ending: Ending) -> Shown:
    shown: Shown = msgspec.to_builtins(ending)
    return shown


async def leaders(call: Asked) -> Shown:
    games = call.parts.hall.host.parts.games
    game = call.path["game"]
    if game not in games and game != "all":
        raise Refused(Code.BAD_REQUEST, f"Unknown game. The games are {', '.join(games)}; use all for every game.")
    query: bodies.LeadersQuery = call.query
    call.parts.limits.take_both("count", call.account, call.address)
    if query.by == "rating":
        return await rated_leaders(call, game, query)
    found = await call.parts.hall.parts.register.leaders(
        None if game == "all" else game, query.who, query.by, query.least, query.page
    )
    shown = [msgspec.to_builtins(leader) for leader in found]
    return {"leaders": shown, "page": query.page, "note": translated(RATED_NOTE, call.language)}


async def rated_leaders(call: Asked, game: str, query: bodies.LeadersQuery) -> Shown:
    """Strongest first, by rating minus its error: a player with few games may just have been lucky."""
    if game == "all":
        raise Refused(Code.BAD_REQUEST, "Ratings are kept for each game. Choose one.")
    found, note = await call.parts.ratings.best(game, query.who, query.page), translated(RATED_NOTE, call.language)
    return {"leaders": [show_leader(one) for one in found], "page": query.page, "note": note}


def show_leader(leader: RatedLeader) -> Shown:
    rating = leader.rating
    who = {"account": rating.who.removeprefix(BOT), "name": leader.name, "played": rating.games, "won": rating.won}
    return {**who, "rating": points(rating.skill), "error": error(rating.skill)}


async def table_ratings(call: Asked) -> Shown:
    """The ratings of those who sit at a table, and what its game did to them."""
    call.parts.limits.take_both("list", call.account, call.address)
    shown = await call.parts.hall.look(call.account, call.path["id"])
    return {"seats": await call.parts.ratings.of_seats(shown["id"], shown["game"], shown["seats"])}


async def verify(call: Asked) -> Shown:
    """Replay a record and check its dice against its seal."""
    found = await call.parts.verify(call.address, bytes(call.body))
    for part, text in (("check", "sentence"), ("refused", "message"), ("invalid", "message")):
        if part in found:
            found[part][text] = translated(found[part][text], call.language)
    return found


ENDPOINTS: tuple[Endpoint[ServerParts], ...] = (
    Endpoint("GET", "/api/players/{id}", player, PlayerShown, "A player", "players", None, bodies.PastQuery, False),
    Endpoint(
        "GET", "/api/leaderboards/{game}", leaders, LeadersShown, "Who won", "players", None, bodies.LeadersQuery, False
    ),
    Endpoint(
        "GET", "/api/tables/{id}/ratings", table_ratings, TableRatings, "Ratings at a table", "tables", signed=False
    ),
    Endpoint(
        "POST",
        "/api/verify",
        verify,
        Shown,
        "Check a record",
        "players",
        msgspec.Raw,
        signed=False,
        most_bytes=MOST_RECORD,
        heavy=True,
        limit="verify",
    ),
)
