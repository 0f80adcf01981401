"""Text longer than the screen goes through the user's pager, as git does it."""

from __future__ import annotations

import io
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from dicehall.ui.terminal.voice import ColourVoice, PlainVoice, Voice

USUAL = "less -FRX"  # in colour, and gone at once where everything fits
ROOM = 2  # lines of the screen for what was typed and the next prompt


def page(lines: Sequence[tuple[str, str]], voice: Voice, *, plain: bool = False) -> None:
    """Say lines of these kinds: on a terminal that they do not fit, page by page."""
    command = None if plain or not (sys.stdout.isatty() and sys.stdin and sys.stdin.isatty()) else pager()
    width, height = shutil.get_terminal_size()
    rows = sum(1 + (len(text) - 1) // width if text else 1 for text, _ in lines)
    if command is None or rows <= height - ROOM:
        for text, kind in lines:
            voice.say(text, kind)
        return
    shown = paged_text(lines, voice, width)
    try:
        with interrupts_for_the_pager():
            subprocess.run(command, input=shown.encode(), check=False)
    except OSError:
        print(shown, end="")


@contextmanager
def interrupts_for_the_pager() -> Iterator[None]:
    """Leave Ctrl-C to the pager: ending under it would leave the terminal as the pager had set it."""
    usual, watched = signal.signal(signal.SIGINT, lambda *_: None), signal.set_wakeup_fd(-1)
    try:
        yield
    finally:
        signal.set_wakeup_fd(watched, warn_on_full_buffer=False)
        signal.signal(signal.SIGINT, usual)


def pager() -> list[str] | None:
    """The command in $PAGER, or less; None where there is neither."""
    words = shlex.split(os.environ.get("PAGER") or USUAL)
    return words if words and shutil.which(words[0]) else None


def paged_text(lines: Sequence[tuple[str, str]], voice: Voice, width: int) -> str:
    out = io.StringIO()
    written = ColourVoice(out, width=width) if isinstance(voice, ColourVoice) else PlainVoice(out)
    for text, kind in lines:
        written.say(text, kind)
    return out.getvalue()
