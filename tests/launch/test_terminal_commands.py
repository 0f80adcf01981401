"""Commands that print JSON in a pipe and something to read on a terminal: score, replay, coach."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from dicehall.launch.pager import pager
from tests.launch.running import ROOT, run
from tests.launch.sealing import sealed
from tests.ui.terminal.test_terminal import SCREEN, Terminal

GAME = ROOT / "tests" / "golden" / "aetharn"
LESS = {**SCREEN, "PAGER": "cat"}


def a_game() -> Path:
    return sorted(GAME.glob("*.json"))[0]


def screen(*argv: str, **more: str) -> tuple[int, str]:
    """Everything a command shows on a terminal of 80x24."""
    with Terminal(*argv, **{**LESS, **more}) as terminal:
        while True:
            try:
                part = os.read(terminal.side, 65536)
            except OSError:  # the other side is closed
                break
            if not part:
                break
            terminal.seen += part.decode()
        return terminal.ended(), terminal.plain.replace("\r\n", "\n")


def test_score_is_a_table_that_counts_dice_from_1() -> None:
    code, shown = screen("score", "aetharn", "1", "5", "2")
    assert code == 0
    assert shown.splitlines() == [
        "Dice:   [1] [5] [2]",
        "Number:  1   2   3",
        "",
        "points  hold dice  showing",
        "   150  1 2        1 5",
        "   100  1          1",
        "    50  2          5",
    ]


def test_score_tells_a_bust_and_groups() -> None:
    assert screen("score", "aetharn", "2", "3")[1] == "Dice: [2] [3]\nNo score: this roll is a bust.\n"
    groups = screen("score", "tenthousand", "1", "1", "1", "5")[1].splitlines()
    assert groups[3].split(maxsplit=1) == ["1050", "1 1 1, 5"]


def test_score_is_json_in_a_pipe_and_where_it_is_asked_for() -> None:
    wanted = run("score", "aetharn", "1", "5", "2").out
    assert json.loads(wanted)[0] == {"dice": [0, 1], "points": 150}
    assert screen("score", "aetharn", "1", "5", "2", "--json")[1] == wanted
    assert run("score", "aetharn", "1", "5", "2", "--json").out == wanted


def test_replay_in_a_pipe_and_with_json_prints_the_lines_of_the_protocol() -> None:
    wanted = run("replay", str(a_game())).out
    assert json.loads(wanted.splitlines()[0])["entry"] == 0
    assert run("replay", str(a_game()), "--json").out == wanted
    assert screen("replay", str(a_game()), "--json")[1] == wanted


def test_replay_steps_through_a_game_in_plain_lines() -> None:
    with Terminal("replay", str(a_game()), "--plain", **SCREEN) as terminal:
        terminal.until("step 0 of ")
        terminal.type("\n")
        first = terminal.until("step 1 of ")
        terminal.type("3\n")
        terminal.until("step 3 of ")
        terminal.type("b\n")
        terminal.until("step 2 of ")
        terminal.type("start\n")
        terminal.until("step 0 of ")
        terminal.type("back\n")
        terminal.until("This is the start.")
        terminal.type("n\n")
        assert terminal.until("step 1 of ").strip("\n> ").endswith(first.strip("\n> ").splitlines()[-1])
        terminal.type("end\n")
        terminal.until("The game is over.")
        terminal.type("what\n")
        terminal.until("Enter or next: one step forward.")
        terminal.type("q\n")
        assert terminal.ended() == 0


def test_replay_tells_the_whole_game_in_sentences_in_a_pipe_if_asked_to() -> None:
    ran = run("replay", str(a_game()), "--plain")
    assert ran.code == 0
    assert "Rolled 1 1 1 1 1 1" in ran.out
    assert "The game is over." in ran.out
    assert "{" not in ran.out


def test_a_refused_entry_ends_the_steps_with_the_reason(tmp_path: Path) -> None:
    record = json.loads(a_game().read_bytes())
    record["entries"] = [*record["entries"][:3], {"seat": 0, "move": "fly"}]
    (tmp_path / "bad.json").write_text(json.dumps(record))
    ran = run("replay", str(tmp_path / "bad.json"), "--plain")
    assert ran.code == 2
    assert "Entry 3 of the record is refused:" in ran.out
    (tmp_path / "bad.json").write_text("{")
    assert "is not a game record" in run("replay", str(tmp_path / "bad.json"), "--plain").err


def test_a_check_on_a_terminal_is_a_sentence_with_the_same_code(tmp_path: Path) -> None:
    file = tmp_path / "sealed.json"
    file.write_text(json.dumps(sealed("wards", 2)))
    code, shown = screen("replay", str(file), "--check")
    assert (code, shown.splitlines()[0].endswith("rolls: consistent with itself.")) == (0, True)
    code, shown = screen("replay", str(file), "--seal", "0" * 64)
    assert code == 4
    assert "different dice were sealed" in " ".join(shown.split())


def test_a_long_report_goes_through_the_pager_and_a_short_one_does_not(tmp_path: Path) -> None:
    pages = tmp_path / "pager"
    pages.write_text('#!/bin/sh\necho "--- paged"; cat\n')
    pages.chmod(0o755)
    game = ROOT / "tests" / "golden" / "wards" / "01-both-hold-at-twenty.json"
    whole = screen("coach", str(game), PAGER=str(pages), LINES="8")[1]
    assert "--- paged" in whole
    assert "average luck" in whole
    assert "--- paged" not in screen("coach", str(game), PAGER=str(pages), LINES="200")[1]
    assert "--- paged" not in screen("coach", str(game), "--plain", PAGER=str(pages), LINES="8")[1]


def test_a_pager_that_is_not_there_is_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGER", "no-such-pager-here")
    assert pager() is None
