"""What the numbers of a report mean, one sentence for each kind of number."""

from __future__ import annotations

from dicehall.core.game import Turn
from dicehall.lab.coach import Report
from dicehall.lab.grades import LEAST_CONTESTED
from dicehall.lab.plain_numbers import error_points
from dicehall.lab.texts import texts
from dicehall.wire.languages import ENGLISH


def explanations(report: Report, language: str = ENGLISH) -> dict[str, str]:
    say, luck = texts("coach", language).say, source_of_luck(report)
    return {
        "chance": say("explained_chance", kind=kind_of_chances(report)),
        "cost": say("explained_cost"),
        "luck": say("explained_luck", luck=luck),
        "lost": say("explained_lost"),
        "average_luck": say("explained_average_luck", luck=luck),
        "grade": say("explained_grade", least=LEAST_CONTESTED),
        "graph": say("explained_graph", luck=luck),
    }


def trust(report: Report, language: str = ENGLISH) -> str:
    """How far to trust the chances."""
    largest = max((chance.stderr for line in report.lines for chance in line.after), default=0.0)
    return texts("coach", language).say("trust", kind=kind_of_chances(report), n=error_points(largest))


def kind_of_chances(report: Report) -> str:
    return "leader" if report.by_leader else "exact" if report.exact else "estimated"


def source_of_luck(report: Report) -> str:
    """Dice, or secret picks that happen to meet."""
    awaited = (report.game.awaits(moment.before) for moment in report.course.moments)
    return "picks" if any(isinstance(one, Turn) and len(one.seats) > 1 for one in awaited) else "dice"
