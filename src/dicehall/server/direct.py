"""The shortest way to and from a socket: messages go past ASGI, which wakes tasks and passes layers for each of them.

The protocol itself is handed to the application, under an extension that only this server knows. Whole text frames are
read here and heard at once; anything else (the handshake, fragments, pings, closing, mistakes) goes its usual way,
frame by frame, and messages that come of it are heard in their turn.

Writing to a socket is what a move costs most, so a message waits for one more turn of the event loop: by then the
answer to a move stands behind its update, and both leave together.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

try:
    from websockets.speedups import apply_mask
except ImportError:  # no compiled part on this machine
    from websockets.utils import apply_mask

log = logging.getLogger("dicehall.sockets")

EXTENSION = "dicehall.direct"
WHOLE_TEXT = 0x81  # the first byte of a text frame that is a whole message
MASKED, SIZE = 0x80, 0x7F  # in the second byte
TWO_BYTES, EIGHT_BYTES = 126, 127  # where the size itself stands

Heard = Callable[[bytes], None]


class ShortWay(Protocol):
    def push(self, message: bytes) -> int:
        """Send a message; how many bytes wait for the other end."""

    def hear(self, heard: Heard) -> None:
        """From now on messages come here, those that wait already first."""

    def hold(self, held: bool) -> None:
        """Read nothing more for now, or go on reading."""


class DirectProtocol(WebSocketsSansIOProtocol):
    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.frames_out: list[bytes] = []
        self.outbox = outbox_of(self.loop)
        self.heard: Heard | None = None
        self.held = False
        self.rest = b""  # of what came: the beginning of a frame
        self.usual = True  # whether all that comes goes the usual way

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if self.tasks:  # the application runs
            self.usual = False
            extensions: dict[str, Any] = self.scope["extensions"] or {}
            extensions[EXTENSION] = self

    # -- what comes -----------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if self.usual:
            return super().data_received(data)
        data, at = self.rest + data, 0
        while len(data) - at >= 2:
            if not data[at + 1] & MASKED or data[at + 1] & SIZE == EIGHT_BYTES:  # wrong, or very large
                self.usual, self.rest = True, b""
                return super().data_received(data[at:])
            begin, end = payload(data, at)
            if end > len(data):
                break
            self.take(data, at, begin, end)
            at = end
        self.rest = data[at:]

    def take(self, data: bytes, at: int, begin: int, end: int) -> None:
        """One frame: a message if it is a whole one, else left to those who know what it is."""
        if data[at] == WHOLE_TEXT and self.heard is not None and not self.frames and not self.close_sent:
            text = apply_mask(data[begin:end], data[begin - 4 : begin])
            if text.isascii() or is_text(text):
                return self.heard(text)
        super().data_received(data[at:end])

    def send_receive_event_to_app(self) -> None:
        super().send_receive_event_to_app()
        if self.heard is not None:
            self.hear(self.heard)

    def hear(self, heard: Heard) -> None:
        self.heard = heard
        kept = []
        while not self.queue.empty():
            event = self.queue.get_nowait()
            if event["type"] == "websocket.receive":
                heard(event.get("bytes") or (event.get("text") or "").encode())
            else:
                kept.append(event)
        for event in kept:
            self.queue.put_nowait(event)
        self.hold(self.held)

    def hold(self, held: bool) -> None:
        self.held = held
        if self.read_paused is not held and not self.transport.is_closing():
            self.read_paused = held
            self.transport.pause_reading() if held else self.transport.resume_reading()

    # -- what goes ------------------------------------------------------------------------------------

    def push(self, message: bytes) -> int:
        if self.transport.is_closing():
            return 0
        if not self.frames_out:
            self.outbox.add(self)
        self.frames_out.append(frame_of(message))
        return self.transport.get_write_buffer_size()

    def flush(self) -> None:
        frames, self.frames_out = self.frames_out, []
        if frames and not self.close_sent and not self.transport.is_closing():
            self.transport.write(frames[0] if len(frames) == 1 else b"".join(frames))

    async def send(self, message: Any) -> None:
        """Whatever goes the usual way goes after what was pushed before it."""
        self.flush()
        await super().send(message)


class Outbox:
    """The sockets of one event loop that have something to send: they are all sent to together."""

    def __init__(self) -> None:
        self.waiting: list[DirectProtocol] = []

    def add(self, protocol: DirectProtocol) -> None:
        if not self.waiting:
            protocol.loop.call_soon(protocol.loop.call_soon, self.flush)
        self.waiting.append(protocol)

    def flush(self) -> None:
        """Somebody who cannot be sent to is let go, and costs nobody else anything."""
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
    """A whole text frame of a server. All who listen to a table are sent the same one, one after the other."""
    return head_of(len(message)) + message


def payload(data: bytes, at: int) -> tuple[int, int]:
    """Where the content of a masked frame begins and ends; beyond the data while that is not whole."""
    size, begin = data[at + 1] & SIZE, at + 6
    if size == TWO_BYTES:
        size, begin = int.from_bytes(data[at + 2 : at + 4], "big"), at + 8
    return begin, begin + size


def is_text(message: bytes) -> bool:
    try:
        message.decode()
    except UnicodeDecodeError:
        return False
    return True


def head_of(size: int) -> bytes:
    """What stands before a whole text frame of a server."""
    if size < TWO_BYTES:
        return bytes((WHOLE_TEXT, size))
    if size < 1 << 16:
        return bytes((WHOLE_TEXT, TWO_BYTES)) + size.to_bytes(2, "big")
    return bytes((WHOLE_TEXT, EIGHT_BYTES)) + size.to_bytes(8, "big")


def short_way(scope: Mapping[str, Any]) -> ShortWay | None:
    """The short way, where the server that runs this application has one."""
    found: ShortWay | None = (scope.get("extensions") or {}).get(EXTENSION)
    return found
