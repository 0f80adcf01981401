"""How long the race games take to solve, in plain Python and compiled, and how exact the answers are.

    python bench/solving.py [--all]

Prints one JSON line for each: CPU seconds in plain Python and compiled (null without the extra `fast`), the largest
difference between the two tables, and the Bellman residual at 50 random pairs of scores. Without --all the two games of
the Farkle family are solved in plain Python with a low goal only: with their own goals that takes minutes.
"""

from __future__ import annotations

import json
import sys
from time import process_time
from typing import Any

from dicehall.games import catalogue
from dicehall.solvers.certifying import certify
from dicehall.solvers.compiling import compiled
from dicehall.solvers.races import RACES
from dicehall.solvers.shape import Shape, explore
from dicehall.solvers.solving import Chances, solve

PAIRS = 50
RULES: tuple[tuple[str, dict[str, int]], ...] = (
    ("wards", {}),
    ("aetharn", {"goal": 1500}),
    ("tenthousand", {"goal": 2000}),
    ("aetharn", {}),
    ("tenthousand", {}),
)


def timed(shape: Shape, *, fast: bool) -> tuple[Chances, float]:
    started = process_time()
    chances = solve(shape, fast=fast)
    return chances, round(process_time() - started, 2)


def line(key: str, rules: dict[str, int], *, plainly: bool) -> dict[str, Any]:
    started = process_time()
    shape = explore(RACES[key](catalogue()[key](**rules))).shape
    told: dict[str, Any] = {"bench": "solving", "game": key, "rules": rules}
    told |= {"pairs": len(shape.scores) ** 2, "explored": round(process_time() - started, 2)}
    plain, told["plain"] = timed(shape, fast=False) if plainly else (None, None)
    fast, told["compiled"] = timed(shape, fast=True) if compiled() else (None, None)
    chances = plain if fast is None else fast
    if plain is not None and fast is not None:
        told["difference"] = max(abs(one - other) for one, other in zip(plain, fast, strict=True))
    if chances is not None:
        told |= {"first_seat": chances[0], "residual": certify(shape, chances, PAIRS)}
    return told


def main(everything: bool) -> int:
    if compiled():
        solve(
            explore(RACES["aetharn"](catalogue()["aetharn"](goal=1500))).shape
        )  # the compiler's own time is not the solver's
    for key, rules in RULES:
        print(json.dumps(line(key, rules, plainly=everything or bool(rules) or key == "wards")), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main("--all" in sys.argv[1:]))
