"""``dicehall score``: every way a roll can score, best first."""

from __future__ import annotations

import argparse
from typing import Any

from dicehall.games import Catalogue
from dicehall.launch.output import Failed, Help, write_json
from dicehall.wire.errors import clipped

DICE = 6

EXAMPLES = """examples:
  dicehall score aetharn 1 1 1 1 2 2       the positions that may be held together
  dicehall score tenthousand 1 1 1 5       the groups that may be locked
"""


def add(commands: Any, games: Catalogue) -> None:
    command = commands.add_parser(
        "score", help="every scoring reading of a roll", description=__doc__, epilog=EXAMPLES, formatter_class=Help
    )
    command.add_argument("game", metavar="GAME", help=", ".join(scoring(games)))
    command.add_argument("faces", metavar="FACE", nargs="+", help="what the dice show")
    command.set_defaults(command=run)


def scoring(games: Catalogue) -> list[str]:
    """The games whose rolls are read in groups."""
    return [key for key, game in games.items() if hasattr(game, "readings")]


def run(options: argparse.Namespace, games: Catalogue) -> int:
    if options.game not in scoring(games):
        having = " and ".join(scoring(games)) or "no game"
        raise Failed(f"{clipped(options.game)} has no scoring table; with one: {having}.")
    faces = read_faces(options.faces)
    readings = games[options.game]().readings(faces)
    write_json([{"dice": dice, "points": points} for dice, points in readings])
    return 0


def read_faces(typed: list[str]) -> tuple[int, ...]:
    words = " ".join(typed).replace(",", " ").split()
    if not 1 <= len(words) <= DICE:
        raise Failed(f"A roll is one to {DICE} dice.")
    for word in words:
        if word not in {"1", "2", "3", "4", "5", "6"}:
            raise Failed(f"A die shows 1 to 6, not {clipped(word)!r}.")
    return tuple(map(int, words))
