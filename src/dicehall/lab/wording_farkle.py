"""What the two Farkle games have in common, in words."""

from __future__ import annotations

from collections.abc import Iterable

from dicehall.core.game import Faces
from dicehall.lab.texts import texts
from dicehall.lab.wording import Deed, deed_in

ALL = 6  # dice


def at_stake(points: int, roll: Faces | None, language: str) -> str:
    """What a turn has gathered, and the roll that has to be answered."""
    if not points and not roll:
        return ""
    key = "stake" if not roll else "stake_and_roll" if points else "roll_to_answer"
    return texts("farkle", language).say(key, points=points, faces=roll or ())


def kept(groups: Iterable[Iterable[int]], points: int, language: str) -> Deed:
    dice = " + ".join(spaced(sorted(group)) for group in groups)
    return deed_in(texts("farkle", language), "keep", dice=dice, points=points)


def rolled(dice: int, language: str, *, first: bool) -> Deed:
    key = "roll" if first else "roll_all" if dice == ALL else "roll_last" if dice == 1 else "roll_others"
    return deed_in(texts("farkle", language), key, dice=dice)


def banked(points: int, language: str) -> Deed:
    return deed_in(texts("farkle", language), "bank", points=points)


def folded(language: str) -> Deed:
    return deed_in(texts("farkle", language), "fold")


def spaced(faces: Iterable[int]) -> str:
    return " ".join(map(str, faces))
