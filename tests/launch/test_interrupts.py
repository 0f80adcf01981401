"""Ctrl-C at real processes whose work would take hours: each ends, with a sentence and the exit code of shells.

Nothing is timed: a command that went on with its work would never end here.
"""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.launch.running import COMMAND, ROOT, environment

ENOUGH = 120  # seconds after which a test gives up

DEAF = """
from dicehall.launch.interrupts import prompt_interrupts
with prompt_interrupts():
    while True:
        try:
            print("at work", flush=True)
            while True:
                pass
        except KeyboardInterrupt:
            pass
"""


def interrupted(command: Sequence[str], sign: str, cache: Path, *, then: str = "", **more: str) -> tuple[int, str]:
    """Run a command on a terminal, press Ctrl-C once it has printed *sign*, and type *then*: exit code and output."""
    terminal, theirs = pty.openpty()
    env = {**environment(), "TERM": "xterm", "DICEHALL_CACHE": str(cache), **more}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env, start_new_session=True) as run:
        os.close(theirs)
        printed, pressed = b"", False
        try:
            while piece := read(terminal):
                printed += piece
                if sign.encode() in printed and not pressed:
                    run.send_signal(signal.SIGINT)
                    os.write(terminal, then.encode())
                    pressed = True
            return run.wait(ENOUGH), printed.decode()
        finally:
            run.kill()
            os.close(terminal)


def read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # the last process that had the terminal open has ended
        return b""


@pytest.mark.parametrize(
    ("command", "sign"),
    [
        ("simulate wards --games 1e9 --bots exact,good", "Playing"),
        ("simulate wards --games 1e9 --bots greedy,random --workers 2", "Playing"),
        ("simulate doordice --games 1e9 --bots good --workers 1", "Playing"),
        ("lab aetharn --vary goal=3000,5000 --games 1e9 --bots exact", "Comparing"),
        ("solve tenthousand --rules goal=20000", "Solving"),
        ("odds aetharn 0-0 --rules goal=20000 --solve", "Solving"),
    ],
)
def test_ctrl_c_ends_a_run_that_would_take_hours(command: str, sign: str, tmp_path: Path) -> None:
    code, printed = interrupted([*COMMAND, *command.split()], sign, tmp_path)
    assert code == 130
    assert printed.rstrip().endswith("dicehall: Stopped.")
    assert "Traceback" not in printed


def test_ctrl_c_in_the_pager_leaves_the_terminal_to_it(tmp_path: Path) -> None:
    pager, game = tmp_path / "pager", ROOT / "tests" / "golden" / "wards" / "01-both-hold-at-twenty.json"
    pager.write_text('#!/bin/sh\necho "--- paged"; cat >/dev/null; read typed <&1; sleep 2; echo "typed $typed"\n')
    pager.chmod(0o755)
    command = [*COMMAND, "coach", str(game)]
    code, printed = interrupted(command, "--- paged", tmp_path, then="q\n", PAGER=str(pager), LINES="8")
    assert (code, printed.split()[-2:]) == (0, ["typed", "q"])


def test_ctrl_c_ends_a_process_that_never_hears_of_it(tmp_path: Path) -> None:
    """As while a compiler or a loop in C has the main thread: KeyboardInterrupt comes late, or is lost."""
    code, printed = interrupted([sys.executable, "-c", DEAF], "at work", tmp_path)
    assert code == 130
    assert printed.startswith("at work")
    assert printed.rstrip().endswith("\x1b[?25hdicehall: Stopped.")  # with the cursor back


@pytest.mark.parametrize("loading", ["dicehall.launch.main", "dicehall.games.wards"])
def test_ctrl_c_while_modules_load_leaves_no_traceback(loading: str) -> None:
    """The handler is the system's own until a command can say something."""
    program = (
        "import signal, sys\n"
        "class Loading:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {loading!r}:\n"
        "            signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Loading())\n"
        "from dicehall.__main__ import run\n"
        "run()\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, env=environment(), check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (-signal.SIGINT, b"", b"")


def test_ctrl_c_while_the_interpreter_ends_leaves_no_traceback() -> None:
    """As a second Ctrl-C, when the first has ended the command."""
    program = (
        "import atexit, signal, sys\n"
        "atexit.register(signal.raise_signal, signal.SIGINT)\n"
        "sys.argv = ['dicehall', 'games', '--json']\n"
        "from dicehall.__main__ import run\n"
        "run()\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, env=environment(), check=False)
    assert (ran.returncode, ran.stderr) == (-signal.SIGINT, b"")
