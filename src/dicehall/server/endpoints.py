"""Endpoints as data: one list from which the routes, the checks and the OpenAPI document are made."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from dicehall.core.game import Refused
from dicehall.table.requests import Code
from dicehall.wire.decode_errors import DECODE_ERRORS, describe
from dicehall.wire.languages import ENGLISH

P = TypeVar("P")  # what the endpoints work with

MOST_BYTES = 64 * 1024  # of a request's body, where an endpoint does not say otherwise


@dataclass(frozen=True, slots=True)
class Call(Generic[P]):
    """One request, read and checked."""

    parts: P
    account: str | None
    body: Any
    query: Any
    path: Mapping[str, str]
    address: str
    token: str | None
    authorization: str | None = None  # the header as it came
    raw_body: bytes = b""
    language: str = ENGLISH  # of whoever asks

    @property
    def signed(self) -> str:
        """The account of somebody who must be signed in."""
        if self.account is None:
            raise Refused(Code.NOT_SIGNED_IN, "Sign in first.")
        return self.account


@dataclass(frozen=True, slots=True)
class Endpoint(Generic[P]):
    method: str
    path: str
    do: Callable[[Call[P]], Coroutine[Any, Any, Any]]
    answer: Any  # the type of what is answered, or a tuple of such types
    summary: str
    tag: str
    body: Any = None  # its type; bytes are left as they came
    query: Any = None
    signed: bool = True  # whether only somebody signed in may ask
    status: int = 200
    most_bytes: int = MOST_BYTES
    heavy: bool = False  # whether it is given up when whoever asked is gone
    limit: str | None = None  # of accounts and addresses, counted before the body is read
    takes_event: bool = False  # whether a Nostr event in the Authorization header can say who asks (NIP-98)
    documented: Any = None  # the type of a body that is left as it came, for the documents

    @property
    def answers(self) -> tuple[Any, ...]:
        return self.answer if isinstance(self.answer, tuple) else (self.answer,)

    @property
    def shown_path(self) -> str:
        """The path as documents have it, without the kinds of its parameters."""
        return re.sub(r":\w+}", "}", self.path)


def read_body(endpoint: Endpoint[Any], text: bytes) -> Any:
    if endpoint.body is None:
        return None
    if endpoint.body is bytes:
        return text
    try:
        return msgspec.json.decode(text or b"{}", type=endpoint.body)
    except DECODE_ERRORS as wrong:
        raise Refused(Code.BAD_REQUEST, describe(wrong, "The body", endpoint.body)) from None


def read_query(endpoint: Endpoint[Any], request: Request) -> Any:
    if endpoint.query is None:
        return None
    try:
        return msgspec.convert(dict(request.query_params), endpoint.query, strict=False)
    except msgspec.ValidationError as wrong:
        raise Refused(Code.BAD_REQUEST, describe(wrong, "The query", endpoint.query)) from None


async def read_bytes(request: Request, most: int) -> bytes:
    """A body of bounded size: one that is larger is not read to its end."""
    chunks, size = [], 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > most:
            raise Refused(Code.TOO_LARGE, f"The body can have at most {most} bytes.")
        chunks.append(chunk)
    return b"".join(chunks)


def json_response(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")
