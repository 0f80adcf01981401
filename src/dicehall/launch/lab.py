"""``dicehall lab``: house rules compared: the first seat's edge, the length of games, comebacks."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from math import inf
from typing import Any

from dicehall.core.house import BadRule, rules_of
from dicehall.games import Catalogue
from dicehall.lab.comparing import Compared, Comparison, Variant, pictured, variants
from dicehall.lab.intervals import Interval
from dicehall.launch.cluster import cluster_of
from dicehall.launch.game_list import named
from dicehall.launch.numbers import read_whole
from dicehall.launch.output import Failed, Help, write_json
from dicehall.launch.play import read_number, read_rules
from dicehall.launch.progress import progress_bar
from dicehall.launch.simulate import (
    MOST,
    add_working,
    games_text,
    name_played,
    plot_of,
    read_bots,
    read_workers,
    seed_of,
    title_of,
    told_in_a_sentence,
    write_picture,
)
from dicehall.solvers.races import RACES
from dicehall.wire.errors import clipped

DESCRIPTION = """Compare house rules: how often the first player wins, how long games last, how common comebacks are.

The first seat's share is that of exact play between two seats if the game is solved, or can be solved within seconds
(--solve: however long it takes). Otherwise it is counted, with its standard error. Length and comebacks are counted in
games between the bots. A comeback is a win by somebody who was, at the start of some turn, at least a quarter of the
goal behind the leader (DO or DICE: five victory points; Mana: a round)."""

EXAMPLES = """examples:
  dicehall lab wards --vary goal=50,100,150 --bots exact
  dicehall lab aetharn --vary goal=3000,5000,8000 --vary hot_dice=0,1 --games 500 --plot rules.svg

