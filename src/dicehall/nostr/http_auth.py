"""NIP-98: a signed event in the Authorization header says who makes an HTTP request."""

from __future__ import annotations

import base64
import binascii
import hashlib

from dicehall.nostr.events import MAX_EVENT_BYTES, Event, InvalidEvent, encode_event, read_event, sign_event
from dicehall.nostr.keys import SecretKey

KIND = 27235
SCHEME = "Nostr "
TOLERANCE_S = 60  # how far the clocks of both sides may differ


class NotAuthorized(ValueError):
    """The header does not prove who makes this request; the sentence says why."""


def authorization(key: SecretKey, url: str, method: str, now_s: int, body: bytes = b"") -> str:
    """The value of an Authorization header for one request."""
    payload = (("payload", hashlib.sha256(body).hexdigest()),) if body else ()
    event = sign_event(key, now_s, KIND, (("u", url), ("method", method), *payload), "")
    return SCHEME + base64.b64encode(encode_event(event)).decode()


def author_of(header: str | None, url: str, method: str, now_s: int, body: bytes = b"") -> Event:
    """The event that authorizes this very request; its ``pubkey`` made it, and its ``id`` is good for once."""
    event = read_header(header)
    if event.kind != KIND or event.content:
        raise NotAuthorized(f"The event is not of kind {KIND} with empty content.")
    if abs(event.created_at - now_s) > TOLERANCE_S:
        raise NotAuthorized(f"The event was signed more than {TOLERANCE_S} seconds ago, or its clock is wrong.")
    if event.tag_values("u") != (url,) or event.tag_values("method") != (method,):
        raise NotAuthorized(f"The event was signed for a request other than {method} {url}.")
    payload = event.tag_values("payload")
    if payload != (hashlib.sha256(body).hexdigest(),) and (body or payload):
        raise NotAuthorized("The event was signed for another request body.")
    return event


def read_header(header: str | None) -> Event:
    if header is None or header[: len(SCHEME)].lower() != SCHEME.lower():
        raise NotAuthorized("An Authorization header with the scheme Nostr is needed.")
    if len(header) > 2 * MAX_EVENT_BYTES:
        raise NotAuthorized("The Authorization header is too long.")
    try:
        text = header[len(SCHEME) :].strip()
        return read_event(base64.b64decode(text + "=" * (-len(text) % 4), validate=True))  # NIP-98's own has no padding
    except (binascii.Error, ValueError) as error:
        raise NotAuthorized(str(error) if isinstance(error, InvalidEvent) else "This is not base64.") from None
