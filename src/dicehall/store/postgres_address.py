"""The address of a PostgreSQL database, as an operator writes it and as others may see it."""

from __future__ import annotations

from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from dicehall.store.errors import StoreError

SCHEMES = ("postgresql", "postgres")


def is_postgres(text: str) -> bool:
    return urlsplit(text).scheme in SCHEMES


def shown_url(url: str) -> str:
    """The address without its password, for logs and sentences."""
    parts = urlsplit(url)
    user = f"{quote(unquote(parts.username))}@" if parts.username else ""
    place = user + parts.netloc.rpartition("@")[2]
    query = urlencode([(name, value) for name, value in parse_qsl(parts.query) if "password" not in name.lower()])
    return urlunsplit((parts.scheme, place, parts.path, query, ""))


def check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        port, name = parts.port, parts.path.strip("/")
    except ValueError as error:
        raise StoreError(f"This is not the address of a PostgreSQL database ({error}).") from None
    if port == 0 or not name or "/" in name:
        raise StoreError("The address of a PostgreSQL database looks like postgresql://user@host:5432/database.")
