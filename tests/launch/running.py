"""Running ``dicehall`` commands: in this process, where many runs are needed, or as a real one."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dicehall.games import Catalogue, catalogue
from dicehall.launch.main import main

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-c", "from dicehall.launch.main import run; run()")


@dataclass(frozen=True, slots=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def last(self) -> Any:
        return self.lines[-1]


def run(*argv: str, given: bytes = b"", games: Catalogue | None = None) -> Ran:
    """A command in this process, with *given* on its standard input."""
    out, err, kept = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(given), encoding="utf-8")
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = main(argv, catalogue() if games is None else games)
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    finally:
        sys.stdin = kept
    return Ran(code, out.getvalue(), err.getvalue())


def replayed(record: Mapping[str, Any] | bytes, *options: str, games: Catalogue | None = None) -> Ran:
    """``dicehall replay -`` of one record."""
    text = record if isinstance(record, bytes) else json.dumps(record).encode()
    return run("replay", "-", *options, given=text, games=games)


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "src"), **more}


def process(*argv: str, given: bytes = b"", **more: str) -> subprocess.CompletedProcess[bytes]:
    """A command as a process of its own; *more* goes into its environment."""
    return subprocess.run(
        [*COMMAND, *argv], input=given, capture_output=True, env=environment(**more), timeout=60, check=False
    )


def shell(line: str, **more: str) -> subprocess.CompletedProcess[bytes]:
    """A line of shell in which ``$dicehall`` is the command."""
    script = f'dicehall() {{ {" ".join(map(quoted, COMMAND))} "$@"; }}; {line}'
    return subprocess.run(
        ["sh", "-c", script], capture_output=True, env=environment(**more), timeout=60, check=False, cwd=ROOT
    )


def quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"


def record(game: str, seats: int, entries: Sequence[Any], **header: Any) -> dict[str, Any]:
    """A record with names for its seats."""
    return {"dicehall": 1, "game": game, "seats": [f"seat {n}" for n in range(seats)], **header, "entries": entries}
