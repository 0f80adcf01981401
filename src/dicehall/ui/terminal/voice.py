"""How lines are spoken: plain text, or the same text in colour on a real terminal. Nothing is ever redrawn."""

from __future__ import annotations

from typing import Protocol, TextIO

STYLES = {"heading": "bold", "event": "", "position": "cyan", "wrong": "red", "note": "dim", "exact": ""}


class Voice(Protocol):
    def say(self, text: str, kind: str = "event") -> None: ...
    def offer(self, typed: str, worth: str) -> None: ...


class PlainVoice:
    def __init__(self, out: TextIO) -> None:
        self.out = out

    def say(self, text: str, kind: str = "event") -> None:
        print(text, file=self.out, flush=True)

    def offer(self, typed: str, worth: str) -> None:
        self.say(f"  {typed}: {worth}" if worth else f"  {typed}")


class ColourVoice:
    def __init__(self, out: TextIO) -> None:
        from rich.console import Console

        self.console = Console(file=out, highlight=False, markup=False, emoji=False)

    def say(self, text: str, kind: str = "event") -> None:
        self.console.print(text, style=STYLES[kind], soft_wrap=kind == "exact")  # what will be copied stays whole

    def offer(self, typed: str, worth: str) -> None:
        from rich.text import Text

        self.console.print(Text.assemble("  ", (typed, "bold green"), f": {worth}" if worth else ""))
