"""``dicehall simulate``: many games between bots, counted."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from random import SystemRandom
from typing import Any

from dicehall.bots.levels import plays_as
from dicehall.core.game import AnyGame
from dicehall.core.house import BadRule, changed_rules, check_seats, written
from dicehall.games import Catalogue
from dicehall.lab.simulated import figures, pictured, told
from dicehall.lab.simulating import Endless
from dicehall.lab.simulator import Job, simulate
from dicehall.launch.bot_levels import check_level, typed_level
from dicehall.launch.cluster import add_cluster, cluster_of
from dicehall.launch.game_list import named
from dicehall.launch.numbers import read_whole
from dicehall.launch.output import Failed, Help, write_json
from dicehall.launch.play import read_rules
from dicehall.launch.progress import progress_bar
from dicehall.launch.solvers import solve_command
from dicehall.solvers.races import RACES
from dicehall.wire.errors import clipped
from dicehall.wire.sentences import words_of

DESCRIPTION = """Play many games between bots on all cores, and count who wins and how long games take.

The same seed gives the same numbers, however many workers share the work, here or on a cluster. With the extra "fast",
Dice Wards is compiled; the numbers stay the same. In --json: games, length (average turns per game), seconds,
games_per_second, and by seat wins, win_rate, stderr, interval (95 %), bots (the level that was really played)."""

EXAMPLES = """examples:
  dicehall simulate wards --games 1e6 --bots exact,greedy
  dicehall simulate aetharn --games 500 --bots greedy,greedy,random --rules goal=2000 --seed 7 --json
  dicehall simulate doordice --bots greedy --games 200 --plot seats.svg
  dicehall simulate doordice --games 1e6 --cluster tcp://10.0.0.5:8786
"""

MOST = 10**9
WORKERS = 256


def add(commands: Any, games: Catalogue) -> None:
    command = commands.add_parser(
        "simulate", help="play many games between bots", description=DESCRIPTION, epilog=EXAMPLES, formatter_class=Help
    )
    command.add_argument("game", metavar="GAME", help=", ".join(games))
    command.add_argument(
        "--games", metavar="N", default="1000", help="number of games, such as 500 or 1e6 (default 1000)"
    )
    command.add_argument(
        "--bots", metavar="A,B,...", default="greedy", help="a level for each seat, or one for all (default greedy)"
    )
    command.add_argument("--rules", metavar="NAME=N,...", action="append", default=[], help="house rules")
    add_working(command)
    command.set_defaults(command=run)


def add_working(command: argparse.ArgumentParser) -> None:
    """What all long runs take."""
    command.add_argument("--seed", metavar="TEXT", help="the same text gives the same results")
    command.add_argument("--workers", metavar="N", help="number of processes (default: one per core)")
    add_cluster(command)
    command.add_argument("--json", action="store_true", help="print JSON")
    command.add_argument("--plot", metavar="FILE", help="also write a chart to an .svg file")


def run(options: argparse.Namespace, games: Catalogue) -> int:
    game = read_rules(named(options.game, games), options.rules)
    levels = read_bots(game, options.bots)
    job = Job(game, levels, read_whole("--games", options.games, 1, MOST), seed_of(options))
    plot = plot_of(options)
    with cluster_of(options) as cluster, progress_bar("Playing") as progress, told_in_a_sentence():
        found = simulate(job, read_workers(options), progress, cluster)
    played = [plays_as(game, level, len(levels)) for level in levels]
    names = [name_played(*both) for both in zip(levels, played, strict=True)]
    if plot:
        write_picture(plot, pictured(found, names, title_of(game, games_text(found.tally.games))))
    if options.json:
        write_json(figures(found, played))
        return 0
    print(title_of(game, f"{games_text(found.tally.games)}, seed {job.seed}"), *told(found, names), sep="\n")
    if "exact" in levels and played != list(levels):
        print(*how_exact(game), sep="\n")
    if plot:
        print(f"  chart written to {plot}")
    return 0


@contextmanager
def told_in_a_sentence() -> Iterator[None]:
    """What can go wrong while games are played."""
    try:
        yield
    except Endless as endless:
        raise Failed(str(endless)) from None
    except BrokenProcessPool:
        raise Failed("A worker process was killed.", 1) from None


def read_workers(options: argparse.Namespace) -> int | None:
    return None if options.workers is None else read_whole("--workers", options.workers, 1, WORKERS)


def read_bots(game: AnyGame, text: str) -> tuple[str, ...]:
    """A level for each seat; one alone is for as many seats as the game needs."""
    levels = tuple(typed_level(level.strip()) for level in text.split(","))
    for level in levels:
        check_level(game.key, clipped(level))
    if len(levels) == 1:
        levels *= type(game).seats[0]
    try:
        check_seats(game, len(levels))
    except BadRule as bad:
        raise Failed(bad.sentence) from None
    return levels


def name_played(asked: str, played: str) -> str:
    """A level as it was really played, where its own is not to be had for these house rules."""
    return asked if asked == played else f"{asked} played as {played}"


def how_exact(game: AnyGame) -> list[str]:
    """What somebody can do who asked for exact bots and did not get them."""
    return [f"  exact bots need solved house rules: {solve_command(game)}"] if game.key in RACES else []


def games_text(count: int) -> str:
    return "1 game" if count == 1 else f"{count:,} games"


def seed_of(options: argparse.Namespace) -> str:
    return f"{SystemRandom().randrange(10**9)}" if options.seed is None else options.seed


def plot_of(options: argparse.Namespace) -> Path | None:
    """Asked for before the work begins, so that an hour of it is not lost to a folder that is missing."""
    if options.plot is None:
        return None
    path = Path(options.plot)
    if path.suffix.lower() != ".svg":
        raise Failed(f"--plot writes SVG: name a file that ends in .svg, not {clipped(options.plot)!r}.")
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise Failed(f"A chart cannot be written to {clipped(options.plot)!r}.")
    return path


def write_picture(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Failed(f"{path} cannot be written: {(error.strerror or str(error)).lower()}.", 1) from None


def title_of(game: AnyGame, more: str) -> str:
    """The game with the house rules that are not the usual ones."""
    return ", ".join([words_of(type(game))["about"]["name"], *written(changed_rules(game)), more])
