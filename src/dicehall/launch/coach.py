"""``dicehall coach``: what luck did in a recorded game, and what the players did."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from dicehall.core.game import Seat
from dicehall.games import Catalogue
from dicehall.lab.coach import Report, report_of
from dicehall.lab.moments import Course, course_of
from dicehall.lab.shown import show_report
from dicehall.lab.solved import solver_ready
from dicehall.lab.story import Narrator, costliest, headline
from dicehall.lab.telling import told
from dicehall.launch.console import standard_voice
from dicehall.launch.game_folder import last_game
from dicehall.launch.output import Failed, Help, read_input, write_json
from dicehall.launch.pager import page
from dicehall.launch.progress import progress_bar
from dicehall.launch.solvers import solver_for
from dicehall.wire.errors import Invalid, clipped
from dicehall.wire.record import Record, read_record

LAST = "last"
STYLES = {"title": "heading", "headline": "heading", "heading": "position", "line": "event", "note": "note"}
MOMENT_SECONDS = 5.0  # that a report at the end of a game may take
LONGER = "The coach needs more time for this game."

DESCRIPTION = """Analyse a game: how lucky each player was, how well they played, the turning points, the decisions
that cost most with what was better, and how often such play wins with average luck. The numbers are exact where the
game is solved; docs/coach.md explains every one of them."""

EXAMPLES = """examples:
  dicehall play wards --bot greedy     play a game, and then:
  dicehall coach                       the report of the game just played
  dicehall coach --seat 1              only the first seat; a name works, too
  dicehall coach game.json             a saved game; - is standard input
  dicehall coach game.json --json      every decision with all its alternatives, for programs
  dicehall coach game.json --solve     solve its house rules first
"""


def add(commands: Any, games: Catalogue) -> None:
    command = commands.add_parser(
        "coach",
        help="analyse a game: luck and play",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=Help,
    )
    command.add_argument(
        "record",
        metavar="RECORD",
        nargs="?",
        default=LAST,
        help="a record; - is standard input (default: the last game)",
    )
    command.add_argument("--seat", metavar="N|NAME", help="report on one seat only, by its number from 1 or its name")
    command.add_argument("--json", action="store_true", help="print JSON")
    command.add_argument("--plain", action="store_true", help="no colour and no pager (the default in a pipe)")
    command.add_argument(
        "--solve",
        action="store_true",
        help="solve these house rules first if they are not solved yet, however long it takes",
    )
    command.set_defaults(command=run)


def run(options: argparse.Namespace, games: Catalogue) -> int:
    course = read_course(options.record, games)
    only = None if options.seat is None else find_seat(options.seat, course.names)
    report = reported(course, solve=options.solve)
    if options.json:
        write_json(show_report(report))
        return 0
    lines = [(said.text, STYLES[said.kind]) for said in told(report, only)]
    page(lines, standard_voice(plain=options.plain), plain=options.plain)
    return 0


def find_seat(text: str, names: Sequence[str]) -> Seat:
    """A seat by its number from 1, or by its name."""
    if text.isdecimal() and 1 <= int(text[:9]) <= len(names):
        return Seat(int(text) - 1)
    found = [seat for seat, name in enumerate(names) if name.casefold() == text.strip().casefold()]
    if len(found) != 1:
        listed = ", ".join(f"{seat} ({name})" for seat, name in enumerate(names, start=1))
        raise Failed(f"There is no seat {clipped(text)!r} in this game. The seats are {clipped(listed)}.")
    return Seat(found[0])


def read_course(file: str, games: Catalogue) -> Course:
    try:
        return course_of(read_record(read_text(file), games))
    except Invalid as invalid:
        raise Failed(f"{file} is not a game record: {invalid.sentence}") from None


def read_text(file: str) -> bytes:
    if file != LAST:
        return read_input(file)
    if (last := last_game()) is None:
        raise Failed("You have not played a game yet. Play one (dicehall play wards --bot greedy) or name a record.")
    return read_input(str(last))


def reported(course: Course, *, solve: bool) -> Report:
    solver = solver_for(course.game, len(course.names), solve=solve)
    with progress_bar("Looking at every move") as progress:
        return report_of(course, solver, progress)


# -- the end of a game -----------------------------------------------------------------------------


class NotSoon(Exception):
    """A report that would keep people waiting."""


def short_report(record: Record, seats: Sequence[Seat]) -> Iterator[tuple[str, str]]:
    """What the coach says at once when a game is over: of each seat a headline and the costliest decisions."""
    course = course_of(record)
    game: Any = course.game
    solver = solver_ready(game, len(course.names))
    if solver is None:
        return
    try:
        report = report_of(course, solver, within(MOMENT_SECONDS, time.monotonic))
    except NotSoon:
        yield LONGER, "note"
        return
    yield "", "event"
    for seat in seats:
        summary = report.seats[seat]
        who = Narrator(summary.name, you=len(seats) == 1)
        yield headline(report, summary, who), "heading"
        for choice in costliest(report, summary):
            yield f"  - {choice.sentence(who)}", "event"


def within(seconds: float, now: Callable[[], float]) -> Callable[[float], None]:
    """Progress that gives up when all of it would take longer than this."""
    began = now()

    def check(done: float) -> None:
        if now() - began > seconds * max(done, 0.2):
            raise NotSoon

    return check
