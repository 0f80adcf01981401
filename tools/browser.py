"""The browser that the page is tested in: Debian's chromium, installed by the set-up where it may.

bootstrap.py calls it, so only the standard library is used.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

BROWSER = ("chromium", "fonts-noto-color-emoji")


def install_browser(say: Callable[[str], None]) -> int:
    """The tests of the page need a browser: installed where we may, asked for elsewhere."""
    if any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")):
        return 0
    command = "apt-get install -y " + " ".join(BROWSER)
    if not shutil.which("apt-get") or getattr(os, "geteuid", lambda: 1)() != 0:
        say(f"There is no chromium here, so the tests of the page will be skipped. On Debian or Ubuntu: {command}")
        return 0
    say("Installing a browser for the tests of the page (chromium) ...")
    started = time.monotonic()
    if apt("install", *BROWSER) or (apt("update") and apt("install", *BROWSER)):
        say(f"  done in {time.monotonic() - started:.1f} s")
        return 1
    say(f"  That failed, so the tests of the page will be skipped. By hand: {command}")
    return 0


def apt(*arguments: str, folder: Path | None = None) -> bool:
    """Whether apt-get did it; it must ask nobody and not wait for ever."""
    settings = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            ["apt-get", "-y", "-q", "--no-install-recommends", *arguments],
            cwd=folder,
            env=settings,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=600,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
