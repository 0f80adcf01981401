"""On a real terminal: a pseudo-terminal, in fact."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

import pytest

from dicehall.games import catalogue
from tests.ui.terminal.command import RUN, dicehall, environment

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Terminal:
    """A command on a pseudo-terminal, and somebody who types."""

    def __init__(self, *arguments: str, **more: str) -> None:
        self.side, other = pty.openpty()
        if {"COLUMNS", "LINES"} <= more.keys():
            fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", int(more["LINES"]), int(more["COLUMNS"]), 0, 0))
        command = [sys.executable, "-c", RUN, *arguments]
        env = environment(**{"TERM": "xterm-256color", **more})
        self.process = subprocess.Popen(
            command, stdin=other, stdout=other, stderr=other, env=env, start_new_session=True
        )
        os.close(other)
        self.seen, self.at, self.shown_last = "", 0, ""

    def until(self, text: str) -> str:
        """Read on until the screen shows a text; what it shows from where the last call ended."""
        end = time.monotonic() + 30
        while (found := self.plain.find(text, self.at)) < 0:
            assert time.monotonic() < end, f"{text!r} did not come: {self.plain[self.at :]}"
            if select.select([self.side], [], [], 0.1)[0]:
                self.seen += os.read(self.side, 65536).decode()
        shown, self.at = self.plain[self.at : found + len(text)], found + len(text)
        return shown

    def until_any(self, *texts: str) -> None:
        """Read on until one of these is shown."""
        end, start = time.monotonic() + 30, self.at
        while all(self.plain.find(text, start) < 0 for text in texts):
            assert time.monotonic() < end, self.plain[start:]
            if select.select([self.side], [], [], 0.1)[0]:
                self.seen += os.read(self.side, 65536).decode()
        self.at = len(self.plain)
        self.shown_last = self.plain[start:]

    @property
    def plain(self) -> str:
        return COLOUR.sub("", self.seen)

    def type(self, text: str) -> None:
        os.write(self.side, text.encode())

    def ended(self) -> int:
        return self.process.wait(timeout=30)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *raised: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.side)


def test_on_a_terminal_there_is_a_prompt_and_colour_and_nothing_else_is_sent() -> None:
    with Terminal("play", "wards", "--bot", "greedy", "--seed", "a") as terminal:
        terminal.until("Player 1> ")
        terminal.type("r\n")
        terminal.until("Player 1> ")
        terminal.type("quit\n")
        terminal.until("The game is saved. To continue it:")
        assert terminal.ended() == 0
        assert COLOUR.search(terminal.seen)
        assert "\x1b" not in COLOUR.sub("", terminal.seen)  # no cursor is moved and nothing is redrawn


@pytest.mark.parametrize(("options", "more"), [(["--plain"], {}), ([], {"NO_COLOR": "1"}), ([], {"TERM": "dumb"})])
def test_colour_can_be_switched_off(options: list[str], more: dict[str, str]) -> None:
    with Terminal("play", "wards", *options, **more) as terminal:
        terminal.until("Player 1> ")
        terminal.type("quit\n")
        terminal.until("There is nothing to save yet.")
        assert terminal.ended() == 0
        assert "\x1b" not in terminal.seen


def test_picks_of_two_people_are_not_shown_while_they_are_typed() -> None:
    """M1, at one screen for both."""
    with Terminal("play", "mana", "--plain", "--seed", "x") as terminal:
        assert "Everyone but Player 1, please look away." in terminal.until("Player 1> ")
        terminal.type("PICK 7\n")
        assert "PICK 7" not in terminal.until("Player 1 has picked a unit")
        terminal.until("Player 2> ")
        terminal.type("pick 2\n")
        assert "Player 1: unit 7 (" in terminal.until("takes round 1.")
        terminal.until("Player 1> ")
        terminal.type("\x04")
        terminal.until("The game is saved. To continue it:")
        assert terminal.ended() == 0


def test_against_a_bot_there_is_nobody_to_hide_a_pick_from() -> None:
    with Terminal("play", "mana", "--plain", "--bot", "greedy") as terminal:
        assert "look away" not in terminal.until("Player 1> ")
        terminal.type("PICK 7\n")
        assert "PICK 7" in terminal.until("takes round 1.")
        terminal.type("quit\n")
        terminal.until("The game is saved. To continue it:")
        assert terminal.ended() == 0


def test_ctrl_c_on_a_terminal_leaves_cleanly() -> None:
    with Terminal("play", "wards", "--plain") as terminal:
        terminal.until("Player 1> ")
        while not select.select([terminal.side], [], [], 2)[0]:  # one that comes before Python waits goes unheard
            os.killpg(terminal.process.pid, signal.SIGINT)
        terminal.until("There is nothing to save yet.")
        assert terminal.ended() == 130
        assert "Traceback" not in terminal.seen


SCREEN = {"COLUMNS": "80", "LINES": "24"}


def test_folding_asks_back_and_only_yes_folds() -> None:
    with Terminal("play", "aetharn", "--plain", "--seed", "b", **SCREEN) as terminal:
        for answer in ("no", "", "x"):
            terminal.until("> ")
            terminal.type("fold\n")
            terminal.until("Fold? (yes/no) ")
            terminal.type(f"{answer}\n")
        terminal.until("> ")
        terminal.type("fold\n")
        terminal.until("Fold? (yes/no) ")
        terminal.type("y\n")
        terminal.until("folds; 1 player is left.")
        assert terminal.ended() == 0


def test_in_a_pipe_nobody_can_be_asked_back() -> None:
    ran = dicehall("play", "aetharn", "--seed", "b", typed="fold\n")
    assert "folds; 1 player is left." in ran.out
    assert "yes/no" not in ran.out


def test_enter_takes_the_only_choice_and_the_prompt_says_which() -> None:
    with Terminal("play", "doordice", "--plain", "--seed", "b", **SCREEN) as terminal:
        terminal.until("Player 1 (Enter: roll)> ")
        terminal.type("\n")
        terminal.until("Player 1 rolls a")


def test_tab_completes_up_brings_back_and_lines_can_be_edited() -> None:
    with Terminal("play", "wards", "--plain", "--seed", "a", **SCREEN) as terminal:
        terminal.until("Player 1> ")
        terminal.type("rxo\x02\x7f\x05l\t\n")  # back over the o, delete the x, to the end, complete
        terminal.until("Player 1 rolls a 4.")
        terminal.until("Player 1> ")
        terminal.type("\x1b[A\n")  # the line before
        terminal.until("Player 1 rolls a 2.")


def test_a_stopped_game_that_goes_on_shows_its_prompt_again() -> None:
    with Terminal("play", "wards", "--plain", "--seed", "a", **SCREEN) as terminal:
        terminal.until("Player 1> ")
        os.kill(terminal.process.pid, signal.SIGSTOP)
        os.kill(terminal.process.pid, signal.SIGCONT)
        terminal.until("Player 1> ")
        terminal.type("roll\n")
        terminal.until("Player 1 rolls a 4.")


def test_a_hidden_pick_stays_hidden_after_a_stop() -> None:
    """M1; the shell may have changed the terminal in between."""
    with Terminal("play", "mana", "--plain", "--seed", "x", **SCREEN) as terminal:
        terminal.until("Player 1> ")
        os.kill(terminal.process.pid, signal.SIGSTOP)
        shown = termios.tcgetattr(terminal.side)
        termios.tcsetattr(terminal.side, termios.TCSANOW, [*shown[:3], shown[3] | termios.ECHO, *shown[4:]])
        os.kill(terminal.process.pid, signal.SIGCONT)
        terminal.until("Player 1> ")
        terminal.type("PICK 7\n")
        assert "PICK 7" not in terminal.until("Player 1 has picked a unit")


TYPED = {"wards": "roll", "aetharn": "#1", "tenthousand": "#1", "doordice": "#1", "mana": "1"}


@pytest.mark.parametrize("key", list(catalogue()))
def test_turns_fit_a_terminal_of_80_columns_and_24_rows(key: str) -> None:
    bots = ["--bot", "greedy"] * (catalogue()[key].seats[0] - 1)
    with Terminal("play", key, *bots, "--plain", "--seed", "s", **SCREEN) as terminal:
        for typed in ("\n", f"{TYPED[key]}\n", "score\n"):
            shown = terminal.until("> ")
            assert max(map(len, shown.splitlines())) <= 80
            terminal.type(typed)
        turn = shown[shown.rfind("it is your turn") :]
        assert turn.count("\n") <= 22


def test_at_the_end_the_coach_says_it_in_short() -> None:
    with Terminal("play", "wards", "--bot", "greedy", "--rules", "goal=12", "--plain", "--seed", "a", **SCREEN) as at:
        while "Full report: dicehall coach." not in at.seen:
            at.until_any("> ", "Full report: dicehall coach.")
            at.type("roll\n" if "2. hold: keep 0" in at.shown_last else "hold\n")
        assert "Rolling again wins" in at.seen
        assert at.ended() == 0
