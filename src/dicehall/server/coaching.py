"""The coach after a game: its report for everybody who may see the record."""

from __future__ import annotations

import msgspec

from dicehall.core.game import Refused
from dicehall.server.bodies import Coached
from dicehall.server.endpoints import Call
from dicehall.server.parts import ServerParts
from dicehall.table.requests import Code
from dicehall.table.stored_record import encode_record


async def coach(call: Call[ServerParts]) -> Coached:
    """While a game runs it would be a hint that nobody hears of."""
    call.parts.limits.take_both("coach", call.signed, call.address)
    table, hall = call.path["id"], call.parts.hall
    if (await hall.look(call.account, table))["phase"] != "over":
        raise Refused(Code.NOT_ALLOWED, "The coach looks at games that are over.")

    async def read() -> bytes:
        return msgspec.json.encode(await encode_record(await hall.record(call.account, table), hall.host.slices))

    return await call.parts.coach(call.address, table, read)
