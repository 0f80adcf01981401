"""``dicehall solve``: show the chances of perfect play in a race game, from a table that is ready or computed now."""

from __future__ import annotations

import argparse
from time import perf_counter
from typing import TYPE_CHECKING, Any

from dicehall.core.house import rules_of
from dicehall.games import Catalogue
from dicehall.launch.cluster import add_cluster, cluster_of
from dicehall.launch.game_list import named
from dicehall.launch.output import Failed, Help, write_json
from dicehall.launch.play import read_rules
from dicehall.launch.progress import progress_bar

if TYPE_CHECKING:
    from dicehall.solvers.duel import Duel, Source

PAIRS = 200  # that --certify looks at

EXAMPLES = f"""examples:
  dicehall solve wards
  dicehall solve aetharn --rules goal=2000,hot_dice=0
  dicehall solve tenthousand --certify --json
  dicehall solve aetharn --rules goal=20000 --cluster tcp://10.0.0.5:8786

The tables for the default rules are included. Other house rules are solved, which takes seconds to minutes, and kept
in the folder named by DICEHALL_CACHE or your system's cache; the extra "fast" (numba) makes it some fifty times
quicker. --certify plays out one turn at {PAIRS} random pairs of scores and prints the largest difference to the table.
With --json: {{game, rules, first_seat, states, residual, seconds, source}}; source is shipped, cached or solved.
"""

SOURCES = {"shipped": "from the shipped table", "cached": "from an earlier run", "solved": "solved now"}
INSTEAD = {
    "mana": "Mana is not solved in advance: each match is solved from its two armies as it is played or analysed.",
    "doordice": "DO or DICE has no exact solution. Its chances are estimated by rollouts.",
}


def add(commands: Any, games: Catalogue) -> None:
    command = commands.add_parser(
        "solve", help="show the chances of perfect play", description=__doc__, epilog=EXAMPLES, formatter_class=Help
    )
    command.add_argument("game", metavar="GAME", help="wards, aetharn or tenthousand")
    command.add_argument("--rules", metavar="NAME=N,...", action="append", default=[], help="house rules")
    command.add_argument("--certify", action="store_true", help=f"check the table at {PAIRS} random pairs of scores")
    add_cluster(command)
    command.add_argument("--json", action="store_true", help="print one line of JSON")
    command.set_defaults(command=run)


def run(options: argparse.Namespace, games: Catalogue) -> int:
    from dicehall.solvers.certifying import certify  # here: no other command waits for it

    game = read_rules(named(options.game, games), options.rules)
    begun = perf_counter()
    duel, source = solved(game, options)
    seconds = perf_counter() - begun
    residual = None
    if options.certify:
        with progress_bar("Certifying") as progress:
            residual = certify(duel.shape, duel.chances, PAIRS, progress=progress)
    tell = tell_json if options.json else tell_people
    tell(game, duel, source, residual, seconds)
    return 0


def solved(game: Any, options: argparse.Namespace) -> tuple[Duel, Source]:
    """With where it came from: what a cluster solves is kept first and then found."""
    from dicehall.solvers.finding import find
    from dicehall.solvers.race import Unsolvable
    from dicehall.solvers.races import RACES

    if game.key not in RACES:
        other = f"{game.key} is not a race game, so it cannot be solved here. Race games: {', '.join(RACES)}."
        raise Failed(INSTEAD.get(game.key, other))
    try:
        with cluster_of(options) as cluster, progress_bar(f"Solving {game.key}") as progress:
            by_cluster = cluster is not None and cluster.prepare(game, progress)
            duel: Any = find(game, 2, solve=True, progress=progress)
    except Unsolvable as cannot:
        raise Failed(str(cannot)) from None
    found: Duel = duel
    return found, "solved" if by_cluster else found.source


def tell_json(game: Any, duel: Duel, source: Source, residual: float | None, seconds: float) -> None:
    write_json(
        {
            "game": game.key,
            "rules": rules_of(game),
            "first_seat": duel.first_seat,
            "states": len(duel.chances),
            "residual": residual,
            "seconds": round(seconds, 3),
            "source": source,
        }
    )


def tell_people(game: Any, duel: Duel, source: Source, residual: float | None, seconds: float) -> None:
    rules = ", ".join(f"{name} {'none' if number is None else number}" for name, number in rules_of(game).items())
    print(f"{game.key} ({rules}), two seats, both perfect:")
    print(f"  the first seat wins {100 * duel.first_seat:.4f} %")
    print(f"  {len(duel.chances):,} score pairs, {SOURCES[source]} ({seconds:.2f} s)")
    if residual is not None:
        print(f"  largest difference after one turn at {PAIRS} random pairs: {residual:.1e}")
