"""Every code of the protocol comes out of ``dicehall replay`` for its game, and the first that matches wins."""

from __future__ import annotations

from typing import Any

import pytest

from tests.launch.running import record, replayed
from tests.wire.samples import ARMIES, dice, move

COMMON = {"malformed", "game_finished", "no_dice_awaited", "wrong_dice", "no_such_seat", "awaiting_dice"}
TURN = {"not_your_turn", "bad_move"}
CODES = {
    "wards": COMMON | TURN,
    "aetharn": COMMON
    | TURN
    | {"seat_is_out", "seat_is_away", "nothing_rolled", "must_hold", "bad_index", "does_not_score", "only_bank_left"}
    | {"no_change", "not_away"},
    "tenthousand": COMMON
    | TURN
    | {"nothing_rolled", "must_lock", "bad_lock", "does_not_score", "not_in_roll", "below_opening"},
    "doordice": COMMON | TURN | {"must_roll", "must_choose", "wrong_effect", "bad_target"},
    "mana": COMMON | TURN | {"no_such_unit", "unit_spent", "commitment_mismatch"},
}


def roll(seat: int, *faces: int) -> list[Any]:
    return [move(seat, "roll"), dice(*faces)]


def away(seat: int, presence: str = "away") -> dict[str, Any]:
    return {"seat": seat, "attend": presence}


def choose(seat: int, effect: str, *target: int) -> dict[str, Any]:
    return move(seat, {"choose": {"effect": effect, **({"target": target[0]} if target else {})}})


SEATS = {"wards": 2, "aetharn": 3, "tenthousand": 2, "doordice": 5, "mana": 2}
DRAWN = [dice(1, 1)]  # the order of three: as they sit
SIX_ONES = [*DRAWN, *roll(0, 1, 1, 1, 1, 1, 1), move(0, {"hold": [0, 1, 2, 3, 4, 5]})]
SCORED = [*DRAWN, *roll(0, 1, 1, 2, 2, 3, 4)]
FOLDED = [*DRAWN, move(1, "fold")]
ABSENT = [*DRAWN, away(1), away(0)]
LOCKED = [*roll(0, 1, 1, 1, 5, 2, 2), move(0, {"lock": [[1, 1, 1]]})]
ARMED = [ARMIES]
PICKED = [ARMIES, move(0, {"pick": 0})]
FOUGHT = [*PICKED, move(1, {"pick": 1})]
MATCH = {"match": {"id": "m", "players": ["a", "b"]}}
SEALED = [move(0, {"commit": "0" * 64}), move(1, {"commit": "1" * 64})]
REVEAL = {"reveal": {"secret": "a" * 64, "C": "b" * 66, "unit": 1, "nonce": "c" * 64, "league": 0}}

NO_LOCKS: list[Any] = [[], None, 1, "1", {}, [1], [[True]], [[1.0]], [["1"]], [[[1]]], [[1], None]]
NO_UNITS: list[Any] = [None, True, "3", 3.0, [3], {}]

