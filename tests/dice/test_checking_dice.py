from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicehall.core.game import Faces
from dicehall.dice.chain import Chain
from dicehall.dice.checking import Checked, Drawn, Fault, Mismatch, Seal, SealedRoll, check, check_roll
from dicehall.dice.sealed import Sealed
from dicehall.dice.words import salt

Records = Callable[..., dict[str, Any]]

SIDES: list[Faces] = [(6,) * 6, (6,), (5, 4, 3, 2), (256,) * 8, (300, 6)]
SEATS = ["ann", "bo", "bot"]


@pytest.fixture(scope="session")
def record(sealed_record: Records, two_words: tuple[str, str]) -> dict[str, Any]:
    return sealed_record("any", SEATS, [*two_words, ""], SIDES, drawn=True)


def checked(record: dict[str, Any], known: str | None = None) -> Checked | Mismatch:
    """Check a record whose rolls had SIDES, as a launcher would once the rules have told it so."""
    header = record["seal"]
    drawn = Drawn(tuple(header["drawn"]["faces"]), header["drawn"].get("opened")) if "drawn" in header else None
    seal = Seal(header["table"], header["s0"], tuple(header["words"]), drawn)
    rolls = [
        SealedRoll(sides, tuple(entry["roll"]), entry.get("opened"))
        for sides, entry in zip(SIDES, record["entries"], strict=True)
    ]
    return check(seal, rolls, known)


def changed(record: dict[str, Any], value: object, *path: str | int) -> dict[str, Any]:
    """The record with another value at the end of this path."""
    record = copy.deepcopy(record)
    inner: Any = record
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return record


def fault(result: Checked | Mismatch) -> tuple[int, Fault]:
    assert isinstance(result, Mismatch), result
    assert result.sentence.endswith(".")
    return result.roll, result.what


def test_an_honest_record_agrees_and_says_whether_the_seal_was_known(record: dict[str, Any]) -> None:
    assert checked(record) == Checked(rolls=6, seal_known=False)
    assert checked(record, record["seal"]["s0"]) == Checked(rolls=6, seal_known=True)


def test_a_seal_typed_with_capitals_or_blanks_is_the_same_seal(record: dict[str, Any]) -> None:
    assert checked(record, f" {record['seal']['s0'].upper()}\n") == Checked(rolls=6, seal_known=True)


def test_dice_from_our_own_sealed_source_agree() -> None:
    chain, words = Chain(bytes(range(32))), ("a" * 32, "")
    dice = Sealed(chain, salt("t", words), stored=0)
    opened = [dice.open(sides) for sides in SIDES]
    rolls = [SealedRoll(sides, roll.faces, roll.secret) for sides, roll in zip(SIDES, opened, strict=True)]
    assert check(Seal("t", chain.seal, words), rolls, chain.seal) == Checked(rolls=5, seal_known=True)


def test_a_record_without_rolls_has_nothing_to_check(record: dict[str, Any]) -> None:
    assert check(Seal("t", record["seal"]["s0"], ()), []) == Checked(rolls=0, seal_known=False)


def test_another_seal_than_the_one_known_is_told_before_any_roll(record: dict[str, Any]) -> None:
    assert fault(checked(record, "0" * 64)) == (0, Fault.OTHER_SEAL)
    assert fault(checked(record, record["seal"]["s0"][:-1])) == (0, Fault.OTHER_SEAL)
    assert fault(checked(record, "")) == (0, Fault.OTHER_SEAL)


def test_a_wholly_other_chain_is_consistent_with_itself_and_caught_by_the_known_seal(record: dict[str, Any]) -> None:
    other = Sealed(Chain(bytes(32)), salt("t", ()), stored=0).open((6,))
    seal, rolls = Seal("t", Chain(bytes(32)).seal, ()), [SealedRoll((6,), other.faces, other.secret)]
    assert check(seal, rolls) == Checked(rolls=1, seal_known=False)
    assert fault(check(seal, rolls, record["seal"]["s0"])) == (0, Fault.OTHER_SEAL)


@pytest.mark.parametrize("s0", ["", "0" * 63, "0" * 65, "g" * 64, "A" * 64, "0" * 64 + "\n", " " + "0" * 63])
def test_a_seal_that_is_no_seal_is_told(record: dict[str, Any], s0: str) -> None:
    assert fault(checked(changed(record, s0, "seal", "s0"))) == (0, Fault.BAD_SEAL)


