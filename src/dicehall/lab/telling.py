"""A coach's report in sentences, for people in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from dicehall.core.game import Seat
from dicehall.lab.coach import Report, SeatReport
from dicehall.lab.descriptions import choice_text
from dicehall.lab.explanations import trust
from dicehall.lab.ledger import Line
from dicehall.lab.moments import Course
from dicehall.lab.plain_numbers import points_text, two_chances
from dicehall.lab.spoken import game_name, moment_text
from dicehall.lab.story import CostlyChoice, Narrator, costliest, seat_story
from dicehall.lab.texts import texts
from dicehall.wire.errors import clipped
from dicehall.wire.languages import ENGLISH
from dicehall.wire.sentences import names_of

SMALL = 0.005  # less than half a point of winning chance is not told


@dataclass(frozen=True, slots=True)
class Said:
    text: str
    kind: Literal["title", "headline", "heading", "line", "note"] = "line"


def told(report: Report, only: Seat | None = None) -> Iterator[Said]:
    """The whole report, or what it says of one seat."""
    yield from introduction(report)
    for seat in report.seats if only is None else (report.seats[only],):
        yield from seat_block(report, seat)


def introduction(report: Report) -> Iterator[Said]:
    """Who played, who won, and how far to trust what follows."""
    yield Said(title(report), "title")
    yield from (Said(note, "note") for note in notes(report))


def seat_block(report: Report, seat: SeatReport) -> Iterator[Said]:
    """Everything about one seat."""
    story = seat_story(report, seat, Narrator(seat.name))
    yield Said("")
    yield Said(story.headline, "headline")
    for line in (story.luck, story.skill, *clock(seat), story.average_luck):
        yield Said(f"  {line}")
    choices = [choice_line(seat, choice) for choice in costliest(report, seat)]
    yield from listed("  Costliest choice" if len(choices) == 1 else "  Costliest choices", choices)
    yield from listed("  Turning points", [turning_point(report, seat, line) for line in seat.turning_points])


def clock(seat: SeatReport) -> Iterator[str]:
    if abs(seat.clock) >= SMALL:
        did = "added" if seat.clock > 0 else "cost"
        yield f"Time-outs and absences {did} {points_text(abs(seat.clock))}."


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
    return f"{names_of(first, report.names)} {'won' if len(first) == 1 else 'shared first place'}."


def notes(report: Report) -> Iterator[str]:
    yield trust(report)
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
    for kind, told in (("hinted", "took a hint"), ("deputed", "had a bot stand in")):
        chairs = [act.get("chair") for act in acts if act.get("act") == kind]
        for seat, chair in enumerate(record.chairs() if record else ()):
            if times := chairs.count(chair):
                yield f"{course.names[seat]} {told}{f' {times} times' if times > 1 else ''}."


def choice_line(seat: SeatReport, choice: CostlyChoice, language: str = ENGLISH) -> str:
    """A costly choice with its round, and its entry in the record."""
    say = texts("coach", language).say
    numbered = choice.round is not None and say("round") not in choice.situation
    sentence = choice.sentence(Narrator(seat.name, language=language))
    return say("choice_line", numbered=numbered, sentence=sentence, round=choice.round, entry=choice.entry)


def turning_point(report: Report, seat: SeatReport, line: Line, language: str = ENGLISH) -> str:
    now, then = two_chances(line.before[seat.seat].value, line.after[seat.seat].value, language)
    way = "up" if line.swing(seat.seat) > 0 else "down"
    fields = {"moment": moment(report, line, language), "name": seat.name, "entry": line.moment.index}
    return texts("coach", language).say("turning_point", way=way, now=now, then=then, **fields)


def moment(report: Report, line: Line, language: str = ENGLISH) -> str:
    """What happened, also where the game tells nothing of it."""
    if text := moment_text(report.game, line.moment, report.names, language):
        return text
    say = texts("coach", language).say
    if line.decision is None or line.seat is None:
        return say("goes_on")
    view = report.game.view(line.moment.before, line.seat)
    done = choice_text(report.game, view, line.seat, line.decision.action, report.names, language)
    return say("did", name=report.names[line.seat], past=done.past)
