"""Chances and errors as people say them: whole percents, points, give or take."""

from __future__ import annotations

from math import floor

from dicehall.lab.texts import texts
from dicehall.wire.languages import ENGLISH

SPREAD = 2  # standard errors: 19 times in 20 the truth lies within them


def chance_text(chance: float, language: str = ENGLISH) -> str:
    """A chance in whole percents; one that is neither impossible nor certain is never told as 0 or 100."""
    if 0 < chance < 0.005:
        return texts("coach", language).say("under_one_percent")
    if 0.995 < chance < 1:
        return texts("coach", language).say("over_99_percent")
    return f"{floor(100 * chance + 0.5)} %"  # halves go up, as on the page


def two_chances(one: float, other: float, language: str = ENGLISH) -> tuple[str, str]:
    """Two chances to compare: with a place more where whole percents would make them the same."""
    rough = chance_text(one, language), chance_text(other, language)
    if rough[0] != rough[1]:
        return rough
    point = texts("coach", language).say("decimal_point")
    return f"{100 * one:.1f} %".replace(".", point), f"{100 * other:.1f} %".replace(".", point)


def points_text(share: float, language: str = ENGLISH) -> str:
    """A difference of chances, in points of winning chance."""
    points, say = round(100 * share), texts("coach", language).say
    return say("less_than_a_point") if points < 1 else say("points", n=points)


def give_or_take(stderr: float, language: str = ENGLISH) -> str:
    """An error in words; nothing where the number is exact."""
    if stderr <= 0:
        return ""
    return texts("coach", language).say("give_or_take", n=error_points(stderr))


def error_points(stderr: float) -> int:
    """How far off a number may be, in points."""
    return max(1, round(100 * SPREAD * stderr))
