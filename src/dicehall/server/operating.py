"""Endpoints for operators: health, readiness, metrics and the API docs."""

from __future__ import annotations

import html
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from dicehall.core.game import Refused
from dicehall.server.endpoints import json_response
from dicehall.server.errors import error_response, refusal_response
from dicehall.server.metrics import Figures
from dicehall.server.parts import ServerParts
from dicehall.server.request_limit import counted_address
from dicehall.server.sockets import Sockets
from dicehall.table.ports import JournalError
from dicehall.table.pulse import GAP_MS


def routes(parts: ServerParts, sockets: Sockets, document: dict[str, Any]) -> list[BaseRoute]:
    encoded = msgspec.json.encode(document)
    page = docs_page(document).encode()
    figures = Figures(parts, sockets)

    def limited(answer: Callable[[], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        async def show(request: Request) -> Response:
            try:
                parts.limits.take("document_address", counted_address(request))
            except Refused as refused:
                return refusal_response(refused)
            return await answer()

        return show

    async def healthz(_: Request) -> Response:
        return json_response({"ok": True})

    async def readyz() -> Response:
        """Ready while the database responds, the heartbeat is recent, and the server is not shutting down."""
        if sockets.draining:
            return error_response("shutting_down", "The server is shutting down.")
        try:
            await parts.hall.host.parts.journal.last_pulse()
        except JournalError as trouble:
            return error_response("store_unavailable", str(trouble))
        late = parts.now - parts.hall.host.pulse.last
        if late > GAP_MS:
            return error_response("store_unavailable", f"The last heartbeat is {late} ms old.")
        return json_response({"ok": True})

    async def metrics() -> Response:
        return Response(figures.text(), media_type="text/plain; version=0.0.4")

    async def openapi() -> Response:
        return Response(encoded, media_type="application/json")

    async def docs() -> Response:
        return HTMLResponse(page)

    return [
        Route("/healthz", healthz),
        Route("/readyz", limited(readyz)),
        Route("/metrics", limited(metrics)),
        Route("/openapi.json", limited(openapi)),
        Route("/docs", limited(docs)),
    ]


STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
:root { color-scheme: light dark }
code { font-size: .95em }
details { border: 1px solid #8884; border-radius: .4rem; margin: .4rem 0; padding: .4rem .8rem }
summary b { display: inline-block; min-width: 4.5rem }
pre { overflow: auto; background: #8881; padding: .6rem; border-radius: .4rem }
"""


def docs_page(document: dict[str, Any]) -> str:
    """The API for people: one page, no script, nothing from another host."""
    tags: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            tags.setdefault(told["tags"][0], []).append(docs_entry(method, path, told))
    body = "".join(f"<h2>{html.escape(tag)}</h2>{''.join(entries)}" for tag, entries in tags.items())
    schemas = html.escape(msgspec.json.format(msgspec.json.encode(document["components"]["schemas"])).decode())
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>Dicehall API</title><style>{STYLE}</style><h1>Dicehall API</h1>"
        f"<p>The same as data: <a href=openapi.json>openapi.json</a>. Errors are "
        f'<code>{{"error": {{"code", "message"}}}}</code>; times are milliseconds since the epoch.</p>'
        f"{body}<h2>types</h2><details><summary>All types</summary><pre>{schemas}</pre></details></html>"
    )


def docs_entry(method: str, path: str, told: dict[str, Any]) -> str:
    shown = {key: told[key] for key in ("parameters", "requestBody", "responses") if told.get(key)}
    data = html.escape(msgspec.json.format(msgspec.json.encode(shown)).decode())
    return (
        f"<details><summary><b>{method.upper()}</b> <code>{html.escape(path)}</code> {html.escape(told['summary'])}"
        f"</summary><p>{html.escape(told['description'])}</p><pre>{data}</pre></details>"
    )
