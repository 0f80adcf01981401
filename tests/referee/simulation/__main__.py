"""Run seeds again: python -m tests.referee.simulation FIRST [LAST]."""

from __future__ import annotations

import sys

from tests.referee.simulation.judge import judge
from tests.referee.simulation.world import World


def main(words: list[str]) -> int:
    if not 1 <= len(words) <= 2 or not all(word.isdigit() for word in words):
        print(__doc__, file=sys.stderr)
        return 2
    found = 0
    for seed in range(int(words[0]), int(words[-1]) + 1):
        world = World(seed).run()
        wrongs = judge(world)
        found += len(wrongs)
        print(f"{seed}: {world.clock.elapsed:.0f} s, {len(world.kills)} kills, {len(world.said)} statements")
        for player in world.players if len(words) == 1 else ():
            print(f"  {player.match_id} {player.seat} {player.character}")
        for wrong in wrongs:
            print(f"  WRONG ({wrong.check}) {wrong.match_id}: {wrong.sentence}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
