"""On a pseudo-terminal of 80x24, under a shell: a whole game, Ctrl-Z and fg, and plain lines where they are wanted."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import shlex
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator

import pyte
import pytest

from tests.ui.terminal.command import RUN, environment

PATIENCE_S = 60
PROMPT = "this-is-the-shell> "
COLUMNS, ROWS = 80, 24
SEED = "5"  # the first die shows a 6


class Terminal:
    """A shell in a terminal, whose screen is kept by an emulator."""

    def __init__(self, **more: str) -> None:
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self.stream = pyte.ByteStream(self.screen)
        self.side, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        env = environment(**{"TERM": "xterm-256color", "PS1": PROMPT, "LANG": "C.UTF-8", **more})
        self.shell = subprocess.Popen(
            ["bash", "--norc", "--noprofile", "-i"],
            stdin=other,
            stdout=other,
            stderr=other,
            env=env,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(other)
        self.shows(PROMPT.strip())

    @property
    def text(self) -> str:
        return "\n".join(self.screen.display)

    def read(self) -> None:
        if select.select([self.side], [], [], 0.05)[0]:
            self.stream.feed(os.read(self.side, 65536))

    def until(self, true: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not true():
            assert time.monotonic() < end, f"it did not happen; the screen shows:\n{self.text}"
            self.read()

    def shows(self, text: str) -> None:
        self.until(lambda: text in self.text)

    def type(self, text: str) -> None:
        os.write(self.side, text.encode())

    def run(self, *arguments: str) -> None:
        self.type(shlex.join([sys.executable, "-c", RUN, *arguments]) + "\r")

    def leaves_with(self, code: int) -> None:
        """The shell is back. The emulator knows no second screen, so what was there may still be seen."""
        self.shows(PROMPT.strip())
        self.type("echo left-with-$?\r")
        self.shows(f"left-with-{code}")
        assert "Traceback" not in self.text

    def close(self) -> None:
        self.shell.kill()
        self.shell.wait()
        os.close(self.side)


@pytest.fixture
def terminal(request: pytest.FixtureRequest) -> Iterator[Terminal]:
    opened = Terminal(**getattr(request, "param", {}))
    yield opened
    opened.close()


def test_a_whole_game_with_ctrl_z_and_fg(terminal: Terminal) -> None:
    terminal.run("play", "wards", "--names", "Ann,Bo", "--rules", "goal=2", "--seed", SEED)
    terminal.shows("Ann, your move")
    assert terminal.screen.display[0].startswith(" Dice Wards  First to hold 2")
    terminal.type("\x1a")
    terminal.shows("Stopped")
    terminal.type("fg\r")
    terminal.until(lambda: "Stopped" not in terminal.text and "your move" in terminal.text)
    terminal.type("r")
    terminal.shows("Ann rolls a 6.")
    terminal.shows("which makes 6 and wins")
    terminal.type("h")
    terminal.shows("Ann wins!")
    terminal.shows("Enter play again")
    terminal.type("q")
    terminal.leaves_with(0)


def test_without_arguments_a_menu_fills_the_screen_and_esc_leaves_it(terminal: Terminal) -> None:
    terminal.run()
    terminal.shows("What shall we play?")
    terminal.type("\x1b")
    terminal.leaves_with(0)


@pytest.mark.parametrize(
    "terminal",
    [{"TERM": "dumb"}, {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}],
    indirect=True,
)
def test_lines_are_printed_where_a_terminal_cannot_show_screens(terminal: Terminal) -> None:
    terminal.run("play", "wards", "--bot", "greedy")
    terminal.shows("Player 1>")


def test_plain_asks_for_lines(terminal: Terminal) -> None:
    terminal.run("play", "wards", "--plain")
    terminal.shows("Player 1>")
    terminal.type("quit\r")
    terminal.leaves_with(0)


def test_textual_is_not_loaded_for_other_commands() -> None:
    command = f"import sys; from dicehall.launch.main import main; from dicehall.games import catalogue; {CHECK}"
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "not loaded"


CHECK = "main(['play', 'wards', '--plain'], catalogue()); print('loaded' if 'textual' in sys.modules else 'not loaded')"
