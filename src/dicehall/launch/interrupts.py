"""Ctrl-C ends a long command within about a second, whatever it is doing.

Python raises KeyboardInterrupt in the main thread, and only while that thread runs Python code: a compiler, a loop in C
or a pool that is shutting down can hold it back for half a minute. A second thread hears of the signal at once (through
`signal.set_wakeup_fd`), gives the command a second to end on its own, and then ends the process.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socket import socket, socketpair

STOPPED = "dicehall: Stopped."
INTERRUPTED = 130  # the exit code that shells give a program ended by Ctrl-C
GRACE_SECONDS = 1.0


@contextmanager
def prompt_interrupts() -> Iterator[None]:
    """End the process if it is still at the same work a second after Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals belong to the main thread
        return
    reader, writer = socketpair()
    ended = threading.Event()
    with reader, writer:
        writer.setblocking(False)
        before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
        threading.Thread(target=watch, args=(reader, ended), daemon=True).start()
        try:
            yield
        finally:
            ended.set()
            signal.set_wakeup_fd(before)
            with suppress(BlockingIOError):  # then there is something to read already
                writer.send(b"\0")  # wakes the watcher, which sees that the command has ended


def watch(reader: socket, ended: threading.Event) -> None:
    with suppress(OSError):  # closed, because the command has ended
        while not ended.is_set():
            received = reader.recv(1)
            if received == bytes([signal.SIGINT]) and not ended.wait(GRACE_SECONDS):
                end_now()


def end_now() -> None:
    cursor = "\r\x1b[2K\x1b[?25h" if sys.stderr.isatty() else ""  # a progress bar hides it
    os.write(2, f"{cursor}{STOPPED}\n".encode())
    os._exit(INTERRUPTED)
