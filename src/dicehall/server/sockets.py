"""The WebSocket door: many tables over one socket; every request has an id and always gets an answer."""

from __future__ import annotations

import asyncio
import itertools
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

from msgspec import Raw
from starlette.websockets import WebSocket, WebSocketDisconnect

from dicehall import __version__
from dicehall.core.game import Refused
from dicehall.hall.sessions import Token
from dicehall.server.asks import (
    ALL,
    ANYWHERE,
    AT_TABLES,
    VERSION,
    WAYS_IN,
    HelloBody,
    Message,
    WatchBody,
    id_of,
    read,
    read_move,
)
from dicehall.server.bodies import Entered, show_account
from dicehall.server.conn import SocketConn
from dicehall.server.direct import ShortWay, short_way
from dicehall.server.endpoints import Call
from dicehall.server.errors import error_response
from dicehall.server.hearing import Acting, Hearing
from dicehall.server.languages import language_in
from dicehall.server.origins import address_of, same_origin, token_of
from dicehall.server.parts import ServerParts
from dicehall.server.replies import acted, encode, failed
from dicehall.table.arrivals import Arrival, current
from dicehall.table.live import LiveTable
from dicehall.table.requests import Code, Do
from dicehall.table.slices import asking
from dicehall.wire.languages import ENGLISH

MOST_TABLES = 64  # watched over one socket
STRANGER = "stranger"  # asked for by a page that only watches, and must not carry the seat of who is signed in there
MOST_SOCKETS = 200  # of one account, or of one address without one
GOING_AWAY, FOREIGN, TOO_MANY = 1012, 4003, 4029


class Conn(Protocol):
    """The other end, as the server needs it."""

    @property
    def id(self) -> str: ...
    def push(self, message: bytes) -> None: ...
    def offer(self, message: bytes) -> None: ...
    def close(self, code: int) -> None: ...


@dataclass(slots=True, eq=False)
class Caller:
    """Somebody at the other end of a socket, or in this process."""

    conn: Conn
    address: str
    account: str | None = None
    token: str | None = None
    language: str = ENGLISH  # as its hello says: a browser sends its own with a socket, not that of the page
    digest: bytes = b""  # of the token, under which it is remembered
    watching: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class SocketReceiver:
    """What happens on the connection of a socket (see direct.Receiver)."""

    sockets: Sockets
    caller: Caller
    conn: SocketConn
    hearing: Hearing

    def receive(self, message: bytes, arrived: int) -> None:
        self.hearing.hear(message, arrived)

    def count_frame(self) -> None:
        with suppress(Refused):
            self.sockets.count(self.caller)

    def check_unsent(self) -> None:
        self.conn.check_unsent()

    def lost(self) -> None:
        self.sockets.open.pop(self.conn.id, None)


