"""Chances and errors as people say them: whole percents, points, give or take."""

from __future__ import annotations

SPREAD = 2  # standard errors: 19 times in 20 the truth lies within them


def chance_text(chance: float) -> str:
    """A chance in whole percents; one that is neither impossible nor certain is never told as 0 or 100."""
    if 0 < chance < 0.005:
        return "under 1 %"
    if 0.995 < chance < 1:
        return "over 99 %"
    return f"{round(100 * chance)} %"


def two_chances(one: float, other: float) -> tuple[str, str]:
    """Two chances to compare: with a place more where whole percents would make them the same."""
    texts = chance_text(one), chance_text(other)
    if texts[0] != texts[1]:
        return texts
    return f"{100 * one:.1f} %", f"{100 * other:.1f} %"


def points_text(share: float) -> str:
    """A difference of chances, in points of winning chance."""
    points = round(100 * share)
    if points < 1:
        return "less than a point"
    return "1 point" if points == 1 else f"{points} points"


def give_or_take(stderr: float) -> str:
    """An error in words; nothing where the number is exact."""
    if stderr <= 0:
        return ""
    points = max(1, round(100 * SPREAD * stderr))
    return f" (give or take {points} {'point' if points == 1 else 'points'})"
