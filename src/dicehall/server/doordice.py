"""DO or DICE's GameSessions and PlayerStats, for everybody (D11)."""

from __future__ import annotations

from dicehall.hall.seeds.doordice_stats import GameSession, PlayerStats, session, stats_page
from dicehall.server import bodies
from dicehall.server.endpoints import Call, Endpoint
from dicehall.server.parts import ServerParts

Asked = Call[ServerParts]


async def sessions(call: Asked) -> list[GameSession]:
    """Finished games, latest first; private ones only for people who played in them."""
    call.parts.limits.take_both("count", call.account, call.address)
    register = call.parts.hall.parts.register
    found = await register.endings("doordice", None, call.query.page, viewer=call.account)
    return [session(ending) for ending in found]


async def stats(call: Asked) -> list[PlayerStats]:
    """Most wins first; accounts, guests at one keyboard and bots are told apart by their kind."""
    call.parts.limits.take_both("count", call.account, call.address)
    return await stats_page(call.parts.hall.parts.register, call.query.page)


D = "/api/doordice"

ENDPOINTS: tuple[Endpoint[ServerParts], ...] = (
    Endpoint(
        "GET",
        f"{D}/sessions",
        sessions,
        list[GameSession],
        "Games of DO or DICE",
        "doordice",
        None,
        bodies.PageQuery,
        False,
    ),
    Endpoint(
        "GET",
        f"{D}/stats",
        stats,
        list[PlayerStats],
        "Players of DO or DICE",
        "doordice",
        None,
        bodies.PageQuery,
        False,
    ),
)
