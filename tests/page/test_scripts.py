"""What the page's own tools say: its unit tests pass."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).parents[2] / "web"


def npm(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The environment's npm, in the page's folder."""
    scripts = Path(sys.executable).parent
    settings = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}
    return subprocess.run([scripts / "npm", *arguments], cwd=WEB, env=settings, capture_output=True, encoding="utf-8")


def test_the_unit_tests_of_the_page_pass() -> None:
    done = npm("test")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "passed" in done.stdout
