"""Pictures that the hall draws of its tables: QR codes for phones, and previews of links for chats."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable, Sequence

import segno
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dicehall.core.game import Refused
from dicehall.server.drawings import Drawings
from dicehall.server.errors import refusal_response
from dicehall.server.languages import language_of
from dicehall.server.parts import ServerParts
from dicehall.server.preview_pictures import Picture, daily_picture, home_picture, picture_of
from dicehall.server.request_limit import counted_address
from dicehall.table.fair_lock import FairLock
from dicehall.table.slices import asking

LONGEST_ID = 64  # of a table
MOST_CODES = 1024  # QR codes that are kept
MOST_PICTURES = 128  # pictures of previews that are kept, each of about 150 kB
FRESH = {"cache-control": "no-cache"}
A_WHILE = {"cache-control": "public, max-age=300", "vary": "accept-language"}


class Pictures:
    """Each picture is drawn once, off the event loop, and cached."""

    def __init__(self, parts: ServerParts) -> None:
        self.parts = parts
        self.codes = Drawings[str](MOST_CODES)
        self.previews = Drawings[Picture](MOST_PICTURES)
        self.turn = FairLock()

    def routes(self) -> Sequence[Route]:
        return (
            Route("/t/{table}/qr.svg", refusing(self.qr)),
            Route("/t/{table}/preview.png", refusing(self.preview)),
            Route("/challenge/preview.png", refusing(self.daily)),
            Route("/preview.png", refusing(self.home)),
        )

    async def qr(self, request: Request) -> Response:
        table = table_in(request)
        self.parts.limits.take("document_address", counted_address(request))
        await self.parts.hall.card(table)
        url = f"{self.parts.settings.public_url}/t/{table}"
        picture = await self.codes.get(url, lambda: self.draw_qr(url))
        return Response(picture, media_type="image/svg+xml", headers=FRESH)

    async def draw_qr(self, url: str) -> bytes:
        """One at a time: a thread that draws takes half of the interpreter's time for ten milliseconds."""
        async with self.turn.hold(asking.get()):
            return await asyncio.to_thread(qr_of, url)

    async def preview(self, request: Request) -> Response:
        table, address = table_in(request), counted_address(request)
        self.parts.limits.take("picture_address", address)
        return await self.send(address, await picture_of(self.parts.hall, table, language_of(request)))

    async def daily(self, request: Request) -> Response:
        return await self.fixed(request, daily_picture(language_of(request)))

    async def home(self, request: Request) -> Response:
        return await self.fixed(request, home_picture(language_of(request)))

    async def fixed(self, request: Request, picture: Picture) -> Response:
        address = counted_address(request)
        self.parts.limits.take("picture_address", address)
        return await self.send(address, picture)

    async def send(self, address: str, picture: Picture) -> Response:
        drawn = await self.previews.get(picture, lambda: self.draw_preview(address, picture))
        return Response(drawn, media_type="image/png", headers=A_WHILE)

    async def draw_preview(self, address: str, picture: Picture) -> bytes:
        return await self.parts.draw(address, picture)


def table_in(request: Request) -> str:
    table: str = request.path_params["table"]
    if len(table) > LONGEST_ID:
        raise HTTPException(404)
    return table


Endpoint = Callable[[Request], Awaitable[Response]]


def refusing(endpoint: Endpoint) -> Endpoint:
    """An endpoint whose refusals are answered as everywhere."""

    async def answer(request: Request) -> Response:
        try:
            return await endpoint(request)
        except Refused as refused:
            return refusal_response(refused, language_of(request))

    return answer


def qr_of(url: str) -> bytes:
    """An address for a phone's camera."""
    out = io.BytesIO()
    segno.make(url, error="m").save(out, kind="svg", border=2, scale=4, xmldecl=False)
    return out.getvalue()
