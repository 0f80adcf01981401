"""One HTTP request to a mint. Nothing that answers at its address can do more than fail it: answers are bounded,
redirects are not followed, and its words are made safe to print."""

from __future__ import annotations

import urllib.error
import urllib.request
from http.client import HTTPException

from msgspec import Struct

from dicehall.mint.blinding import BadAnswer, decode_answer
from dicehall.nostr.relay import printable

MAX_ANSWER_BYTES = 1 << 20
REFUSED = range(400, 500)


class Unreachable(Exception):
    """No answer, or none that can be read; the sentence says why."""


class RefusedByMint(Exception):
    """The mint's own no."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class ErrorBody(Struct, frozen=True):
    code: int
    detail: str


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """A mint that sends us elsewhere could make us ask anything of anybody, with an authorization of ours."""

    def redirect_request(self, *_: object) -> None:
        return None


OPENER = urllib.request.build_opener(NoRedirects)


def send(url: str, body: bytes | None, timeout_s: float, authorized: str | None = None) -> bytes:
    """The answer to a GET, or with a body to a POST."""
    headers = {"content-type": "application/json"} | ({} if authorized is None else {"authorization": authorized})
    try:
        request = urllib.request.Request(url, body, headers, method="GET" if body is None else "POST")
        with OPENER.open(request, timeout=timeout_s) as answer:
            data: bytes = answer.read(MAX_ANSWER_BYTES)
            return data
    except urllib.error.HTTPError as error:
        raise refusal_of(error) from None
    except (OSError, ValueError, HTTPException) as error:
        raise Unreachable(f"cannot be reached: {printable(str(error))}") from None


def refusal_of(error: urllib.error.HTTPError) -> Exception:
    if error.code not in REFUSED:
        return Unreachable(f"answered with status {error.code}")
    try:
        told = decode_answer(error.read(MAX_ANSWER_BYTES), ErrorBody)
    except (OSError, HTTPException, BadAnswer):
        return Unreachable(f"answered with status {error.code} and nothing that can be read")
    return RefusedByMint(told.code, printable(told.detail))
