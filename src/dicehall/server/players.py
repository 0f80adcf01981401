"""Endpoints about people as players: history, statistics, leaderboards; and the check of a record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from dicehall.core.game import Refused
from dicehall.hall.cards import Ending
from dicehall.hall.rated import RATED_NOTE
from dicehall.hall.register import Count
from dicehall.server import bodies
from dicehall.server.endpoints import Call, Endpoint
from dicehall.server.parts import ServerParts
from dicehall.server.shapes import LeadersShown, PlayerShown
from dicehall.table.requests import Code

Asked = Call[ServerParts]
Shown = dict[str, Any]
MOST_RECORD = 4 * 1024 * 1024


async def player(call: Asked) -> Shown:
    """A player with statistics, and the games they played, the latest first; private ones for who played in them."""
    call.parts.limits.take_both("count", call.account, call.address)
    account = await call.parts.people.account(call.path["id"])
    register = call.parts.hall.parts.register
    rated, played = await register.counts(account.id, rated=True), await register.counts(account.id)
    history = await register.endings(None, account.id, call.query.page, viewer=call.account)
    shown = {"account": bodies.show_account(account), "statistics": show_statistics(rated, played)}
    if call.account is not None and call.account != account.id:
        shown["versus"] = await versus(call, account.id)
    return {**shown, "history": [show_ending(ending) for ending in history], "page": call.query.page}


def show_statistics(rated: Sequence[Count], played: Sequence[Count]) -> Shown:
    """Rated games by game and in sum, and beside them the number of games that do not count."""
    games = {count.game: {"played": count.played, "won": count.won} for count in rated}
    total, everything = summed(rated), summed(played)
    casual = {name: everything[name] - total[name] for name in total}
    return {"games": games, "total": total, "casual": casual, "note": RATED_NOTE}


def summed(counts: Sequence[Count]) -> dict[str, int]:
    return {"played": sum(count.played for count in counts), "won": sum(count.won for count in counts)}


async def versus(call: Asked, other: str) -> Shown:
    """What we played together: how often each of us won."""
    met = await call.parts.hall.parts.register.versus(call.signed, other)
    return {mine.game: {"played": mine.played, "mine": mine.won, "theirs": theirs.won} for mine, theirs in met}


def show_ending(ending: Ending) -> Shown:
    shown: Shown = msgspec.to_builtins(ending)
    return shown


async def leaders(call: Asked) -> Shown:
    games = call.parts.hall.host.parts.games
    game = call.path["game"]
    if game not in games and game != "all":
        raise Refused(Code.BAD_REQUEST, f"The games are {', '.join(games)}; use all for all of them together.")
    query: bodies.LeadersQuery = call.query
    call.parts.limits.take_both("count", call.account, call.address)
    found = await call.parts.hall.parts.register.leaders(
        None if game == "all" else game, query.who, query.by, query.least, query.page
    )
    shown = [msgspec.to_builtins(leader) for leader in found]
    return {"leaders": shown, "page": query.page, "note": RATED_NOTE}


async def verify(call: Asked) -> Shown:
    """Replay a record and hold its dice against its seal."""
    return await call.parts.verify(call.address, bytes(call.body))


ENDPOINTS: tuple[Endpoint[ServerParts], ...] = (
    Endpoint("GET", "/api/players/{id}", player, PlayerShown, "A player", "players", None, bodies.PageQuery, False),
    Endpoint(
        "GET", "/api/leaderboards/{game}", leaders, LeadersShown, "Who won", "players", None, bodies.LeadersQuery, False
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
