"""``dicehall play``: a game in the terminal, hot seat or against bots. Without a command: a menu of the games."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from dicehall.core.game import AnyGame
from dicehall.core.house import BadRule, check_seats, with_rules
from dicehall.games import Catalogue
from dicehall.launch import full_screen, menus, resuming
from dicehall.launch.listing import named
from dicehall.launch.numbers import whole_number
from dicehall.launch.output import Failed, Help
from dicehall.launch.sitting_down import Wanted, bot_name, bot_of, check_level, sit_down
from dicehall.wire.errors import clipped
from dicehall.wire.record import Record

DESCRIPTION = """A game in the terminal: people at this keyboard take turns, bots play the last seats.
Without a game: a menu. The game fills the screen; in pipes and with --plain it is played in plain lines.
With --server URL, or the link of a table such as http://127.0.0.1:8000/t/TABLE, you play at the tables of a server.

Moves are typed as words (roll, hold 1 3, bank, lock 1 1 1, 5, strike 2, pick 3), or in short (r, h 1 3, b, 3).
help, score, hint, save FILE and quit work at any time. Clocks do not run here: take your time."""

EXAMPLES = """examples:
  dicehall play wards --bot greedy
  dicehall play aetharn --names Ann,Bo --bot random --rules goal=2000
  dicehall play doordice --bot greedy --bot greedy --bot greedy --bot random --save game.json
  dicehall play --resume game.json

A resumed game knows its bots by their names, such as Bot 2 (greedy); further --bot options take over the last
people's seats. It keeps its dice only with the same --seed again. In JSON lines (--json) every line of input is a
move, as JSON ("roll", {"hold": [0, 2]}: counted from 0, as in records) or in words (hold 1 3: counted from 1);
every answer is one line: events, seat, view, choices, over, or refused, or left."""


def add(commands: Any, games: Catalogue) -> None:
    command = commands.add_parser(
        "play", help="play a game in the terminal", description=DESCRIPTION, epilog=EXAMPLES, formatter_class=Help
    )
    command.add_argument("game", metavar="GAME", nargs="?", help=", ".join(games))
    command.add_argument(
        "--seats", metavar="N", help="number of seats, bots included (default: the people named, or one, and the bots)"
    )
    command.add_argument(
        "--bot",
        metavar="LEVEL",
        action="append",
        default=[],
        help="a bot: random, greedy, good or exact, as the game has them; may be repeated",
    )
    command.add_argument("--names", metavar="A,B,...", help="what the people are called")
    command.add_argument("--rules", metavar="NAME=N,...", action="append", default=[], help="house rules")
    command.add_argument("--seed", metavar="TEXT", help="the same dice and bots again for the same text")
    command.add_argument("--save", metavar="FILE", help="keep the record in a new file, up to date after every move")
    command.add_argument("--resume", metavar="FILE", help="go on with a record, and keep it up to date")
    command.add_argument(
        "--server", metavar="URL", help="play at the tables of this server; a table's link joins that table"
    )
    command.add_argument("--hints", action="store_true", help="allow hints also where several people play")
    command.add_argument("--plain", action="store_true", help="no colour (nor in a pipe, nor with NO_COLOR)")
    command.add_argument("--json", action="store_true", help="JSON lines, for programs")
    command.set_defaults(command=run)


def menu(options: argparse.Namespace, games: Catalogue) -> int:
    return full_screen.play_menu(games) if full_screen.fits() else menus.menu(games)


def run(options: argparse.Namespace, games: Catalogue) -> int:
    if options.server is not None:
        return online(options, games)
    if options.game is None and options.resume is None and full_screen.fits(plain=options.plain, json=options.json):
        return full_screen.play_menu(games)
    wanted = resuming.wanted(options, games) if options.resume is not None else new_game(options, games)
    if full_screen.fits(plain=options.plain, json=options.json):
        return full_screen.play(wanted, games)
    return sit_down(wanted)


def online(options: argparse.Namespace, games: Catalogue) -> int:
    if not full_screen.fits(plain=options.plain, json=options.json):
        raise Failed("Playing on a server needs a terminal that can show whole screens. In a window: dicehall desktop.")
    return full_screen.play_online(options.server, options.names or "Guest", games)


def new_game(options: argparse.Namespace, games: Catalogue) -> Wanted:
    if options.game is None:
        raise Failed(f"Say which game to play: {', '.join(games)}.")
    game = read_rules(named(options.game, games), options.rules)
    for level in options.bot:
        check_level(game.key, level)
    people = 1 if options.names is None else len(options.names.split(","))
    names = seat_names(game, read_seats(options.seats, game, people, len(options.bot)), options.bot, options.names)
    save, shown = path_of(options.save), {"plain": options.plain, "json": options.json}
    return Wanted(Record(game, names), options.seed, save, hints=options.hints, **shown)


def path_of(file: str | None) -> Path | None:
    if file == "":
        raise Failed("A game cannot be saved in a file without a name.")
    return None if file is None else Path(file)


def read_rules(game: type[Any], texts: list[str]) -> Any:
    """``goal=2000,turn_seconds=none`` as a game with these house rules."""
    rules: dict[str, int | None] = {}
    for part in filter(None, ",".join(texts).split(",")):
        name, equals, number = (piece.strip() for piece in part.partition("="))
        if not equals or name in rules:
            raise Failed(f"House rules are written name=number, each once, not {part!r}.")
        rules[name] = read_number(name, number)
    try:
        return with_rules(game, rules)
    except BadRule as bad:
        raise Failed(bad.sentence) from None


def read_number(name: str, text: str) -> int | None:
    if text.lower() in ("none", "null"):
        return None
    number = whole_number(text)
    if number is None:
        raise Failed(f"{name} must be a whole number, not {clipped(text)!r}.")
    return number


def read_seats(text: str | None, game: Any, people: int, bots: int) -> int:
    """As many as were asked for; else the people named, or one, and the bots, as far as the game has room."""
    few, many = game.seats[0], game.seats[-1]
    seats = min(max(few, people + bots), many) if text is None else whole_number(text)
    if seats is None:
        raise Failed(f"--seats must be a whole number, not {clipped(text or '')!r}.")
    try:
        check_seats(game, seats)
    except BadRule as bad:
        raise Failed(bad.sentence) from None
    if bots > seats:
        raise Failed(f"There are {seats} seats, too few for {bots} bots.")
    return seats


def seat_names(game: AnyGame, seats: int, levels: list[str], given: str | None) -> tuple[str, ...]:
    people = seats - len(levels)
    names = [f"Player {seat + 1}" for seat in range(people)] if given is None else read_names(given, people)
    return (*names, *(bot_name(game, seats, people + at, level) for at, level in enumerate(levels)))


def read_names(given: str, people: int) -> list[str]:
    names = [name.strip() for name in given.split(",")]
    if len(names) != people:
        raise Failed(f"--names names {len(names)}, but {people} of the seats are for people.")
    if len(set(names)) < len(names) or not all(fits(name) for name in names):
        raise Failed("Names are different, 1 to 24 characters that can be printed, and not those of bots.")
    return names


def fits(name: str) -> bool:
    return 1 <= len(name) <= 24 and name.isprintable() and bot_of(name) is None
