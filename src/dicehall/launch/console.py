"""Standard input and output as people use them: in colour on a terminal, plain everywhere else."""

from __future__ import annotations

import io
import os
import shutil
import sys
from typing import Any, TextIO

from dicehall.launch.output import write_json
from dicehall.ui.terminal.reading import Ask, asking
from dicehall.ui.terminal.voice import ColourVoice, PlainVoice, Voice


def standard_input() -> TextIO:
    """Ask again about bytes that are not text, as about any other typing error."""
    if isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors != "replace":
        sys.stdin.reconfigure(errors="replace")
    return sys.stdin or io.StringIO()


def is_terminal() -> bool:
    """Whether a person types here and sees what is written."""
    return standard_input().isatty() and sys.stdout.isatty()


def standard_voice(*, plain: bool) -> Voice:
    colour = sys.stdout.isatty() and not plain and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    if colour:
        return ColourVoice(sys.stdout)
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    return PlainVoice(sys.stdout, width)


def standard_ask() -> Ask:
    return asking(standard_input(), sys.stdout)


def say_json(value: Any) -> None:
    write_json(value)
    sys.stdout.flush()
