"""``dicehall replay``: the file, standard input, whole records and lines of them."""

from __future__ import annotations

import json
import tracemalloc
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dicehall.games import catalogue
from dicehall.launch import output, replay
from tests.launch.running import record, replayed, run

ROLL, HOLD = {"seat": 0, "move": "roll"}, {"seat": 0, "move": "hold"}
GOOD = record("wards", 2, [ROLL, {"roll": [4]}, HOLD])
REFUSED = record("wards", 2, [ROLL, HOLD])
INVALID = record("chess", 2, [])


def text(document: Any) -> bytes:
    return json.dumps(document).encode()


def test_a_file_is_answered_like_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(text(GOOD))
    ran = run("replay", str(file))
    assert ran == replayed(GOOD)
    assert ran.code == 0
    assert [line.get("entry") for line in ran.lines] == [0, 1, 2, None]
    assert ran.last["state"]["scores"] == [4, 0]


@pytest.mark.parametrize(
    ("document", "code", "key"), [(GOOD, 0, "over"), (REFUSED, 2, "refused"), (INVALID, 2, "invalid")]
)
def test_the_exit_code_tells_whether_the_record_is_good(document: Any, code: int, key: str) -> None:
    ran = replayed(document)
    assert (ran.code, ran.err) == (code, "")
    assert next(iter(ran.last)) == key


def test_a_refused_entry_comes_after_the_lines_of_the_good_ones() -> None:
    ran = replayed(REFUSED)
    assert ran.lines[:-1] == replayed({**GOOD, "entries": [ROLL]}).lines[:-1]
    assert ran.last["refused"]["index"] == 1


@pytest.mark.parametrize("options", [[], ["--lines"], ["--check"]])
def test_a_file_that_is_not_there_is_told_in_one_sentence(tmp_path: Path, options: list[str]) -> None:
    ran = run("replay", str(tmp_path / "none.json"), *options)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"dicehall: {tmp_path / 'none.json'} cannot be read: no such file or directory.\n"


@pytest.mark.parametrize("options", [[], ["--lines"]])
def test_a_folder_is_told_in_one_sentence(tmp_path: Path, options: list[str]) -> None:
    ran = run("replay", str(tmp_path), *options)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"dicehall: {tmp_path} cannot be read: is a directory.\n"


class Locked:
    """A file, or a stream, that breaks when it is read."""

    def __enter__(self) -> Locked:
        return self

    def __exit__(self, *_: object) -> None: ...

    def read(self) -> bytes:
        raise PermissionError(13, "Permission denied")

    def __iter__(self) -> Iterator[bytes]:
        yield text(GOOD)
        raise OSError(5, "Input/output error")


def test_a_file_that_may_not_be_read_is_told_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "open", lambda *_: Locked(), raising=False)
    ran = run("replay", "secret.json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "dicehall: secret.json cannot be read: permission denied.\n"


def test_lines_that_break_off_are_answered_as_far_as_they_came(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "open", lambda *_: Locked(), raising=False)
    ran = run("replay", "disk.jsonl", "--lines")
    assert (ran.code, len(ran.lines)) == (2, 1)
    assert ran.err == "dicehall: disk.jsonl cannot be read: input/output error.\n"


def test_no_standard_input_at_all_is_an_empty_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """As with ``<&-`` in a shell."""
    monkeypatch.setattr("sys.stdin", None)
    assert output.read_input("-") == b""
    assert list(replay.lines_of("-")) == []


def test_standard_input_stays_open() -> None:
    """A caller in the same process may go on reading."""
    first = replayed(GOOD, "--lines")
    assert first == replayed(GOOD, "--lines")


@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
def test_lines_give_one_last_line_per_record(ending: bytes) -> None:
    ran = replayed(ending.join(map(text, (GOOD, GOOD, GOOD))), "--lines")
    assert ran.code == 0
    assert ran.lines == [replayed(GOOD).last] * 3


def test_a_bad_line_gets_its_answer_in_its_place_and_the_rest_goes_on() -> None:
    bad = [text(REFUSED), text(INVALID), b"{", b"", b"\xff", b"[" * 5000, text(GOOD)[:-1]]
    lines = [text(GOOD), *(line for wrong in bad for line in (wrong, text(GOOD)))]
    ran = replayed(b"\n".join(lines) + b"\n", "--lines")
    assert ran.code == 2
    assert ran.lines == [replayed(line).last for line in lines]
    assert ran.lines[0::2] == [replayed(GOOD).last] * (len(bad) + 1)


def test_no_lines_are_no_answers() -> None:
    ran = replayed(b"", "--lines")
    assert (ran.code, ran.out) == (0, "")


def test_lines_need_no_more_memory_than_the_longest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes((text(GOOD) + b"\n") * 1500)
    monkeypatch.setattr(replay, "write_json", lambda _: None)
    options = Namespace(file=str(file), lines=True, check=False, seal=None)
    replay.run(options, catalogue())
    tracemalloc.start()
    replay.run(options, catalogue())
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 100_000 < file.stat().st_size


def test_a_record_over_several_lines_is_noticed_where_one_line_each_was_promised() -> None:
    text = json.dumps(record("wards", 2, []), indent=1).encode()
    ran = replayed(text, "--lines")
    assert ran.code == 2
    assert ran.err == "dicehall: This is one record over several lines: leave out --lines.\n"
