"""Lines typed by a person while the event loop goes on."""

from __future__ import annotations

import asyncio
import io
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

CHUNK = 4096


class TypedLines:
    """A thread reads standard input, because nothing can interrupt a read; the program can end while it waits."""

    def __init__(self, source: TextIO | None = None) -> None:
        self.source = source or sys.stdin or io.StringIO()
        self.lines: asyncio.Queue[str | None] = asyncio.Queue()
        self.thread: threading.Thread | None = None
        self.ended = False
        self.prompt = ""  # of the question that is open on a terminal

    async def ask(self, prompt: str) -> str | None:
        """The next line; None once input has ended. The prompt is shown on a terminal only."""
        self.prompt = prompt if self.source.isatty() else ""
        print(self.prompt, end="", flush=True)
        try:
            return await self.next_line()
        except asyncio.CancelledError:
            print(end="\n" if self.prompt else "", flush=True)
            raise
        finally:
            self.prompt = ""

    @contextmanager
    def interruption(self) -> Iterator[None]:
        """What is printed while a question is open starts on a new line, and the prompt is shown again after it."""
        print(end="\n" if self.prompt else "", flush=True)
        yield
        print(self.prompt, end="", flush=True)

    async def next_line(self) -> str | None:
        if self.thread is None:
            loop = asyncio.get_running_loop()
            self.thread = threading.Thread(target=self.read, args=(loop, self.own_descriptor()), daemon=True)
            self.thread.start()
        if self.ended and self.lines.empty():
            return None
        line = await self.lines.get()
        self.ended = self.ended or line is None
        return line

    def read(self, loop: asyncio.AbstractEventLoop, descriptor: int | None) -> None:
        for line in self.typed() if descriptor is None else received(descriptor):
            if loop.is_closed():
                return
            loop.call_soon_threadsafe(self.lines.put_nowait, line)
        if not loop.is_closed():
            loop.call_soon_threadsafe(self.lines.put_nowait, None)

    def own_descriptor(self) -> int | None:
        """A copy, so that the thread never reads from whatever has the number after the source is closed."""
        try:
            return os.dup(self.source.fileno())
        except (OSError, ValueError):
            return None

    def typed(self) -> Iterator[str]:
        for line in self.source:
            yield line.rstrip("\r\n")


def received(descriptor: int) -> Iterator[str]:
    """Straight from the descriptor: a thread that waits inside Python's buffer would hold its lock at the end."""
    rest = b""
    try:
        while chunk := os.read(descriptor, CHUNK):
            *lines, rest = (rest + chunk).split(b"\n")
            yield from (line.decode(errors="replace").rstrip("\r") for line in lines)
    finally:
        os.close(descriptor)
    if rest:
        yield rest.decode(errors="replace")
