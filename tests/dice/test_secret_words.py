from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dicehall.dice.words import BadTable, BadWords, check_words, commitment, full_words, opens, salt

DIGITS = "0123456789abcdef" * 2

Salt = Callable[[str, Sequence[str]], bytes]


def test_a_commitment_is_the_sha_256_of_a_fixed_line_and_the_words() -> None:
    by_hand = hashlib.sha256(b"dicehall/words\n" + "glück".encode() + DIGITS.encode()).hexdigest()
    assert commitment("glück" + DIGITS) == by_hand


def test_words_open_only_their_own_commitment() -> None:
    committed = commitment("rose" + DIGITS)
    assert opens("rose" + DIGITS, committed)
    assert not opens("Rose" + DIGITS, committed)
    assert not opens("", committed)
    assert not opens("\ud800" + DIGITS, committed)
    assert not opens("rose" + DIGITS, committed[:-1])


@pytest.mark.parametrize(
    "typed",
    ["", "hello", "x" * 64, "é" * 64, "🎲" * 64, "👩🚀", "two words", "0" * 64, "שלום"],
)
def test_words_may_be_any_text_of_up_to_64_characters_and_32_hex_digits(typed: str) -> None:
    check_words(typed + DIGITS)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("", "end with 32 random lowercase hex digits"),
        ("hello", "end with 32 random lowercase hex digits"),
        (DIGITS[1:], "end with 32 random lowercase hex digits"),
        ("hello" + DIGITS.upper(), "end with 32 random lowercase hex digits"),
        ("hello" + DIGITS + "\n", "end with 32 random lowercase hex digits"),
        ("hello" + DIGITS[:-1] + "g", "end with 32 random lowercase hex digits"),
        ("hello" + DIGITS[:-1] + "\u0661", "end with 32 random lowercase hex digits"),  # an Arabic one is no hex digit
        ("x" * 65 + DIGITS, "at most 64 characters, not 65"),
        ("🎲" * 65 + DIGITS, "at most 64 characters, not 65"),
        ("a\nb" + DIGITS, "control characters"),
        ("\x00" + DIGITS, "control characters"),
        ("\x7f" + DIGITS, "control characters"),
        ("\x85" + DIGITS, "control characters"),
        ("\ud83c" + DIGITS, "control characters"),
        ("a\u202eb" + DIGITS, "invisible characters"),
        ("a\u200bb" + DIGITS, "invisible characters"),
        ("\u3164" + DIGITS, "invisible characters"),
        ("e\u0301" + DIGITS, "normal form C"),
        ("\u212b" + DIGITS, "normal form C"),
    ],
)
def test_other_words_are_refused_with_a_sentence(words: str, why: str) -> None:
    with pytest.raises(BadWords, match=why):
        check_words(words)


def test_bad_words_are_value_errors() -> None:
    assert issubclass(BadWords, ValueError)


def test_a_client_brings_what_was_typed_in_normal_form_and_sixteen_random_bytes() -> None:
    assert full_words("e\u0301t\u00e9", bytes(range(16))) == "été000102030405060708090a0b0c0d0e0f"


@pytest.mark.parametrize(("typed", "random"), [("x" * 65, bytes(16)), ("a\tb", bytes(16)), ("hello", bytes(15))])
def test_a_client_that_would_bring_bad_words_is_told_at_once(typed: str, random: bytes) -> None:
    with pytest.raises(BadWords):
        full_words(typed, random)


def test_the_salt_is_the_sha_256_of_the_table_and_the_words_in_hex(salt_of: Salt) -> None:
    by_hand = hashlib.sha256(b"dicehall/1\nt-1\n61\nc3bc\n").digest()  # "a", "ü" and a bot
    assert salt("t-1", ["a", "ü", ""]) == by_hand == salt_of("t-1", ["a", "ü", ""])


def test_a_table_whose_seats_all_gave_no_words_still_has_a_salt_of_its_own(salt_of: Salt) -> None:
    assert salt("t-1", ["", ""]) == salt_of("t-1", ["", ""]) != salt("t-2", ["", ""])


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
sittings = st.tuples(st.text("ab1-", min_size=1, max_size=3), st.lists(texts, max_size=3))


@settings(deadline=None, max_examples=100)
@given(sittings, sittings)
def test_two_sittings_share_a_salt_only_if_they_are_the_same(
    one: tuple[str, list[str]], other: tuple[str, list[str]]
) -> None:
    assume(one != other)
    assert salt(*one) != salt(*other)


def test_no_line_feed_in_words_can_pass_for_another_seat() -> None:
    assert salt("t", ["a\nb"]) != salt("t", ["a", "b"])


@pytest.mark.parametrize("table", ["t\n61", "t\x00", "\ud800"])
def test_a_table_id_that_could_pass_for_words_is_refused(table: str) -> None:
    with pytest.raises(BadTable):
        salt(table, ["b"])


def test_words_that_utf_8_cannot_hold_make_no_salt() -> None:
    with pytest.raises(BadWords, match="UTF-8"):
        salt("t", ["\ud800"])
