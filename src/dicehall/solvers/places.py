"""Where files lie: solved tables that ship with the package, and folders of the user's for all that is kept."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

READY = Path(__file__).parent / "ready"


@dataclass(frozen=True, slots=True)
class UserFolder:
    """The folder that a setting names, or the one that the system keeps for files of this sort."""

    setting: str
    windows: str  # below the local application data
    mac: str  # below the library
    variable: str  # the base folder elsewhere, or where that is not set:
    base: str  # below home

    def path(self) -> Path:
        if named := os.environ.get(self.setting):
            return Path(named)
        if sys.platform == "win32":
            return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / self.windows
        if sys.platform == "darwin":
            return Path.home() / "Library" / self.mac / "dicehall"
        return Path(os.environ.get(self.variable) or Path.home() / self.base) / "dicehall"


CACHE = UserFolder("DICEHALL_CACHE", "dicehall/Cache", "Caches", "XDG_CACHE_HOME", ".cache")
DATA = UserFolder("DICEHALL_DATA", "dicehall", "Application Support", "XDG_DATA_HOME", ".local/share")
