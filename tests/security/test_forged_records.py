"""Attacks on the truth: records that were altered so that a checker calls false dice fair."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dicehall.dice import checking as dice_checking
from dicehall.launch import checking
from dicehall.launch.checker import verify
from tests.dice.mutations import honest
from tests.dice.test_equal_checkers import python_script
from tests.laws.playing import GAMES
from tests.security.live import both_ways


def forged(name: str = "wards") -> dict[str, Any]:
    return copy.deepcopy(honest()[name])


def hall_accepts(record: dict[str, Any] | bytes) -> bool:
    text = record if isinstance(record, bytes) else written(record)
    return bool(verify(text, GAMES).get("check", {}).get("good"))


def written(record: dict[str, Any]) -> bytes:
    return msgspec.json.encode(record)


def script_accepts(record: dict[str, Any] | bytes, folder: Path) -> bool:
    file = folder / "record.json"
    file.write_bytes(record if isinstance(record, bytes) else written(record))
    return bool(python_script().run([str(file)]) == 0)


def rolls(record: dict[str, Any]) -> list[dict[str, Any]]:
    return [entry for entry in record["entries"] if "roll" in entry]


@both_ways
def test_a_lost_game_is_not_passed_off_as_finished_by_cutting_off_its_end(
    monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    record = forged()
    del record["entries"][-1]
    record["end"]["entries"] = len(record["entries"])
    if not guarded:
        monkeypatch.setattr(checking, "wrong_end", lambda record, *, over: "")
    assert hall_accepts(record) is not guarded


def test_a_record_that_was_simply_cut_off_is_caught_without_the_rules(tmp_path: Path) -> None:
    """The guard cannot be switched off apart from the number that the record states: without it the game still runs."""
    record = forged()
    del record["entries"][-1]
    assert not script_accepts(record, tmp_path)
    assert not hall_accepts(record)
    del record["end"]
    assert script_accepts(record, tmp_path)
    assert hall_accepts(record)


@both_ways
def test_a_key_written_twice_does_not_show_one_face_to_people_and_another_to_the_checker(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, guarded: bool
) -> None:
    text = written(forged()).replace(b'"roll":[', b'"roll":[1],"roll":[', 1)
    if not guarded:
        monkeypatch.setattr(checking, "refuse_repeated_keys", lambda text: None)
        monkeypatch.setattr(python_script(), "once", dict)
    assert hall_accepts(text) is not guarded
    assert script_accepts(text, tmp_path) is not guarded


@both_ways
def test_other_dice_than_the_rules_ask_for_are_not_stated_unnoticed(
    monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    record = forged("drawn piglet")
    rolls(record)[0]["sides"] = [6]
    if not guarded:
        monkeypatch.setattr(dice_checking, "is_exactly", lambda stated, sides: True)
    assert hall_accepts(record) is not guarded


@both_ways
def test_emptied_rolls_are_not_called_fair(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, guarded: bool) -> None:
    record = forged("piglet")
    for roll in rolls(record):
        roll.update(roll=[], sides=[])
    if not guarded:
        monkeypatch.setattr(python_script(), "are_sides", lambda sides: True)
    assert script_accepts(record, tmp_path) is not guarded


@pytest.mark.parametrize("face", [6.0, True, "6"])
def test_a_face_that_only_equals_a_face_is_not_taken_for_one(tmp_path: Path, face: Any) -> None:
    """There is no guard to switch off: a face is read as a whole number, or not at all."""
    record = forged()
    roll = next(roll for roll in rolls(record) if roll["roll"] == [int(face)])
    roll["roll"] = [face]
    assert not script_accepts(record, tmp_path)
    assert not hall_accepts(record)


def test_an_honest_game_of_coins_is_not_called_false(tmp_path: Path) -> None:
    """The control of the attacks above: a checker that believes in six sides alone would accuse an honest hall."""
    assert script_accepts(forged("piglet"), tmp_path)
    for roll in rolls(record := forged("piglet")):
        roll["sides"] = [6]
    assert not script_accepts(record, tmp_path)
