"""The course of a game as a graph: everybody's chance to win after each thing that changed it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dicehall.core.game import Seat
from dicehall.lab.coach import Report
from dicehall.lab.descriptions import round_of
from dicehall.lab.ledger import Line
from dicehall.lab.telling import moment
from dicehall.wire.languages import ENGLISH

MOST = 240  # points; of a longer game those that changed most
PLACES = 4  # after the point
NOTHING = 0.00005  # a change that is not seen


@dataclass(frozen=True, slots=True)
class Point:
    entry: int  # in the record, from 0
    seat: Seat | None  # whose doing it was
    round: int | None  # as the score sheet counts
    sentence: str
    chances: tuple[float, ...]  # by seat


def graph(report: Report, language: str = ENGLISH) -> tuple[Point, ...]:
    """The points in their order; the first is the chance after the first entry that told anything."""
    return tuple(point(report, line, language) for line in shown(report.lines))


def shown(lines: Sequence[Line]) -> list[Line]:
    """What changed somebody's chance, and always the last."""
    changed = [line for line in lines if largest(line) >= NOTHING or line is lines[-1]]
    if len(changed) <= MOST:
        return changed
    kept = sorted(changed[:-1], key=largest, reverse=True)[: MOST - 1]
    return sorted([*kept, changed[-1]], key=lambda line: line.moment.index)


def largest(line: Line) -> float:
    return max(abs(line.swing(Seat(seat))) for seat in range(len(line.after)))


def point(report: Report, line: Line, language: str) -> Point:
    view = report.game.view(line.moment.before, None)  # what ends a round is still part of it
    chances = tuple(round(chance.value, PLACES) for chance in line.after)
    return Point(line.moment.index, line.seat, round_of(report.game, view), moment(report, line, language), chances)
