"""Reading typed lines, from a terminal or a pipe.

On a terminal lines can be edited, Up brings back earlier ones, and Tab completes words (Python's readline). After
Ctrl-Z and fg the prompt is written again.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from importlib.util import find_spec
from types import FrameType
from typing import Any, Protocol, TextIO


class Ask(Protocol):
    words: Sequence[str]  # what Tab completes

    def __call__(self, prompt: str, secret: bool) -> str | None:
        """The next line, or None when input has ended; a secret line is not shown while it is typed."""
        ...


class LineReader:
    """Prompts only a terminal: in a pipe they would stand in the way of the answers."""

    def __init__(self, source: TextIO, out: TextIO) -> None:
        self.source, self.out = source, out
        self.words: Sequence[str] = ()
        self.mode: list[Any] | None = None  # of the terminal while a line is edited
        standard = source is sys.stdin and out is sys.stdout and source.isatty() and out.isatty()
        self.editing = standard and find_spec("readline") is not None
        if self.editing:
            prepare_editing(lambda: self.words, self.remember_mode)

    def __call__(self, prompt: str, secret: bool) -> str | None:
        terminal = self.source.isatty()
        line = self.edited(prompt) if self.editing and not secret else self.read(prompt, secret and terminal)
        if terminal and (secret or not line):
            self.out.write("\n")
        return line.rstrip("\r\n") if line else None

    def edited(self, prompt: str) -> str:
        with when_continued(lambda: self.edit_again(prompt)):
            try:
                return input(prompt) + "\n"
            except EOFError:
                return ""

    def edit_again(self, prompt: str) -> None:
        """A shell that brought the program back left the terminal as shells have it: not ready for editing."""
        import readline
        import termios

        with suppress(OSError, termios.error):  # a terminal that is not ours to set
            if self.mode is not None and os.tcgetpgrp(self.source.fileno()) == os.getpgrp():
                termios.tcsetattr(self.source, termios.TCSADRAIN, self.mode)
        self.again(f"{prompt}{readline.get_line_buffer()}")

    def remember_mode(self) -> None:
        """How the terminal is set while a line is edited."""
        if sys.platform != "win32":
            import termios

            self.mode = termios.tcgetattr(self.source)

    def read(self, prompt: str, hidden: bool) -> str:
        """A line without editing; hidden before anybody is asked to type it."""
        if not self.source.isatty():
            return self.source.readline()
        with unseen(self.source) if hidden else nullcontext() as hide, when_continued(lambda: self.again(prompt, hide)):
            self.again(prompt)
            return self.source.readline()

    def again(self, prompt: str, hide: Callable[[], None] | None = None) -> None:
        if hide is not None:
            hide()
        self.out.write(prompt)
        self.out.flush()


def asking(source: TextIO, out: TextIO) -> Ask:
    return LineReader(source, out)


def prepare_editing(words: Callable[[], Sequence[str]], ready: Callable[[], None]) -> None:
    import readline

    def complete(text: str, number: int) -> str | None:
        found = [word for word in words() if word.startswith(text.lower())]
        return found[number] if number < len(found) else None

    readline.set_completer(complete)
    readline.set_pre_input_hook(ready)
    readline.set_completer_delims("")
    readline.parse_and_bind("tab: complete")
    readline.parse_and_bind("set enable-bracketed-paste off")  # nothing but text is sent to the terminal


@contextmanager
def when_continued(again: Callable[[], None]) -> Iterator[None]:
    """Do something whenever a stopped program goes on, as after Ctrl-Z and fg."""
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield  # signals belong to the main thread
        return

    def continued(number: int, frame: FrameType | None) -> None:
        again()

    before = signal.signal(signal.SIGCONT, continued)
    try:
        yield
    finally:
        signal.signal(signal.SIGCONT, before)


@contextmanager
def unseen(source: TextIO) -> Iterator[Callable[[], None] | None]:
    """While somebody types what the others in the room must not read; gives what hides it again after a stop."""
    if sys.platform == "win32":
        yield None
        return
    import termios

    before = termios.tcgetattr(source)
    after = [*before[:3], before[3] & ~termios.ECHO, *before[4:]]

    def hide() -> None:
        termios.tcsetattr(source, termios.TCSADRAIN, after)

    hide()
    try:
        yield hide
    finally:
        termios.tcsetattr(source, termios.TCSADRAIN, before)
