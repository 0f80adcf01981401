"""``python -m tools.solving``: write the tables that ship with the package anew, where the rules have changed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from time import perf_counter

from dicehall.games import catalogue
from dicehall.solvers.certifying import certify
from dicehall.solvers.keeping import keep, load, shipped_file
from dicehall.solvers.races import RACES
from dicehall.solvers.shape import explore
from dicehall.solvers.solving import solve

PAIRS = 50


def main(argv: Sequence[str]) -> int:
    """Solve what is named, or all races; one whose shipped table is of the present rules is left as it is."""
    wanted = [word for word in argv if not word.startswith("-")] or list(RACES)
    return max(write(key, anew="--anew" in argv) for key in wanted)


def write(key: str, *, anew: bool) -> int:
    shape, file = explore(RACES[key](catalogue()[key]())).shape, shipped_file(key)
    if load(file, shape) is not None and not anew:
        print(f"{key}: {file.name} is of these rules.")
        return 0
    begun = perf_counter()
    chances = solve(shape)
    seconds = perf_counter() - begun
    residual = certify(shape, chances, PAIRS)
    print(f"{key}: {len(chances)} pairs in {seconds:.1f} s, first seat {chances[0]:.7f}, residual {residual:.1e}")
    if residual > 1e-12 or not keep(file, shape, chances):
        print(f"{key}: not written.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
