"""``dicehall games`` and ``dicehall rules``: what can be played here, and by which numbers."""

from __future__ import annotations

import argparse
from textwrap import fill
from typing import Any

from dicehall.core.house import HouseRule, house_rules
from dicehall.games import Catalogue
from dicehall.launch.output import Failed, Help, write_json
from dicehall.wire.errors import clipped
from dicehall.wire.schemas import game_schema, show_game
from dicehall.wire.sentences import words_of

GAMES = "List the games, one per line."
GAMES_EXAMPLES = "examples:\n  dicehall games\n  dicehall games --json\n"
RULES = "Show how a game is played, and its house rules: the numbers that you can change."
WIDTH = 80  # columns
INDENT = " " * 6


def add(commands: Any, games: Catalogue) -> None:
    listed = commands.add_parser(
        "games",
        help="list the games",
        description=GAMES,
        epilog=GAMES_EXAMPLES,
        formatter_class=Help,
    )
    listed.add_argument("--json", action="store_true", help="print JSON")
    listed.set_defaults(command=run_games)
    rules = commands.add_parser(
        "rules",
        help="show how a game is played",
        description=RULES,
        epilog="examples:\n  dicehall rules aetharn\n  dicehall rules aetharn --json\n",
        formatter_class=Help,
    )
    rules.add_argument("game", metavar="GAME", help=", ".join(games))
    rules.add_argument("--json", action="store_true", help="print the house rules with type, range and default as JSON")
    rules.set_defaults(command=run_rules)


def run_games(options: argparse.Namespace, games: Catalogue) -> int:
    if options.json:
        write_json([show_game(game) for game in games.values()])
        return 0
    for key, game in games.items():
        about = words_of(game)["about"]
        print(f"{key:<12} {about['name']}, {seats_text(game)}. {about['line']}")
    return 0


def run_rules(options: argparse.Namespace, games: Catalogue) -> int:
    game = named(options.game, games)
    if options.json:
        write_json(game_schema(game))
        return 0
    about = words_of(game)["about"]
    print(f"{about['name']} ({seats_text(game)})\n{fill(about['line'], WIDTH)}\n")
    print(*(fill(f"- {line}", WIDTH, subsequent_indent="  ") for line in about["how"]), sep="\n")
    print("\nHouse rules and their defaults (change them with --rules NAME=N,...):")
    for rule in house_rules(game):
        print(f"  {rule.name}={'none' if rule.default is None else rule.default}  ({range_text(rule)})")
        if sentence := about.get("rules", {}).get(rule.name):
            print(fill(sentence, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT))
    return 0


def named(key: str, games: Catalogue) -> type[Any]:
    if key not in games:
        raise Failed(f"There is no game {clipped(key)!r}; there are {', '.join(games)}.")
    return games[key]


def seats_text(game: type[Any]) -> str:
    few, many = game.seats[0], game.seats[-1]
    return f"{few} seats" if few == many else f"{few}-{many} seats"


def range_text(rule: HouseRule) -> str:
    if (rule.least, rule.most) == (0, 1):
        return "1 is yes, 0 is no"
    with_others = "".join(f"; at most {most} while {name} is on" for name, most in rule.most_with.items())
    return f"{rule.least} or more" + (", or none" if rule.optional else "") + with_others
