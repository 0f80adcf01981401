"""Who may speak for a person's browser: pages of this server, and programs that show a token themselves."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

COOKIE = "dicehall"


def token_of(connection: HTTPConnection) -> tuple[str | None, bool]:
    """The token of a request, and whether the browser sent it by itself (as a cookie)."""
    scheme, _, text = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and text:
        return text.strip(), False
    cookie = connection.cookies.get(COOKIE)
    return cookie, cookie is not None


def same_origin(connection: HTTPConnection, public_url: str) -> bool:
    """Whether a browser's request comes from a page of ours; programs send no Origin."""
    origin = connection.headers.get("origin")
    if origin is None:
        return connection.headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
    ours = {urlsplit(public_url).netloc, connection.headers.get("host", "")} - {""}
    return origin.partition("://")[2] in ours  # an Origin is a scheme and a host, or "null"


def address_of(connection: HTTPConnection, *, trust_proxy: bool) -> str:
    """Where a request comes from, for rate limits; what a proxy says only where one is trusted."""
    if trust_proxy and (said := connection.headers.get("x-forwarded-for")):
        return said.rpartition(",")[2].strip()
    return connection.client.host if connection.client else "local"
