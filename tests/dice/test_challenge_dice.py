"""The dice of a daily challenge: numbered by turns, sealed for a day, and checked alike by every checker."""

from __future__ import annotations

import copy
import io
import json
from collections.abc import Callable
from contextlib import redirect_stdout
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dicehall.core.fold import play
from dicehall.core.game import Dice, Entry, Over, Roll
from dicehall.core.throws import Place, Throws
from dicehall.dice.challenge import DayDice, place_salt
from dicehall.launch.checker import verify
from dicehall.launch.replay import answer
from dicehall.wire.actions import codec_of
from dicehall.wire.entries import Logged, encode_entry
from tests.dice.test_equal_checkers import AGREES, UNREADABLE, in_node, python_script
from tests.laws.playing import GAMES, QUICK, entry_for, quick

SECRET = sha256(b"the secret of a day").digest()
DAY = "2026-11-17"
Record = dict[str, Any]


def daily(key: str, seats: int) -> Record:
    """A whole game of a challenge whose day is opened."""
    game, chance, dice = quick(key), Random(key), DayDice(SECRET)
    codec, state, throws, entries = codec_of(type(game)), game.start(seats), Throws(), list[Record]()
    while not isinstance(awaited := game.awaits(state), Over):
        sides = None
        if isinstance(awaited, Dice):
            sides = awaited.sides
            place = throws.rolled().place
            entry: Entry[Any] = Roll(dice.roll(0, place_salt(DAY, key, place), sides)[0])
        else:
            entry = entry_for(game, state, awaited, chance, unrest=0)
        throws, state = throws.after(entry), play(game, state, entry).state
        entries.append(encode_entry(codec, Logged(entry, sides=sides)))
    seal = {"table": "t", "s0": dice.seal, "words": [""] * seats, "challenge": DAY, "opened": SECRET.hex()}
    header = {"dicehall": 1, "game": key, "rules": QUICK.get(key, {}), "seats": ["x"] * seats, "seal": seal}
    return {**header, "end": {"entries": len(entries)}, "entries": entries}


HONEST = {key: daily(key, seats) for key, seats in (("wards", 2), ("aetharn", 2), ("doordice", 5), ("mana", 2))}


def rolls(record: Record) -> list[Record]:
    return [entry for entry in record["entries"] if "roll" in entry]


def a_face(record: Record) -> None:
    roll = rolls(record)[-1]["roll"]
    roll[0] = roll[0] % 6 + 1


def a_seal(**changed: Any) -> Callable[[Record], None]:
    return lambda record: record["seal"].update(changed)


def a_roll_moved_to_another_turn(record: Record) -> None:
    first, second = rolls(record)[:2]
    first["roll"], second["roll"] = second["roll"], first["roll"]


def another_game(record: Record) -> None:
    record["seal"]["challenge"] = "2026-11-18"


def no_secret(record: Record) -> None:
    del record["seal"]["opened"]


CHANGES: dict[str, Callable[[Record], None]] = {
    "a face": a_face,
    "rolls swapped": a_roll_moved_to_another_turn,
    "another day": another_game,
    "no secret": no_secret,
    "another secret": a_seal(opened="0" * 64),
    "another seal": a_seal(s0="0" * 64),
    "words mixed in": a_seal(words=["a", ""]),
    "no day": a_seal(challenge="today"),
    "not a day": a_seal(challenge=7),
    "a secret that is a number": a_seal(opened=7),
    "capital digits": a_seal(opened=SECRET.hex().upper()),
    "other sides": lambda record: rolls(record)[0].update(sides=[7]),
    "a seat that is text": lambda record: next(e for e in record["entries"] if "move" in e).update(seat="0"),
    "a cut-off end": lambda record: record.update(end={"entries": 3}),
    "a seat that nobody has": lambda record: next(e for e in record["entries"] if "move" in e).update(seat=2),
    "a seat of many digits": lambda record: next(e for e in record["entries"] if "move" in e).update(seat=2**53 + 1),
    "a drawn order": a_seal(drawn={"faces": [1], "opened": SECRET.hex()}),
    "a table of two lines": a_seal(table="t\nt"),
    "sides that are one number": lambda record: rolls(record)[0].update(sides=6.0),
    "an origin": lambda record: record.update(origins=[{"entries": 0, "seal": record["seal"]}]),
    "an origin whose day is a number": lambda record: record.update(
        origins=[{"entries": 0, "seal": {**record["seal"], "challenge": 7}}]
    ),
    "no seal": lambda record: record.pop("seal"),
    "no rolls": lambda record: record.update(entries=[], end={"entries": 0}),
}


@pytest.fixture(scope="module")
def texts() -> list[str]:
    changed = []
    for change in CHANGES.values():
        record = copy.deepcopy(HONEST["wards"])
        change(record)
        changed.append(record)
    return [json.dumps(record) for record in (*HONEST.values(), *changed)]


def by_python(texts: list[str], folder: Path) -> list[int]:
    codes = []
    for text in texts:
        (folder / "record.json").write_text(text)
        codes.append(python_script().run([str(folder / "record.json")]))
    return codes


def test_every_checker_accepts_honest_challenges_and_no_checker_a_changed_one(texts: list[str], tmp_path: Path) -> None:
    wanted = [True] * len(HONEST) + [False] * len(CHANGES)
    with redirect_stdout(io.StringIO()):
        by_command = [answer(text.encode(), GAMES, True, None, whole=False) == AGREES for text in texts]
    assert by_command == wanted
    assert [bool(verify(text.encode(), GAMES).get("check", {}).get("good")) for text in texts] == wanted
    codes = by_python(texts, tmp_path)
    assert [code == AGREES for code in codes] == wanted
    assert in_node("script", texts) == codes
    assert in_node("page", texts) == codes


def test_a_challenge_must_state_its_sides_unless_the_checker_knows_the_rules(tmp_path: Path) -> None:
    record = copy.deepcopy(HONEST["wards"])
    del rolls(record)[0]["sides"]
    text = json.dumps(record)
    assert by_python([text], tmp_path) == in_node("script", [text]) == in_node("page", [text]) == [UNREADABLE]
    assert verify(text.encode(), GAMES)["check"]["good"]


def test_the_dice_of_a_turn_do_not_depend_on_how_often_anybody_rolled_before() -> None:
    long_turn = Throws().moved(0).rolled().moved(0).rolled().rolled().moved(1).rolled().moved(0).rolled()
    short_turn = Throws().moved(0).rolled().moved(1).rolled().rolled().moved(0).rolled()
    assert long_turn.place == short_turn.place == Place(0, 2, 1)


def test_dice_before_the_first_move_belong_to_nobody_s_turn() -> None:
    assert Throws().rolled().rolled().place == Place(0, 0, 2)


def test_the_known_faces_of_a_day() -> None:
    """So that nobody changes the scheme without noticing: it is what people check by."""
    faces, opened = DayDice(SECRET).roll(1, place_salt(DAY, "wards", Place(1, 2, 3)), (6, 6, 6, 20, 300))
    assert opened is None
    assert place_salt(DAY, "wards", Place(1, 2, 3)).hex()[:16] == "26a3201a3b779062"
    assert faces == (4, 3, 1, 4, 141)
