"""Dice Wards' own door: three services with the seed's methods, arguments and errors (W10-W13).

What the game has to say comes with status 200, as ``ok`` or as ``err`` with one of the seed's names. What hinders the
hall itself (a limit, an outage, a body that is too large, a page of another site) is told as everywhere else.
"""

from __future__ import annotations

import hmac
import inspect
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from dicehall.hall.seeds.wards import GameEngine, Lobbies, Profiles
from dicehall.hall.seeds.wards_words import OPERATOR, Caller, GameView, Profile, Room, WardsError, Wrong
from dicehall.server.endpoints import Call, Endpoint
from dicehall.server.parts import ServerParts
from dicehall.wire.decode_errors import DECODE_ERRORS

Asked = Call[ServerParts]
T = TypeVar("T")


class Ok(Struct, Generic[T]):
    ok: T


class Err(Struct):
    err: Wrong
    detail: str


SERVICES: Mapping[str, tuple[type, Callable[[ServerParts], Any]]] = {
    "profiles": (Profiles, lambda parts: Profiles(parts.people, parts.hall.parts.register)),
    "lobbies": (Lobbies, lambda parts: Lobbies(parts.rooms)),
    "engine": (GameEngine, lambda parts: GameEngine(parts.rooms)),
}


@dataclass(frozen=True, slots=True)
class Method:
    service: str
    name: str
    answer: Any  # the type of what is ok
    summary: str
    limit: str | None = None  # which of the hall's limits counts it, beside that of all requests

    @property
    def takes(self) -> tuple[str, ...]:
        """The names of its arguments, as the seed has them."""
        kind, _ = SERVICES[self.service]
        return tuple(inspect.signature(getattr(kind, self.name)).parameters)[2:]  # after the service and its caller


METHODS = (
    Method("profiles", "upsertProfile", Profile, "Take a name", "count"),
    Method("profiles", "getMyProfile", Profile | None, "My profile", "count"),
    Method("profiles", "getProfile", Profile | None, "Somebody's profile", "count"),
    Method("profiles", "onGameFinished", None, "A game was finished (for the operator)"),
    Method("lobbies", "createRoom", Room, "Open a room"),
    Method("lobbies", "joinRoom", str, "Join a room"),
    Method("lobbies", "listRooms", list[Room], "Rooms, the newest first", "list"),
    Method("lobbies", "getRoom", Room, "A room"),
    Method("engine", "initGame", GameView, "Seat two players (for the operator)"),
    Method("engine", "roll", GameView, "Roll"),
    Method("engine", "hold", GameView, "Hold"),
    Method("engine", "getGameState", GameView, "A game as I see it"),
    Method("engine", "checkTimeout", GameView, "A game, with everything due applied"),
)


def caller_of(call: Asked) -> Caller:
    """An account, or who shows the operator's service token; nobody else is known here."""
    ours = call.parts.settings.service_token
    if ours and call.token and hmac.compare_digest(ours.encode(), call.token.encode("utf-8", "replace")):
        return OPERATOR
    return call.account


def arguments(method: Method, text: bytes) -> dict[str, Any] | None:
    """What was sent under the names of the method's arguments; None where nobody can read it."""
    try:
        sent = msgspec.json.decode(text or b"{}")
    except DECODE_ERRORS:
        return None
    return {name: sent[name] for name in method.takes if name in sent} if isinstance(sent, dict) else None


@asynccontextmanager
async def allowed(call: Asked, method: Method, sent: dict[str, Any]) -> AsyncIterator[None]:
    """The limits on opening rooms and on sitting in too many of them."""
    if call.account is None or method.name not in ("createRoom", "joinRoom"):
        yield
        return
    if method.name == "createRoom":
        await call.parts.may_open(call.account, call.address)
    async with call.parts.sitting_down(call.account, str(sent.get("roomId"))):
        yield


def door(method: Method) -> Callable[[Asked], Coroutine[Any, Any, Any]]:
    _, service = SERVICES[method.service]

    async def ask(call: Asked) -> Any:
        caller, sent = caller_of(call), arguments(method, call.body)
        if method.limit is not None and caller is not OPERATOR:
            call.parts.limits.take_both(method.limit, call.account, call.address)
        try:
            async with allowed(call, method, sent or {}):
                answer = await getattr(service(call.parts), method.name)(caller, **(sent or {}))
        except WardsError as wrong:
            await be_there(call, sent, None)
            return Err(wrong.name, wrong.detail)
        await be_there(call, sent, answer)
        return Err(Wrong.INVALID_STATE, "Send the arguments as a JSON object.") if sent is None else Ok(answer)

    ask.__doc__ = f"Takes {', '.join(method.takes) or 'nothing'}."
    return ask


async def be_there(call: Asked, sent: dict[str, Any] | None, answer: Any) -> None:
    """Asking about a room, or opening one, counts as being present."""
    room = answer.id if isinstance(answer, Room) else (sent or {}).get("roomId")
    if call.account is not None and isinstance(room, str):
        await call.parts.presence.touch(room, call.account)


def body_of(method: Method) -> Any:
    """The arguments as a type for the documents; what is sent is read by the service itself."""
    page = {"page": int | None}
    fields: list[tuple[str, Any, Any]] = [(name, page.get(name, str | None), None) for name in method.takes]
    return msgspec.defstruct(f"{method.name[0].upper()}{method.name[1:]}", fields, kw_only=True)


ENDPOINTS: tuple[Endpoint[ServerParts], ...] = tuple(
    Endpoint(
        "POST",
        f"/api/wards/{method.service}/{method.name}",
        door(method),
        (Ok[method.answer], Err),  # type: ignore[name-defined]
        method.summary,
        "wards",
        bytes,
        signed=False,
        documented=body_of(method),
    )
    for method in METHODS
)
