"""Keeping the record of a running game in a file that is good at every moment."""

from __future__ import annotations

import os
from pathlib import Path

from dicehall.wire.record import Record, record_text


class CannotKeep(Exception):
    """A record cannot be written; says why in a sentence."""


class Keeper:
    """Writes a record to a file, or to none while there is no path."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.kept = False  # whether the file holds the newest record

    def keep(self, record: Record) -> None:
        if self.path is None:
            return
        self.kept = False
        write_whole(self.path, record_text(record))
        self.kept = True


def check_free(path: Path) -> None:
    """Refuse a file that would be lost by saving over it."""
    try:
        size = path.stat().st_size
    except (OSError, ValueError):  # not there, or not to be had: writing will tell
        return
    if not path.is_file():
        raise CannotKeep(f"{path} is not a file that a game can be saved in.")
    if size:
        raise CannotKeep(
            f"{path} already exists. To continue that game, use --resume {path}; for a new one, choose another name."
        )


def write_whole(path: Path, text: bytes) -> None:
    """Replace a file atomically: after a crash it has either the old text or the new one."""
    try:
        target = path.resolve()
        beside = target.with_name(f".{target.name}.new")
        try:
            write_through(beside, text)
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise CannotKeep(f"{path} cannot be written: {reason(error)}.") from None


def write_through(path: Path, text: bytes) -> None:
    """To the disk itself, not only to the system's memory."""
    with path.open("wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()
