"""Which names this server answers to.

A page of another site can have its own name resolve to this machine (DNS rebinding) and then read what only this
network can reach. Its requests still carry that name in the Host header, so a name that a stranger can register is
refused unless it is the public URL's. Addresses, plain names and the names of local networks cannot be registered.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from dicehall.server.connections import parse_address
from dicehall.server.errors import error_response
from dicehall.server.languages import language_of
from dicehall.server.origins import host_name, own_names

LOCAL_ZONES = (".localhost", ".local", ".lan", ".home.arpa", ".internal", ".test")
HEALTH = "/healthz"  # says nothing, and is asked under any name
FOREIGN = 4003
HOST = re.compile(r"(\[[\w:.%-]+\]|[\w.-]+)(:\d*)?")


def is_known_host(host: str, public_url: str) -> bool:
    """Whether a request for this Host can be answered; a program that sends none is not a browser."""
    if host == "":
        return True
    if HOST.fullmatch(host) is None:
        return False
    name = host_name(host)
    if parse_address(name) is not None or name in own_names():
        return True
    return "." not in name or name.endswith(LOCAL_ZONES) or name == urlsplit(public_url).hostname


class KnownHosts:
    """Refuses requests for other names. Trusted proxies are exempt: they answer only to their configured names."""

    def __init__(self, app: ASGIApp, public_url: str, behind_proxy: bool) -> None:
        self.app, self.public_url, self.behind_proxy = app, public_url, behind_proxy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.is_answered(scope):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": FOREIGN})
        else:
            sentence = "This server does not answer to that name. To change that, start it with --public-url."
            await error_response("not_allowed", sentence, language_of(HTTPConnection(scope)))(scope, receive, send)

    def is_answered(self, scope: Scope) -> bool:
        if self.behind_proxy or scope["type"] not in ("http", "websocket") or scope["path"].endswith(HEALTH):
            return True
        return all(is_known_host(host, self.public_url) for host in Headers(scope=scope).getlist("host"))
