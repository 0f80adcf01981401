"""The coach: what luck, play and the clock did to each seat of a recorded game, as plain structures for screens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import hypot

from dicehall.core.game import AnyGame, Over, Seat
from dicehall.lab.decisions import Decision
from dicehall.lab.ledger import Ledger, Line
from dicehall.lab.moments import Course, course_of
from dicehall.lab.values import Chances, Values
from dicehall.solvers.answers import Solver, difference_stderr
from dicehall.wire.record import Record

TURNING = 3  # points of a game that are told
TURNING_LEAST = 0.03  # a smaller swing turns nothing
WORST = 3  # decisions that are told


@dataclass(frozen=True, slots=True)
class SeatReport:
    """One seat. result = start + luck + given - lost + clock + rest, and adjusted = result - luck."""

    seat: Seat
    name: str
    start: float  # the chance before the first entry
    result: float  # 1, 0 or a share of the first place; of an unfinished game the chance as it stands
    luck: float  # own_dice + other_dice
    own_dice: float
    other_dice: float  # of the others, of draws, and of picks that met
    lost: float  # by one's own decisions
    given: float  # by the decisions of the others
    clock: float  # by time that ran out, absences and removals, one's own and others'
    rest: float  # what cannot be told apart; nothing in an exact game of two seats
    adjusted: float
    luck_stderr: float
    decisions: int  # in which there was something to choose
    mistakes: int  # with a loss that stands out of the noise
    mistakes_cost: float  # what those lost together
    average_loss: float  # lost / decisions
    contested: int  # decisions whose choices really differed
    skill: float | None  # in those, of what choosing at random would have lost, the share that was saved: 1 is perfect
    turning_points: tuple[Line, ...]
    worst: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Report:
    course: Course
    note: str  # of the solver: how far to trust it
    exact: bool
    by_leader: bool
    over: Over | None
    lines: tuple[Line, ...]
    seats: tuple[SeatReport, ...]

    @property
    def game(self) -> AnyGame:
        return self.course.game

    @property
    def names(self) -> Sequence[str]:
        return self.course.names


def coach(record: Record, solver: Solver, progress: Callable[[float], None] | None = None) -> Report:
    """The report of a recorded game, as far as the rules accept it."""
    return report_of(course_of(record), solver, progress)


def report_of(course: Course, solver: Solver, progress: Callable[[float], None] | None = None) -> Report:
    values = Values(course.game, solver)
    start = values.of(course.start)
    lines = []
    for done, line in enumerate(Ledger(course, values).lines(), start=1):
        lines.append(line)
        if progress:
            progress(done / len(course.moments))
    end = values.of(course.end)
    exact = not any(chance.stderr for chances in (start, end, *(line.after for line in lines)) for chance in chances)
    awaited = course.game.awaits(course.end)
    seats = tuple(seat_report(Seat(seat), course, lines, start, end) for seat in range(len(course.names)))
    over = awaited if isinstance(awaited, Over) else None
    return Report(course, solver.note, exact, values.by_leader, over, tuple(lines), seats)


def seat_report(seat: Seat, course: Course, lines: Sequence[Line], start: Chances, end: Chances) -> SeatReport:
    own_dice = sum(line.parts[seat].luck for line in lines if line.kind == "roll" and line.seat == seat)
    luck = sum(line.parts[seat].luck for line in lines)
    mine = [line for line in lines if line.decision and line.seat == seat]
    judged = [line.decision for line in mine if line.decision and line.decision.real]
    lost = sum(line.decision.loss for line in mine if line.decision)
    result = end[seat].value
    return SeatReport(
        seat=seat,
        name=course.names[seat],
        start=start[seat].value,
        result=result,
        luck=luck,
        own_dice=own_dice,
        other_dice=luck - own_dice,
        lost=lost,
        given=sum(line.parts[seat].play for line in lines) + lost,
        clock=sum(line.parts[seat].clock for line in lines),
        rest=sum(line.parts[seat].rest for line in lines),
        adjusted=result - luck,
        luck_stderr=luck_stderr(seat, lines, start, end),
        decisions=len(judged),
        mistakes=sum(decision.clear for decision in judged),
        mistakes_cost=sum(decision.loss for decision in judged if decision.clear),
        average_loss=sum(decision.loss for decision in judged) / len(judged) if judged else 0.0,
        contested=sum(decision.stake > 0 for decision in judged),
        skill=skill_of(judged),
        turning_points=turning_points(seat, lines),
        worst=worst(mine),
    )


def skill_of(judged: Sequence[Decision]) -> float | None:
    """How much better than chance the contested decisions were; None where there was none.

    A loss that does not stand out of the noise counts no more here than among the mistakes.
    """
    contested = [decision for decision in judged if decision.stake > 0]
    stakes = sum(decision.stake for decision in contested)
    return 1 - sum(decision.loss for decision in contested if decision.clear) / stakes if contested else None


def luck_stderr(seat: Seat, lines: Sequence[Line], start: Chances, end: Chances) -> float:
    """Of all that changed a chance but decisions and the clock: positions between the first and the last cancel out."""
    others = [line for line in lines if line.kind != "roll"]
    errors = [difference_stderr(line.before[seat], line.after[seat]) for line in others]
    return hypot(start[seat].stderr, end[seat].stderr, *errors)


def turning_points(seat: Seat, lines: Sequence[Line]) -> tuple[Line, ...]:
    """The largest swings of a seat's chance, in the order they happened."""
    swings = [line for line in lines if abs(line.swing(seat)) >= TURNING_LEAST]
    largest = sorted(swings, key=lambda line: -abs(line.swing(seat)))[:TURNING]
    return tuple(sorted(largest, key=lambda line: line.moment.index))


def worst(mine: Sequence[Line]) -> tuple[Line, ...]:
    """The decisions that cost most, the worst first."""
    clear = [line for line in mine if line.decision and line.decision.clear]
    return tuple(sorted(clear, key=lambda line: -line.decision.loss if line.decision else 0.0)[:WORST])
