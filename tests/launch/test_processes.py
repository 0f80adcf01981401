"""The command as a real process: pipes that close, streams that are not there, and locales that know no UTF-8."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.launch.running import COMMAND, ROOT, environment, process, record, replayed, shell

GAME = ROOT / "tests" / "golden" / "wards" / "01-both-hold-at-twenty.json"


def test_a_record_is_answered_in_utf_8_and_with_plain_line_ends() -> None:
    ran = process("replay", str(GAME))
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout == replayed(GAME.read_bytes()).out.encode()


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-16", "cp1252"])
def test_answers_are_utf_8_whatever_the_locale(encoding: str) -> None:
    text = json.dumps(record("wards", 2, [{"seat": 0, "move": "würfle 🎲"}])).encode()
    ran = process("replay", "-", given=text, PYTHONIOENCODING=encoding, LC_ALL="C")
    assert (ran.returncode, ran.stderr) == (2, b"")
    assert json.loads(ran.stdout.decode("utf-8"))["refused"]["message"] == "'würfle 🎲' is not a valid move."


def test_the_module_runs_too() -> None:
    argv = [*COMMAND[:1], "-m", "dicehall", "--version"]
    ran = subprocess.run(argv, capture_output=True, env=environment(), timeout=60, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")


@pytest.mark.parametrize("command", [f"replay {GAME}", "games", "rules aetharn --json"])
def test_a_reader_that_goes_away_is_no_error(command: str) -> None:
    ran = shell(f"dicehall {command} | head -c 1")
    assert len(ran.stdout) == 1
    assert ran.stderr == b""


def test_a_reader_that_goes_away_in_the_middle_of_many_lines_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text((json.dumps(json.loads(GAME.read_text(encoding="utf-8"))) + "\n") * 300, encoding="utf-8")
    ran = shell(f"dicehall replay {file} --lines | head -1")
    assert len(ran.stdout.splitlines()) == 1
    assert ran.stderr == b""


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (f"dicehall replay {GAME} >&-", 0),
        ("dicehall games >&-", 0),
        ("dicehall replay - <&-", 2),
        ("dicehall replay - --lines <&-", 0),
        ("dicehall replay /nowhere 2>&-", 2),
    ],
)
def test_streams_that_are_closed_are_no_traceback(line: str, code: int) -> None:
    ran = shell(line)
    assert (ran.returncode, ran.stderr) == (code, b"")
    assert b"cannot be read" not in ran.stdout


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only where there is such a device")
@pytest.mark.parametrize("command", [f"replay {GAME}", "games"])
def test_a_full_disk_is_told_in_one_sentence(command: str) -> None:
    ran = shell(f"dicehall {command} >/dev/full")
    assert (ran.returncode, ran.stderr) == (1, b"dicehall: no space left on device.\n")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_told_in_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "secret.json"
    file.write_bytes(b"{}")
    file.chmod(0)
    ran = process("replay", str(file))
    assert (ran.returncode, ran.stderr) == (2, f"dicehall: {file} cannot be read: permission denied.\n".encode())


def test_a_name_of_a_file_that_is_no_text_is_told_in_one_sentence() -> None:
    ran = shell("dicehall replay \"$(printf 'no\\377file')\"")
    assert ran.returncode == 2
    assert ran.stderr == b"dicehall: no\\udcfffile cannot be read: no such file or directory.\n"


def test_deep_nesting_and_many_bytes_end_in_an_answer() -> None:
    for text in (b"[" * 1_000_000, b'{"a":' * 1_000_000, b'"' + b"x" * 5_000_000):
        ran = process("replay", "-", given=text)
        assert (ran.returncode, ran.stderr) == (2, b"")
        assert json.loads(ran.stdout)["invalid"]["code"] == "malformed"
