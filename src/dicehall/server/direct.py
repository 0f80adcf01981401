"""The fast path to and from a socket: messages bypass ASGI, which wakes tasks and passes layers for each one.

The protocol itself is handed to the application, under an extension that only this server knows. Whole text frames are
read here and received at once; anything else (the handshake, fragments, pings, closing, mistakes) goes its usual way,
frame by frame.

A socket handles a limited number of frames and bytes per turn of the event loop (see turns.py); anything beyond that
waits, and nothing more is read from it meanwhile.

Writing to a socket is the largest cost of a move, so a message waits for one more turn of the event loop: by then the
answer to a move is queued behind its update, and both leave together.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from dicehall.server.connections import CLOSE_S, STATE, Connections, TimedConnection
from dicehall.server.turns import BYTES_PER_SLICE, frame_turns

try:
    from websockets.speedups import apply_mask
except ImportError:  # no compiled part on this machine
    from websockets.utils import apply_mask

log = logging.getLogger("dicehall.sockets")

EXTENSION = "dicehall.direct"
WHOLE_TEXT = 0x81  # the first byte of a text frame that is a whole message
OPCODE, CLOSE = 0x0F, 0x08  # in the first byte
MASKED, SIZE = 0x80, 0x7F  # in the second byte
TWO_BYTES, EIGHT_BYTES = 126, 127  # where the size itself stands
INVALID_DATA = 1007


class Receiver(Protocol):
    """The application's end of a socket."""

    def receive(self, message: bytes, arrived: int) -> None:
        """A whole message, with the time at which its last byte was read."""

    def count_frame(self) -> None:
        """A frame that is not a whole message; too many of them end the connection."""

    def check_unsent(self) -> None:
        """Check after an unsolicited write: a client that does not read is disconnected."""

    def lost(self) -> None:
        """The connection is lost, with everything queued for it."""


class ShortWay(Protocol):
    def push(self, message: bytes) -> int:
        """Send a message; return how many bytes wait for the other end."""

    def unsent(self) -> tuple[int, int]:
        """How many messages wait for the other end, and how many bytes."""

    def hear(self, receiver: Receiver) -> None:
        """Deliver messages here from now on, starting with those already waiting."""

    def hold(self, held: bool) -> None:
        """Pause or resume reading."""

    def abort(self) -> None:
        """End the connection at once; unsent data is lost."""


