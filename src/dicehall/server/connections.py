"""All TCP connections of a server: how many and how fast per address, how many in all, and how long each may take."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any, Protocol

from dicehall.server.limits import Limits

STATE = "connections"  # where protocols find this in the state of the server
MOST_PER_ADDRESS = 256
MOST_PROXIES = 16  # addresses that are not limited
CLOSE_S = 3.0  # a closed connection has this long to take the rest; then it is aborted and its memory freed
WRITE_S = 60.0  # a connection may leave data unread for this long


class Idle(Protocol):
    """A connection that waits for a request."""

    def drop(self) -> None: ...


def clock_ms() -> int:
    return time.time_ns() // 1_000_000


@dataclass(slots=True)
class Connections:
    now: Callable[[], int] = clock_ms  # the stamp of what arrives now
    most: int = 10_000  # in all; beyond that the longest idle is dropped for a newcomer
    trust_proxy: int = 0  # how many proxies in front are trusted; their own addresses are not limited
    limits: Limits | None = None  # on how fast new ones may come
    proxies: set[str] = field(default_factory=set)  # addresses of this network that have forwarded a request
    counts: Counter[str] = field(default_factory=Counter)
    addresses: dict[Any, str] = field(default_factory=dict)  # transport -> the address it is counted under
    idle: dict[Idle, None] = field(default_factory=dict)  # the longest idle first

    def admit(self, transport: asyncio.BaseTransport, address: str) -> bool:
        """Count a new connection; False if its address has too many, or the server is full of busy ones."""
        group = address_group(address)
        if self.counts[group] >= MOST_PER_ADDRESS and not self.is_proxy(address):
            return False
        if len(self.addresses) >= self.most and not self.make_room():
            return False
        self.addresses[transport] = group
        self.counts[group] += 1
        return True

    def count_new(self, kind: str, address: str) -> None:
        """Count a new connection or WebSocket of this address; refused if they come too fast."""
        if self.limits is not None and not self.is_proxy(address):
            self.limits.take(kind, address_group(address))

    def is_proxy(self, address: str) -> bool:
        return self.trust_proxy > 0 and (is_loopback(address) or address_group(address) in self.proxies)

    def note_proxy(self, address: str) -> None:
        """Note a request with X-Forwarded-For: within this network, its sender is the proxy."""
        if self.trust_proxy and is_private(address) and len(self.proxies) < MOST_PROXIES:
            self.proxies.add(address_group(address))

    def make_room(self) -> bool:
        for longest in self.idle:
            del self.idle[longest]
            longest.drop()
            return True
        return False

    def release(self, transport: asyncio.BaseTransport) -> None:
        group = self.addresses.pop(transport, None)
        if group is not None:
            self.counts[group] -= 1
            if self.counts[group] <= 0:
                del self.counts[group]


class TimedConnection:
    """A connection that is aborted if its other end does not read, so that its memory is freed."""

    transport: asyncio.Transport
    edge: Connections
    closing_since: float | None = None
    unread_since: float | None = None

    @property
    def source(self) -> str:
        """The address it is counted under."""
        return self.edge.addresses.get(self.transport, "")

    def check_time(self, now: float) -> None:
        if self.transport.is_closing():
            self.closing_since = now if self.closing_since is None else self.closing_since
            if now - self.closing_since >= CLOSE_S:
                self.transport.abort()
        elif not self.transport.get_write_buffer_size():
            self.unread_since = None
        elif self.unread_since is None:
            self.unread_since = now
        elif now - self.unread_since >= WRITE_S:
            self.transport.abort()


def check_times(connections: Iterable[Any], now: float) -> None:
    """Once a second: end the connections that take too long."""
    for connection in tuple(connections):
        if isinstance(connection, TimedConnection):
            connection.check_time(now)


def parse_address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def address_group(text: str) -> str:
    """What counts as one address: for IPv6 a whole /64, because a single household can own one."""
    address = parse_address(text)
    if isinstance(address, IPv6Address):
        return str(IPv6Address(int(address) >> 64 << 64)) + "/64"
    return text if address is None else str(address)


def is_loopback(text: str) -> bool:
    address = parse_address(text)
    return address is not None and address.is_loopback


def is_private(text: str) -> bool:
    address = parse_address(text)
    return address is not None and address.is_private