# game, entries of which only the last is refused, the code, and what else the header says
TABLE: list[tuple[str, list[Any], str, dict[str, Any]]] = [
    ("wards", [{"roll": "x"}], "malformed", {}),
    ("wards", [*roll(0, 5), move(0, "hold"), move(1, "roll")], "game_finished", {"rules": {"goal": 5}}),
    ("wards", [*roll(0, 5), move(0, "hold"), dice(99)], "game_finished", {"rules": {"goal": 5}}),
    ("wards", [*roll(0, 5), move(0, "hold"), move(99, "x")], "game_finished", {"rules": {"goal": 5}}),
    ("wards", [dice(5)], "no_dice_awaited", {}),
    ("wards", [dice(99, 99)], "no_dice_awaited", {}),
    ("wards", [move(0, "roll"), dice(7)], "wrong_dice", {}),
    ("wards", [move(2, "roll")], "no_such_seat", {}),
    ("wards", [move(0, "roll"), move(-1, "roll")], "no_such_seat", {}),
    ("wards", [move(0, "roll"), move(0, "hold")], "awaiting_dice", {}),
    ("wards", [move(0, "roll"), move(1, "sing")], "awaiting_dice", {}),
    ("wards", [move(0, "roll"), away(1)], "awaiting_dice", {}),
    ("wards", [move(0, "roll"), {"seat": 0, "expired": True}], "awaiting_dice", {}),
    ("wards", [move(1, "roll")], "not_your_turn", {}),
    ("wards", [move(1, "sing")], "not_your_turn", {}),
    ("wards", [{"seat": 1, "expired": True}], "not_your_turn", {}),
    ("wards", [move(0, {"hold": [1]})], "bad_move", {}),
    ("aetharn", [None], "malformed", {}),
    ("aetharn", [*SIX_ONES, move(0, "bank"), away(1)], "game_finished", {}),
    ("aetharn", [*DRAWN, dice(1, 1)], "no_dice_awaited", {}),
    ("aetharn", [dice(1)], "wrong_dice", {}),
    ("aetharn", [dice(4, 1)], "wrong_dice", {}),
    ("aetharn", [away(3)], "no_such_seat", {}),
    ("aetharn", [away(2)], "awaiting_dice", {}),
    ("aetharn", [*FOLDED, move(1, "fold")], "seat_is_out", {}),
    ("aetharn", [*FOLDED, move(1, "sing")], "seat_is_out", {}),
    ("aetharn", [*FOLDED, away(1)], "seat_is_out", {}),
    ("aetharn", [*FOLDED, away(1, "gone")], "seat_is_out", {}),
    ("aetharn", [*FOLDED, away(1, "here")], "seat_is_out", {}),
    ("aetharn", [*ABSENT, move(0, "roll")], "seat_is_away", {}),
    ("aetharn", [*ABSENT, move(1, "fold")], "seat_is_away", {}),
    ("aetharn", [*ABSENT, move(1, "sing")], "seat_is_away", {}),
    ("aetharn", [*DRAWN, move(2, {"hold": [99]})], "not_your_turn", {}),
    ("aetharn", [*DRAWN, move(2, "sing")], "not_your_turn", {}),
    ("aetharn", [*DRAWN, {"seat": 2, "expired": True}], "not_your_turn", {}),
    ("aetharn", [*DRAWN, move(0, {"hold": "x"})], "bad_move", {}),
    ("aetharn", [*DRAWN, move(0, "yield")], "bad_move", {}),
    ("aetharn", [*DRAWN, move(0, "bank")], "nothing_rolled", {}),
    ("aetharn", [*DRAWN, move(0, {"hold": []})], "nothing_rolled", {}),
    ("aetharn", [*SCORED, move(0, "roll")], "must_hold", {}),
    ("aetharn", [*SCORED, move(0, "bank")], "must_hold", {}),
    ("aetharn", [*SCORED, move(0, {"hold": []})], "bad_index", {}),
    ("aetharn", [*SCORED, move(0, {"hold": [6]})], "bad_index", {}),
    ("aetharn", [*SCORED, move(0, {"hold": [-1]})], "bad_index", {}),
    ("aetharn", [*SCORED, move(0, {"hold": [2, 2]})], "bad_index", {}),
    ("aetharn", [*SCORED, move(0, {"hold": [0]}), move(0, {"hold": [0, 2]})], "bad_index", {}),
    ("aetharn", [*SCORED, move(0, {"hold": [10**30]})], "bad_index", {}),
    ("aetharn", [*SCORED, move(0, {"hold": [0, 2]})], "does_not_score", {}),
    ("aetharn", [*SIX_ONES, move(0, "roll")], "only_bank_left", {"rules": {"hot_dice": 0}}),
    ("aetharn", [*DRAWN, away(0, "here")], "no_change", {}),
    ("aetharn", [*ABSENT, away(1)], "no_change", {}),
    ("aetharn", [*DRAWN, away(2, "gone")], "not_away", {}),
    ("tenthousand", [{"seat": 0}], "malformed", {}),
    ("tenthousand", [*LOCKED, move(0, "yield"), move(0, "roll")], "game_finished", {"rules": {"goal": 1000}}),
    ("tenthousand", [dice(1, 1, 1, 1, 1, 1)], "no_dice_awaited", {}),
    ("tenthousand", [move(0, "roll"), dice(1, 1, 1)], "wrong_dice", {}),
    ("tenthousand", [*LOCKED, move(0, "roll"), dice(1, 1, 1, 1)], "wrong_dice", {}),
    ("tenthousand", [move(2, "roll")], "no_such_seat", {}),
    ("tenthousand", [move(0, "roll"), move(0, "roll")], "awaiting_dice", {}),
    ("tenthousand", [move(1, {"lock": "x"})], "not_your_turn", {}),
    ("tenthousand", [move(0, "bank")], "bad_move", {}),
    ("tenthousand", [move(0, {"lock": [[1]]})], "nothing_rolled", {}),
    ("tenthousand", [move(0, {"lock": "x"})], "nothing_rolled", {}),
    ("tenthousand", [move(0, "yield")], "must_lock", {}),
    ("tenthousand", [*LOCKED[:2], move(0, "roll")], "must_lock", {}),
    ("tenthousand", [*LOCKED[:2], move(0, "yield")], "must_lock", {}),
    *(("tenthousand", [*LOCKED[:2], move(0, {"lock": lock})], "bad_lock", {}) for lock in NO_LOCKS),
    ("tenthousand", [*LOCKED[:2], move(0, {"lock": [[]]})], "does_not_score", {}),
    ("tenthousand", [*LOCKED[:2], move(0, {"lock": [[2, 2]]})], "does_not_score", {}),
    ("tenthousand", [*LOCKED[:2], move(0, {"lock": [[-1]]})], "does_not_score", {}),
    ("tenthousand", [*LOCKED[:2], move(0, {"lock": [[2], [6, 6, 6]]})], "does_not_score", {}),
    ("tenthousand", [*LOCKED[:2], move(0, {"lock": [[6, 6, 6], [2]]})], "not_in_roll", {}),
    ("tenthousand", [*LOCKED, move(0, {"lock": [[1]]})], "not_in_roll", {}),
    ("tenthousand", [*roll(0, 1, 5, 2, 2, 3, 4), move(0, {"lock": [[1]]}), move(0, "yield")], "below_opening", {}),
    ("doordice", [{"seat": 0, "expired": 1}], "malformed", {}),
    ("doordice", [dice(1)], "no_dice_awaited", {}),
    ("doordice", [move(0, "roll"), dice(0)], "wrong_dice", {}),
    ("doordice", [choose(5, "jab", 1)], "no_such_seat", {}),
    ("doordice", [move(0, "roll"), choose(0, "jab", 1)], "awaiting_dice", {}),
    ("doordice", [choose(1, "jab", 9)], "not_your_turn", {}),
    ("doordice", [move(0, {"choose": "jab"})], "bad_move", {}),
    ("doordice", [move(0, "hold")], "bad_move", {}),
    ("doordice", [choose(0, "nonsense", 1)], "bad_move", {}),
    ("doordice", [choose(0, "backfire")], "bad_move", {}),
    ("doordice", [choose(0, "jab", 99)], "must_roll", {}),
    ("doordice", [*roll(0, 2), move(0, "roll")], "must_choose", {}),
    ("doordice", [*roll(0, 2), choose(0, "strike", 99)], "wrong_effect", {}),
    ("doordice", [*roll(0, 2), choose(0, "jab", 0)], "bad_target", {}),
    ("doordice", [*roll(0, 2), choose(0, "jab", -1)], "bad_target", {}),
    ("doordice", [*roll(0, 2), choose(0, "jab")], "bad_target", {}),
    ("doordice", [*roll(0, 6), choose(0, "power_vp", 1)], "bad_target", {}),
    ("mana", [{"seat": None, "move": {"pick": 1}}], "malformed", {}),
    ("mana", [ARMIES, {"seat": 0, "expired": True}, move(0, {"pick": 1})], "game_finished", {}),
    ("mana", [ARMIES, ARMIES], "no_dice_awaited", {}),
    ("mana", [dice(1)], "wrong_dice", {}),
    ("mana", [move(2, {"pick": 1})], "no_such_seat", {}),
    ("mana", [move(0, {"pick": 1})], "awaiting_dice", {}),
    ("mana", [*PICKED, move(0, {"pick": 99})], "not_your_turn", {}),
    ("mana", [*PICKED, move(0, "sing")], "not_your_turn", {}),
    ("mana", [*PICKED, {"seat": 0, "expired": True}], "not_your_turn", {}),
    ("mana", [move(0, REVEAL)], "not_your_turn", MATCH),
    ("mana", [SEALED[0], SEALED[0]], "not_your_turn", MATCH),
    ("mana", [*SEALED, SEALED[0]], "not_your_turn", MATCH),
    ("mana", [*ARMED, SEALED[0]], "bad_move", {}),
    ("mana", [move(0, {"pick": 1})], "bad_move", MATCH),
    ("mana", [move(0, {"commit": "x"})], "bad_move", MATCH),
    *(("mana", [*ARMED, move(0, {"pick": unit})], "no_such_unit", {}) for unit in (8, -1, 255, 10**30)),
    *(("mana", [*ARMED, move(0, {"pick": unit})], "bad_move", {}) for unit in NO_UNITS),
    ("mana", [*FOUGHT, move(0, {"pick": 0})], "unit_spent", {}),
    ("mana", [*FOUGHT, move(1, {"pick": 1})], "unit_spent", {}),
    ("mana", [*FOUGHT, move(0, {"pick": 8})], "no_such_unit", {}),
    ("mana", [*SEALED, move(0, REVEAL)], "commitment_mismatch", MATCH),
]


