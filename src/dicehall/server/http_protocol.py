"""HTTP/1.1 with limits: how large a request's head may be, how long it may take, how many may be pipelined.

A limited number of requests is parsed and begun per turn of the event loop (see turns.py); the rest waits, and nothing
more is read from its connection meanwhile.
"""

from __future__ import annotations

import asyncio
from typing import Any

import httptools
import msgspec
from starlette.requests import HTTPConnection
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from dicehall.core.game import Refused
from dicehall.server.connections import STATE, Connections, TimedConnection
from dicehall.server.errors import show_error
from dicehall.server.origins import address_of
from dicehall.server.turns import request_turns

RATE_LIMITED = 429
RECEIVED = "received"  # in the state of a request: when all of it had arrived
HANDSHAKE = "The headers of this WebSocket handshake are not valid, or one of them is longer than 8192 bytes."
FORWARDED = b"x-forwarded-for"
MOST_HEAD_BYTES = 16 * 1024
MOST_HEADERS = 100
MOST_PIPELINED = 16  # requests sent ahead on one connection
BYTES_PER_TURN = 16 * 1024  # of one connection, parsed in one turn of the event loop
FREE_CHUNKS = 256  # of a body, of any size
LEAST_CHUNK_BYTES = 64  # that every further chunk must have on average, because each one costs time
MOST_DISCARDED = 8 << 20  # bytes of a body after its request was answered
HEAD_S = 10.0  # for the head of a request, or for the first byte
BODY_S = 60.0  # for the rest of it
IDLE_S = 15  # between two requests


class StopParsing(Exception):
    """Raised within the parser, which stops at any exception but does not pass it on."""


class LimitExceeded:
    """The reason for refusing to read a request any further, with its answer."""

    def __init__(self, status: int, code: str, message: str, **more: Any) -> None:
        self.status, self.shown = status, show_error(code, message, **more)

    def response(self) -> bytes:
        """A whole HTTP response, after which the connection is closed."""
        body = msgspec.json.encode(self.shown)
        head = [STATUS_LINE[self.status], b"content-type: application/json\r\nconnection: close\r\n"]
        if (wait := self.shown["error"].get("retry_after")) is not None:
            head.append(b"retry-after: %d\r\n" % wait)
        return b"".join((*head, b"content-length: %d\r\n\r\n" % len(body), body))


class HeldFlow(FlowControl):
    """Reads nothing while something waits for its turn, even if told to resume reading."""

    held = False

    def resume_reading(self) -> None:
        if not self.held:
            super().resume_reading()


