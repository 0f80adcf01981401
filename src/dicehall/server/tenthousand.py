"""Dice 10 000's records in the seed's shapes, for the members of a game (T10).

Ids of rounds, turns and rolls have slashes in them: they may be sent as they are, or percent-encoded.
"""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from dicehall.hall.seeds.tenthousand import DiceTenThousand, table_of
from dicehall.hall.seeds.tenthousand_records import Game, Player, Roll, Round, Turn
from dicehall.server import bodies
from dicehall.server.endpoints import Call, Endpoint
from dicehall.server.parts import ServerParts

Asked = Call[ServerParts]


def records(call: Asked) -> DiceTenThousand:
    return DiceTenThousand(call.parts.hall, call.parts.people)


def reading(call: Asked) -> AbstractAsyncContextManager[None]:
    """Every record is read from the whole journal of its table."""
    return call.parts.reading(call.account, call.address, table_of(call.path["id"]))


async def player(call: Asked) -> Player:
    """Myself, or somebody I have a game with."""
    call.parts.limits.take_both("count", call.signed, call.address)
    return await records(call).player(call.signed, call.path["id"])


async def games(call: Asked) -> list[Game]:
    """The newest first, a hundred on a page."""
    call.parts.limits.take_both("count", call.signed, call.address)
    return await records(call).games(call.signed, call.query.page)


async def game(call: Asked) -> Game:
    async with reading(call):
        return await records(call).game(call.signed, call.path["id"])


async def round(call: Asked) -> Round:
    async with reading(call):
        return await records(call).round(call.signed, call.path["id"])


async def turn(call: Asked) -> Turn:
    async with reading(call):
        return await records(call).turn(call.signed, call.path["id"])


async def roll(call: Asked) -> Roll:
    async with reading(call):
        return await records(call).roll(call.signed, call.path["id"])


T = "/api/tenthousand"

ENDPOINTS: tuple[Endpoint[ServerParts], ...] = (
    Endpoint("GET", f"{T}/players/{{id:path}}", player, Player, "A player of Dice 10 000", "tenthousand"),
    Endpoint("GET", f"{T}/games", games, list[Game], "My games of Dice 10 000", "tenthousand", None, bodies.PageQuery),
    Endpoint("GET", f"{T}/games/{{id:path}}", game, Game, "A game of Dice 10 000", "tenthousand"),
    Endpoint("GET", f"{T}/rounds/{{id:path}}", round, Round, "A round of Dice 10 000", "tenthousand"),
    Endpoint("GET", f"{T}/turns/{{id:path}}", turn, Turn, "A turn of Dice 10 000", "tenthousand"),
    Endpoint("GET", f"{T}/rolls/{{id:path}}", roll, Roll, "A roll of Dice 10 000", "tenthousand"),
)
