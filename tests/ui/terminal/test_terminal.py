"""On a real terminal: a pseudo-terminal, in fact."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time

import pytest

from tests.ui.terminal.command import RUN, environment

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Terminal:
    """A command on a pseudo-terminal, and somebody who types."""

    def __init__(self, *arguments: str, **more: str) -> None:
        self.side, other = pty.openpty()
        command = [sys.executable, "-c", RUN, *arguments]
        env = environment(**{"TERM": "xterm-256color", **more})
        self.process = subprocess.Popen(
            command, stdin=other, stdout=other, stderr=other, env=env, start_new_session=True
        )
        os.close(other)
        self.seen, self.at = "", 0

    def until(self, text: str) -> str:
        """Read on until the screen shows a text; what it shows from where the last call ended."""
        end = time.monotonic() + 30
        while (found := self.plain.find(text, self.at)) < 0:
            assert time.monotonic() < end, f"{text!r} did not come: {self.plain[self.at :]}"
            if select.select([self.side], [], [], 0.1)[0]:
                self.seen += os.read(self.side, 65536).decode()
        shown, self.at = self.plain[self.at : found + len(text)], found + len(text)
        return shown

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
        os.killpg(terminal.process.pid, 2)
        terminal.until("There is nothing to save yet.")
        assert terminal.ended() == 130
        assert "Traceback" not in terminal.seen