@dataclass(slots=True, eq=False)
class Sockets:
    parts: ServerParts
    open: dict[str, Caller] = field(default_factory=dict)
    numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    draining: bool = False  # no new sockets; those that are open go on
    stopped: bool = False  # all were asked to come back

    def __post_init__(self) -> None:
        self.parts.tokens.on_revoked.append(self.check_tokens)

    async def serve(self, socket: WebSocket) -> None:
        """One socket from its first byte to its last."""
        if self.draining or not self.welcome(socket):
            await self.refuse(socket)
            return
        await socket.accept()
        way = short_way(socket.scope)
        conn = SocketConn(self.new_id(), socket, direct=way)
        caller = Caller(conn, address_of(socket, trust_proxy=self.parts.settings.trust_proxy))
        await self.know(caller, None if STRANGER in socket.query_params else token_of(socket)[0])
        if self.crowded(caller):
            await socket.close(TOO_MANY)
            return
        self.open[conn.id] = caller
        receiver = None if way is None else SocketReceiver(self, caller, conn, self.hearing(caller, way))
        hearing = None if receiver is None else receiver.hearing
        reading = asyncio.create_task(self.read_all(socket, caller, hearing))
        writing = asyncio.create_task(conn.write())
        writing.add_done_callback(overlook)
        conn.give_up = reading.cancel if way is None else way.abort
        if way is not None and receiver is not None:
            way.hear(receiver)
        try:
            await asyncio.wait({reading})
        except asyncio.CancelledError:
            if not self.stopped:  # else what it asked for takes too long, and the server is about to end
                raise
        finally:
            reading.cancel()
            writing.cancel()
            if hearing is not None:
                hearing.stop()
            self.leave_tables(caller)
            if way is None:  # else it is open until the connection is gone
                self.open.pop(conn.id, None)

    async def refuse(self, socket: WebSocket) -> None:
        """A proxy that is answered 503 tries another node; one that is answered 403 does not."""
        if self.draining:
            await socket.send_denial_response(error_response("shutting_down", "The server is shutting down."))
        else:
            await socket.close(FOREIGN)

    def new_id(self) -> str:
        """Of a connection: no other of any process ever had it."""
        return f"{self.parts.hall.host.parts.process}:{next(self.numbers)}"

    def welcome(self, socket: WebSocket) -> bool:
        """A browser may only come from a page of ours; programs send no Origin."""
        return "origin" not in socket.headers or same_origin(socket, self.parts.settings.public_url)

    def crowded(self, caller: Caller) -> bool:
        who = caller.account or caller.address
        others = (other for other in self.open.values() if other is not caller)
        return sum((other.account or other.address) == who for other in others) >= MOST_SOCKETS

    def hearing(self, caller: Caller, way: ShortWay) -> Hearing:
        """Handle messages of the fast path at once."""
        arrivals = self.parts.hall.host.arrivals
        return Hearing(
            partial(self.answer, caller),
            partial(self.act, caller),
            lambda re, answered: acted(re, answered, caller.language),
            caller.conn.push,
            way.hold,
            lambda arrived: arrivals.expect(arrived, caller.account),
        )

    async def read_all(self, socket: WebSocket, caller: Caller, hearing: Hearing | None) -> None:
        """Until the socket ends, and what came before that is answered."""
        try:
            while True:
                message = await socket.receive()
                if message["type"] == "websocket.disconnect":
                    return await hearing.rest() if hearing is not None else None
                text = message.get("bytes") or (message.get("text") or "").encode("utf-8", "replace")
                caller.conn.push(await self.answer(caller, text))
        except WebSocketDisconnect:
            return

    def gone(self, caller: Caller) -> None:
        self.open.pop(caller.conn.id, None)
        self.leave_tables(caller)

    def leave_tables(self, caller: Caller) -> None:
        for table in tuple(caller.watching):
            self.unwatch(caller, table)

    async def stop(self) -> None:
        """Tell everybody to come back, and let what is told be sent."""
        self.draining = self.stopped = True
        self.parts.hall.host.close_doors()
        bye = encode({"bye": "The server is restarting. Reconnect in a moment.", "retry_ms": 1000})
        for caller in self.open.values():
            caller.conn.push(bye)
            caller.conn.close(GOING_AWAY)
        for _ in range(50):
            if not self.open:
                return
            await asyncio.sleep(0.02)

    # -- answering ----------------------------------------------------------------------------------

    def count(self, caller: Caller) -> None:
        """Count a request; a client that goes on although it is refused is disconnected."""
        who = caller.account or caller.address
        try:
            self.parts.limits.take_both("request", caller.account, caller.address)
        except Refused:
            try:
                self.parts.limits.take("flood", who)
            except Refused:
                caller.conn.close(TOO_MANY)
            raise

    def act(self, caller: Caller, text: bytes, arrived: int) -> Acting | None:
        """A move of somebody known at a table in memory: read once, and asked without waiting for anything.

        None where it is anything else or something is wrong with it; then it is answered like all the rest.
        """
        message = read_move(text)
        if message is None or caller.account is None or not self.parts.tokens.remembers(caller.digest):
            return None
        try:
            self.parts.limits.take_both("request", caller.account, caller.address)
            self.parts.presence.heard_from(caller.account)
            asked = self.parts.hall.host.put(message.table, Do(message.move), caller.account, message.once, arrived)
        except Refused:
            return None
        return None if asked is None else (message.id, asked)

    async def answer(self, caller: Caller, text: bytes, arrival: Arrival | None = None) -> bytes:
        """The answer to one message, whatever it is. It counts as a request even if it cannot be read."""
        re: Any = None
        current.set(arrival)
        asking.set(caller.address)
        try:
            await self.check_token(caller)
            self.count(caller)
            message: Message = read(text, Message)
            re = message.id
            self.parts.presence.heard_from(caller.account)
            return encode({"re": re, "ok": await self.do(caller, message, text)})
        except Exception as trouble:
            return failed(id_of(text) if re is None else re, trouble, caller.language)
        finally:
            if arrival is not None:
                arrival.done()

    async def do(self, caller: Caller, message: Message, text: bytes) -> Any:
        if message.do in AT_TABLES:
            return await self.at_table(caller, message, text)
        if message.do in ANYWHERE:
            work, kind = ANYWHERE[message.do]
            return await work(self.call(caller, read(text, kind), message.table or ""))
        if message.do in WAYS_IN:
            return await self.enter(caller, message.do, text)
        match message.do:
            case "hello":
                return self.hello(caller, read(text, HelloBody))
            case "watch":
                return await self.watch(caller, named(message), read(text, WatchBody).since)
            case "unwatch":
                return self.unwatch(caller, named(message))
            case "ping":
                return {"now": self.parts.now}
            case _:
                raise Refused(Code.BAD_REQUEST, f"Unknown request. Choose one of {', '.join(ALL)}.")

    def hello(self, caller: Caller, body: HelloBody) -> dict[str, Any]:
        if body.version != VERSION:
            raise Refused(Code.BAD_REQUEST, f"This hall speaks version {VERSION} of the protocol.")
        caller.language = language_in(body.language)
        return {"version": VERSION, "server": f"dicehall {__version__}", "now": self.parts.now}

    async def enter(self, caller: Caller, way: str, text: bytes) -> Entered:
        """Come in, and be known on this socket from now on; a token that is shown is answered with its account."""
        work, kind = WAYS_IN[way]
        body = read(text, kind)
        token: str | None = getattr(body, "token", None)
        if token is None:
            token = (await work(self.call(caller, body, ""))).token
        before = caller.account, caller.token, caller.digest
        await self.know(caller, token)
        if caller.token != token:
            raise Refused(Code.NOT_SIGNED_IN, "This token is invalid or expired.")
        if self.crowded(caller):
            caller.account, caller.token, caller.digest = before
            raise Refused(Code.RATE_LIMITED, f"An account can have at most {MOST_SOCKETS} sockets.")
        return Entered(token=token, account=show_account(await self.parts.people.account(caller.account or "")))

    async def know(self, caller: Caller, token: str | None) -> None:
        account = await self.parts.tokens.account(token)
        if account is not None:
            caller.account, caller.token = account, token
            caller.digest = Token(token or "").digest

    async def check_token(self, caller: Caller) -> None:
        """A token that was given up elsewhere is no longer good here: its socket is a stranger's."""
        if caller.token is not None and await self.parts.tokens.account(caller.token) is None:
            caller.account, caller.token, caller.digest = None, None, b""
            for table in tuple(caller.watching):
                self.unwatch(caller, table)

    def check_tokens(self, account: str) -> None:
        """Tokens of this account were revoked: sockets that only listen must not go on listening with them."""
        for caller in self.open.values():
            if caller.account == account:
                self.parts.hall.host.spawn(self.check_token(caller))

    def call(self, caller: Caller, body: Any, table: str) -> Call[ServerParts]:
        address, token, language = caller.address, caller.token, caller.language
        return Call(self.parts, caller.account, body, body, {"id": table}, address, token, language=language)

    async def at_table(self, caller: Caller, message: Message, text: bytes) -> Any:
        work, kind = AT_TABLES[message.do]
        table = named(message)
        answer = await work(self.call(caller, read(text, kind), table))
        if message.do == "sit":  # who sits down over a socket is carried by it
            await self.listen(caller, table)
        return answer

    async def watch(self, caller: Caller, table: str, since: int | None) -> dict[str, Any]:
        """Listen to a table from now on; with *since*, all that was told after that number comes first."""
        self.parts.limits.take("watch", caller.account or caller.address)
        live = await self.listen(caller, table)
        missed: list[Raw] = []
        if since is not None:
            async with self.parts.reading(caller.account, caller.address, table, since):
                missed, _ = await self.parts.hall.encoded_updates(caller.account, table, since)
        shown = await self.parts.hall.look(caller.account, table)
        return {"table": shown, "updates": missed, "spectators": live.spectators}

    async def listen(self, caller: Caller, table: str) -> LiveTable:
        if table not in caller.watching and len(caller.watching) >= MOST_TABLES:
            raise Refused(Code.RATE_LIMITED, f"A socket can watch at most {MOST_TABLES} tables.")
        known = table in caller.watching
        caller.watching.add(table)  # before anything is awaited: whoever is gone meanwhile listens to nothing
        try:
            return await self.parts.hall.watch(caller.account, table, caller.conn)
        except Refused:
            if not known:
                self.unwatch(caller, table)
            raise
        finally:
            if table not in caller.watching:  # its socket ended meanwhile, and must not carry a seat
                self.parts.hall.host.disconnect(table, caller.conn.id)

    def unwatch(self, caller: Caller, table: str) -> dict[str, Any]:
        if table in caller.watching:
            caller.watching.discard(table)
            self.parts.hall.host.disconnect(table, caller.conn.id)
        return {}


def overlook(writing: asyncio.Task[None]) -> None:
    """Ignore errors of writing to a client that is gone."""
    if not writing.cancelled():
        writing.exception()


def named(message: Message) -> str:
    if message.table is None:
        raise Refused(Code.BAD_REQUEST, "Which table?")
    return message.table