class LimitedHttpProtocol(TimedConnection, HttpToolsProtocol):
    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.turns = request_turns(self.loop)
        self.unread = b""  # what came and is not parsed yet
        self.begins: tuple[RequestResponseCycle, Any] | None = None  # the request that waits for its turn
        self.answering: RequestResponseCycle | None = None  # the last that began; more may be pipelined behind it
        self.arrived = 0  # when the last byte came
        self.edge: Connections = self.app_state.get(STATE) or Connections()
        self.expires: float | None = None  # when what is being waited for must have come
        self.between = True  # two requests, or before the first
        self.head_bytes = self.head_count = 0
        self.chunks = self.body_bytes = 0
        self.unparsed = 0  # bytes since something was made of them
        self.discarded = 0
        self.exceeded: LimitExceeded | None = None

    # -- the connection -----------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.flow = self.reading = HeldFlow(transport)
        self.expires = self.loop.time() + HEAD_S
        address = self.client[0] if self.client else "local"
        if not self.is_too_fast("connection_address", address, "connections"):
            if self.edge.admit(transport, address):
                self.edge.idle[self] = None
            else:
                self.refuse(LimitExceeded(RATE_LIMITED, "rate_limited", "Too many connections. Try again later."))

    def connection_lost(self, exc: Exception | None) -> None:
        self.edge.idle.pop(self, None)
        self.edge.release(self.transport)
        self._unset_keepalive_if_required()
        for never_begun, _ in self.pipeline:
            never_begun.on_response = lambda: None  # it leads back here
        self.pipeline.clear()
        self.unread, self.begins = b"", None
        if self.answering is not None and not self.answering.response_complete:
            self.answering.disconnected = True
            self.answering.message_event.set()
        super().connection_lost(exc)

    def drop(self) -> None:
        self.transport.abort()

    def check_time(self, now: float) -> None:
        super().check_time(now)
        if self.expires is None or now < self.expires or self.transport.is_closing():
            return
        if self.between:
            self.transport.close()
        else:
            self.refuse(LimitExceeded(408, "bad_request", "The request took too long to arrive."))

    def refuse(self, error: LimitExceeded) -> None:
        """Refuse the request, unless another is being answered, and close."""
        answering = self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete
        if not self.transport.is_closing() and not answering:
            self.transport.write(error.response())
        self.transport.close()

    # -- what arrives -------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        self.arrived = self.edge.now()
        self.unread = self.unread + data if self.unread else data
        if not self.reading.held:
            self.read_piece()

    def read_piece(self) -> None:
        """Parse received data within the budget of this turn."""
        if not self.turns.allowed():
            return self.wait_for_turn()
        self.turns.use(1)
        piece, self.unread = self.unread[:BYTES_PER_TURN], self.unread[BYTES_PER_TURN:]
        self.parse(piece)
        if self.unread and not self.reading.held and not self.transport.is_closing():
            self.wait_for_turn()

    def wait_for_turn(self) -> None:
        if not self.reading.held:
            self.flow.pause_reading()
            self.reading.held = True
            self.turns.add(self)

    def have_turn(self) -> None:
        self.reading.held = False
        if self.transport.is_closing():
            return
        if self.begins is not None:
            self.begin(*self.begins)
        if len(self.unread) <= BYTES_PER_TURN and not self.pipeline:
            self.flow.resume_reading()
        if self.unread:
            self.read_piece()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        """Start a request: a new one, or a pipelined one."""
        if self.turns.allowed():
            self.begin(cycle, app)
        else:
            self.begins = (cycle, app)
            self.wait_for_turn()

    def begin(self, cycle: RequestResponseCycle, app: Any) -> None:
        self.begins, self.answering = None, cycle
        self.turns.use(1)
        super()._start_asgi_task(cycle, app)

    def parse(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        if self.between:
            self.between = False
            self.expires = self.loop.time() + HEAD_S
        self.unparsed += len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self.upgrade()
        except httptools.HttpParserError:
            self.refuse(self.exceeded or LimitExceeded(400, "bad_request", "This is not a valid HTTP/1.1 request."))
        else:
            if self.unparsed > MOST_HEAD_BYTES:
                self.refuse(too_large())

    def upgrade(self) -> None:
        if not self._should_upgrade():
            return self.refuse(LimitExceeded(400, "bad_request", "Only an upgrade to WebSocket is supported."))
        address = address_of(HTTPConnection(dict(self.scope)), trust_proxy=self.edge.trust_proxy)
        if not self.is_too_fast("socket_address", address, "WebSockets"):
            self.edge.idle.pop(self, None)
            self.handle_websocket_upgrade()
            self.parser = None  # type: ignore[assignment]  # it refers back to this protocol, which is done
            socket = self.transport.get_protocol()
            if isinstance(socket, WebSocketsSansIOProtocol) and not socket.handshake_initiated:
                self.refuse(LimitExceeded(400, "bad_request", HANDSHAKE))  # it would wait for a better one forever

    def is_too_fast(self, kind: str, address: str, what: str) -> bool:
        """Count one more from this address; if they come too fast, refuse it and close the connection."""
        try:
            self.edge.count_new(kind, address)
        except Refused as refused:
            wait = refused.more["retry_after"]
            sentence = f"Too many new {what} from your address. Try again in {wait} s."
            self.refuse(LimitExceeded(RATE_LIMITED, "rate_limited", sentence, retry_after=wait))
            return True
        return False

    def exceed(self, error: LimitExceeded) -> None:
        """Stop parsing. The error itself is not raised: with its traceback it would keep this connection in memory."""
        self.exceeded = error
        raise StopParsing

    def on_message_begin(self) -> None:
        self.head_bytes = self.head_count = self.unparsed = self.chunks = self.body_bytes = 0
        if len(self.pipeline) >= MOST_PIPELINED:
            self.exceed(
                LimitExceeded(RATE_LIMITED, "rate_limited", "Too many requests were sent ahead on one connection.")
            )
        self.expires = self.loop.time() + HEAD_S
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self.unparsed = 0
        self.count_head(len(url))
        if not url.isascii():
            self.exceed(LimitExceeded(400, "bad_request", "The URL contains characters that must be percent-encoded."))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self.unparsed = 0
        self.head_count += 1
        self.count_head(len(name) + len(value))
        if name.lower() == FORWARDED and self.client is not None:
            self.edge.note_proxy(self.client[0])
        super().on_header(name, value)

    def count_head(self, size: int) -> None:
        self.head_bytes += size
        if self.head_bytes > MOST_HEAD_BYTES or self.head_count > MOST_HEADERS:
            self.exceed(too_large())

    def on_headers_complete(self) -> None:
        self.unparsed = 0
        self.edge.idle.pop(self, None)
        self.expires = self.loop.time() + BODY_S
        super().on_headers_complete()

    def on_chunk_header(self) -> None:
        self.unparsed = 0
        if self.body_bytes < (self.chunks - FREE_CHUNKS) * LEAST_CHUNK_BYTES:
            self.exceed(LimitExceeded(400, "bad_request", "The body is sent in too many small chunks."))
        self.chunks += 1

    def on_body(self, body: bytes) -> None:
        self.unparsed = 0
        self.body_bytes += len(body)
        if self.cycle.response_complete:
            self.discarded += len(body)
            if self.discarded > MOST_DISCARDED:
                self.transport.close()
        super().on_body(body)

    def on_message_complete(self) -> None:
        self.scope["state"][RECEIVED] = self.arrived
        self.expires = None
        self.unparsed = 0
        super().on_message_complete()
        self.wait_for_next()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.transport.is_closing():
            self.wait_for_next()

    def wait_for_next(self) -> None:
        """Start waiting for the next request, if all earlier ones are answered."""
        if self.cycle is not None and self.cycle.response_complete and self.expires is None and not self.pipeline:
            self.between = True
            self.expires = self.loop.time() + IDLE_S
            self.edge.idle[self] = None


def too_large() -> LimitExceeded:
    message = f"The head of a request can have at most {MOST_HEADERS} headers and {MOST_HEAD_BYTES} bytes."
    return LimitExceeded(431, "too_large", message)
