"""``dicehall score``: every way a roll can score, best first."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from dicehall.games import Catalogue
from dicehall.launch.console import standard_voice
from dicehall.launch.output import Failed, Help, write_json
from dicehall.launch.pager import page
from dicehall.launch.text_table import text_table
from dicehall.wire.errors import clipped

DICE = 6

DESCRIPTION = """List every way a roll can score, best first. On a terminal this is a table that counts dice from 1;
in a pipe, or with --json, it is JSON, in which dice count from 0."""

EXAMPLES = """examples:
  dicehall score aetharn 1 1 1 1 2 2       the dice that can be held together
  dicehall score tenthousand 1 1 1 5       the groups that can be locked
  dicehall score aetharn 1 5 2 --json      for programs
"""


def add(commands: Any, games: Catalogue) -> None:
    command = commands.add_parser(
        "score", help="list every way a roll can score", description=DESCRIPTION, epilog=EXAMPLES, formatter_class=Help
    )
    command.add_argument("game", metavar="GAME", help=", ".join(scoring(games)))
    command.add_argument("faces", metavar="FACE", nargs="+", help="what the dice show")
    command.add_argument("--json", action="store_true", help="print JSON on a terminal, too")
    command.set_defaults(command=run)


def scoring(games: Catalogue) -> list[str]:
    """The games whose rolls are read in groups."""
    return [key for key, game in games.items() if hasattr(game, "readings")]


def run(options: argparse.Namespace, games: Catalogue) -> int:
    if options.game not in scoring(games):
        having = " and ".join(scoring(games)) or "none"
        raise Failed(f"{clipped(options.game)!r} has no scoring table. These games have one: {having}.")
    faces = read_faces(options.faces)
    readings = games[options.game]().readings(faces)
    if options.json or not sys.stdout.isatty():
        write_json([{"dice": dice, "points": points} for dice, points in readings])
        return 0
    page([(line, "event") for line in readings_table(faces, readings)], standard_voice(plain=False))
    return 0


def readings_table(faces: Sequence[int], readings: Sequence[tuple[Any, int]]) -> list[str]:
    """A line for each way to score: by positions from 1 where a reading is a set of dice, else by its groups."""
    dice = " ".join(f"[{face}]" for face in faces)
    if not readings:
        return [f"Dice: {dice}", "No score: this roll is a bust."]
    if isinstance(readings[0][0][0], int):
        rows = [("points", "hold dice", "showing"), *(held_row(faces, *reading) for reading in readings)]
        places = " ".join(f" {at} " for at in range(1, len(faces) + 1))
        return [f"Dice:   {dice}", f"Number: {places}".rstrip(), "", *text_table(rows, frozenset({0}))]
    rows = [("points", "lock"), *((str(points), groups_text(groups)) for groups, points in readings)]
    return [f"Dice: {dice}", "", *text_table(rows, frozenset({0}))]


def held_row(faces: Sequence[int], held: Sequence[int], points: int) -> tuple[str, ...]:
    return str(points), " ".join(str(at + 1) for at in held), " ".join(str(faces[at]) for at in held)


def groups_text(groups: Sequence[Sequence[int]]) -> str:
    return ", ".join(" ".join(map(str, group)) for group in groups)


def read_faces(typed: list[str]) -> tuple[int, ...]:
    words = " ".join(typed).replace(",", " ").split()
    if not 1 <= len(words) <= DICE:
        raise Failed(f"A roll has 1 to {DICE} dice.")
    for word in words:
        if word not in {"1", "2", "3", "4", "5", "6"}:
            raise Failed(f"A die shows 1 to 6, not {clipped(word)!r}.")
    return tuple(map(int, words))
