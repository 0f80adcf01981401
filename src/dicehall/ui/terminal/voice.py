"""How lines are spoken: plain text, or the same text in colour on a real terminal. Nothing is ever redrawn."""

from __future__ import annotations

from textwrap import fill
from typing import Protocol, TextIO

STYLES = {"heading": "bold", "event": "", "position": "cyan", "wrong": "red", "note": "dim", "exact": ""}


class Voice(Protocol):
    def say(self, text: str, kind: str = "event") -> None: ...
    def offer(self, typed: str, worth: str, number: str = "") -> None:
        """What can be typed and what it is worth; *number* stands before it where it can be picked by one."""


class PlainVoice:
    """Lines as they are; on a terminal, which has a width, broken between words."""

    def __init__(self, out: TextIO, width: int | None = None) -> None:
        self.out, self.width = out, width

    def say(self, text: str, kind: str = "event") -> None:
        whole = self.width is None or len(text) <= self.width or kind == "exact"
        print(text if whole else wrapped(text, self.width or 0), file=self.out, flush=True)

    def offer(self, typed: str, worth: str, number: str = "") -> None:
        self.say(f"  {numbered(number)}{typed}: {worth}" if worth else f"  {numbered(number)}{typed}")


class ColourVoice:
    def __init__(self, out: TextIO, width: int | None = None) -> None:
        from rich.console import Console

        forced = True if width else None  # where it is written for a terminal that *out* is not
        self.console = Console(file=out, width=width, force_terminal=forced, highlight=False, markup=False, emoji=False)

    def say(self, text: str, kind: str = "event") -> None:
        self.console.print(text, style=STYLES[kind], soft_wrap=kind == "exact")  # what will be copied stays whole

    def offer(self, typed: str, worth: str, number: str = "") -> None:
        from rich.text import Text

        line = Text.assemble("  ", numbered(number), (typed, "bold green"), f": {worth}" if worth else "")
        self.console.print(line)


def wrapped(text: str, width: int) -> str:
    """Further lines begin below the first, a little further in."""
    indent = " " * (len(text) - len(text.lstrip()) + 2)
    return fill(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def numbered(number: str) -> str:
    return f"{number} " if number else ""
