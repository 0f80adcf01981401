"""``dicehall games`` and ``dicehall rules``: what can be played here, and by which numbers."""

from __future__ import annotations

import argparse
from typing import Any

from dicehall.core.house import HouseRule, house_rules
from dicehall.games import Catalogue
from dicehall.launch.output import Failed, Help, write_json
from dicehall.wire.errors import clipped
from dicehall.wire.schemas import game_schema, show_game
from dicehall.wire.sentences import words_of

GAMES = "The games of this hall, one line each."
RULES = "How a game is played, and its house rules."


def add(commands: Any, games: Catalogue) -> None:
    listed = commands.add_parser(
        "games", help="the games", description=GAMES, epilog="example:\n  dicehall games --json\n", formatter_class=Help
    )
    listed.add_argument("--json", action="store_true", help="for programs")
    listed.set_defaults(command=run_games)
    rules = commands.add_parser(
        "rules",
        help="how a game is played",
        description=RULES,
        epilog="example:\n  dicehall rules aetharn --json\n",
        formatter_class=Help,
    )
    rules.add_argument("game", metavar="GAME", help=", ".join(games))
    rules.add_argument("--json", action="store_true", help="the house rules with type, range and default")
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
    print(f"{about['name']} ({seats_text(game)})\n{about['line']}\n")
    print(*(f"- {line}" for line in about["how"]), sep="\n")
    print("\nHouse rules (change them with --rules name=number,...):")
    for rule in house_rules(game):
        print(f"  {rule.name:<16} {'none' if rule.default is None else rule.default:<8} {range_text(rule)}")
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
        return "1 for yes, 0 for no"
    with_others = "".join(f", at most {most} while {name} is on" for name, most in rule.most_with.items())
    return f"a whole number from {rule.least}" + (", or none" if rule.optional else "") + with_others
