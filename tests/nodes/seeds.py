"""Seeds of several processes in all weathers, run and checked: `python -m tests.nodes.seeds FIRST LAST`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass

from tests.nodes.checks import check
from tests.nodes.soak import Soak
from tests.nodes.suspension import GatedLoop
from tests.nodes.weather import blow_on
from tests.table.virtual import run


@dataclass(frozen=True, slots=True)
class Wrong:
    check: str
    sentence: str


def wrongs_with(seed: int) -> list[str]:
    soak = Soak(seed)
    run(soak.play(blow_on, soak.chance.choice((1, 1, 2))), soak.cluster.clock, GatedLoop)
    check(soak)
    return soak.wrongs


def first_wrong(seeds: Iterable[int]) -> tuple[int, Wrong] | None:
    """The first seed with which anything is wrong, and what."""
    for seed in seeds:
        if wrongs := wrongs_with(seed):
            return seed, Wrong("several processes are one hall", wrongs[0])
    return None


def main(first: int, last: int) -> int:
    found = 0
    for seed in range(first, last + 1):
        if wrongs := wrongs_with(seed):
            found += 1
            print(f"seed {seed}: {wrongs[0]}", flush=True)
    print(f"{last - first + 1} seeds, {found} of them with something wrong.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
