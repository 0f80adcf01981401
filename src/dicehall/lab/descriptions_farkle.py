"""What the two Farkle games have in common, in words."""

from __future__ import annotations

from collections.abc import Iterable

from dicehall.core.game import Faces
from dicehall.lab.descriptions import ChoiceText, filled_choice
from dicehall.lab.texts import texts

ALL = 6  # dice


def at_stake(points: int, roll: Faces | None, language: str) -> str:
    """What a turn has gathered, and the roll that has to be answered."""
    if not points and not roll:
        return ""
    key = "stake" if not roll else "stake_and_roll" if points else "roll_to_answer"
    return texts("farkle", language).say(key, points=points, faces=roll or ())


def kept(groups: Iterable[Iterable[int]], points: int, language: str) -> ChoiceText:
    dice = " + ".join(spaced(sorted(group)) for group in groups)
    return filled_choice(texts("farkle", language), "keep", dice=dice, points=points)


def rolled(dice: int, language: str, *, first: bool) -> ChoiceText:
    key = "roll" if first else "roll_all" if dice == ALL else "roll_last" if dice == 1 else "roll_others"
    return filled_choice(texts("farkle", language), key, dice=dice)


def banked(points: int, language: str) -> ChoiceText:
    return filled_choice(texts("farkle", language), "bank", points=points)


def folded(language: str) -> ChoiceText:
    return filled_choice(texts("farkle", language), "fold")


def spaced(faces: Iterable[int]) -> str:
    return " ".join(map(str, faces))
