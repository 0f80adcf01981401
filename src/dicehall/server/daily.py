"""Endpoints of the daily challenge: today's games, my attempt, and the ranking of a day that is over."""

from __future__ import annotations

from typing import Any

from dicehall.core.game import Refused
from dicehall.hall.challenge_days import day_at
from dicehall.hall.challenges import is_newcomer
from dicehall.server import bodies
from dicehall.server.endpoints import Call, Endpoint
from dicehall.server.parts import ServerParts
from dicehall.server.shapes import DailyRankingShown, DailyShown, TableShown

CROWDED = (
    "Too many guests and new accounts have started a challenge from your network today. "
    "Accounts made before today can still play."
)
Asked = Call[ServerParts]
Shown = dict[str, Any]


async def today(call: Asked) -> Shown:
    """The seal of the day, its games, and my attempts."""
    call.parts.limits.take_both("list", call.account, call.address)
    call.parts.judge.wake()
    return await call.parts.challenges.show_today(call.account)


async def start(call: Asked) -> Shown:
    """Start today's attempt, or continue it. The same request sent twice at once counts as one attempt."""
    account, game, challenges = call.signed, call.path["game"], call.parts.challenges
    challenges.game(game)
    async with call.parts.turn_of(account):
        if await challenges.find(account, game) is None:
            await may_begin(call, account)
        table = await challenges.start(account, game)
    return await call.parts.hall.look(account, table)


async def may_begin(call: Asked, account: str) -> None:
    """Refuse if too many were begun; guests and new accounts are also limited by address."""
    await call.parts.may_open(account, call.address)
    if is_newcomer(await call.parts.people.account(account), day_at(call.parts.challenges.now)):
        count_newcomer(call)


def count_newcomer(call: Asked) -> None:
    try:
        call.parts.limits.take("challenge_address", call.address)
    except Refused as refused:
        raise Refused(refused.code, CROWDED, **refused.more) from None  # a wait of hours says nothing in seconds


async def ranking(call: Asked) -> Shown:
    """All results and average losses per decision, once the day is opened; before that, only its seal."""
    call.parts.limits.take_both("count", call.account, call.address)
    call.parts.judge.wake()
    account = None if call.account is None else await call.parts.people.account(call.account)
    query: bodies.RankingQuery = call.query
    newcomers = query.who == "guests"
    shown = await call.parts.challenges.show_ranking(
        account, call.path["game"], call.path["day"], query.page, newcomers=newcomers
    )
    return {**shown, "who": query.who}


ENDPOINTS: tuple[Endpoint[ServerParts], ...] = (
    Endpoint("GET", "/api/challenge", today, DailyShown, "Today's challenge", "challenge", signed=False),
    Endpoint("POST", "/api/challenge/{game}", start, TableShown, "Play today's challenge", "challenge", bodies.IdBody),
    Endpoint(
        "GET",
        "/api/challenge/{game}/{day}",
        ranking,
        DailyRankingShown,
        "The challenge of a day",
        "challenge",
        None,
        bodies.RankingQuery,
        False,
    ),
)
