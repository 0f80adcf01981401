"""How many rolls a second are scored by table lookup, for both games of the Farkle family.

    python bench/scoring.py [ROLLS]

Rolls of six dice at random, each scored as it fell by `table.scoring[roll]`. Prints one JSON line; `ratio` is to the
million a second that is required.
"""

from __future__ import annotations

import json
import sys
from random import Random
from time import process_time

from dicehall.core.game import Faces
from dicehall.games.aetharn.scoring import TABLE as AETHARN
from dicehall.games.farkle import ScoreTable
from dicehall.games.tenthousand.scoring import TABLE as TENTHOUSAND

ROLLS = 2_000_000
DIFFERENT = 200_000  # rolls kept ready: all 46 656 of six dice are among them
WANTED = 1_000_000
TABLES = {"aetharn": AETHARN, "tenthousand": TENTHOUSAND}


def rolls(count: int, chance: Random) -> list[Faces]:
    return [tuple(chance.choices(range(1, 7), k=6)) for _ in range(count)]


def speed(table: ScoreTable, thrown: list[Faces], count: int) -> float:
    """Rolls scored in a second, once each has been seen."""
    scoring = table.scoring
    points = sum(scoring[roll].points for roll in thrown)
    rounds = max(1, count // len(thrown))
    started = process_time()
    again = 0
    for _ in range(rounds):
        for roll in thrown:
            again += scoring[roll].points
    took = process_time() - started
    assert again == points * rounds, "a lookup gave something else than before"
    return rounds * len(thrown) / took


def main(count: int) -> int:
    thrown = rolls(min(count, DIFFERENT), Random(1))
    speeds = {name: round(speed(table, thrown, count)) for name, table in TABLES.items()}
    ratio = round(min(speeds.values()) / WANTED, 2)
    print(json.dumps({"bench": "scoring", "rolls_per_second": speeds, "ratio": ratio, "enough": ratio >= 1}))
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else ROLLS))
