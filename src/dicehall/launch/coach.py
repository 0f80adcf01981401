"""``dicehall coach``: what luck did in a recorded game, and what the players did."""

from __future__ import annotations

import argparse
from typing import Any

from dicehall.games import Catalogue
from dicehall.lab.coach import Report, report_of
from dicehall.lab.moments import Course, course_of
from dicehall.lab.shown import show_report
from dicehall.lab.telling import told
from dicehall.launch.last_game import last_game
from dicehall.launch.output import Failed, Help, read_input, write_json
from dicehall.launch.progress import progress_bar
from dicehall.launch.sitting_down import standard_voice
from dicehall.launch.solvers import solver_for
from dicehall.wire.errors import Invalid
from dicehall.wire.record import read_record

LAST = "last"
STYLES = {"title": "heading", "headline": "heading", "heading": "position", "line": "event", "note": "note"}

DESCRIPTION = """What luck did in a game, and what the players did: for each seat the luck of the dice, how good its
decisions were, the turning points, the choices that cost most with what was better, and the result that such play
earns with average luck. Exact where the game is solved; docs/coach.md explains every number."""

EXAMPLES = """examples:
  dicehall play wards --bot greedy     play a game, and then:
  dicehall coach                       the report of the game just played
  dicehall coach game.json             of a saved one; - is standard input
  dicehall coach game.json --json      every decision with all its alternatives, for programs
  dicehall coach game.json --solve     solve its house rules first
"""


def add(commands: Any, games: Catalogue) -> None:
    command = commands.add_parser(
        "coach",
        help="the report of a game: luck and play",
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
    command.add_argument("--json", action="store_true", help="print JSON")
    command.add_argument("--plain", action="store_true", help="no colour (nor in a pipe, nor with NO_COLOR)")
    command.add_argument(
        "--solve",
        action="store_true",
        help="solve these house rules first if they are not solved yet, however long it takes",
    )
    command.set_defaults(command=run)


def run(options: argparse.Namespace, games: Catalogue) -> int:
    course = read_course(options.record, games)
    report = reported(course, solve=options.solve)
    if options.json:
        write_json(show_report(report))
        return 0
    voice = standard_voice(plain=options.plain)
    for said in told(report):
        voice.say(said.text, STYLES[said.kind])
    return 0


def read_course(file: str, games: Catalogue) -> Course:
    try:
        return course_of(read_record(read_text(file), games))
    except Invalid as invalid:
        raise Failed(f"{file} is no record of a game: {invalid.sentence}") from None


def read_text(file: str) -> bytes:
    if file != LAST:
        return read_input(file)
    if not last_game().exists():
        raise Failed("No game was played here yet: dicehall play wards --bot greedy, or name the file of a record.")
    return read_input(str(last_game()))


def reported(course: Course, *, solve: bool) -> Report:
    solver = solver_for(course.game, len(course.names), solve=solve)
    with progress_bar("Looking at every move") as progress:
        return report_of(course, solver, progress)
