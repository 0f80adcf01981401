"""The endpoints for a game world that has tables of its own: ``/nwn/events``, ``/nwn/commands``, ``/nwn/tables``.

A game server speaks for many players, so a client with the venue's secret is counted as the venue, not by
address; any other client is a stranger.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import msgspec
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route

from dicehall.core.game import Refused
from dicehall.server.endpoints import read_bytes
from dicehall.server.errors import error_response, refusal_response
from dicehall.server.limits import Limits
from dicehall.server.origins import address_of
from dicehall.table.ports import JournalError
from dicehall.table.requests import Code

MOST_BYTES = 16 * 1024  # of an event
DEFAULT_WAIT_S = 20.0
SCHEME = "bearer"
DOORS = "/nwn/"
ESCAPES = "dicehall.json_escapes"

Handler = Callable[[Request], Awaitable[Any]]


class Bridge(Protocol):
    """What the server needs from a venue; it knows nothing else about one."""

    def admits(self, secret: str) -> bool: ...
    async def post(self, body: bytes, limit: Callable[[str, str], None]) -> Any: ...
    async def commands(self, since: str | None, wait_s: float) -> Any: ...
    def tables(self) -> Any: ...


def routes(bridge: Bridge, limits: Limits, trust_proxy: int) -> list[Route]:
    async def events(request: Request) -> Any:
        return await bridge.post(await read_bytes(request, MOST_BYTES), limits.take)

    async def commands(request: Request) -> Any:
        query = request.query_params
        return await bridge.commands(query.get("since") or None, read_wait(query.get("wait")))

    async def tables(request: Request) -> Any:
        return bridge.tables()

    def guarded(handle: Handler) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            try:
                admit(request, bridge, limits, trust_proxy)
                return Response(ascii_json(await handle(request)), media_type="application/json")
            except Refused as refused:
                return refusal_response(refused)
            except JournalError as trouble:
                return error_response(Code.STORE_UNAVAILABLE, str(trouble) or "The database is not responding.")
            except ClientDisconnect:
                return Response(status_code=400)  # to nobody

        return answer

    return [
        Route("/nwn/events", guarded(events), methods=["POST"]),
        Route("/nwn/commands", guarded(commands), methods=["GET"]),
        Route("/nwn/tables", guarded(tables), methods=["GET"]),
    ]


def admit(request: Request, bridge: Bridge, limits: Limits, trust_proxy: int) -> None:
    """Refuse a request without the secret of the venue, or beyond the venue's own limits."""
    if shows_secret(request, bridge):
        return limits.take("venue", "venue")
    limits.take("request", address_of(request, trust_proxy=trust_proxy))
    sentence = "Only the game server can use this: send 'Authorization: Bearer' with the secret of the venue."
    raise Refused(Code.NOT_SIGNED_IN, sentence)


def shows_secret(connection: HTTPConnection, bridge: Bridge) -> bool:
    scheme, _, secret = connection.headers.get("authorization", "").partition(" ")
    return scheme.lower() == SCHEME and bridge.admits(secret.strip())


def is_game_server(bridge: Bridge | None) -> Callable[[HTTPConnection], bool]:
    """Whether a request is the venue's own, which is not counted by address."""

    def known(connection: HTTPConnection) -> bool:
        at_a_door = bridge is not None and DOORS in connection.scope["path"]
        return bridge is not None and at_a_door and shows_secret(connection, bridge)

    return known


def read_wait(text: str | None) -> float:
    if text is None:
        return DEFAULT_WAIT_S
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        raise Refused(Code.BAD_REQUEST, "wait must be a whole number of seconds.")
    return float(text)


def ascii_json(answer: Any) -> bytes:
    """In ASCII: the game's own strings are not in UTF-8. All windows of a full tavern are megabytes, so it is fast."""
    return msgspec.json.encode(answer).decode().encode("ascii", ESCAPES)


def escaped(error: UnicodeError) -> tuple[str, int]:
    """Characters that are not in ASCII, as JSON writes them then."""
    assert isinstance(error, UnicodeEncodeError), "only used to encode"
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


codecs.register_error(ESCAPES, escaped)
