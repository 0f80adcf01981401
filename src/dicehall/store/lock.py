"""One process per file. The kernel forgets the locks with the process, so a crash leaves nothing to clean up.

There are two locks. The one on a file beside the database names its holder and is there before the database is. The one
on the database itself holds for every name of the file (a hard link) and cannot be deleted.
"""

from __future__ import annotations

import fcntl
import os
import sys
from contextlib import suppress
from pathlib import Path
from weakref import WeakSet

from dicehall.store.errors import StoreError

HELD: WeakSet[ProcessLock] = WeakSet()

# On Linux flock has nothing to do with the byte-range locks that SQLite takes on the same file. Elsewhere the two may
# exclude each other, so there the lock beside the database has to do.
CAN_LOCK_DATABASE = sys.platform == "linux"


class ProcessLock:
    """The right to write to a database. It goes when the database is closed."""

    def __init__(self, database: Path) -> None:
        self.database = database
        self.path = Path(f"{database}.lock")
        self.inode: tuple[int, int] | None = None  # of the database, once it is locked too
        self._files = [take(self.path, database)]
        HELD.add(self)

    def lock_database(self) -> None:
        """Lock the file itself, which has to exist, before SQLite opens it: see *forget*."""
        if not CAN_LOCK_DATABASE:
            return
        found = os.stat(self.database)
        inode = (found.st_dev, found.st_ino)
        if any(lock.inode == inode for lock in HELD):  # never open it a second time in this process: see *forget*
            raise in_use(self.database)
        file = os.open(self.database, os.O_RDWR | os.O_CLOEXEC)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            raise in_use(self.database) from None
        self._files.append(file)
        self.inode = inode

    def release(self) -> None:
        if self._files:
            self.path.unlink(missing_ok=True)  # while it is still ours: who waits for this very file looks again
            self.forget()

    def forget(self) -> None:
        """Close the files without unlocking them: in a forked child the locks are the parent's.

        Closing a file takes SQLite's locks on it away from the whole process, so this comes after SQLite's own closing.
        """
        for file in self._files:
            os.close(file)
        self._files, self.inode = [], None
        HELD.discard(self)


def in_use(database: Path, holder: str = "") -> StoreError:
    return StoreError(f"{database} is in use by another Dicehall process{holder and ' ' + holder}.")


def take(path: Path, database: Path) -> int:
    file = try_lock(path)
    if file is None:
        raise in_use(database, holder_of(path))
    with suppress(OSError):  # the name is a courtesy; a full disk does not need it
        os.ftruncate(file, 0)
        os.pwrite(file, str(os.getpid()).encode(), 0)
    return file


def try_lock(path: Path) -> int | None:
    """Open and lock a file that is there for its lock alone; None if somebody else holds it."""
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            return None
        if is_still(file, path):
            return file
        os.close(file)  # it was released and removed between opening and locking


def holder_of(path: Path) -> str:
    try:
        return path.read_bytes()[:20].decode("ascii", "replace")
    except OSError:
        return ""


def is_still(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), os.stat(path))
    except FileNotFoundError:
        return False


def forget_all() -> None:
    for lock in list(HELD):
        lock.forget()


os.register_at_fork(after_in_child=forget_all)
