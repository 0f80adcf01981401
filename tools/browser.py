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
SHELL = "chromium-headless-shell"  # the same browser without its window, which is quicker; not every system has it


def install_browser(say: Callable[[str], None]) -> int:
    """The tests of the page need a browser: installed where we may, asked for elsewhere."""
    may = bool(shutil.which("apt-get")) and getattr(os, "geteuid", lambda: 1)() == 0
    if any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")):
        return install_shell(say) if may else 0
    command = "apt-get install -y " + " ".join(BROWSER)
    if not may:
        say(f"There is no chromium here, so the tests of the page will be skipped. On Debian or Ubuntu: {command}")
        return 0
    say("Installing a browser for the tests of the page (chromium) ...")
    started = time.monotonic()
    if apt("install", *BROWSER) or (apt("update") and apt("install", *BROWSER)):
        apt("install", SHELL)
        say(f"  done in {time.monotonic() - started:.1f} s")
        return 1
    say(f"  That failed, so the tests of the page will be skipped. By hand: {command}")
    return 0


def install_shell(say: Callable[[str], None]) -> int:
    """Asked for where the system has it, which is known without a network."""
    if shutil.which(SHELL) or not offered(SHELL):
        return 0
    say(f"Installing a quicker browser for the tests of the page ({SHELL}) ...")
    return int(apt("install", SHELL, timeout_s=120))


def offered(package: str) -> bool:
    """Whether the lists of packages on this machine have it."""
    try:
        found = subprocess.run(
            ["apt-cache", "show", package], stdin=subprocess.DEVNULL, capture_output=True, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return found.returncode == 0


def apt(*arguments: str, folder: Path | None = None, timeout_s: float = 600) -> bool:
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
            timeout=timeout_s,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
