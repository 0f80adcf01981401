"""What the numbers of a report mean, one sentence for each kind of number."""

from __future__ import annotations

from dicehall.lab.coach import Report
from dicehall.lab.grades import LEAST_CONTESTED

EXACT = "How often you would win from there if both sides played perfectly. It is exact."
BY_LEADER = "How often you would finish ahead of the leader from there, as if only the two of you played, perfectly."
ESTIMATED = (
    "How often you would win from there, estimated by playing the position out many times. "
    "'Give or take 3 points' means that 19 times in 20 the true chance is within 3 points of it."
)


def explanations(report: Report) -> dict[str, str]:
    chance = BY_LEADER if report.by_leader else EXACT if report.exact else ESTIMATED
    return {
        "chance": chance,
        "cost": "How many points of winning chance lie between the choice that was made and the best one.",
        "luck": (
            "How much the dice raised or lowered a chance to win, added up over the game. "
            "Luck evens out in the long run, however well or badly somebody plays."
        ),
        "lost": "What all choices that were not the best cost together, in points of winning chance.",
        "average_luck": (
            "The result with the luck taken out: how such play would do if the dice were neither kind nor unkind. "
            "It says more than one result does."
        ),
        "grade": (
            "How the close calls compare with perfect play (excellent) and with guessing (random). Decisions in which "
            f"every choice is about as good are left out, and a grade needs {LEAST_CONTESTED} close calls."
        ),
        "graph": "The chance to win after each roll and each decision.",
    }
