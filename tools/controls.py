"""Break the code on purpose and see that the simulation notices: `python -m tools.controls [name ...]`.

One line per deliberate bug: its name, the first seed that finds it, and by which check. Exit code 1 if one is missed.
"""

from __future__ import annotations

import sys
import time
from multiprocessing import get_context

from tests.simulation.seeds import first_wrong
from tests.simulation.world import Wrong
from tools.bugs import BUGS

SEEDS = 2_000
MISSED = "   -"


def found(name: str, seeds: int = SEEDS) -> tuple[int, Wrong] | None:
    """The first seed that finds this bug, and how."""
    with BUGS[name]():
        return first_wrong(range(seeds))


def tried(name: str) -> tuple[str, tuple[int, Wrong] | None, float]:
    began = time.process_time()
    return name, found(name), time.process_time() - began


def judged(caught: tuple[int, Wrong] | None) -> tuple[str, str]:
    """The seed and the check that found a bug. A patch that only falls over itself shows nothing."""
    if caught is None:
        return MISSED, f"NOT FOUND in {SEEDS} seeds"
    seed, wrong = caught
    if wrong.check in ("the host never stumbles", "runs come to an end"):
        return MISSED, f"THE BUG ITSELF IS BROKEN: {wrong.sentence}"
    return f"{seed:4}", wrong.check


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in BUGS]
    if unknown:
        print(f"No such bug: {', '.join(unknown)}. There are:", *BUGS, sep="\n  ", file=sys.stderr)
        return 2
    width = max(map(len, BUGS))
    missed = 0
    print(f"{'bug':{width}}  seed  check")
    with get_context("fork").Pool(2) as pool:
        for name, caught, seconds in pool.imap(tried, names or list(BUGS)):
            seed, check = judged(caught)
            missed += seed == MISSED
            print(f"{name:{width}}  {seed}  {check} ({seconds:.1f} s)", flush=True)
    print(f"{len(names or BUGS) - missed} of {len(names or BUGS)} deliberate bugs found.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
