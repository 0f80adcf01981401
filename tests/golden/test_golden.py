"""Recorded games with every answer: a diff shows exactly what a change did. `make golden` writes the answers."""

from __future__ import annotations

import difflib
from collections import Counter
from pathlib import Path

import pytest

from dicehall.games import catalogue
from tools import golden

RECORDS = golden.records()
LEAST = 20  # records per game


def title(record: Path) -> str:
    return f"{record.parent.name}/{record.stem}"


@pytest.mark.parametrize("record", RECORDS, ids=title)
def test_a_golden_game_has_its_expected_answers(record: Path) -> None:
    file = golden.answers_file(record)
    assert file.exists(), f"{title(record)} has no answers yet: look at what replay says of it, then run `make golden`."
    expected, told = file.read_text(encoding="utf-8"), golden.answers(record)
    diff = difflib.unified_diff(expected.splitlines(), told.splitlines(), "expected", "told", lineterm="", n=1)
    assert told == expected, "\n".join(["the answers have changed:", *diff])


def test_no_answers_are_left_over() -> None:
    assert golden.left_over() == []


def test_every_game_has_many_golden_records() -> None:
    counts = Counter(record.parent.name for record in RECORDS)
    assert counts.keys() == catalogue().keys()
    assert min(counts.values()) >= LEAST


@pytest.mark.parametrize("record", RECORDS, ids=title)
def test_a_golden_record_is_numbered_and_in_the_folder_of_its_game(record: Path) -> None:
    assert record.name[:2].isdigit()
    assert f'"game": "{record.parent.name}"' in record.read_text(encoding="utf-8")


def test_a_missing_answer_is_written_and_one_left_over_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "wards"
    folder.mkdir()
    kept = folder / "01-a.json"
    kept.write_bytes(RECORDS[-1].read_bytes())
    assert golden.write(kept)
    assert not golden.write(kept)
    assert golden.left_over(tmp_path) == []
    (folder / "01-a.answers.jsonl").write_text("{}\n", encoding="utf-8")
    assert golden.write(kept)
    (folder / "02-b.answers.jsonl").write_text("{}\n", encoding="utf-8")
    assert golden.left_over(tmp_path) == [folder / "02-b.answers.jsonl"]
