"""The last game played on this machine: its record is kept where the coach finds it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from dicehall.client.keeping import CannotKeep, write_whole
from dicehall.wire.record import Record, record_text

SETTING = "DICEHALL_DATA"


def data_folder() -> Path:
    """The folder named by DICEHALL_DATA, or the one this system keeps for such things."""
    if named := os.environ.get(SETTING):
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "dicehall"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "dicehall"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "dicehall"


def last_game() -> Path:
    return data_folder() / "last-game.json"


def keep_last(record: Record) -> bool:
    """Whether the record lies there now; a game is none the worse where it cannot."""
    try:
        last_game().parent.mkdir(parents=True, exist_ok=True)
        write_whole(last_game(), record_text(record))
    except (OSError, RuntimeError, CannotKeep):
        return False
    return True
