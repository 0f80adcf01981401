"""Reading typed lines, from a terminal or a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO, TypeAlias

Ask: TypeAlias = Callable[[str, bool], str | None]  # prompt, secret -> a line; None when input has ended


def asking(source: TextIO, out: TextIO) -> Ask:
    """Prompts only a terminal: in a pipe they would stand in the way of the answers."""

    def ask(prompt: str, secret: bool) -> str | None:
        terminal = source.isatty()
        with unseen(source) if secret and terminal else seen():  # before anybody is asked to type
            if terminal:
                out.write(prompt)
                out.flush()
            line = source.readline()
        if terminal and (secret or not line):
            out.write("\n")
        return line.rstrip("\r\n") if line else None

    return ask


@contextmanager
def seen() -> Iterator[None]:
    yield


@contextmanager
def unseen(source: TextIO) -> Iterator[None]:
    """While somebody types what the others in the room must not read."""
    if sys.platform == "win32":
        yield
        return
    import termios

    before = termios.tcgetattr(source)
    after = [*before[:3], before[3] & ~termios.ECHO, *before[4:]]
    termios.tcsetattr(source, termios.TCSADRAIN, after)
    try:
        yield
    finally:
        termios.tcsetattr(source, termios.TCSADRAIN, before)
