"""A record leaves the program and comes back exactly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dicehall.core.game import Attend, Expired, Move, Presence, Roll, Seat
from dicehall.core.house import rules_of
from dicehall.games import catalogue
from dicehall.wire.actions import codec_of
from dicehall.wire.entries import Logged, decode_entry, encode_entry
from dicehall.wire.record import Record, Seal, parse_record, read_record, record_text, write_record
from tests.launch.running import replayed
from tests.piglet import GAME as PIGLET
from tests.wire.samples import GOLDEN, golden, title

EVERY = {**catalogue(), "piglet": PIGLET}
every_golden_game = pytest.mark.parametrize("path", GOLDEN, ids=title)


@every_golden_game
def test_a_golden_record_comes_back_from_what_is_written(path: Path) -> None:
    record = parse_record(golden(path), catalogue())
    again = read_record(record_text(record), catalogue())
    assert again == record
    assert record_text(again) == record_text(record)


@every_golden_game
def test_what_is_written_gives_the_same_answers(path: Path) -> None:
    text = record_text(parse_record(golden(path), catalogue()))
    assert replayed(text) == replayed(golden(path))


@every_golden_game
def test_a_written_record_keeps_all_the_protocol_knows(path: Path) -> None:
    document, record = golden(path), parse_record(golden(path), catalogue())
    written = json.loads(msgspec.json.encode(write_record(record)))
    assert written["rules"] == {**rules_of(record.game), **document.get("rules", {})}
    kept = {key: written[key] for key in ("dicehall", "game", "seats", "entries", "match") if key in document}
    assert kept == {key: document[key] for key in kept}


def test_a_written_record_has_one_line_per_entry() -> None:
    record = parse_record(golden(GOLDEN[0]), catalogue())
    lines = record_text(record).decode().splitlines()
    entries = [json.loads(line.strip().rstrip(",")) for line in lines if line.startswith("  ")]
    assert entries == golden(GOLDEN[0])["entries"]


def test_a_record_without_entries_is_a_record() -> None:
    record = Record(EVERY["wards"](), ("a", "b"))
    assert read_record(record_text(record), EVERY) == record


def test_seals_tables_names_and_house_rules_come_back() -> None:
    seal = Seal("oak-7", "0" * 64, ("würfel", ""), {"faces": [1], "opened": "ab"})
    record = Record(EVERY["wards"](goal=7, turn_seconds=None), ('"\\', "🎲\u2028"), (), seal, ({"act": [1]},))
    again = read_record(record_text(record), EVERY)
    assert again == record


ENTRIES = [Roll((1, 6)), Roll(()), Expired(Seat(1)), *(Attend(Seat(0), presence) for presence in Presence)]


@pytest.mark.parametrize("entry", ENTRIES, ids=str)
@pytest.mark.parametrize("at", [None, 0, 1_700_000_000_000])
def test_entries_come_back_with_their_time(entry: Any, at: int | None) -> None:
    codec = codec_of(EVERY["wards"])
    logged = Logged(entry, at, "ab" if isinstance(entry, Roll) else None)
    assert decode_entry(codec, json.loads(msgspec.json.encode(encode_entry(codec, logged)))) == logged


@every_golden_game
def test_every_move_and_every_choice_comes_back(path: Path) -> None:
    record = parse_record(golden(path), catalogue())
    codec, state = codec_of(type(record.game)), record.game.start(len(record.names))
    choices = [record.game.choices(state, Seat(seat)) for seat in range(len(record.names))]
    moves = []
    for document in record.entries:
        if isinstance(document, dict) and "move" in document:
            moves.append(codec.decode(document["move"]))
    for action in (*moves, *(action for listed in choices for action in listed)):
        if action.__class__.__name__ != "Unknown":
            told = json.loads(msgspec.json.encode(codec.encode(action)))
            assert codec.decode(told) == action
            assert encode_entry(codec, Logged(Move(Seat(0), action)))["move"] == codec.encode(action)
