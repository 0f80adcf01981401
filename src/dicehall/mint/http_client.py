"""One HTTP request to a mint. Nothing that answers at its address can do more than fail it: answers are bounded in
size and time, redirects are not followed, and its words are made safe to print."""

from __future__ import annotations

import io
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any

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


class DeadlineReader(io.RawIOBase):
    """Reads from a socket until a deadline. A socket's own time-out starts again with every byte that arrives."""

    def __init__(self, sock: Any, reader: io.RawIOBase, ends: float) -> None:
        self.sock, self.reader, self.ends = sock, reader, ends

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left_s = self.ends - time.monotonic()
        if left_s <= 0:
            raise TimeoutError("timed out")
        self.sock.settimeout(left_s)
        return self.reader.readinto(buffer)

    def close(self) -> None:
        self.reader.close()
        super().close()


def response_until(ends: float) -> Callable[..., HTTPResponse]:
    def response(sock: Any, *args: Any, **more: Any) -> HTTPResponse:
        made = HTTPResponse(sock, *args, **more)
        made.fp = io.BufferedReader(DeadlineReader(sock, made.fp.detach(), ends))
        return made

    return response


class BoundedHTTP(urllib.request.HTTPHandler, urllib.request.HTTPSHandler):
    """Applies the time-out of a request to the whole answer."""

    def http_open(self, request: urllib.request.Request) -> HTTPResponse:
        return self.do_open(connect_with(HTTPConnection), request)

    def https_open(self, request: urllib.request.Request) -> HTTPResponse:
        return self.do_open(connect_with(HTTPSConnection), request)


def connect_with(kind: type[HTTPConnection]) -> Any:
    def connection(host: str, timeout: float, **more: Any) -> HTTPConnection:
        made = kind(host, timeout=timeout, **more)
        made.response_class = response_until(time.monotonic() + timeout)  # type: ignore[assignment]
        return made

    return connection


OPENER = urllib.request.build_opener(NoRedirects, BoundedHTTP)


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
    except urllib.error.URLError as error:
        raise Unreachable(f"cannot be reached: {printable(str(error.reason))}") from None
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
