"""Who can act for a person's browser: pages of this server, and programs that send a token themselves."""

from __future__ import annotations

import socket
from functools import cache
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from dicehall.server.connections import address_group, parse_address

COOKIE = "dicehall"


def token_of(connection: HTTPConnection) -> tuple[str | None, bool]:
    """The token of a request, and whether the browser sent it automatically (as a cookie)."""
    scheme, _, text = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and text:
        return text.strip(), False
    cookie = connection.cookies.get(COOKIE)
    return cookie, cookie is not None


def same_origin(connection: HTTPConnection, public_url: str) -> bool:
    """Whether a browser's request comes from a page of ours; programs send no Origin."""
    origin, host = connection.headers.get("origin"), connection.headers.get("host", "")
    if origin is None:
        site = connection.headers.get("sec-fetch-site")
        return site is None or (site in ("same-origin", "none") and is_our_host(connection, public_url))
    from_page = origin.partition("://")[2]  # an Origin is a scheme and a host, or "null"
    if from_page == urlsplit(public_url).netloc:
        return True
    return from_page == host and host != "" and is_our_host(connection, public_url)


def is_our_host(connection: HTTPConnection, public_url: str) -> bool:
    """Whether the Host header names this server.

    Any name can be made to resolve to this machine (DNS rebinding), so only names that nobody else controls count: the
    public URL's, this machine's own, and the address at which the connection was really made.
    """
    host = connection.headers.get("host", "")
    if host == urlsplit(public_url).netloc:
        return True
    name = host_name(host)
    if name == "localhost" or name.endswith(".localhost") or name in own_names():
        return True
    address = parse_address(name)
    if address is None:
        return False
    reached = connection.scope.get("server")
    return address.is_loopback or (reached is not None and address == parse_address(str(reached[0])))


def host_name(host: str) -> str:
    """A Host header without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower().rstrip(".")


@cache
def own_names() -> frozenset[str]:
    """The names of this machine in its own network."""
    name = socket.gethostname().lower()
    return frozenset({name, f"{name}.local"}) - {"", ".local"}


def address_of(connection: HTTPConnection, *, trust_proxy: int) -> str:
    """Where a request comes from, for rate limits.

    Each of the *trust_proxy* proxies in front appends the address it was contacted from, so the client's is that many
    from the right, over all lines together; anything the client wrote itself is to the left of it.
    """
    peer = connection.client.host if connection.client else "local"
    if trust_proxy:
        lines = connection.headers.getlist("x-forwarded-for")
        listed = [entry.strip() for line in lines for entry in line.split(",") if entry.strip()]
        if listed:
            forwarded = without_port(listed[-min(trust_proxy, len(listed))])
            peer = forwarded if parse_address(forwarded) is not None else peer
    return address_group(peer)


def without_port(text: str) -> str:
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text
