"""Piglet, a game that only the tests know, goes through records and commands without an edit anywhere else."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from dicehall.games import catalogue
from dicehall.wire.actions import codec_of
from dicehall.wire.entries import Logged, encode_entry
from dicehall.wire.record import Record, read_record, record_text
from dicehall.wire.sentences import render, words_of
from tests.launch.running import Ran, record, replayed, run
from tests.launch.sealing import sealed
from tests.laws.playing import log_of, walk
from tests.piglet import GAME as PIGLET

GAMES = {**catalogue(), "piglet": PIGLET}
ALONE = {"piglet": PIGLET}
FLIP, HEADS, TAILS = {"seat": 0, "move": "flip"}, {"roll": [2]}, {"roll": [1]}
HOLD = {"seat": 0, "move": "hold"}


def piglet(*entries: Any, **header: Any) -> Ran:
    return replayed(record("piglet", 2, entries, **header), games=GAMES)


def test_a_game_is_replayed_to_its_end() -> None:
    ran = piglet(FLIP, HEADS, FLIP, HEADS, HOLD)
    assert ran.code == 0
    assert ran.lines[1] == {
        "entry": 1,
        "events": [{"event": "Flipped", "seat": 0, "heads": True, "to": None}],
        "fresh_clock": False,
    }
    assert ran.last["over"] == {"places": [[0], [1]], "reason": "goal"}
    assert ran.last["state"] == {
        **{"awaits": "over", "dice": None, "turn": [], "winner": 0},
        **{"scores": [2, 0], "stake": 0},
    }
    assert ran.last["choices"] == {}


def test_its_dice_choices_and_views_are_shown() -> None:
    assert piglet().last["choices"] == {"0": ["flip", "hold"]}
    ran = piglet(FLIP)
    assert ran.last["state"]["dice"] == [2]
    assert ran.last["views"]["1"] == {**ran.last["state"], "me": 1}


def test_its_entries_are_refused_by_the_common_codes() -> None:
    refused: dict[str, list[Any]] = {
        "malformed": [{}],
        "no_dice_awaited": [HEADS],
        "wrong_dice": [FLIP, {"roll": [3]}],
        "no_such_seat": [{"seat": 2, "move": "flip"}],
        "awaiting_dice": [FLIP, FLIP],
        "not_your_turn": [{"seat": 1, "move": "flip"}],
        "bad_move": [{"seat": 0, "move": "roll"}],
        "game_finished": [FLIP, HEADS, FLIP, HEADS, HOLD, FLIP],
    }
    for code, entries in refused.items():
        ran = piglet(*entries)
        assert (ran.code, ran.last["refused"]["code"]) == (2, code)


def test_its_house_rules_and_seats_are_checked() -> None:
    assert piglet(FLIP, HEADS, HOLD, rules={"goal": 1}).last["over"]["reason"] == "goal"
    assert piglet(rules={"goal": 0}).last["invalid"]["code"] == "bad_rule"
    assert piglet(rules={"colour": 1}).last["invalid"]["message"].endswith("it has goal, turn_seconds.")
    assert replayed(record("piglet", 4, []), games=GAMES).last["invalid"]["code"] == "bad_seats"
    assert replayed(record("piglet", 2, [])).last["invalid"]["code"] == "unknown_game"


def test_its_records_come_back() -> None:
    for seed in range(20):
        walked = list(walk(PIGLET(), 3, Random(seed)))
        codec = codec_of(PIGLET)
        entries = tuple(encode_entry(codec, Logged(one.entry, at=n)) for n, one in enumerate(walked))
        kept = Record(PIGLET(), ("a", "b", "c"), entries)
        again = read_record(record_text(kept), GAMES)
        assert again == kept
        assert [logged.entry for logged in again.logged()] == log_of(walked)
        assert replayed(record_text(kept), games=GAMES).last["over"] is not None


def test_its_lines_are_answered_among_others() -> None:
    lines = [record("piglet", 2, [FLIP]), record("wards", 2, []), record("piglet", 9, [])]
    ran = replayed("\n".join(map(json.dumps, lines)).encode(), "--lines", games=GAMES)
    assert ran.code == 2
    assert [next(iter(line)) for line in ran.lines] == ["over", "over", "invalid"]


def test_its_sealed_coins_are_checked() -> None:
    document = sealed("piglet", 2)
    assert replayed(document, "--check", games=GAMES).code == 0
    coins = [entry for entry in document["entries"] if "roll" in entry]
    coins[-1]["roll"] = [3 - coins[-1]["roll"][0]]
    assert replayed(document, "--check", games=GAMES).code in (2, 4)


def test_it_has_no_scoring_table() -> None:
    ran = run("score", "piglet", "1", games=GAMES)
    assert (ran.code, ran.err) == (
        2,
        "dicehall: 'piglet' has no scoring table. These games have one: aetharn and tenthousand.\n",
    )
    alone = run("score", "piglet", "1", games=ALONE)
    assert alone.err == "dicehall: 'piglet' has no scoring table. These games have one: none.\n"


def test_it_is_listed_with_its_rules() -> None:
    assert "piglet       Piglet, 2-3 seats. Flip a coin" in run("games", games=GAMES).out
    assert run("games", "--json", games=ALONE).last[0]["game"] == "piglet"
    assert "- Heads is a point at stake." in run("rules", "piglet", games=GAMES).out
    rules = run("rules", "piglet", "--json", games=GAMES).last["rules"]
    assert rules["goal"] == {"type": "integer", "minimum": 1, "maximum": 10**9, "default": 2}


def test_its_events_are_told_in_sentences() -> None:
    ran = piglet(FLIP, HEADS, HOLD)
    told = [event for line in ran.lines[:-1] for event in line["events"]]
    assert [render(words_of(PIGLET), event, ["Ann", "Bo"]) for event in told] == [
        "Ann flips heads.",
        "Ann holds and has 1.",
    ]