class DirectProtocol(TimedConnection, WebSocketsSansIOProtocol):
    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.edge: Connections = self.app_state.get(STATE) or Connections()
        self.close_timeout = CLOSE_S
        self.turns = frame_turns(self.loop)
        self.outbox = outbox_of(self.loop)
        self.receiver: Receiver | None = None
        self.held = False  # by the application
        self.queued = False  # for a later turn
        self.unread = b""  # what came; from *offset* on it is not handled yet, and often ends within a frame
        self.offset = 0  # instead of copying the rest in every turn, which a flood would make most of the work
        self.arrived = 0  # when the last of that came
        self.running = False  # the application
        self.usual = True  # whether all that comes goes the usual way
        self.frames_out: list[bytes] = []
        self.written = 0  # bytes, in all
        self.ends: deque[int] = deque()  # of the messages that may not have left yet, counted as *written* is

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if self.tasks and not self.close_sent:  # the application runs
            self.usual, self.running = False, True
            extensions: dict[str, Any] = self.scope["extensions"] or {}
            extensions[EXTENSION] = self
            self.update_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self.edge.release(self.transport)
        self.unread, self.offset, self.frames_out = b"", 0, []
        self.ends.clear()
        super().connection_lost(exc)
        if self.receiver is not None:
            self.receiver.lost()
        self.let_go()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        (self.scope["extensions"] or {}).pop(EXTENSION, None)
        self.running = False
        self.let_go()

    def let_go(self) -> None:
        """Release everything once the socket is unused: reference cycles would wait for a rare garbage collection."""
        if self.disconnected and not self.running:
            self.receiver = None
            self.conn.parser = None  # type: ignore[assignment]
            for error in (self.conn.handshake_exc, self.conn.parser_exc):
                if error is not None:
                    error.__traceback__ = None  # it leads here

    # -- what comes -----------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if self.usual:
            return super().data_received(data)
        self.arrived = self.edge.now()
        self.unread, self.offset = self.unread[self.offset :] + data if self.unread else data, 0
        if self.queued:
            self.update_reading()  # closing a socket resumes reading, whatever waits here
        else:
            self.read_frames()

    def read_frames(self) -> None:
        """Handle received data within the budget of this turn."""
        data, at, handled, allowed = self.unread, self.offset, 0, self.turns.allowed()
        while len(data) - at >= 2 and not self.blocked:
            begin, end = payload(data, at)
            if not data[at + 1] & MASKED or end - begin > self.config.ws_max_size:
                return self.leave_to_usual(data[at:])
            if end > len(data):
                break
            if handled >= allowed or at - self.offset >= BYTES_PER_SLICE:
                self.wait_for_turn()
                break
            handled += 1
            self.take(data, at, begin, end)
            at = end
            if self.transport.is_closing():
                break
        if handled:
            self.turns.use(handled)
        self.unread, self.offset = (data, at) if at < len(data) else (b"", 0)
        self.update_reading()

    def leave_to_usual(self, data: bytes) -> None:
        """Close the socket with the standard's code for a frame that is not allowed."""
        self.usual, self.unread, self.offset = True, b"", 0
        super().data_received(data)

    def take(self, data: bytes, at: int, begin: int, end: int) -> None:
        """Handle one frame: a message if it is a whole one, otherwise left to the protocol."""
        if self.is_ignored(data[at]):
            return
        if self.receiver is not None:
            if data[at] == WHOLE_TEXT and not self.frames and not self.close_sent:
                text = apply_mask(data[begin:end], data[begin - 4 : begin])
                if text.isascii() or is_text(text):
                    return self.receiver.receive(text, self.arrived)
            self.receiver.count_frame()
        if not self.transport.is_closing():
            super().data_received(data[at:end])

    def is_ignored(self, first: int) -> bool:
        """After closing, ignore everything but the reply to that: a flood may go on for a while."""
        return self.close_sent and first & OPCODE != CLOSE

    def send_receive_event_to_app(self) -> None:
        """Pass on a message that came in fragments, or as bytes."""
        message, self.frames = b"".join(self.frames), []
        if self.close_sent or self.receiver is None:
            return
        if self.curr_msg_data_type == "text" and not is_text(message):
            self.conn.send_close(INVALID_DATA)
            self.handle_parser_exception()
        else:
            self.receiver.receive(message, self.arrived)

    def handle_ping(self) -> None:
        self.write(b"".join(self.conn.data_to_send()))
        if self.receiver is not None:
            self.receiver.check_unsent()

    def hear(self, receiver: Receiver) -> None:
        self.receiver = receiver
        if self.disconnected:
            receiver.lost()
        else:
            self.read_frames()

    async def receive(self) -> Any:
        """The beginning and the end of a socket; reading is paused and resumed by update_reading alone."""
        return await self.queue.get()

    # -- how fast it comes ------------------------------------------------------------------------------

    def wait_for_turn(self) -> None:
        self.queued = True
        self.turns.add(self)

    def have_turn(self) -> None:
        self.queued = False
        if not self.transport.is_closing():
            self.read_frames()

    def hold(self, held: bool) -> None:
        self.held = held
        if held or self.queued or len(self.unread) - self.offset < 2:
            self.update_reading()
        else:
            self.wait_for_turn()

    @property
    def blocked(self) -> bool:
        """Whether nothing is handled until the application is ready; a socket that is closed waits for the reply."""
        return (self.held or self.receiver is None) and not self.close_sent

    def update_reading(self) -> None:
        paused = self.queued or self.blocked
        if self.read_paused is not paused and not self.transport.is_closing():
            self.read_paused = paused
            self.transport.pause_reading() if paused else self.transport.resume_reading()

    # -- what goes ------------------------------------------------------------------------------------

    def push(self, message: bytes) -> int:
        if self.transport.is_closing():
            return 0
        if not self.frames_out:
            self.outbox.add(self)
        self.frames_out.append(frame_of(message))
        waiting = self.transport.get_write_buffer_size()
        if not waiting and self.ends:
            self.ends.clear()
        return waiting

    def unsent(self) -> tuple[int, int]:
        size = self.transport.get_write_buffer_size()
        while self.ends and self.ends[0] <= self.written - size:
            self.ends.popleft()
        return len(self.ends) + len(self.frames_out), size

    def flush(self) -> None:
        frames, self.frames_out = self.frames_out, []
        if frames and not self.close_sent and not self.transport.is_closing():
            for frame in frames:
                self.written += len(frame)
                self.ends.append(self.written)
            self.transport.write(frames[0] if len(frames) == 1 else b"".join(frames))

    def write(self, data: bytes) -> None:
        self.written += len(data)
        self.ends.append(self.written)
        self.transport.write(data)

    async def send(self, message: Any) -> None:
        """Send through ASGI, after everything that was pushed before."""
        self.flush()
        await super().send(message)
        if not self.usual:
            self.update_reading()

    def abort(self) -> None:
        self.transport.abort()


