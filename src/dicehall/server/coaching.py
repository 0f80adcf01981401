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
    account, table, hall, reports = call.signed, call.path["id"], call.parts.hall, call.parts.reports
    if (await hall.look(account, table))["phase"] != "over":
        raise Refused(Code.NOT_ALLOWED, "The coach only analyses finished games.")
    if not reports.knows(table):  # asking again for one that is under way is no work
        call.parts.limits.take_both("coach", account, call.address)

    async def read() -> bytes:
        return msgspec.json.encode(await encode_record(await hall.record(account, table), hall.host.slices))

    wait_ms = call.query.wait_ms
    return await reports.report(call.address, table, read, None if wait_ms is None else wait_ms / 1000)
