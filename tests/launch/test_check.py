"""``dicehall replay --check``: dice against their seal, for good records and for tampered ones."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.launch.running import ROOT, record, replayed
from tests.launch.sealing import CHAIN, sealed

SEATS = {"wards": 2, "aetharn": 4, "tenthousand": 3, "doordice": 5, "mana": 2}


@cache
def good(key: str = "wards", drawn: bool = False) -> str:
    return json.dumps(sealed(key, SEATS[key], drawn=drawn))


def tampered(change: Callable[[Any], object], key: str = "wards", drawn: bool = False) -> Any:
    document = copy.deepcopy(json.loads(good(key, drawn)))
    change(document)
    return document


def rolls(document: Any) -> list[Any]:
    return [entry for entry in document["entries"] if "roll" in entry]


@pytest.mark.parametrize("drawn", [False, True])
@pytest.mark.parametrize("key", SEATS)
def test_sealed_dice_of_every_game_agree(key: str, drawn: bool) -> None:
    document = json.loads(good(key, drawn))
    plain, ran = replayed(document), replayed(document, "--check")
    assert (plain.code, ran.code) == (0, 0)
    count = len(rolls(document)) + drawn
    assert ran.lines[:-1] == plain.lines[:-1]
    assert ran.last == {
        **plain.last,
        "check": {"good": True, "rolls": count, "sentence": f"{count} rolls: consistent with itself."},
    }


def test_the_seal_somebody_saw_before_makes_it_more_than_consistent() -> None:
    for known in (CHAIN.seal, f" {CHAIN.seal.upper()}\n"):
        ran = replayed(json.loads(good()), "--seal", known)
        assert ran.code == 0
        assert ran.last["check"]["sentence"].endswith("the dice agree with the seal you gave.")


@pytest.mark.parametrize("known", ["0" * 64, "", "x" * 100_000])
def test_another_seal_than_was_shown_does_not_pass(known: str) -> None:
    ran = replayed(json.loads(good()), "--seal", known)
    assert ran.code == 4
    assert ran.last["check"]["code"] == "other_seal"
    assert len(ran.last["check"]["sentence"]) <= 240


def other_face(roll: Any) -> None:
    roll["roll"][0] = roll["roll"][0] % 6 + 1


TAMPERED: list[tuple[str, Callable[[Any], object], str, int]] = [
    ("the seal", lambda d: d["seal"].update(s0="0" * 64), "wrong_secret", 1),
    ("the seal's case", lambda d: d["seal"].update(s0=CHAIN.seal.upper()), "bad_seal", 0),
    ("the table", lambda d: d["seal"].update(table="other"), "wrong_faces", 1),
    ("a table of two lines", lambda d: d["seal"].update(table="a\nb"), "bad_salt", 0),
    ("words", lambda d: d["seal"]["words"].__setitem__(1, "mine"), "wrong_faces", 1),
    ("the order of words", lambda d: d["seal"]["words"].reverse(), "wrong_faces", 1),
    ("words of nobody", lambda d: d["seal"]["words"].append(""), "wrong_words", 0),
    ("no words", lambda d: d["seal"].update(words=[]), "wrong_words", 0),
    ("one seat's words", lambda d: d["seal"]["words"].pop(), "wrong_words", 0),
    ("a secret", lambda d: rolls(d)[0].update(opened="0" * 64), "wrong_secret", 1),
    ("a secret that is none", lambda d: rolls(d)[1].update(opened="x"), "bad_secret", 2),
    ("a secret not shown", lambda d: rolls(d)[1].pop("opened"), "not_opened", 2),
    ("a secret used twice", lambda d: rolls(d)[1].update(opened=rolls(d)[0]["opened"]), "wrong_secret", 2),
    ("a draw that never was", lambda d: d["seal"].update(drawn={"faces": [1], "opened": "0" * 64}), "wrong_secret", 1),
    ("the sides of a roll", lambda d: rolls(d)[1].update(sides=[7]), "wrong_sides", 2),
    ("sides that are not whole", lambda d: rolls(d)[1].update(sides=[6.0]), "wrong_sides", 2),
    ("the last entry", lambda d: d["entries"].pop(), "wrong_end", 0),
    ("the number of entries", lambda d: d["end"].update(entries=True), "wrong_end", 0),
    ("an earlier end", lambda d: d.update(end={"entries": 3}, entries=d["entries"][:3]), "wrong_end", 0),
    ("a draw of a wrong shape", lambda d: d["seal"].update(drawn=[1]), "bad_seal", 0),
]


@pytest.mark.parametrize(("change", "code", "roll"), [row[1:] for row in TAMPERED], ids=[row[0] for row in TAMPERED])
def test_what_was_tampered_with_does_not_pass(change: Callable[[Any], object], code: str, roll: int) -> None:
    """Not as it stands, and no better with --lines."""
    for options in (["--check"], ["--check", "--lines"]):
        ran = replayed(tampered(change), *options)
        assert ran.code == 4
        told = ran.last["check"]
        assert (told["good"], told["code"], told["roll"]) == (False, code, roll)
        assert told["sentence"].endswith(".")


@pytest.mark.parametrize("words_for", [0, 1, 3])
def test_dice_that_fit_words_of_another_number_of_seats_do_not_pass(words_for: int) -> None:
    """Words that nobody at the table gave leave the host free to try until the dice suit it."""
    ran = replayed(sealed("wards", 2, words_for=words_for), "--check")
    assert (ran.code, ran.last["check"]["code"]) == (4, "wrong_words")


@pytest.mark.parametrize("key", SEATS)
def test_a_changed_face_does_not_pass(key: str) -> None:
    """The last roll, so that the game can still be replayed; where it changes the game, it is refused or unfair."""
    ran = replayed(tampered(lambda document: other_face(rolls(document)[-1]), key), "--check")
    assert ran.code in (2, 4)
    assert ran.code == 2 or ran.last["check"]["code"] == "wrong_faces"


def test_a_draw_of_seats_that_was_changed_does_not_pass() -> None:
    def change(document: Any) -> None:
        faces = document["seal"]["drawn"]["faces"]
        faces[0] = faces[0] % 5 + 1

    ran = replayed(tampered(change, "doordice", drawn=True), "--check")
    assert (ran.code, ran.last["check"]["code"], ran.last["check"]["roll"]) == (4, "wrong_faces", 1)


def test_a_draw_of_seats_that_was_left_out_does_not_pass() -> None:
    ran = replayed(tampered(lambda document: document["seal"].pop("drawn"), "doordice", drawn=True), "--check")
    assert (ran.code, ran.last["check"]["code"]) == (4, "wrong_secret")


@pytest.mark.parametrize("header", [{}, {"seal": None}])
def test_a_record_without_a_seal_has_nothing_to_check(header: Any) -> None:
    ran = replayed(record("wards", 2, [{"seat": 0, "move": "roll"}, {"roll": [4]}], **header), "--check")
    assert ran.code == 4
    assert ran.last["check"]["good"] is False
    assert ran.last["check"]["sentence"].startswith("There is nothing to check")


def test_a_sealed_record_without_rolls_has_nothing_to_check() -> None:
    ran = replayed(tampered(lambda document: document.update(entries=[])), "--check")
    assert (ran.code, ran.last["check"]["code"]) == (4, "no_rolls")


def test_a_refused_record_is_refused_whatever_its_dice() -> None:
    document = tampered(lambda document: document["entries"].append({"roll": [1]}))
    ran = replayed(document, "--check")
    assert ran.code == 2
    assert ran.last == replayed(document).last
    assert "check" not in ran.last


def test_a_key_that_appears_twice_makes_a_record_unreadable_to_the_check_alone() -> None:
    text = good().replace('"roll": [', '"roll": [1], "roll": [', 1).encode()
    assert replayed(text).code == 0
    ran = replayed(text, "--check")
    assert (ran.code, ran.last["invalid"]["code"], ran.last["invalid"]["path"]) == (2, "malformed", "roll")


def test_a_record_that_ends_before_the_game_does_is_said_to() -> None:
    def cut(document: Any) -> None:
        del document["end"], document["entries"][-1]

    ran = replayed(tampered(cut), "--check")
    assert ran.code == 0
    assert ran.last["check"]["sentence"].endswith("consistent with itself. The record ends before the game is over.")


def test_a_record_without_sides_or_an_end_is_checked_as_before() -> None:
    def older(document: Any) -> None:
        del document["end"]
        for roll in rolls(document):
            del roll["sides"]

    assert replayed(tampered(older), "--check").last["check"]["good"]


def test_an_invalid_record_is_invalid_whatever_its_seal() -> None:
    document = tampered(lambda document: document.update(game="chess"))
    assert replayed(document, "--check") == replayed(document)


def test_without_check_a_seal_is_not_looked_at() -> None:
    ran = replayed(tampered(lambda document: document["seal"].update(s0="x")))
    assert ran.code == 0
    assert "check" not in ran.last


UNSEALED = record("wards", 2, [])
REFUSED = record("wards", 2, [{"roll": [1]}])


@pytest.mark.parametrize(
    ("records", "code"),
    [
        (["good", "good"], 0),
        (["good", UNSEALED], 4),
        ([UNSEALED, "good"], 4),
        (["good", REFUSED], 2),
        ([UNSEALED, REFUSED], 2),
        ([REFUSED, UNSEALED, "good"], 2),
    ],
)
def test_of_many_lines_a_bad_one_counts_first_then_an_unfair_one(records: list[Any], code: int) -> None:
    """Exit code 2 if any was bad."""
    lines = [good() if one == "good" else json.dumps(one) for one in records]
    ran = replayed("\n".join(lines).encode(), "--lines", "--check")
    assert ran.code == code
    assert len(ran.lines) == len(records)
    assert [line.get("check", {}).get("good") for line in ran.lines] == [
        True if one == "good" else False if one is UNSEALED else None for one in records
    ]


def test_the_record_in_the_page_about_sealed_dice_passes() -> None:
    page = (Path(ROOT) / "docs" / "sealed-dice.md").read_text(encoding="utf-8")
    document = json.loads(page.rpartition("```json")[2].partition("```")[0])
    ran = replayed(document, "--seal", document["seal"]["s0"])
    assert (ran.code, ran.last["check"]["good"]) == (0, True)
