"""Where solved tables lie: those that ship with the package, and a folder of the user's for the others."""

from __future__ import annotations

import os
import sys
from pathlib import Path

SETTING = "DICEHALL_CACHE"
READY = Path(__file__).parent / "ready"


def cache_folder() -> Path:
    """The folder named by DICEHALL_CACHE, or the one this system keeps for such things."""
    if named := os.environ.get(SETTING):
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "dicehall" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "dicehall"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dicehall"