@pytest.mark.parametrize("place", range(64))
def test_any_changed_digit_of_the_seal_is_caught(record: dict[str, Any], place: int) -> None:
    assert fault(checked(changed(record, flipped(record["seal"]["s0"], place), "seal", "s0"))) == (
        1,
        Fault.WRONG_SECRET,
    )


@pytest.mark.parametrize("roll", range(5))
@pytest.mark.parametrize("place", range(64))
def test_any_changed_digit_of_an_opened_secret_is_caught(record: dict[str, Any], roll: int, place: int) -> None:
    other = flipped(record["entries"][roll]["opened"], place)
    assert fault(checked(changed(record, other, "entries", roll, "opened"))) == (roll + 2, Fault.WRONG_SECRET)


def flipped(digits: str, place: int) -> str:
    return digits[:place] + f"{int(digits[place], 16) ^ 1:x}" + digits[place + 1 :]


@pytest.mark.parametrize("roll", range(5))
def test_any_other_face_of_any_die_is_caught(record: dict[str, Any], roll: int) -> None:
    for die, (face, sides) in enumerate(zip(record["entries"][roll]["roll"], SIDES[roll], strict=True)):
        for other in {*range(1, sides + 1)} - {face}:
            result = checked(changed(record, other, "entries", roll, "roll", die))
            assert fault(result) == (roll + 2, Fault.WRONG_FACES)


@pytest.mark.parametrize("roll", range(5))
def test_a_die_too_many_or_too_few_is_caught(record: dict[str, Any], roll: int) -> None:
    faces = record["entries"][roll]["roll"]
    for other in ([*faces, 1], faces[:-1], []):
        assert fault(checked(changed(record, other, "entries", roll, "roll"))) == (roll + 2, Fault.WRONG_FACES)


def test_every_other_draw_of_seats_is_caught(record: dict[str, Any]) -> None:
    honest = tuple(record["seal"]["drawn"]["faces"])
    for other in {(first, second) for first in (1, 2, 3) for second in (1, 2)} - {honest}:
        assert fault(checked(changed(record, other, "seal", "drawn", "faces"))) == (1, Fault.WRONG_FACES)


def test_a_draw_of_seats_that_is_left_out_is_caught_at_roll_one(record: dict[str, Any]) -> None:
    without = copy.deepcopy(record)
    del without["seal"]["drawn"]
    assert fault(checked(without)) == (1, Fault.WRONG_SECRET)


@pytest.mark.parametrize("seat", [0, 1, 2])
@settings(deadline=None, max_examples=60)
@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_any_other_words_are_caught(record: dict[str, Any], seat: int, text: str) -> None:
    if text != record["seal"]["words"][seat]:
        assert fault(checked(changed(record, text, "seal", "words", seat)))[1] is Fault.WRONG_FACES


def test_words_of_two_seats_exchanged_are_caught(record: dict[str, Any]) -> None:
    anns, bos, bots = record["seal"]["words"]
    for other in ([bos, anns, bots], [anns, bots, bos], [bots, bos, anns]):
        assert fault(checked(changed(record, other, "seal", "words")))[1] is Fault.WRONG_FACES


def test_words_of_a_seat_too_many_or_too_few_are_caught(record: dict[str, Any]) -> None:
    words = record["seal"]["words"]
    for other in ([*words, ""], words[:-1], []):
        assert fault(checked(changed(record, other, "seal", "words")))[1] is Fault.WRONG_FACES


@settings(deadline=None, max_examples=60)
@given(table=st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=10))
def test_any_other_table_id_is_caught(record: dict[str, Any], table: str) -> None:
    if table != record["seal"]["table"]:
        assert fault(checked(changed(record, table, "seal", "table")))[1] is Fault.WRONG_FACES


def test_words_hidden_in_a_table_id_are_caught(record: dict[str, Any]) -> None:
    """The salt would be the same: that is why such ids are refused."""
    anns, *others = record["seal"]["words"]
    moved = changed(changed(record, others, "seal", "words"), f"table-7\n{anns.encode().hex()}", "seal", "table")
    assert fault(checked(moved)) == (0, Fault.BAD_SALT)


