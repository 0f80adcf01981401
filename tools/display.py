"""A screen without a monitor, and a hand that moves its mouse: what the test of the real window needs.

bootstrap.py calls it, so only the standard library is used.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable

from tools.browser import apt

PROGRAMS = ("Xvfb", "xdotool")
PACKAGES = ("xvfb", "xdotool")


def install_display(say: Callable[[str], None]) -> int:
    """Installed where we may, asked for elsewhere."""
    if all(shutil.which(program) for program in PROGRAMS):
        return 0
    command = "apt-get install -y " + " ".join(PACKAGES)
    may = bool(shutil.which("apt-get")) and getattr(os, "geteuid", lambda: 1)() == 0
    if not may:
        say(f"There is no Xvfb here, so the test of the real window will be skipped. On Debian or Ubuntu: {command}")
        return 0
    say("Installing a screen for the test of the window (Xvfb, xdotool) ...")
    started = time.monotonic()
    if apt("install", *PACKAGES) or (apt("update") and apt("install", *PACKAGES)):
        say(f"  done in {time.monotonic() - started:.1f} s")
        return 1
    say(f"  That failed, so the test of the real window will be skipped. By hand: {command}")
    return 0
