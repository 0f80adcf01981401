"""The page for people with a browser: built into this folder's ``page`` by `make`, and served at the hall's address.

Addresses in the built page are relative to where it lies; here they get the hall's path prefix, so that one index
serves every address of the page. Files with a hash in their name never change and may be kept for long.
"""

from __future__ import annotations

import html
import io
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import segno
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from dicehall.server.parts import ServerParts

BUILT = Path(__file__).parent / "page"
ADDRESSES = (
    "/",
    "/t/{table}",
    "/play/{game}",
    "/dice-10-000",
    "/me",
    "/players/{id}",
    "/leaders/{game}",
    "/sealed",
    "/sign-in",
)
LONGEST_ID = 64  # of a table
FRESH = {"cache-control": "no-cache"}  # kept, but asked for again each time
FOREVER = {"cache-control": "public, max-age=31536000, immutable"}


def page(parts: ServerParts, built: Path = BUILT) -> Sequence[BaseRoute]:
    """The routes of the page; none where it was not built."""
    if not (built / "index.html").exists():
        return ()
    files = [
        file for file in sorted(built.iterdir()) if file.is_file() and file.name[0] != "." and file.name != "index.html"
    ]
    index = index_of(built, parts.settings.public_url)

    async def show(_: Request) -> Response:
        return HTMLResponse(index, headers=FRESH)

    async def qr(request: Request) -> Response:
        table = request.path_params["table"]
        if len(table) > LONGEST_ID:
            raise HTTPException(404)
        return Response(qr_of(parts.settings.public_url, table), media_type="image/svg+xml")

    return (
        *(Route(address, show) for address in ADDRESSES),
        Route("/t/{table}/qr.svg", qr),
        *(Route(f"/{file.name}", beside(file)) for file in files),
        Mount("/assets", Kept(directory=built / "assets")),
    )


def index_of(built: Path, public_url: str) -> str:
    """The one document of the page, with the hall's own address in it."""
    prefix = html.escape(urlsplit(public_url).path.rstrip("/"))
    text = (built / "index.html").read_text(encoding="utf-8").replace('="./', f'="{prefix}/')
    return text.replace('name="public-url" content=""', f'name="public-url" content="{html.escape(public_url)}"')


def qr_of(public_url: str, table: str) -> bytes:
    """The address of a table, for a phone's camera."""
    out = io.BytesIO()
    segno.make(f"{public_url}/t/{table}", error="m").save(out, kind="svg", border=2, scale=4, xmldecl=False)
    return out.getvalue()


def beside(file: Path) -> Callable[[Request], Awaitable[Response]]:
    async def send(_: Request) -> Response:
        return FileResponse(file, headers=FRESH)

    return send


class Kept(StaticFiles):
    """Files whose names change with what is in them."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if response.status_code in (200, 304):
            response.headers.update(FOREVER)
        return response