def test_words_that_are_no_text_are_told(record: dict[str, Any]) -> None:
    assert fault(checked(changed(record, "\ud800", "seal", "words", 2))) == (0, Fault.BAD_SALT)


@pytest.mark.parametrize("path", [("seal", "drawn"), ("entries", 0), ("entries", 4)])
@pytest.mark.parametrize(
    ("opened", "what"),
    [
        (None, Fault.NOT_OPENED),
        ("", Fault.BAD_SECRET),
        ("0" * 63, Fault.BAD_SECRET),
        ("0" * 66, Fault.BAD_SECRET),
        ("x" * 64, Fault.BAD_SECRET),
        ("AB" * 32, Fault.BAD_SECRET),
        ("00 " * 21 + "0", Fault.BAD_SECRET),
        ("0" * 64, Fault.WRONG_SECRET),
    ],
)
def test_a_secret_that_is_missing_broken_or_wrong_is_told_apart(
    record: dict[str, Any], path: tuple[str, str | int], opened: str | None, what: Fault
) -> None:
    number = 1 if path[0] == "seal" else int(path[1]) + 2
    assert fault(checked(changed(record, opened, *path, "opened"))) == (number, what)


def test_the_order_of_rolls_cannot_be_changed(record: dict[str, Any]) -> None:
    first, second, *rest = record["entries"]
    assert fault(checked({**record, "entries": [second, first, *rest]})) == (2, Fault.WRONG_SECRET)


def test_a_roll_cannot_be_left_out_or_told_twice(record: dict[str, Any]) -> None:
    seal = Seal("table-7", record["seal"]["s0"], tuple(record["seal"]["words"]))
    opened = [record["seal"]["drawn"], *({"faces": e["roll"], "opened": e["opened"]} for e in record["entries"])]
    rolls = [
        SealedRoll(sides, tuple(roll["faces"]), roll["opened"])
        for sides, roll in zip([(3, 2), *SIDES], opened, strict=True)
    ]
    assert check(seal, rolls) == Checked(rolls=6, seal_known=False)
    assert fault(check(seal, [*rolls[:2], *rolls[3:]])) == (3, Fault.WRONG_SECRET)
    assert fault(check(seal, [*rolls[:2], *rolls[1:]])) == (3, Fault.WRONG_SECRET)


def test_the_same_faces_for_other_sides_are_caught_by_the_sides_the_rules_ask_for() -> None:
    dice = Sealed(Chain(bytes(32)), salt("t", ()), stored=0).open((6, 6, 6))
    asked = SealedRoll((6,) * 6, dice.faces, dice.secret)
    assert fault(check(Seal("t", Chain(bytes(32)).seal, ()), [asked])) == (1, Fault.WRONG_FACES)


def test_a_mismatch_is_a_sentence_that_names_the_roll_and_both_throws(record: dict[str, Any]) -> None:
    honest = record["entries"][1]["roll"][0]
    other = honest % 6 + 1
    result = checked(changed(record, [other], "entries", 1, "roll"))
    said = f"Roll 3 shows {other}, but the sealed dice (1 die with 6 sides) fell {honest}."
    assert result == Mismatch(3, Fault.WRONG_FACES, said)


def test_a_secret_names_what_it_should_have_hashed_to(record: dict[str, Any]) -> None:
    first = checked(changed(record, "0" * 64, "seal", "drawn", "opened"))
    later = checked(changed(record, "0" * 64, "entries", 0, "opened"))
    assert isinstance(first, Mismatch)
    assert isinstance(later, Mismatch)
    assert "does not hash to the seal" in first.sentence
    assert "does not hash to the secret of roll 1" in later.sentence


def test_a_roll_can_be_checked_alone_as_it_falls(secrets: list[bytes]) -> None:
    mixed = salt("t", ("", ""))
    opened = Sealed(Chain(secrets[-1]), mixed, stored=200).open((6, 6))
    roll = SealedRoll((6, 6), opened.faces, opened.secret)
    assert check_roll(secrets[200].hex(), mixed, roll) is None
    assert check_roll(secrets[199].hex(), mixed, roll) is Fault.WRONG_SECRET
    assert check_roll(secrets[200].hex(), salt("t", ("", "a")), roll) is Fault.WRONG_FACES
