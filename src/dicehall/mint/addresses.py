"""Addresses of mints: on one machine, localhost and 127.0.0.1 are the same one."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def same_mint(one: str, other: str) -> bool:
    return normalized(one) == normalized(other)


def normalized(url: str) -> str:
    try:
        parts = urlsplit(url.rstrip("/"))
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return url
    name = "127.0.0.1" if host in LOOPBACK else f"[{host}]" if ":" in host else host
    return urlunsplit((parts.scheme, name if port is None else f"{name}:{port}", parts.path, parts.query, ""))
