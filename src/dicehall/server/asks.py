"""Requests over a socket: the HTTP endpoints under short names, and a few of its own.

Over a socket ``id`` names a message, and ``once`` is what HTTP calls ``id``: the client's own id of what it wants,
under which it is done once however often it is sent.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from dicehall.core.game import Refused
from dicehall.server import accounts, bodies, hints, players, reviews, tables, webhooks
from dicehall.server.endpoints import Call
from dicehall.server.parts import ServerParts
from dicehall.table.requests import Code
from dicehall.wire.decode_errors import DECODE_ERRORS, describe

VERSION = 1
Asked = Call[ServerParts]
Ask = Callable[[Asked], Awaitable[Any]]


MessageId = Annotated[int, Meta(ge=-(2**53), le=2**53)] | Annotated[str, Meta(max_length=64)]


class Numbered(Struct, kw_only=True):
    id: MessageId


class Message(Struct, kw_only=True):
    """One request; ``id`` comes back with its answer."""

    id: MessageId
    do: Annotated[str, Meta(max_length=40)]
    table: Annotated[str, Meta(max_length=64)] | None = None


class HelloBody(Struct, kw_only=True):
    version: int
    language: Annotated[str, Meta(max_length=40)] = "en"  # of sentences on this socket from now on


class SignInBody(bodies.SignInBody, kw_only=True):
    token: Annotated[str, Meta(max_length=200)] | None = None


class LeadersBody(bodies.LeadersQuery, kw_only=True):
    game: Annotated[str, Meta(max_length=40)]


class WatchBody(Struct, kw_only=True):
    since: Annotated[int, Meta(ge=0, le=1_000_000_000)] | None = None


def once(body: type[Struct]) -> Any:
    """An HTTP body as part of a message."""

    def take_once(self: Any) -> None:
        self.id = self.once

    fields: list[tuple[str, Any, Any]] = [("id", Any, None), ("once", bodies.ClientId | None, None)]
    name = body.__name__.replace("Body", "Ask")
    return msgspec.defstruct(name, fields, bases=(body,), kw_only=True, namespace={"__post_init__": take_once})


async def act(call: Asked) -> Any:
    """A move; everyone gets its update, so the answer is only its number."""
    answer = await call.parts.hall.act(call.signed, call.path["id"], call.body.move, call.body.id)
    return {"n": answer.n}


async def leaders(call: Asked) -> Any:
    return await players.leaders(replace(call, path={"game": call.body.game}))


# name -> what does it, and what it takes beside the table
AT_TABLES: dict[str, tuple[Ask, Any]] = {
    "act": (act, once(bodies.ActBody)),
    "sit": (tables.sit, once(bodies.SitBody)),
    "words": (tables.words, once(bodies.WordsBody)),
    "stand": (tables.stand, once(bodies.IdBody)),
    "remove": (tables.remove, once(bodies.RemoveBody)),
    "start": (tables.start, once(bodies.IdBody)),
    "leave": (tables.leave, once(bodies.IdBody)),
    "abandon": (tables.abandon, once(bodies.IdBody)),
    "reclaim": (tables.reclaim, once(bodies.IdBody)),
    "look": (tables.look, once(bodies.IdBody)),
    "events": (tables.events, bodies.SinceQuery),
    "record": (tables.record, once(bodies.IdBody)),
    "bots": (tables.bots, once(bodies.BotBody)),
    "rematch": (tables.rematch, once(bodies.IdBody)),
    "continue": (tables.play_on, once(bodies.ContinueBody)),
    "decline": (tables.decline, once(bodies.IdBody)),
    "react": (tables.react, once(bodies.ReactBody)),
    "webhook": (webhooks.webhook, once(bodies.IdBody)),
    "close": (tables.destroy, once(bodies.IdBody)),
    "hint": (hints.hint, once(bodies.IdBody)),
    "review": (reviews.review, once(bodies.IdBody)),
}
ANYWHERE: dict[str, tuple[Ask, Any]] = {
    "open": (tables.open_table, once(bodies.OpenBody)),
    "find": (tables.find, bodies.FindQuery),
    "games": (tables.games, once(bodies.IdBody)),
    "leaders": (leaders, LeadersBody),
}
# an answer with a token signs this socket in
WAYS_IN: dict[str, tuple[Ask, Any]] = {
    "guest": (accounts.guest, once(bodies.GuestBody)),
    "sign_up": (accounts.sign_up, bodies.SignUpBody),
    "sign_in": (accounts.sign_in, SignInBody),
}
OWN = ("hello", "watch", "unwatch", "ping")  # what only a socket can be asked
ALL = (*OWN, *WAYS_IN, *ANYWHERE, *AT_TABLES)


class MoveMessage(Struct, kw_only=True):
    """The most frequent message, decoded in one step."""

    id: MessageId
    do: Literal["act"]
    table: Annotated[str, Meta(max_length=64)]
    move: Any
    once: bodies.ClientId | None = None


_moves = msgspec.json.Decoder(MoveMessage)


def read_move(text: bytes) -> MoveMessage | None:
    """Decode a move; None if this is not one, or not a valid one."""
    try:
        return _moves.decode(text)
    except DECODE_ERRORS:
        return None


def id_of(text: bytes) -> int | str | None:
    """The id of a message, even of an invalid one; None if it has none."""
    try:
        return msgspec.json.decode(text, type=Numbered).id
    except DECODE_ERRORS:
        return None


def read(text: bytes, kind: Any) -> Any:
    try:
        return msgspec.json.decode(text, type=kind)
    except DECODE_ERRORS as wrong:
        raise Refused(Code.BAD_REQUEST, describe(wrong, "The message", kind)) from None
