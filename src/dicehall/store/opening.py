"""Opening the file. Every problem is reported before anything is written, and nothing is repaired silently."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path

from dicehall.store.errors import StoreError, sentence_of
from dicehall.store.lock import ProcessLock
from dicehall.store.schema import is_ours, migrate, missing_column, newest, version_of

MAGIC = b"SQLite format 3\0"
VERSIONS = (b"\1\1", b"\2\2")  # without and with a log; SQLite would write over any other
SIDES = ("-wal", "-journal")  # files that SQLite would play back into a database beside them
CHECKED = ("heads", "acts", "secrets")  # what live tables need; the archive is read when somebody asks for it


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn trouble with *path* into its sentence."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise StoreError(sentence_of(error, path)) from error


def open_database(
    path: Path, lock: ProcessLock, synchronous: str, patience: int, checkpoint: int
) -> sqlite3.Connection:
    """A connection to the file, made or migrated where needed. The caller holds the lock."""
    with told(path):
        if path.exists():
            lock.lock_database()  # before anything opens and closes the file: see *ProcessLock.forget*
            check_file(path)
            check_content(path, patience)
        else:
            create(path)
            lock.lock_database()
        return connect(path, synchronous, patience, checkpoint)


def check_place(path: Path) -> None:
    """What can be said before taking the lock."""
    if path.exists() and not path.is_file():
        raise StoreError(f"{path} is not a file.")
    if not path.parent.is_dir():
        raise StoreError(f"There is no folder {path.parent}.")


def check_file(path: Path) -> None:
    file = os.open(path, os.O_RDWR)  # asks the system, not the mode bits: root and read-only disks have their own rules
    try:
        head = os.pread(file, 20, 0)
    finally:
        os.close(file)
    if not head:
        raise StoreError(f"{path} is empty, so it is not a Dicehall database. Remove it to start a new one.")
    if head[:16] != MAGIC or head[18:] not in VERSIONS:
        raise StoreError(f"{path} is not an SQLite database, or its beginning is damaged.")


def check_content(path: Path, patience: int) -> None:
    """Look at the content through a connection that cannot write."""
    with closing(connect_to_read(path, patience, alone=True)) as connection:
        check_ours(connection, path)
        check_length(connection, path)
        for table in CHECKED:
            for (finding,) in connection.execute(f"PRAGMA integrity_check({table})"):
                if finding != "ok":
                    raise StoreError(f"{path} is damaged ({finding}). Nothing was changed. Restore a backup.")


def check_length(connection: sqlite3.Connection, path: Path) -> None:
    """SQLite reads the missing end of a last page as zeros."""
    (pages,), (size,) = (connection.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size"))
    if path.stat().st_size < pages * size and not log_of(path):
        raise StoreError(f"{path} is damaged: its end is missing. Nothing was changed. Restore a backup.")


def log_of(path: Path) -> int:
    """The size of the write-ahead log."""
    log = Path(f"{path}-wal")
    return log.stat().st_size if log.exists() else 0


def check_ours(connection: sqlite3.Connection, path: Path) -> None:
    if not is_ours(connection):
        raise StoreError(f"{path} is another program's database.")
    if version_of(connection) > newest():
        raise StoreError(
            f"{path} was written by a newer Dicehall (schema {version_of(connection)}; this one knows {newest()})."
        )


def connect_to_read(path: Path, patience: int, *, alone: bool) -> sqlite3.Connection:
    """*alone*: nobody else can be writing, so a file without a log is read without making one."""
    uri = f"{path.as_uri()}?mode=ro{'&immutable=1' if alone and not log_of(path) else ''}"
    return lenient(sqlite3.connect(uri, uri=True, isolation_level=None, timeout=patience / 1000))


def lenient(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Text that is not UTF-8 is shown as such: one damaged name must not hide a whole list."""
    connection.text_factory = partial(str, encoding="utf-8", errors="replace")
    return connection


def create(path: Path) -> None:
    """Make the file under another name first: under its own it is there whole, or not at all."""
    for side in SIDES:
        if os.path.exists(f"{path}{side}"):
            raise StoreError(
                f"{path}{side} exists, but {path} does not. They belong together: put {path} back, or remove both."
            )
    draft = Path(f"{path}.new")
    remove_draft(draft)
    try:
        os.close(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))  # it holds secrets
        with closing(sqlite3.connect(draft, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            migrate(connection)
        publish(draft, path)
    finally:
        remove_draft(draft)


def publish(draft: Path, path: Path) -> None:
    """Give a finished file its name, so that it has it after a power cut too."""
    sync(draft)
    os.replace(draft, path)
    sync(path.parent)


def remove_draft(draft: Path) -> None:
    for side in ("", "-wal", "-shm", "-journal"):
        Path(f"{draft}{side}").unlink(missing_ok=True)


def sync(path: Path) -> None:
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def connect(path: Path, synchronous: str, patience: int, checkpoint: int) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode=rw",
        uri=True,
        isolation_level=None,
        timeout=patience / 1000,
        check_same_thread=False,
        cached_statements=64,
    )
    lenient(connection)
    try:
        for setting in (
            f"synchronous = {synchronous}",
            f"wal_autocheckpoint = {checkpoint}",
            "fullfsync = ON",  # where fsync alone does not reach the disk (macOS)
            "checkpoint_fullfsync = ON",
            "cell_size_check = ON",
            "cache_size = -16000",
            "journal_size_limit = 67108864",
        ):
            connection.execute(f"PRAGMA {setting}")
        if connection.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
            raise StoreError(f"{path} cannot use a write-ahead log here. Is it in a network folder?")
        migrate(connection)
        if (missing := missing_column(connection)) is not None:
            raise StoreError(f"{path} is damaged: {missing} is missing. Restore a backup.")
        connection.execute("BEGIN IMMEDIATE")  # somebody else's lock shows now, not with the first act
        connection.execute("ROLLBACK")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.close()
        raise
    return connection
