"""One program at a time plays a kept game: two would overwrite each other's moves.

The lock is held on a file beside the record. The kernel forgets it with the process, so a crash leaves nothing to clean
up.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def try_lock(path: Path) -> int | None:
        file = os.open(path, os.O_RDWR | os.O_CREAT)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            os.close(file)
            return None
        return file

else:
    from dicehall.store.lock import try_lock


class GameIsOpen(Exception):
    """Another window or terminal plays this game."""

    def __init__(self) -> None:
        super().__init__(
            "This game is open in another window or terminal. Leave it there first, and then resume it here."
        )


class GameLock:
    def __init__(self, path: Path) -> None:
        """Lock a game, or raise GameIsOpen. Where no file can be written, no game can be overwritten either."""
        self.path = path
        self.file: int | None = None
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.file = try_lock(path)
        except OSError:
            return
        if self.file is None:
            raise GameIsOpen

    def release(self) -> None:
        if self.file is not None:
            with suppress(OSError):  # Windows removes no file that is open
                self.path.unlink()  # while it is still ours
            os.close(self.file)
            self.file = None
