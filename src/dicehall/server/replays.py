"""Endpoints that show finished games as they looked: those of tables, and records that people upload."""

from __future__ import annotations

import msgspec

from dicehall.core.game import Refused
from dicehall.server import bodies
from dicehall.server.endpoints import Call, Endpoint
from dicehall.server.languages import translated
from dicehall.server.parts import ServerParts
from dicehall.server.players import MOST_RECORD
from dicehall.server.shapes import RecordShown, ReplayShown
from dicehall.table.replay_pages import ReplayPage, replay_page
from dicehall.table.requests import Code
from dicehall.wire.languages import ENGLISH

Asked = Call[ServerParts]


async def replay(call: Asked) -> ReplayPage:
    """A finished game as spectators saw it, in pages; anyone with the table's link can see it (decision 026)."""
    table, hall, query = call.path["id"], call.parts.hall, call.query
    await hall.visible(call.account, table)
    live = await hall.host.current(table)
    state = live.state
    if not state.ended:
        raise Refused(Code.NOT_ALLOWED, "Only finished games can be replayed.")
    if not state.sitting:
        raise Refused(Code.TOO_FEW_SEATS, "The game never started.")
    count = max(1, min(query.most, state.seq - query.since))
    call.parts.limits.take_both("history", call.account, call.address, count)
    return await replay_page(hall.host.history, state, live.checkpoints, query.since, query.most)


async def replay_record(call: Asked) -> msgspec.Raw:
    """The replay of a record from elsewhere, with a check of its dice."""
    found = await call.parts.replay_record(call.address, bytes(call.body))
    return msgspec.Raw(found if call.language == ENGLISH else told_in(call.language, found))


def told_in(language: str, replay: bytes) -> bytes:
    """A replay with its verdict in another language; its many updates are left as they are."""
    parts = msgspec.json.decode(replay, type=dict[str, msgspec.Raw])
    refused, check = (msgspec.json.decode(parts[name]) for name in ("refused", "check"))
    if check is not None:
        check["sentence"] = translated(check["sentence"], language)
    return msgspec.json.encode({**parts, "refused": refused and translated(refused, language), "check": check})


ENDPOINTS: tuple[Endpoint[ServerParts], ...] = (
    Endpoint(
        "GET",
        "/api/tables/{id}/replay",
        replay,
        ReplayShown,
        "A finished game, step by step",
        "tables",
        query=bodies.ReplayQuery,
        signed=False,
        heavy=True,
    ),
    Endpoint(
        "POST",
        "/api/replay",
        replay_record,
        RecordShown,
        "Replay a record",
        "players",
        msgspec.Raw,
        signed=False,
        most_bytes=MOST_RECORD,
        heavy=True,
        limit="verify",
    ),
)
