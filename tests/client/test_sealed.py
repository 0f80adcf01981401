"""The client's own check of the dice: the same as the dice themselves, without a line of theirs."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicehall.client.errors import UnfairDice
from dicehall.client.sealed import DiceWatch, commitment, faces_of, full_words, salt_of
from dicehall.core.text import only_visible
from dicehall.dice import words as dice_words
from dicehall.dice.chain import Chain
from dicehall.dice.faces import draw

TYPED = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=20).map(only_visible)
CHAIN = Chain(b"s" * 32)
WORDS = ("lucky" + "0" * 32, "")


@given(TYPED, st.binary(min_size=16, max_size=16))
def test_words_and_commitments_are_those_of_the_dice(typed: str, random: bytes) -> None:
    words = full_words(typed, random)
    assert words == dice_words.full_words(typed, random)
    assert dice_words.opens(words, commitment(words))
    assert salt_of("oak", [words, ""]) == dice_words.salt("oak", [words, ""])


@given(
    st.binary(min_size=32, max_size=32),
    st.binary(min_size=32, max_size=32),
    st.lists(st.sampled_from([1, 2, 4, 6, 20, 255, 256, 257, 1000, 65_536]), max_size=80),
)
def test_faces_are_those_of_the_dice(secret: bytes, salt: bytes, sides: list[int]) -> None:
    assert tuple(faces_of(secret, salt, sides)) == draw(secret, salt, tuple(sides))


def roll(number: int, *sides: int) -> dict[str, Any]:
    secret = CHAIN.secret(number)
    return {"sides": list(sides), "faces": faces_of(secret, salt_of("oak", WORDS), sides), "opened": secret.hex()}


def told(*rolls: dict[str, Any], **event: Any) -> dict[str, Any]:
    return {"events": [event] if event else [], "rolls": list(rolls)}


def started(**more: Any) -> dict[str, Any]:
    return told(event="Started", order=[0, 1], words=list(WORDS), **more)


def watch(words: str | None = WORDS[0]) -> DiceWatch:
    return DiceWatch("oak", CHAIN.seal, words)


def test_all_rolls_of_a_fair_game_agree() -> None:
    dice = watch()
    dice.check(started(drawn=roll(1, 2)))
    dice.check(told(roll(2, 6), roll(3, 6, 6)))
    dice.check(told(event="Held"))
    dice.check(told(roll(4, 6)))
    assert dice.rolls == 4


def test_who_came_in_the_middle_checks_nothing() -> None:
    dice = watch(None)
    dice.check(told(roll(9, 6)))
    assert dice.rolls == 0


def test_words_that_were_exchanged_are_noticed() -> None:
    with pytest.raises(UnfairDice, match="My words"):
        watch("mine" + "1" * 32).check(started())


def test_another_seal_is_noticed() -> None:
    with pytest.raises(UnfairDice, match="different seal"):
        watch().check(told(event="Opened", s0="0" * 64))


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"faces": [7]}, r"shows \[7\]"),
        ({"opened": CHAIN.secret(3).hex()}, "a secret other than the sealed one"),
        ({"opened": None}, "a secret other than the sealed one"),
        ({"sides": [2]}, "sealed dice fell"),
    ],
)
def test_a_roll_that_was_not_sealed_is_noticed(changed: dict[str, Any], says: str) -> None:
    dice = watch()
    dice.check(started())
    dice.check(told(roll(1, 6)))
    fair = roll(2, 6)
    unfair = {**fair, **changed}
    if changed == {"sides": [2]} and faces_of(CHAIN.secret(2), salt_of("oak", WORDS), [2]) == fair["faces"]:
        unfair["sides"] = [1000]
    with pytest.raises(UnfairDice, match=says):
        dice.check(told(unfair))
