"""``dicehall stats``: who won how often on this machine, and the latest games."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

import msgspec

from dicehall.client.results import GameResult, PlayerStats, leaderboard, leaders, player_stats
from dicehall.games import Catalogue
from dicehall.launch.console import standard_voice
from dicehall.launch.game_folder import results_file
from dicehall.launch.game_list import named
from dicehall.launch.output import Help, write_json
from dicehall.launch.pager import page
from dicehall.launch.text_table import text_table
from dicehall.ui.terminal.game_lines import lines_of
from dicehall.wire.sentences import words_of

SESSIONS = 10  # of the latest that are listed
NAME = 24  # characters of a name that are shown

DESCRIPTION = """Show the games that were played to their end on this machine, in the terminal or in the window: a
leaderboard and the latest games of each kind. Bots of one level count as one player. In --json: sessions (the
latest first), players and leaderboard."""

EXAMPLES = """examples:
  dicehall stats
  dicehall stats doordice
  dicehall stats --json
"""


def add(commands: Any, games: Catalogue) -> None:
    command = commands.add_parser(
        "stats",
        help="show wins and the latest games on this machine",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=Help,
    )
    command.add_argument("game", metavar="GAME", nargs="?", help=f"only this game: {', '.join(games)}")
    command.add_argument("--json", action="store_true", help="print JSON")
    command.add_argument("--plain", action="store_true", help="no colour and no pager (the default in a pipe)")
    command.set_defaults(command=run)


def run(options: argparse.Namespace, games: Catalogue) -> int:
    if options.game is not None:
        named(options.game, games)
    results = results_file().all(options.game)
    if options.json:
        write_json(show_stats(results))
        return 0
    page(told(results, games), standard_voice(plain=options.plain), plain=options.plain)
    return 0


def show_stats(results: Sequence[GameResult]) -> dict[str, Any]:
    sessions = [{**msgspec.to_builtins(result), "winner": result.winner} for result in results]
    players = [show_player(one) for one in player_stats(results)]
    return {"sessions": sessions, "players": players, "leaderboard": [show_player(one) for one in leaderboard(results)]}


def show_player(one: PlayerStats) -> dict[str, Any]:
    return {**msgspec.to_builtins(one), "win_rate": one.win_rate}


def told(results: Sequence[GameResult], games: Catalogue) -> list[tuple[str, str]]:
    lines = [line for key, game in games.items() for line in of_game(game, [r for r in results if r.game == key])]
    return lines[1:] or [("No games yet. Play one to its end and it will appear here: dicehall play", "event")]


def of_game(game: type[Any], results: Sequence[GameResult]) -> list[tuple[str, str]]:
    if not results:
        return []
    count = "1 game" if len(results) == 1 else f"{len(results)} games"
    heading = f"{words_of(game)['about']['name']}: {count}"
    head, *leaders = text_table(leader_rows(game, results), frozenset({0, 2, 3, 4, 5}))
    latest, *sessions = text_table(session_rows(results[:SESSIONS]), frozenset({2}))
    return [
        ("", "event"),
        (heading, "heading"),
        (head, "position"),
        *((line, "event") for line in leaders),
        ("", "event"),
        (latest, "position"),
        *((line, "event") for line in sessions),
    ]


def leader_rows(game: Any, results: Sequence[GameResult]) -> list[tuple[str, ...]]:
    points = getattr(lines_of(game), "POINTS", "points")
    rows: list[tuple[str, ...]] = [("", "player", "games", "wins", "win rate", points)]
    for place, one in leaders(results):
        numbers = (str(one.games_played), str(one.wins), f"{100 * one.win_rate:.0f} %", str(one.total_score))
        rows.append((f"{place}.", one.shown_name[:NAME], *numbers))
    return rows


def session_rows(results: Sequence[GameResult]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [("latest games", "winner", "rounds")]
    for result in results:
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(result.at / 1000))
        rounds = "" if result.rounds is None else str(result.rounds)
        rows.append((day, result.shown_winner[:NAME], rounds))
    return rows
