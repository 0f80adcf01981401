"""What can be asked over a socket: the endpoints of tables under short names, and a few of its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from dicehall.core.game import Refused
from dicehall.server import bodies, players, tables
from dicehall.server.endpoints import Call
from dicehall.server.parts import ServerParts
from dicehall.table import requests
from dicehall.table.requests import Code

VERSION = 1


class Message(Struct, kw_only=True):
    """One request; ``id`` comes back with its answer."""

    id: int | Annotated[str, Meta(max_length=64)]
    do: Annotated[str, Meta(max_length=40)]
    table: Annotated[str, Meta(max_length=64)] | None = None


class HelloBody(Struct, kw_only=True):
    version: int


class SignInBody(Struct, kw_only=True):
    token: Annotated[str, Meta(max_length=200)]


class SitBody(Struct, kw_only=True):
    seat: bodies.SeatNumber | None = None
    commitment: bodies.Hex | None = None
    password: Annotated[str, Meta(max_length=200)] | None = None
    once: bodies.ClientId | None = None


class ActBody(Struct, kw_only=True):
    move: Any
    once: bodies.ClientId | None = None  # the client's own id of the move: sent again, it is answered again


class OnceBody(Struct, kw_only=True):
    once: bodies.ClientId | None = None


class WatchBody(Struct, kw_only=True):
    since: Annotated[int, Meta(ge=0, le=1_000_000_000)] | None = None


Ask = Callable[[Call[ServerParts]], Awaitable[Any]]


async def sit(call: Call[ServerParts]) -> Any:
    body: SitBody = call.body
    answer = await call.parts.hall.sit(
        call.signed, call.path["id"], body.seat, body.commitment, body.password, id=body.once
    )
    return await tables.answered(call, answer)


async def act(call: Call[ServerParts]) -> Any:
    """A move; its update comes to everybody by itself, so the answer is only its number."""
    answer = await call.parts.hall.act(call.signed, call.path["id"], call.body.move, call.body.once)
    return {"n": answer.n}


async def start(call: Call[ServerParts]) -> Any:
    return await tables.ask(call, requests.Start(), call.body.once)


async def hint(call: Call[ServerParts]) -> Any:
    return await tables.ask(call, requests.Hint())


# name -> what does it, and what it takes beside the table
AT_TABLES: dict[str, tuple[Ask, Any]] = {
    "act": (act, ActBody),
    "sit": (sit, SitBody),
    "words": (tables.words, bodies.WordsBody),
    "stand": (tables.stand, OnceBody),
    "start": (start, OnceBody),
    "leave": (tables.leave, OnceBody),
    "reclaim": (tables.reclaim, OnceBody),
    "look": (tables.look, OnceBody),
    "events": (tables.events, bodies.SinceQuery),
    "bots": (tables.bots, bodies.BotBody),
    "hint": (hint, OnceBody),
}
ANYWHERE: dict[str, tuple[Ask, Any]] = {
    "open": (tables.open_table, bodies.OpenBody),
    "find": (tables.find, bodies.FindQuery),
    "games": (tables.games, OnceBody),
    "leaders": (players.leaders, bodies.LeadersQuery),
}


def read(text: bytes, kind: Any) -> Any:
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise Refused(Code.BAD_REQUEST, f"This message cannot be read: {str(wrong)[:200]}.") from None
