"""The last game played on this machine: its record is kept where the coach finds it."""

from __future__ import annotations

from pathlib import Path

from dicehall.client.keeping import CannotKeep, write_whole
from dicehall.solvers.places import DATA
from dicehall.wire.record import Record, record_text


def last_game() -> Path:
    return DATA.path() / "last-game.json"


def keep_last(record: Record) -> bool:
    """Whether the record lies there now; a game is none the worse where it cannot."""
    try:
        last_game().parent.mkdir(parents=True, exist_ok=True)
        write_whole(last_game(), record_text(record))
    except (OSError, RuntimeError, CannotKeep):
        return False
    return True