def tied_doordice() -> list[Any]:
    """One round without points in which nobody is hit, so that dice decide."""
    turns = [entry for seat in range(5) for entry in roll(seat, 5)]
    return [*turns, dice(1, 2, 3, 4, 5)]


TABLE.append(("doordice", [*tied_doordice(), move(0, "roll")], "game_finished", {"rules": {"rounds": 1}}))


@pytest.mark.parametrize(("game", "entries", "code", "header"), TABLE)
def test_the_last_entry_is_refused_with_its_code(
    game: str, entries: list[Any], code: str, header: dict[str, Any]
) -> None:
    before = replayed(record(game, SEATS[game], entries[:-1], **header))
    ran = replayed(record(game, SEATS[game], entries, **header))
    assert before.code == 0, before.last
    assert ran.code == 2
    assert ran.lines[:-1] == before.lines[:-1]
    told = ran.last["refused"]
    assert (told["index"], told["code"]) == (len(entries) - 1, code)
    assert told["message"].endswith(".")
    assert len(told["message"]) < 300
    assert {key: ran.last[key] for key in ("over", "state", "views")} == {
        key: before.last[key] for key in ("over", "state", "views")
    }


@pytest.mark.parametrize("game", CODES)
def test_each_code_of_a_game_is_tried_and_no_other(game: str) -> None:
    assert {code for key, _, code, _ in TABLE if key == game} == CODES[game]


def test_an_opening_that_is_too_small_says_how_much_is_missing() -> None:
    entries = [*roll(0, 1, 5, 2, 2, 3, 4), move(0, {"lock": [[1], [5]]}), move(0, "yield")]
    told = replayed(record("tenthousand", 2, entries)).last["refused"]
    assert told["missing"] == 850
    assert told.keys() == {"index", "code", "message", "missing"}
    assert "850" in told["message"]


def test_only_that_refusal_has_a_number() -> None:
    told = replayed(record("wards", 2, [move(1, "roll")])).last["refused"]
    assert told.keys() == {"index", "code", "message"}
