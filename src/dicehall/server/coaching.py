"""The coach after a game: a report for everyone who can see the record."""

from __future__ import annotations

import msgspec

from dicehall.core.game import Refused
from dicehall.server.bodies import Coached
from dicehall.server.endpoints import Call
from dicehall.server.parts import ServerParts
from dicehall.table.requests import Code
from dicehall.table.stored_record import encode_record


async def coach(call: Call[ServerParts]) -> Coached:
    """Only for finished games: in a running one, this would be an unannounced hint."""
    account, table, hall, reports = call.account, call.path["id"], call.parts.hall, call.parts.reports
    shown = await hall.look(account, table)
    if shown["phase"] != "over":
        raise Refused(Code.NOT_ALLOWED, "The coach only analyses finished games.")
    if shown["challenge"] is not None and not shown["challenge"]["opened"]:
        raise Refused(Code.NOT_ALLOWED, "The coach analyses a daily challenge once its dice are opened, the day after.")
    if not reports.knows(table):  # asking again for one that is under way is no work
        call.parts.limits.take_both("coach", account, call.address)

    async def read() -> bytes:
        return msgspec.json.encode(await encode_record(await hall.record(account, table), hall.host.slices))

    wait_s = None if call.query.wait_ms is None else call.query.wait_ms / 1000
    return await reports.report(call.address, table, read, wait_s, call.language)
