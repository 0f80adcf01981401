"""Running ``dicehall`` with typed lines: as a real process, or in this one where many runs are needed."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from dicehall.games import Catalogue, catalogue
from dicehall.launch.main import main
from tests.piglet import GAME as PIGLET

WITH_PIGLET: Catalogue = {**catalogue(), "piglet": PIGLET}
RUN = "from dicehall.launch.main import run; run()"
ROOT = Path(__file__).parents[3]


@dataclass(frozen=True, slots=True)
class Ran:
    code: int
    out: str
    err: str


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    return {**kept, "PYTHONPATH": f"{ROOT / 'src'}", **more}


def process(*arguments: str) -> subprocess.Popen[str]:
    """A running command, its streams pipes."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", RUN, *arguments]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment())


def dicehall(*arguments: str, typed: str = "") -> Ran:
    """A whole run in a process of its own."""
    with process(*arguments) as running:
        out, err = running.communicate(typed, timeout=60)
    return Ran(running.returncode, out, err)


class Here:
    """Runs in this process, with the same streams a pipe would give."""

    def __init__(self, patch: pytest.MonkeyPatch, games: Catalogue = WITH_PIGLET) -> None:
        self.patch, self.games = patch, games

    def __call__(self, *arguments: str, typed: str | bytes = "") -> Ran:
        given = typed.encode() if isinstance(typed, str) else typed
        out, err = io.StringIO(), io.StringIO()
        with self.patch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            code = main(arguments, self.games)
        return Ran(code, out.getvalue(), err.getvalue())


def lines(*typed: str) -> str:
    return "".join(f"{line}\n" for line in typed)


def tail(ran: Ran, count: int) -> Sequence[str]:
    return ran.out.splitlines()[-count:]
