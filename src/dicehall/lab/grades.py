"""How good the decisions of a seat were, in a word (decision 028)."""

from __future__ import annotations

from dicehall.lab.coach import SeatReport

GRADES = (  # by the skill of the contested decisions: 1 is perfect, 0 is what choosing at random comes to
    (0.97, "excellent"),
    (0.88, "strong"),
    (0.65, "decent"),
    (0.35, "weak"),
    (float("-inf"), "random"),
)
LEAST_CONTESTED = 3  # decisions for a grade: fewer say more about luck than about play
NOT_GRADED = "not graded"


def grade(seat: SeatReport) -> str:
    return NOT_GRADED if seat.skill is None or seat.contested < LEAST_CONTESTED else grade_of(seat.skill)


def grade_of(skill: float) -> str:
    return next(word for least, word in GRADES if skill >= least)
