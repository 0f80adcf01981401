"""The page for people with a browser: built into this folder's ``page`` by `make`, and served at the hall's address.

Addresses in the built page are relative to where it lies; here they get the hall's path prefix, so that one index
serves every address of the page. Files with a hash in their name never change and may be kept for long.
"""

from __future__ import annotations

import asyncio
import gzip
import html
import io
import mimetypes
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import segno
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Scope

from dicehall.core.game import Refused
from dicehall.server.errors import refusal_response
from dicehall.server.parts import ServerParts
from dicehall.server.request_limit import counted_address

BUILT = Path(__file__).parent / "page"
ADDRESSES = (
    "/",
    "/t/{table}",
    "/play/{game}",
    "/dice-10-000",
    "/me",
    "/players/{id}",
    "/leaders/{game}",
    "/mana",
    "/mana/{match}",
    "/sealed",
    "/sign-in",
)
KINDS = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}  # a system may know them otherwise
LONGEST_ID = 64  # of a table
MOST_CODES = 1024  # pictures that are kept
FRESH = {"cache-control": "no-cache"}  # kept, but asked for again each time
FOREVER = {"cache-control": "public, max-age=31536000, immutable"}


def page(parts: ServerParts, built: Path = BUILT) -> Sequence[BaseRoute]:
    """The routes of the page; none where it was not built."""
    if not (built / "index.html").exists():
        return ()
    index = index_of(built, parts.settings.public_url)
    codes = QrCodes()

    async def show(_: Request) -> Response:
        return HTMLResponse(index, headers=FRESH)

    async def show_nothing(_: Request) -> Response:
        return HTMLResponse(index, 404, headers=FRESH)

    async def qr(request: Request) -> Response:
        table = request.path_params["table"]
        if len(table) > LONGEST_ID:
            raise HTTPException(404)
        try:
            parts.limits.take("document_address", counted_address(request))
            await parts.hall.card(table)
        except Refused as refused:
            return refusal_response(refused)
        picture = await codes.get(f"{parts.settings.public_url}/t/{table}")
        return Response(picture, media_type="image/svg+xml", headers=FRESH)

    return (
        *(Route(address, show) for address in ADDRESSES),
        Route("/t/{table}/qr.svg", qr),
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


def index_of(built: Path, public_url: str) -> str:
    """The one document of the page, with the hall's own address in it."""
    prefix = html.escape(urlsplit(public_url).path.rstrip("/"))
    text = (built / "index.html").read_text(encoding="utf-8").replace('="./', f'="{prefix}/')
    return text.replace('name="public-url" content=""', f'name="public-url" content="{html.escape(public_url)}"')


class QrCodes:
    """Pictures of addresses, drawn once in a thread of their own and kept."""

    def __init__(self) -> None:
        self.kept: OrderedDict[str, asyncio.Task[bytes]] = OrderedDict()
        self.turn = asyncio.Lock()

    async def get(self, url: str) -> bytes:
        drawing = self.kept.pop(url, None)
        if drawing is None or drawing.cancelled():
            drawing = asyncio.create_task(self.draw(url))
        self.kept[url] = drawing
        while len(self.kept) > MOST_CODES:
            self.kept.popitem(last=False)
        return await asyncio.shield(drawing)

    async def draw(self, url: str) -> bytes:
        """One at a time: a thread that draws takes half of the interpreter's time for ten milliseconds."""
        async with self.turn:
            return await asyncio.to_thread(qr_of, url)


def qr_of(url: str) -> bytes:
    """An address for a phone's camera."""
    out = io.BytesIO()
    segno.make(url, error="m").save(out, kind="svg", border=2, scale=4, xmldecl=False)
    return out.getvalue()


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
