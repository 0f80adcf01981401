"""Break the code on purpose and see that the simulations notice: `python -m tools.controls [name ...]`.

One line per deliberate bug: its name, the first seed that finds it, and by which check. Exit code 1 if one is missed.
"""

from __future__ import annotations

import signal
import sys
import time
from multiprocessing import get_context
from typing import Protocol

from tests.nodes import seeds as node_seeds
from tests.referee.simulation import seeds as referee_seeds
from tests.simulation import seeds as table_seeds
from tools.bugs import BUGS, NODE_BUGS, REFEREE_BUGS

SEEDS = 2_000
REFEREE_SEEDS = 2_000  # each has several matches; the rarest bug was found at seed 944
MISSED = "   -"
NODE_SEEDS = 600  # the rarest bug was found at seed 195
ALL_BUGS = BUGS | NODE_BUGS | REFEREE_BUGS


class Wrong(Protocol):
    """What a simulation found."""

    @property
    def check(self) -> str: ...
    @property
    def sentence(self) -> str: ...


Found = tuple[int, Wrong] | None


def found(name: str, seeds: int | None = None) -> Found:
    """The first seed that finds this bug, and how."""
    with ALL_BUGS[name]():
        if name in REFEREE_BUGS:
            return referee_seeds.first_wrong(range(seeds or REFEREE_SEEDS))
        if name in NODE_BUGS:
            return node_seeds.first_wrong(range(seeds or NODE_SEEDS))
        return table_seeds.first_wrong(range(seeds or SEEDS))


def tried(name: str) -> tuple[str, Found, float]:
    began = time.process_time()
    return name, found(name), time.process_time() - began


def judged(caught: Found) -> tuple[str, str]:
    """The seed and the check that found a bug. A patch that only falls over itself shows nothing."""
    if caught is None:
        return MISSED, "NOT FOUND"
    seed, wrong = caught
    if wrong.check in ("the host never stumbles", "the referee never stumbles", "runs come to an end"):
        return MISSED, f"THE BUG ITSELF IS BROKEN: {wrong.sentence}"
    return f"{seed:4}", wrong.check


def main(names: list[str]) -> int:
    if {"-h", "--help"} & set(names):
        print(__doc__, "Bugs:", *ALL_BUGS, sep="\n  ")
        return 0
    unknown = [name for name in names if name not in ALL_BUGS]
    if unknown:
        print(f"No such bug: {', '.join(unknown)}. There are:", *ALL_BUGS, sep="\n  ", file=sys.stderr)
        return 2
    width = max(map(len, ALL_BUGS))
    missed = 0
    print(f"{'bug':{width}}  seed  check")
    with get_context("fork").Pool(2, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        try:
            for name, caught, seconds in pool.imap(tried, names or list(ALL_BUGS)):
                seed, check = judged(caught)
                missed += seed == MISSED
                print(f"{name:{width}}  {seed}  {check} ({seconds:.1f} s)", flush=True)
        except KeyboardInterrupt:
            print("\nStopped.", file=sys.stderr)
            return 130
    print(f"{len(names or ALL_BUGS) - missed} of {len(names or ALL_BUGS)} deliberate bugs found.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
