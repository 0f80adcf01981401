"""One process per file. The kernel forgets the lock with the process, so a crash leaves nothing to clean up."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from weakref import WeakSet

from dicehall.store.errors import StoreError

HELD: WeakSet[ProcessLock] = WeakSet()


class ProcessLock:
    """A flock on a file beside the database. It names its holder, and goes when the database is closed."""

    def __init__(self, database: Path) -> None:
        self.path = Path(f"{database}.lock")
        self._file = take(self.path, database)
        HELD.add(self)

    def release(self) -> None:
        if self._file >= 0:
            self.path.unlink(missing_ok=True)  # while it is still ours: who waits for this very file looks again
            self.forget()

    def forget(self) -> None:
        """Close the file without unlocking it: in a forked child the lock is the parent's."""
        os.close(self._file)
        self._file = -1
        HELD.discard(self)


def take(path: Path, database: Path) -> int:
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(file, 20, 0).decode("ascii", "replace")
            os.close(file)
            raise StoreError(f"{database} is in use by another Dicehall process{holder and ' ' + holder}.") from None
        if is_still(file, path):
            with suppress(OSError):  # the name is a courtesy; a full disk does not need it
                os.ftruncate(file, 0)
                os.pwrite(file, str(os.getpid()).encode(), 0)
            return file
        os.close(file)  # it was released and removed between opening and locking


def is_still(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), os.stat(path))
    except FileNotFoundError:
        return False


def forget_all() -> None:
    for lock in list(HELD):
        lock.forget()


os.register_at_fork(after_in_child=forget_all)
