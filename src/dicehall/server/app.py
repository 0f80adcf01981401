"""The server as an ASGI application: endpoints made into routes, every answer with a code or a result."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import nullcontext
from typing import Any
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute

from dicehall.core.game import Refused
from dicehall.server import accounts, daily, mana, nwn, operating, players, replays, seeds, tables
from dicehall.server.endpoints import MOST_BYTES, Call, Endpoint, json_response, read_body, read_bytes, read_query
from dicehall.server.errors import error_response, refusal_response
from dicehall.server.front import front
from dicehall.server.headers import SafeHeaders
from dicehall.server.hosts import KnownHosts
from dicehall.server.http_protocol import RECEIVED
from dicehall.server.languages import language_of
from dicehall.server.openapi import document_of
from dicehall.server.origins import COOKIE, same_origin, token_of
from dicehall.server.parts import ServerParts
from dicehall.server.request_limit import RequestLimit, counted_address
from dicehall.server.sockets import Sockets
from dicehall.server.webpage import page
from dicehall.table.arrivals import Arrival, current
from dicehall.table.ports import JournalError
from dicehall.table.requests import Code

log = logging.getLogger("dicehall.server")

SAFE = {"GET", "HEAD", "OPTIONS"}
ABOUT_TABLES = {"tables", "tenthousand"}  # endpoints whose id is a table's, or begins with one
ENDPOINTS: tuple[Endpoint[ServerParts], ...] = (
    *tables.ENDPOINTS,
    *accounts.ENDPOINTS,
    *players.ENDPOINTS,
    *replays.ENDPOINTS,
    *daily.ENDPOINTS,
    *seeds.ENDPOINTS,
    *mana.ENDPOINTS,
)


def make_app(
    parts: ServerParts, sockets: Sockets, pages: Sequence[BaseRoute] | None = None, bridge: nwn.Bridge | None = None
) -> Starlette:
    """The whole server: API, sockets, documents, and the page where there is one; under a prefix if it has one."""
    routes: list[BaseRoute] = [
        *(Route(one.path, handler(one, parts), methods=[one.method]) for one in ENDPOINTS),
        WebSocketRoute("/ws", sockets.serve),
        *(() if bridge is None else nwn.routes(bridge, parts.limits, parts.settings.trust_proxy)),
        *operating.routes(parts, sockets, document_of(ENDPOINTS, parts.settings.public_url)),
        *((page(parts) if pages is None else pages) or (front(parts),)),
    ]
    prefix = urlsplit(parts.settings.public_url).path.rstrip("/")
    mounted: list[BaseRoute] = [Mount(prefix, routes=routes)] if prefix else routes
    return Starlette(
        routes=mounted,
        middleware=[
            Middleware(SafeHeaders),
            Middleware(RequestLimit, parts.limits, parts.settings.trust_proxy, nwn.is_game_server(bridge)),
            Middleware(KnownHosts, parts.settings.public_url, parts.settings.trust_proxy > 0),
        ],
        exception_handlers={HTTPException: not_here, Exception: broken},
    )


def handler(endpoint: Endpoint[ServerParts], parts: ServerParts) -> Callable[[Request], Awaitable[Response]]:
    async def handle(request: Request) -> Response:
        arrival = arrive(parts, request)
        try:
            call = await read_call(endpoint, parts, request, arrival)
            work = do(endpoint, call)
            answer = await (unless_gone(request, work) if endpoint.heavy else work)
        except Refused as refused:
            return refusal_response(refused, language_of(request))
        except JournalError as trouble:
            sentence = str(trouble) or "The database is not responding."
            return error_response(Code.STORE_UNAVAILABLE, sentence, language_of(request))
        except ClientDisconnect:
            return Response(status_code=400)  # to nobody
        except Exception as error:
            return await broken(request, error)
        finally:
            arrival.done()
        response = json_response(answer, endpoint.status)
        keep_cookie(endpoint, answer, response, parts)
        return response

    return handle


def arrive(parts: ServerParts, request: Request) -> Arrival:
    """Count the request from when it arrived, not from when it is handled."""
    arrivals = parts.hall.host.arrivals
    arrival = arrivals.expect(request.scope.get("state", {}).get(RECEIVED) or arrivals.now(), None)
    current.set(arrival)
    return arrival


async def do(endpoint: Endpoint[ServerParts], call: Call[ServerParts]) -> Any:
    """Answer a request. Any request makes its sender present; one about a table, even if refused, at that table."""
    call.parts.presence.heard_from(call.account)
    try:
        return await endpoint.do(call)
    finally:
        if call.account is not None and endpoint.tag in ABOUT_TABLES and "id" in call.path:
            await call.parts.presence.touch(call.path["id"].partition("/")[0], call.account)


async def unless_gone(request: Request, work: Coroutine[Any, Any, Any]) -> Any:
    """Run heavy work, and cancel it if the client hangs up, which frees its place."""
    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(hung_up(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()
        del working, leaving  # a refusal leads here: together they would keep the request's body until a collection


async def hung_up(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def read_call(
    endpoint: Endpoint[ServerParts], parts: ServerParts, request: Request, arrival: Arrival
) -> Call[ServerParts]:
    """Read a request and its account; refuse one that a foreign page sends through a browser."""
    token, by_cookie = token_of(request)
    by_itself = by_cookie or token is None  # nobody but a program, or a page that knows the token, shows one
    if by_itself and request.method not in SAFE and not same_origin(request, parts.settings.public_url):
        raise Refused(Code.NOT_ALLOWED, "This request comes from another site.")
    address = counted_address(request)
    account = await parts.tokens.account(token)
    arrival.belongs_to(account or address)
    parts.limits.take("request", account or address)
    if endpoint.signed and account is None:
        raise Refused(Code.NOT_SIGNED_IN, "Sign in first.")
    if endpoint.limit is not None:  # before anything large is read
        parts.limits.take_both(endpoint.limit, account, address)
    with parts.receiving(address) if endpoint.most_bytes > MOST_BYTES else nullcontext():
        raw = await read_bytes(request, endpoint.most_bytes) if endpoint.body else b""
        body = read_body(endpoint, raw)
    arrival.at = request.scope.get("state", {}).get(RECEIVED) or arrival.at  # with the last byte of its body
    query = read_query(endpoint, request)
    header = request.headers.get("authorization")
    return Call(parts, account, body, query, request.path_params, address, token, header, raw, language_of(request))


def keep_cookie(endpoint: Endpoint[ServerParts], answer: Any, response: Response, parts: ServerParts) -> None:
    """Keep the token of a signed-in browser where no script can read it."""
    secure = parts.settings.public_url.startswith("https:")
    path = urlsplit(parts.settings.public_url).path.rstrip("/") or "/"
    if (token := getattr(answer, "token", None)) is not None:
        month = 30 * 24 * 3600
        response.set_cookie(COOKIE, token, month, path=path, secure=secure, httponly=True, samesite="strict")
    elif (endpoint.method, endpoint.path) == ("DELETE", "/api/sessions"):
        response.delete_cookie(COOKIE, path=path, secure=secure, httponly=True, samesite="strict")


async def not_here(request: Request, error: Exception) -> Response:
    status, language = getattr(error, "status_code", 404), language_of(request)
    if status == 405:
        return error_response("method_not_allowed", "This address does not support that method.", language)
    return error_response("not_found", "There is nothing at this address.", language)


async def broken(request: Request, error: Exception) -> Response:
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    sentence = "Something went wrong on our side. The error was logged."
    return error_response("internal", sentence, language_of(request))
