"""Run one seed again: python -m tests.simulation SEED [--trace]."""

from __future__ import annotations

import sys

from tests.simulation.checks import check
from tests.simulation.world import simulate


def main(words: list[str]) -> int:
    numbers = [int(word) for word in words if word.isdigit()]
    if len(numbers) != 1 or set(words) - {str(numbers[0]), "--trace"}:
        print(__doc__, file=sys.stderr)
        return 2
    world = simulate(numbers[0], traced=True)
    wrongs = check(world)
    if "--trace" in words:
        for elapsed, text in world.notes:
            print(f"{elapsed:9.3f}  {text}")
    print(world.weather)
    for setup in world.setups:
        phase = world.chronicles[setup.table].state.phase if setup.table in world.chronicles else "never opened"
        print(f"{setup.table}: {setup.game}, {[sorted(traits) for traits in setup.people]}: {phase}")
    for wrong in wrongs:
        print(f"WRONG ({wrong.check}) {wrong.table}: {wrong.sentence}")
    return 1 if wrongs else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
