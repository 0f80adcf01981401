"""A copy of the database as of one moment, made page by page while a host goes on writing."""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from dicehall.hall.challenge_days import last_opened
from dicehall.store.challenges import void_days
from dicehall.store.copy_mark import mark_copy
from dicehall.store.errors import StoreError, sentence_of
from dicehall.store.lock import ProcessLock
from dicehall.store.opening import SIDES, check_ours, connect_to_read, publish, remove_draft, told

PAGES = 256  # a step; between two of them the progress is told
PATIENCE = 10_000

Progress = Callable[[int, int], None]  # pages done, pages in all


@dataclass(frozen=True, slots=True)
class Copied:
    file: str
    bytes: int
    pages: int


def copy_database(source: Path, target: Path, *, force: bool, progress: Progress) -> Copied:
    """Copy, check the copy, and only then rename it. On failure, raise StoreError and leave no trace."""
    source, target = Path(os.path.realpath(source)), Path(os.path.realpath(target))
    check_paths(source, target, force)
    draft = new_draft(target)
    try:
        with told(source), closing(connect_to_read(source, PATIENCE, alone=False)) as reader:
            check_ours(reader, source)
            copy_pages(reader, draft, progress, target)
        pages = check_copy(draft, source)
        check_paths(source, target, force)
        with told(target):
            publish(draft, target)
            return Copied(str(target), target.stat().st_size, pages)
    finally:
        remove_draft(draft)


def restore_database(source: Path, target: Path, *, force: bool, progress: Progress) -> Copied:
    """Replace the database *target*, which must not be in use, with a copy."""
    source, target = Path(os.path.realpath(source)), Path(os.path.realpath(target))
    check_paths(source, target, force)
    with told(target):
        lock = ProcessLock(target)
    try:
        with told(target):
            if target.exists():
                lock.lock_database()
            check_sides(target)
        return copy_database(source, target, force=force, progress=progress)
    finally:
        lock.release()


def check_sides(target: Path) -> None:
    """A log that is left of another database would be played into the restored one."""
    for side in SIDES:
        if os.path.exists(f"{target}{side}"):
            raise StoreError(
                f"{target}{side} is left over from a database whose hall did not stop cleanly. "
                f"First move {target} and the files whose names begin with it to another folder."
            )


def check_paths(source: Path, target: Path, force: bool) -> None:
    with told(source):
        if not source.exists():
            raise StoreError(f"There is no database {source}.")
        if not source.is_file():
            raise StoreError(f"{source} is not a file.")
    with told(target):
        if target.exists() and target.samefile(source):
            raise StoreError(f"{target} is the database itself.")
        if target.exists() and not target.is_file():
            raise StoreError(f"{target} is not a file.")
        if target.exists() and not force:
            raise StoreError(f"{target} already exists. Use --force to overwrite it.")
        if not target.parent.is_dir():
            raise StoreError(f"There is no folder {target.parent}.")


def new_draft(target: Path) -> Path:
    with told(target):
        file, name = tempfile.mkstemp(prefix=f"{target.name}.", suffix=".part", dir=target.parent)  # only for its owner
        os.close(file)
        return Path(name)


def copy_pages(reader: sqlite3.Connection, draft: Path, progress: Progress, target: Path) -> None:
    """All pages as of one moment, and the mark that says that this is a copy."""
    reader.execute("BEGIN")  # one moment: without it every commit of the host would begin the copy anew
    reader.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    with closing(sqlite3.connect(draft, isolation_level=None)) as copy:
        copy.execute("PRAGMA synchronous = OFF")  # publish() syncs the whole
        try:
            reader.backup(copy, pages=PAGES, progress=lambda _, left, total: progress(total - left, total))
            now = time.time_ns() // 1_000_000
            forget_open_days(copy, now)
            mark_copy(copy, now)
        except sqlite3.Error as error:
            raise StoreError(f"The copy failed. {sentence_of(error, target)}") from error


def forget_open_days(copy: sqlite3.Connection, now: int) -> None:
    """A copy holds no secret of a daily challenge that is not opened (decision 079)."""
    if copy.execute("SELECT 1 FROM sqlite_schema WHERE name = 'challenge_days'").fetchone():
        copy.execute("PRAGMA secure_delete = ON")  # their bytes too
        void_days(copy, last_opened(now))


def check_copy(draft: Path, source: Path) -> int:
    """The pages of a copy that is sound."""
    pages = 0
    try:
        with closing(sqlite3.connect(draft, isolation_level=None)) as copy:
            (pages,) = copy.execute("PRAGMA page_count").fetchone()
            findings = [finding for (finding,) in copy.execute("PRAGMA integrity_check(3)")]
    except sqlite3.Error as error:
        findings = [str(error)]
    if findings != ["ok"]:
        raise StoreError(f"{source} is damaged, so a copy would be too ({'; '.join(findings)}). No copy was kept.")
    return pages