class Outbox:
    """The sockets of one event loop that have something to send; all are flushed together."""

    def __init__(self) -> None:
        self.waiting: list[DirectProtocol] = []

    def add(self, protocol: DirectProtocol) -> None:
        if not self.waiting:
            protocol.loop.call_soon(protocol.loop.call_soon, self.flush)
        self.waiting.append(protocol)

    def flush(self) -> None:
        """Drop a socket that cannot be written to; others are unaffected."""
        waiting, self.waiting = self.waiting, []
        for protocol in waiting:
            try:
                protocol.flush()
            except Exception:
                log.exception("a socket cannot be written to")
                protocol.transport.abort()


OUTBOXES: WeakKeyDictionary[asyncio.AbstractEventLoop, Outbox] = WeakKeyDictionary()  # none of them holds its loop


def outbox_of(loop: asyncio.AbstractEventLoop) -> Outbox:
    if loop not in OUTBOXES:
        OUTBOXES[loop] = Outbox()
    return OUTBOXES[loop]


@lru_cache(maxsize=1)
def frame_of(message: bytes) -> bytes:
    """A whole text frame from the server. All subscribers of a table are sent the same one in turn."""
    return head_of(len(message)) + message


def payload(data: bytes, at: int) -> tuple[int, int]:
    """Where the content of a masked frame begins and ends; past the end of the data if it is incomplete."""
    size, begin = data[at + 1] & SIZE, at + 6
    if size == TWO_BYTES:
        size, begin = int.from_bytes(data[at + 2 : at + 4], "big"), at + 8
    elif size == EIGHT_BYTES:
        size, begin = int.from_bytes(data[at + 2 : at + 10], "big"), at + 14
    return begin, begin + size


def is_text(message: bytes) -> bool:
    try:
        message.decode()
    except UnicodeDecodeError:
        return False
    return True


def head_of(size: int) -> bytes:
    """The header of a whole text frame from the server."""
    if size < TWO_BYTES:
        return bytes((WHOLE_TEXT, size))
    if size < 1 << 16:
        return bytes((WHOLE_TEXT, TWO_BYTES)) + size.to_bytes(2, "big")
    return bytes((WHOLE_TEXT, EIGHT_BYTES)) + size.to_bytes(8, "big")


def short_way(scope: Mapping[str, Any]) -> ShortWay | None:
    """The fast path, if the server that runs this application has one."""
    found: ShortWay | None = (scope.get("extensions") or {}).get(EXTENSION)
    return found
