"""A real window on a real X server, driven by a real mouse: one game of DO or DICE to its end."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dicehall.client.results import ResultsFile
from dicehall.ui.desktop.board_doordice import seat_place
from dicehall.ui.desktop.scene import Rect
from dicehall.ui.desktop.theme import Scale

SIZE = (900, 600)
PATIENCE_S = 240.0


@pytest.fixture
def display() -> Iterator[str]:
    if not (shutil.which("Xvfb") and shutil.which("xdotool")):
        if os.environ.get("CI"):
            pytest.fail(
                "The window cannot be tested without Xvfb and xdotool: python3 bootstrap.py --all installs them."
            )
        pytest.skip("needs Xvfb and xdotool: apt-get install xvfb xdotool")
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as told:
        number = told.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait(10)


class Hand:
    """A mouse and a keyboard on that display."""

    def __init__(self, display: str) -> None:
        self.env = {**os.environ, "DISPLAY": display}

    def do(self, *words: str) -> str:
        return subprocess.run(["xdotool", *words], env=self.env, capture_output=True, text=True).stdout

    def click(self, x: float, y: float) -> None:
        self.do("mousemove", str(round(x)), str(round(y)), "click", "1")

    def key(self, name: str) -> None:
        self.do("key", name)


@pytest.mark.proof
def test_a_game_of_do_or_dice_is_played_to_its_end_with_a_real_mouse(display: str, tmp_path: Path) -> None:
    """Every target is clicked in turn, so that some clicks are refused; the game must still end in the results."""
    hand = Hand(display)
    env = {**hand.env, "DICEHALL_DATA": str(tmp_path), "SDL_AUDIODRIVER": "dummy", "SDL_VIDEODRIVER": "x11"}
    command = [sys.executable, "-m", "dicehall", "desktop", "doordice", "--size", "900x600", "--seed", "tea"]
    game = subprocess.Popen(command, env=env)
    try:
        x, y = where(hand, game.pid)
        hand.click(x + SIZE[0] - 140, y + SIZE[1] - 50)  # start the game
        hand.key("f")
        results = ResultsFile(tmp_path / "results.jsonl")
        deadline = time.monotonic() + PATIENCE_S
        while not results.all() and time.monotonic() < deadline and game.poll() is None:
            for at in clicks():
                hand.click(x + at[0], y + at[1])
        (result,) = results.all()
        assert result.game == "doordice"
        assert result.seats[0].name == "Ann"
        assert result.rounds is not None
    finally:
        game.terminate()
        game.wait(10)


def where(hand: Hand, pid: int) -> tuple[int, int]:
    """The corner of the window, once it is there."""
    for _ in range(200):
        ids = hand.do("search", "--onlyvisible", "--pid", str(pid)).split()
        ids = ids or hand.do("search", "--onlyvisible", "--name", "Dicehall").split()
        if ids:
            found = dict(re.findall(r"(\w+)=(-?\d+)", hand.do("getwindowgeometry", "--shell", ids[-1])))
            time.sleep(0.5)  # until its first frame
            return int(found["X"]), int(found["Y"])
        time.sleep(0.1)
    raise AssertionError("no window came")


def clicks() -> list[tuple[float, float]]:
    """The die, the first effect, and every seat; the last of them is never Ann herself."""
    s = Scale(*SIZE)
    head, side, foot = s(54), max(s(322), 240.0), s(142)
    table = Rect(0, head, SIZE[0] - side, SIZE[1] - head - foot)
    x, y = table.center
    effect = (table.right - s(26) - s(206) * 1.5, SIZE[1] - foot + s(42))
    return [(x, y - s(16)), effect, *(seat_place(table, at, s(236), s(96)).center for at in range(5))]