Several --vary options are combined. In --json: a list with {rules, first_seat, first_seat_stderr, exact, turns,
turns_stderr, rolls, comebacks, comebacks_stderr, games, bots} for each combination; bots are the levels that really
played. A standard error is that of a 95 % interval, null if one game is too few to tell, 0 if the number is exact."""

VARIANTS = 60
HOW_EXACT = "  exact bots need solved house rules: add --solve to work them out first, however long that takes"


def add(commands: Any, games: Catalogue) -> None:
    command = commands.add_parser(
        "lab", help="compare house rules", description=DESCRIPTION, epilog=EXAMPLES, formatter_class=Help
    )
    command.add_argument("game", metavar="GAME", help=", ".join(games))
    command.add_argument(
        "--vary", metavar="NAME=N,N,...", action="append", required=True, help="a house rule and the values to compare"
    )
    command.add_argument(
        "--rules", metavar="NAME=N,...", action="append", default=[], help="house rules that stay the same"
    )
    command.add_argument(
        "--games", metavar="N", default="2000", help="games per variant, such as 500 or 1e5 (default 2000)"
    )
    command.add_argument(
        "--bots", metavar="A,B,...", default="greedy", help="a level for each seat, or one for all (default greedy)"
    )
    command.add_argument("--solve", action="store_true", help="solve every variant first, however long it takes")
    add_working(command)
    command.set_defaults(command=run)


def run(options: argparse.Namespace, games: Catalogue) -> int:
    listed = read_variants(named(options.game, games), options)
    bots = read_bots(listed[0].game, options.bots)
    count = read_whole("--games", options.games, 1, MOST)
    plot, seed = plot_of(options), seed_of(options)
    with cluster_of(options) as cluster, progress_bar("Comparing") as progress, told_in_a_sentence():
        comparison = Comparison(bots, count, seed, read_workers(options), options.solve, cluster)
        found = comparison.all(listed, progress)
    if plot:
        write_picture(plot, pictured(found, heading(listed[0], f"{games_text(count)} each"), len(bots)))
    if options.json:
        write_json([figures(compared) for compared in found])
        return 0
    names = " against ".join(dict.fromkeys(bots))
    print(heading(listed[0], f"{games_text(count)} each, {names}, seed {seed}"), *told(found, bots), sep="\n")
    if plot:
        print(f"  chart written to {plot}")
    return 0


def heading(variant: Variant, more: str) -> str:
    """The game and the rules that all variants share, without those that differ."""
    fixed = {name: number for name, number in rules_of(variant.game).items() if name not in variant.rules}
    return title_of(type(variant.game)(**fixed), more)


def read_variants(kind: type[Any], options: argparse.Namespace) -> list[Variant]:
    base = read_rules(kind, options.rules)
    named_before = {part.partition("=")[0].strip() for text in options.rules for part in text.split(",")}
    varied: dict[str, list[int | None]] = {}
    for text in options.vary:
        name, equals, numbers = (piece.strip() for piece in text.partition("="))
        if not equals or not numbers or name in varied:
            raise Failed(f"Write --vary as name=number,number,..., each name once, not {clipped(text)!r}.")
        if name in named_before:
            raise Failed(f"{clipped(name)} is either varied or fixed by --rules, not both.")
        varied[name] = list(
            dict.fromkeys(read_number(clipped(name), clipped(number.strip())) for number in numbers.split(","))
        )
    count = 1
    for several in varied.values():
        count *= len(several)
    if count > VARIANTS:
        raise Failed(f"{count} combinations are too many to compare: {VARIANTS} at most.")
    fixed = {name: number for name, number in rules_of(base).items() if name in named_before}
    try:
        return variants(kind, fixed, varied)
    except BadRule as bad:
        raise Failed(bad.sentence) from None


def figures(one: Compared) -> dict[str, Any]:
    first = one.first_seat
    return {
        "rules": dict(one.variant.rules),
        "first_seat": None if first is None else first.value,
        "first_seat_stderr": None if first is None else first.stderr,
        "exact": one.exact,
        "turns": one.turns.value,
        "turns_stderr": one.turns.stderr,
        "rolls": one.rolls,
        "comebacks": one.comebacks.value,
        "comebacks_stderr": one.comebacks.stderr,
        "games": one.games,
        "bots": list(one.played),
    }


def told(found: Sequence[Compared], bots: Sequence[str]) -> list[str]:
    head = ("house rules", "first seat wins", "turns", "rolls", "comebacks")
    rows = [head, *(cells(one) for one in found)]
    wide = [max(len(row[nth]) for row in rows) for nth in range(len(head))]
    marks = ["", *(otherwise(one, bots) for one in found)]
    lines = [
        f"  {'  '.join(cell.ljust(width) for cell, width in zip(row, wide, strict=True))}{mark}".rstrip()
        for row, mark in zip(rows, marks, strict=True)
    ]
    return [*lines, "  in parentheses: 95 % intervals", *([HOW_EXACT] if offered(found, bots, marks) else [])]


def offered(found: Sequence[Compared], bots: Sequence[str], marks: Sequence[str]) -> bool:
    """Whether --solve could make exact bots of those that were asked for and did not play."""
    return "exact" in bots and any(marks) and found[0].variant.game.key in RACES


def otherwise(one: Compared, bots: Sequence[str]) -> str:
    """The bots of a row that did not play on the level they were asked for."""
    really = [name_played(asked, played) for asked, played in zip(bots, one.played, strict=True) if asked != played]
    return f"  ({', '.join(dict.fromkeys(really))})" if really else ""


def cells(one: Compared) -> tuple[str, ...]:
    first = "nobody begins" if one.first_seat is None else shown(one.first_seat, 100, 2, exact=one.exact)
    return (
        one.variant.name,
        first,
        shown(one.turns, 1, 2),
        f"{one.rolls:.2f}",
        shown(one.comebacks, 100, 2),
    )


def shown(found: Interval, scale: int, places: int, *, exact: bool = False) -> str:
    """``53.06 % (52.10 to 54.02)``."""
    unit = " %" if scale == 100 else ""
    if exact:
        return f"{scale * found.value:.4f}{unit} exact"
    if found.stderr == inf:
        return f"{scale * found.value:.{places}f}{unit}"
    return f"{scale * found.value:.{places}f}{unit} ({scale * found.low:.{places}f} to {scale * found.high:.{places}f})"
