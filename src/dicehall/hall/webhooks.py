"""Webhooks: the result of a table, sent to an address that its opener named, signed so that the receiver can check it.

The format is that of Standard Webhooks: the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, with an
HMAC-SHA256 over "id.timestamp.body". The id is the same however often one is sent.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Literal, TypeAlias
from urllib.parse import SplitResult, urlsplit

import msgspec

from dicehall.core.game import Refused
from dicehall.hall.cards import Ending
from dicehall.hall.codes import Code, bad

Mode: TypeAlias = Literal["off", "public", "any"]
State: TypeAlias = Literal["waiting", "pending", "delivered", "failed"]
Problem: TypeAlias = Literal["address", "connection", "time", "status", "answer"]

LONGEST_URL = 500
SECRET_PREFIX = "whsec_"
SECRET_BYTES = 32
LEAST_SECRET_BYTES, MOST_SECRET_BYTES = 24, 64
SCHEMES: dict[Mode, tuple[str, ...]] = {"off": (), "public": ("https",), "any": ("https", "http")}
PRINTABLE = re.compile(r"[!-~]+")
NAME = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+\.?")
NUMBER = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")  # as the last part of a name: some resolvers read it as an address
LOW_PORTS = (443,)  # those below 1024 that a public webhook may use
NAT64 = IPv6Network("64:ff9b::/96")
GLOBAL_UNICAST = IPv6Network("2000::/3")  # outside it are site-local addresses (fec0::/10), which `is_global` allows
SPECIAL = tuple(map(ip_network, ("192.0.0.0/24", "192.88.99.0/24", "3fff::/20")))  # some versions allow these, too


@dataclass(frozen=True, slots=True)
class Webhook:
    """Where the result of a table goes, and how far that has come."""

    table: str
    url: str
    secret: str  # deleted when it is delivered or given up
    state: State = "waiting"  # until the game ends, then pending
    due: int | None = None  # ms; when it is sent, or sent again
    tries: int = 0
    problem: Problem | None = None  # of the last try


def check_webhook(url: str, mode: Mode) -> SplitResult:
    """Refuse an invalid address for a webhook; what its name resolves to is checked on delivery."""
    if mode == "off":
        raise Refused(Code.NOT_ALLOWED, "This hall does not send webhooks.")
    parts = split(url)
    if parts.scheme not in SCHEMES[mode]:
        raise bad(f"The address of a webhook must begin with {' or '.join(SCHEMES[mode])}://.")
    if mode == "public":
        check_public(parts)
    return parts


def split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        valid = len(url) <= LONGEST_URL and PRINTABLE.fullmatch(url) and parts.hostname and parts.port != 0
    except ValueError:
        valid = False
    if not valid or parts.username is not None or parts.password is not None or parts.fragment:
        raise bad(
            f"A webhook needs an address such as https://example.org/dice, at most {LONGEST_URL} characters long."
        )
    return parts


def check_public(parts: SplitResult) -> None:
    host, port = parts.hostname or "", parts.port or 443
    if port < 1024 and port not in LOW_PORTS:
        raise bad("A webhook must use port 443, or a port from 1024 up.")
    is_name = NAME.fullmatch(host) and "[" not in parts.netloc
    if not (is_public(host) or (is_name and not NUMBER.fullmatch(host.rstrip(".").rpartition(".")[2]))):
        raise bad("A webhook must have a public address.")


def is_public(text: str) -> bool:
    """Whether this is an address anybody on the internet can reach: not this machine, its network or a special one."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    if isinstance(address, IPv6Address):
        if address in NAT64:
            return is_public(str(IPv4Address(int(address) & 0xFFFFFFFF)))
        if address.scope_id or address.ipv4_mapped or address.sixtofour or address.teredo:
            return False
        if address not in GLOBAL_UNICAST:
            return False
    special = address.is_multicast or address.is_reserved or any(address in network for network in SPECIAL)
    return address.is_global and not special


def new_secret(entropy: bytes) -> str:
    return SECRET_PREFIX + base64.b64encode(entropy).decode()


def key_of(secret: str) -> bytes:
    """The bytes of a secret, or Refused."""
    try:
        key = base64.b64decode(secret.removeprefix(SECRET_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not secret.startswith(SECRET_PREFIX) or not LEAST_SECRET_BYTES <= len(key) <= MOST_SECRET_BYTES:
        raise bad(
            f"The secret of a webhook must be {SECRET_PREFIX} followed by {LEAST_SECRET_BYTES} to {MOST_SECRET_BYTES} "
            "bytes in base64."
        )
    return key


def id_of(table: str) -> str:
    """A table ends once, so its webhook has one id."""
    return f"{table}.ended"


def body_of(ending: Ending, public_url: str) -> bytes:
    """The same bytes however often they are sent: nothing but what the table's own page says."""
    shown = {"type": "game_ended", "abandoned": not ending.results, "link": f"{public_url}/t/{ending.table}"}
    return msgspec.json.encode(shown | msgspec.to_builtins(ending))


def headers_of(webhook: Webhook, body: bytes, now_s: int) -> dict[str, str]:
    signed = f"{id_of(webhook.table)}.{now_s}.".encode() + body
    signature = base64.b64encode(hmac.new(key_of(webhook.secret), signed, hashlib.sha256).digest()).decode()
    return {
        "content-type": "application/json",
        "webhook-id": id_of(webhook.table),
        "webhook-timestamp": str(now_s),
        "webhook-signature": f"v1,{signature}",
    }
