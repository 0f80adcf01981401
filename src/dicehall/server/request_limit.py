"""Every HTTP request counts towards the limit of its address, whatever it asks for: the API, the page's files, health
checks, addresses that do not exist and requests that are refused for another reason.

It is counted before anything else is done, so nothing here depends on a route. Endpoints count accounts themselves.
"""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from dicehall.core.game import Refused
from dicehall.server.errors import refusal_response
from dicehall.server.languages import language_of
from dicehall.server.limits import Limits
from dicehall.server.origins import address_of
from dicehall.table.slices import asking

ADDRESS = "dicehall.address"  # in the scope of a request: where it comes from, as limits count it


class RequestLimit:
    """*is_exempt* knows requests that have a limit of their own: those of a venue's game server."""

    def __init__(
        self, app: ASGIApp, limits: Limits, trust_proxy: int, is_exempt: Callable[[HTTPConnection], bool]
    ) -> None:
        self.app, self.limits, self.trust_proxy, self.is_exempt = app, limits, trust_proxy, is_exempt

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            connection = HTTPConnection(scope)
            address = scope[ADDRESS] = address_of(connection, trust_proxy=self.trust_proxy)
            asking.set(address)
            try:
                if not self.is_exempt(connection):
                    self.limits.take("request_address", address)
            except Refused as refused:
                return await refusal_response(refused, language_of(connection))(scope, receive, send)
        await self.app(scope, receive, send)


def counted_address(connection: HTTPConnection) -> str:
    """The address that this request was counted for."""
    address: str = connection.scope[ADDRESS]
    return address
