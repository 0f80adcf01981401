"""NIP-98: a header is good for one request, one body and one minute."""

from __future__ import annotations

import base64

import pytest

from dicehall.nostr.events import encode_event, sign_event
from dicehall.nostr.http_auth import KIND, NotAuthorized, author_of, authorization
from dicehall.nostr.keys import SecretKey

KEY = SecretKey(bytes(31) + b"\7")
URL, NOW = "https://hall.example/api/sessions", 1_700_000_000


def test_a_signed_request_names_its_author() -> None:
    header = authorization(KEY, URL, "POST", NOW, b"{}")
    assert author_of(header, URL, "POST", NOW + 30, b"{}").pubkey == KEY.public_hex


@pytest.mark.parametrize(
    ("url", "method", "now", "body"),
    [
        (URL + "x", "POST", NOW, b"{}"),
        (URL, "GET", NOW, b"{}"),
        (URL, "POST", NOW + 61, b"{}"),
        (URL, "POST", NOW - 61, b"{}"),
        (URL, "POST", NOW, b"{ }"),
    ],
    ids=["another address", "another method", "too late", "too early", "another body"],
)
def test_a_header_is_good_for_its_own_request_alone(url: str, method: str, now: int, body: bytes) -> None:
    header = authorization(KEY, URL, "POST", NOW, b"{}")
    with pytest.raises(NotAuthorized):
        author_of(header, url, method, now, body)


def header_of(
    kind: int = KIND, tags: tuple[tuple[str, ...], ...] = (("u", URL), ("method", "GET")), content: str = ""
) -> str:
    return "Nostr " + base64.b64encode(encode_event(sign_event(KEY, NOW, kind, tags, content))).decode()


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Nostr",
        "Nostr !",
        "Nostr " + base64.b64encode(b"{}").decode(),
        "Bearer x",
        "Nostr " + "A" * 200_000,
        header_of(kind=1),
        header_of(content="text"),
        header_of(tags=(("u", URL),)),
        header_of(tags=(("u", URL), ("u", "https://elsewhere.example"), ("method", "GET"))),
    ],
)
def test_a_header_that_proves_nothing_is_refused(header: str | None) -> None:
    with pytest.raises(NotAuthorized):
        author_of(header, URL, "GET", NOW)


def test_a_body_without_a_payload_tag_is_refused() -> None:
    with pytest.raises(NotAuthorized, match="body"):
        author_of(header_of(), URL, "GET", NOW, b"something")


def test_a_payload_tag_without_a_body_is_refused() -> None:
    """Otherwise a request could be sent again with everything in it left out."""
    with pytest.raises(NotAuthorized, match="body"):
        author_of(authorization(KEY, URL, "POST", NOW, b"{}"), URL, "POST", NOW, b"")
