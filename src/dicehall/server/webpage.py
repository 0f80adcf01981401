"""The page for people with a browser: built into this folder's ``page`` by `make`, and served at the hall's address.

Addresses in the built page are relative to where it lies; here they get the hall's path prefix, so that one index
serves every address of the page. Files with a hash in their name never change and may be kept for long.
"""

from __future__ import annotations

import gzip
import html
import mimetypes
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Scope

from dicehall.hall.webhooks import Mode
from dicehall.server.languages import language_of, languages
from dicehall.server.parts import ServerParts
from dicehall.server.pictures import LONGEST_ID, Pictures
from dicehall.server.previews import place_previews, with_preview, with_tags
from dicehall.server.request_limit import counted_address

BUILT = Path(__file__).parent / "page"
ADDRESSES = (
    "/",
    "/t/{table}",
    "/replay",
    "/replay/{table}",
    "/play/{game}",
    "/dice-10-000",
    "/me",
    "/players/{id}",
    "/leaders/{game}",
    "/challenge",
    "/mana",
    "/mana/{match}",
    "/sealed",
    "/sign-in",
    "/settings",
    "/offline",
)
KINDS = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}  # a system may know them otherwise
FRESH = {"cache-control": "no-cache"}  # kept, but asked for again each time
FOREVER = {"cache-control": "public, max-age=31536000, immutable"}


def page(parts: ServerParts, built: Path = BUILT) -> Sequence[BaseRoute]:
    """The routes of the page; none where it was not built."""
    if not (built / "index.html").exists():
        return ()
    index = index_of(built, parts.settings.public_url, parts.settings.webhooks)
    names = msgspec.json.encode([f"assets/{file.name}" for file in files(built / "assets")])
    previewed = {
        (path, language): with_tags(index, preview, parts.settings.public_url)
        for language in languages()
        for path, preview in place_previews(language).items()
    }

    async def show(request: Request) -> Response:
        return HTMLResponse(previewed.get((request.scope["route"].path, language_of(request)), index), headers=FRESH)

    async def show_table(request: Request) -> Response:
        table, address = request.path_params["table"], counted_address(request)
        if len(table) > LONGEST_ID:
            return HTMLResponse(index, headers=FRESH)
        path = request.scope["route"].path.replace("{table}", table)
        text = await with_preview(index, parts, table, address, path, language_of(request))
        return HTMLResponse(text, headers=FRESH)

    async def show_nothing(_: Request) -> Response:
        return HTMLResponse(index, 404, headers=FRESH)

    async def show_files(_: Request) -> Response:
        """The names of all files that never change, for the worker that keeps the page (see web/public/sw.js)."""
        return Response(names, headers=FRESH, media_type="application/json")

    return (
        *(Route(address, show_table if "{table}" in address else show) for address in ADDRESSES),
        *Pictures(parts).routes(),
        Route("/page-files.json", show_files),
        *(Route(f"/{file.name}", sending(file, FRESH)) for file in files(built) if file.name != "index.html"),
        *(Route(f"/assets/{file.name}", sending(file, FOREVER)) for file in files(built / "assets")),
        Nowhere("/{rest:path}", show_nothing),
    )


class Nowhere(Route):
    """An address that somebody mistyped: the page itself says so. Programs are told as always."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        match, found = super().matches(scope)
        if match is not Match.FULL or "text/html" not in Headers(scope=scope).get("accept", ""):
            return Match.NONE, {}
        path: str = found["path_params"]["rest"]
        return (Match.NONE, {}) if path.startswith("api/") or path.endswith("/") else (match, found)


def files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith("."))


def index_of(built: Path, public_url: str, webhooks: Mode = "off") -> str:
    """The one document of the page, with the hall's own address in it, and what else differs from hall to hall."""
    prefix = html.escape(urlsplit(public_url).path.rstrip("/"))
    text = (built / "index.html").read_text(encoding="utf-8").replace('="./', f'="{prefix}/')
    text = text.replace('name="public-url" content=""', f'name="public-url" content="{html.escape(public_url)}"')
    return text.replace('name="webhooks" content="off"', f'name="webhooks" content="{webhooks}"')


def sending(file: Path, headers: Mapping[str, str]) -> Callable[[Request], Awaitable[Response]]:
    """Sends one file, packed for everybody who can unpack. It is read and packed here, and never for a request."""
    kind = KINDS.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    told = {**headers, "vary": "accept-encoding"}
    whole, packed = read(file)

    async def send(request: Request) -> Response:
        if len(packed) < len(whole) and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(packed, headers={**told, "content-encoding": "gzip"}, media_type=kind)
        return Response(whole, headers=told, media_type=kind)

    return send


@cache
def read(file: Path) -> tuple[bytes, bytes]:
    """A file as it is, and packed; all halls of a process share it."""
    whole = file.read_bytes()
    return whole, gzip.compress(whole, mtime=0)
