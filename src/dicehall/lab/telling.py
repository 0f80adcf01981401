"""A coach's report in sentences, for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from dicehall.core.game import Seat
from dicehall.lab.coach import Report, SeatReport
from dicehall.lab.ledger import Line
from dicehall.lab.moments import Course
from dicehall.lab.positions import told_position
from dicehall.lab.spoken import game_name, moment_text, move_text, percent, signed
from dicehall.wire.errors import clipped
from dicehall.wire.sentences import names_of

GRADES = (  # by the skill of the contested decisions: 1 is perfect, 0 is what choosing at random comes to
    (0.97, "excellent"),
    (0.88, "strong"),
    (0.65, "decent"),
    (0.35, "weak"),
    (float("-inf"), "random"),
)
LEAST_CONTESTED = 3  # decisions for a grade: fewer say more about luck than about play
NOT_GRADED = "not graded"
SMALL = 0.0005  # what is shown as 0.0 %


@dataclass(frozen=True, slots=True)
class Said:
    text: str
    kind: Literal["title", "headline", "heading", "line", "note"] = "line"


def told(report: Report, only: Seat | None = None) -> Iterator[Said]:
    """The whole report, or what it says of one seat."""
    yield Said(title(report), "title")
    yield from (Said(note, "note") for note in notes(report))
    for seat in report.seats if only is None else (report.seats[only],):
        yield Said("")
        yield Said(headline(report, seat), "headline")
        yield from (Said(f"  {line}") for line in account(report, seat))
        yield from listed("  Turning points", [turning_point(report, seat, line) for line in seat.turning_points])
        yield from listed("  Could have been better", [better(report, seat.seat, line) for line in seat.worst])


def listed(heading: str, lines: Sequence[str]) -> Iterator[Said]:
    if lines:
        yield Said(f"{heading}:", "heading")
        yield from (Said(f"  - {line}") for line in lines)


def title(report: Report) -> str:
    players = names_of(range(len(report.names)), report.names)
    return f"{game_name(report.game)}: {players}. {ending(report)}"


def ending(report: Report) -> str:
    if report.over is None:
        return "The game is not over."
    if not report.over.places:
        return "Nobody won."
    first = sorted(report.over.places[0])
    return f"{names_of(first, report.names)} {'wins' if len(first) == 1 else 'share the first place'}."


def notes(report: Report) -> Iterator[str]:
    if report.by_leader:
        yield "More than two play, so every chance is the chance to beat the leader, as if the two were alone."
    elif report.exact:
        yield "Every chance here is exact: what the best play of both sides would make of the position."
    else:
        yield f"Chances are estimates ({report.note}); ± is one standard error, and small losses are noise."
    if report.course.hidden:
        yield "The armies were never both shown, so there is nothing to judge."
    yield from taken_part(report.course)
    if report.course.refused:
        index, refused = report.course.refused
        yield f"Entry {index} is refused ({clipped(refused.sentence)}): this report ends before it."


def taken_part(course: Course) -> Iterator[str]:
    """Who had help: hints that were taken, and bots that stood in."""
    record = course.record
    acts = [act for act in record.table if isinstance(act, dict)] if record else []
    for kind, told in (("hinted", "took a hint"), ("deputed", "was stood in for by a bot")):
        chairs = [act.get("chair") for act in acts if act.get("act") == kind]
        for seat, chair in enumerate(record.chairs() if record else ()):
            if times := chairs.count(chair):
                yield f"{course.names[seat]} {told}{f' {times} times' if times > 1 else ''}."


def headline(report: Report, seat: SeatReport) -> str:
    """The whole report of a seat in one sentence."""
    error = plus_minus(report, seat.luck_stderr)
    if report.over is None:
        told = f"{seat.name} stands at {percent(seat.result)} now"
    else:
        told = f"{seat.name} {outcome(seat.result)}"
    return f"{told}; {with_average_luck(seat.adjusted, error)}."


def with_average_luck(adjusted: float, error: str) -> str:
    """The result without luck: a sum over the game and not a chance, so that words say what lies beyond 0 and 100 %."""
    if adjusted < 0:
        return "such play loses even with average luck"
    if adjusted > 1:
        return "such play wins with average luck"
    return f"with average luck, such play wins {percent(adjusted)}{error} of games like this"


def outcome(result: float) -> str:
    if result in (0.0, 1.0):
        return "won" if result else "did not win"
    return f"has a share of {percent(result)} in the first place"


def account(report: Report, seat: SeatReport) -> Iterator[str]:
    """Where the chance of a seat went, from the start to the end."""
    yield f"Luck: {signed(seat.luck)}{plus_minus(report, seat.luck_stderr)} ({whose_luck(report, seat)})."
    if seat.decisions:
        yield f"Play: {grade(seat)}{too_few(seat)}. {decisions(seat)}"
    else:
        yield "Play: nothing to decide."
    if abs(seat.clock) >= SMALL:
        yield f"Clock and absences: {signed(seat.clock)}."
    parts = [f"start {percent(seat.start)}", f"luck {signed(seat.luck)}", f"own choices {signed(-seat.lost)}"]
    if not report.by_leader:
        parts.append(f"choices of others {signed(seat.given)}")
    parts += [f"clock {signed(seat.clock)}"] if abs(seat.clock) >= SMALL else []
    parts += [f"what others did and noise {signed(seat.rest)}"] if abs(seat.rest) >= SMALL else []
    yield f"Sum: {', '.join(parts)}: {percent(seat.result)}."


def whose_luck(report: Report, seat: SeatReport) -> str:
    if report.by_leader and abs(seat.other_dice) < SMALL:
        return "own dice"
    return f"own dice {signed(seat.own_dice)}, all other chance {signed(seat.other_dice)}"  # dice of others, draws


def too_few(seat: SeatReport) -> str:
    return f" (a grade needs {LEAST_CONTESTED} contested decisions)" if grade(seat) == NOT_GRADED else ""


def grade(seat: SeatReport) -> str:
    return NOT_GRADED if seat.skill is None or seat.contested < LEAST_CONTESTED else grade_of(seat.skill)


def grade_of(skill: float) -> str:
    return next(word for least, word in GRADES if skill >= least)


def decisions(seat: SeatReport) -> str:
    made = "1 decision" if seat.decisions == 1 else f"{seat.decisions} decisions"
    made = f"{made}, {seat.contested} contested"
    if not seat.mistakes:
        return f"{made}, all of them best."
    return f"{made}, {seat.mistakes} not the best. Lost to mistakes: {percent(seat.lost)}."


def turning_point(report: Report, seat: SeatReport, line: Line) -> str:
    now, then = line.before[seat.seat].value, line.after[seat.seat].value
    way = "up" if then > now else "down"
    what = moment_text(report.game, line.moment, report.names) or happened(report, line)
    return f"{what} {seat.name}: {percent(now)}, {way} to {percent(then)}. (entry {line.moment.index})"


def happened(report: Report, line: Line) -> str:
    """A moment of which the game tells nothing."""
    name = "Somebody" if line.seat is None else report.names[line.seat]
    if line.decision is None or line.seat is None:
        return f"{name}: {line.kind}."
    return f"{name} chooses {chosen(report, line.seat, line, line.decision.action)}."


def better(report: Report, seat: Seat, line: Line) -> str:
    decision = line.decision
    assert decision is not None
    error = plus_minus(report, decision.stderr)
    did = chosen(report, seat, line, decision.action)
    where = position_text(report, seat, line)
    cost = f"cost {100 * decision.loss:.1f} %{error}"
    if decision.best is None:
        return f"{where}{did} {cost}. (entry {line.moment.index})"
    best = chosen(report, seat, line, decision.best.action)
    was = f"{percent(decision.chosen.value)} instead of {percent(decision.best.chance.value)}"
    return f"{where}{did} {cost}: {best} was better ({was}). (entry {line.moment.index})"


def position_text(report: Report, seat: Seat, line: Line) -> str:
    text = told_position(report.game, line.moment.before, seat)
    return f"At {text}, " if text else ""


def chosen(report: Report, seat: Seat, line: Line, action: object) -> str:
    view = report.game.view(line.moment.before, seat)
    return f'"{move_text(report.game, view, report.names, seat, action)}"'


def plus_minus(report: Report, stderr: float) -> str:
    return "" if report.exact or stderr < SMALL else f" ± {100 * stderr:.1f}"
