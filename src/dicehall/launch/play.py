"""``dicehall play``: a game in the terminal, hot seat or against bots. Without a command: a menu of the games."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from dicehall.core.game import AnyGame
from dicehall.core.house import BadRule, check_seats, with_rules
from dicehall.games import Catalogue
from dicehall.launch import full_screen, menus, resumed_game, server_play
from dicehall.launch.bot_levels import check_level, typed_level
from dicehall.launch.game_list import named
from dicehall.launch.line_game import Wanted, sit_down
from dicehall.launch.numbers import HUGE, whole_number
from dicehall.launch.output import Failed, Help
from dicehall.ui.tables.home_seats import SeatPlan, home_names, names_problem
from dicehall.wire.errors import clipped
from dicehall.wire.record import Record

DESCRIPTION = """Play in the terminal: people at this keyboard take turns, and bots play the last seats. Without
GAME there is a menu. The game fills the screen; in pipes and with --plain it is played in plain lines.

Pick a choice by its number, or type a move (roll, hold 1 3, bank, lock 1 1 1, 5, strike 2, pick 3) or the beginning of
it (r, h 1 3, b). help, score, hint, save FILE and quit work at any time. There is no clock, except at a server's table.

Every game is saved as you play, and dicehall play --resume continues the last one. The dice are sealed: keep the seal
that is shown at the start, and dicehall replay FILE --check --seal HEX proves that they were fixed before the
game began."""

EXAMPLES = """examples:
  dicehall play wards --bot greedy
  dicehall play aetharn --names Ann,Bo --bot random --rules goal=2000
  dicehall play doordice --bot greedy --bot greedy --save game.json
  dicehall play --resume
  dicehall play --resume game.json
  dicehall play --server http://127.0.0.1:8000/t/TABLE --name Ann
  dicehall play wards --bot greedy --server http://127.0.0.1:8000

A resumed game knows its bots by their names, such as Mira (Casual); additional bots take the seats of the last
people. A game that was started with --seed keeps its dice if you give the same --seed again.

With --json every line of input is a move, as JSON ("roll", {"hold": [0, 2]}: counted from 0, as in records) or in words
(hold 1 3: counted from 1), and every answer is one line: events, seat, view, choices and over, or refused, or left."""


def add(commands: Any, games: Catalogue) -> None:
    command = commands.add_parser(
        "play", help="play a game in the terminal", description=DESCRIPTION, epilog=EXAMPLES, formatter_class=Help
    )
    command.add_argument("game", metavar="GAME", nargs="?", help=", ".join(games))
    command.add_argument(
        "--seats",
        metavar="N",
        help="number of seats, bots included (default: the people in --names and the bots)",
    )
    command.add_argument(
        "--bot",
        metavar="LEVEL",
        action="append",
        type=typed_level,
        default=[],
        help="add a bot: random (easy), greedy (casual), good or exact, if the game has it; may be repeated",
    )
    command.add_argument("--names", metavar="A,B,...", help="the names of the people")
    command.add_argument(
        "--rules", metavar="NAME=N,...", action="append", default=[], help="house rules (see dicehall rules GAME)"
    )
    command.add_argument("--seed", metavar="TEXT", help="the same text gives the same dice and bots, without a seal")
    command.add_argument("--save", metavar="FILE", help="also save the game to this new file, after every move")
    command.add_argument(
        "--resume",
        metavar="FILE",
        nargs="?",
        const=resumed_game.LAST,
        help="continue a saved game; without FILE, the last game you did not finish",
    )
    command.add_argument("--words", metavar="TEXT", help="words of your own to mix into the sealed dice")
    command.add_argument("--server", metavar="URL", help="play at this server; the link of a table joins that table")
    command.add_argument("--name", metavar="NAME", help="your name at the server (default: Guest)")
    command.add_argument("--password", metavar="TEXT", help="the password of the server's table, or of one you open")
    command.add_argument("--hints", action="store_true", help="allow hints even if several people play")
    command.add_argument("--plain", action="store_true", help="plain lines without colour, as in a pipe")
    command.add_argument("--json", action="store_true", help="JSON lines, for programs")
    command.set_defaults(command=run)


def menu(options: argparse.Namespace, games: Catalogue) -> int:
    return full_screen.play_menu(games) if full_screen.fits() else menus.menu(games)


def run(options: argparse.Namespace, games: Catalogue) -> int:
    if options.server is not None:
        return online(options, games)
    if options.game is None and options.resume is None and full_screen.fits(plain=options.plain, json=options.json):
        return full_screen.play_menu(games)
    wanted = resumed_game.wanted(options, games) if options.resume is not None else new_game(options, games)
    if full_screen.fits(plain=options.plain, json=options.json):
        return full_screen.play(wanted, games)
    return sit_down(wanted)


def online(options: argparse.Namespace, games: Catalogue) -> int:
    server_play.check_options(options)
    if options.game is None and full_screen.fits(plain=options.plain, json=options.json):
        return full_screen.play_online(options.server, options.name or "Guest", games, options.password)
    return server_play.run(options, games)


def new_game(options: argparse.Namespace, games: Catalogue) -> Wanted:
    if options.game is None:
        raise Failed(f"Which game? For example: dicehall play {next(iter(games))}. The games are {', '.join(games)}.")
    game = read_rules(named(options.game, games), options.rules)
    for level in options.bot:
        check_level(game.key, level)
    people = 1 if options.names is None else len(options.names.split(","))
    names = seat_names(game, read_seats(options.seats, game, people, len(options.bot)), options.bot, options.names)
    save, shown = path_of(options.save), {"plain": options.plain, "json": options.json}
    if options.words is not None and options.seed is not None:
        raise Failed("With --seed the dice follow from the seed alone: leave out --words.")
    return Wanted(Record(game, names), options.seed, save, hints=options.hints, words=options.words or "", **shown)


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
            raise Failed(f"Write house rules as name=number, each only once, not {part!r}.")
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
    if abs(number) >= HUGE:
        raise Failed(f"{name} is out of range: {clipped(text)!r}.")
    return number


def read_seats(text: str | None, game: Any, people: int, bots: int) -> int:
    """As many as were asked for; else the people named, or one, and the bots, as far as the game has room."""
    few, many = game.seats[0], game.seats[-1]
    seats = min(max(few, people + bots), many) if text is None else whole_number(text)
    if seats is None:
        raise Failed(f"--seats must be a whole number, not {clipped(text or '')!r}.")
    if abs(seats) >= HUGE:
        raise Failed(f"--seats is out of range: {clipped(text or '')!r}.")
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
    return home_names(game, [*map(SeatPlan, names), *(SeatPlan("", level=level) for level in levels)])


def read_names(given: str, people: int) -> list[str]:
    names = [name.strip() for name in given.split(",")]
    if len(names) != people:
        raise Failed(f"--names lists {len(names)}, but {people} of the seats are for people.")
    if problem := names_problem(names):
        raise Failed(problem)
    return names
