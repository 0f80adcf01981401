"""Whether sealed dice are even: a chi-square test over many faces for several numbers of sides (C1).

    python bench/chi_square.py [FACES] [SEED]

FACES is how many faces to draw for each number of sides (10 000 000 unless said otherwise); SEED repeats a
run by the hex digits it printed. Prints one JSON line and exits with 1 if a p-value is below one in a million.
"""

from __future__ import annotations

import json
import math
import secrets
import sys
from collections import Counter
from hashlib import sha256
from time import perf_counter

from dicehall.dice.chain import LENGTH, Chain
from dicehall.dice.sealed import Sealed

FACES = 10_000_000
SIDES = (2, 3, 6, 256, 300)
DICE = 500  # in one roll, which keeps the hashing of chains small beside the drawing
LEAST = 1e-6


def counted(sides: int, faces: int, seed: bytes) -> Counter[int]:
    """How often each face came in rolls of sealed dice, from as many chains as that takes."""
    counts: Counter[int] = Counter()
    rolls = -(-faces // DICE)
    for first in range(0, rolls, LENGTH):
        key = sha256(seed + b"%d/%d" % (sides, first)).digest()
        dice = Sealed(Chain(key), sha256(key).digest(), stored=0)
        for _ in range(min(LENGTH, rolls - first)):
            counts.update(dice.roll((sides,) * DICE))
    return counts


def p_value(counts: Counter[int], sides: int) -> float:
    """How likely fair dice are at least as uneven as this."""
    expected = counts.total() / sides
    chi_square = sum((counts[face] - expected) ** 2 for face in range(1, sides + 1)) / expected
    return upper_gamma((sides - 1) / 2, chi_square / 2)


def upper_gamma(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function Q(a, x)."""
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    return 1 - scale * series(a, x) if x < a + 1 else scale * fraction(a, x)


def series(a: float, x: float) -> float:
    term = total = 1 / a
    while term > total * 1e-16:
        a += 1
        term *= x / a
        total += term
    return total


def fraction(a: float, x: float) -> float:
    """Legendre's continued fraction, from its 500th step upwards."""
    below = x + 2 * 500 + 1 - a
    for i in range(500, 0, -1):
        below = x + 2 * i - 1 - a - i * (i - a) / below
    return 1 / below


def main(faces: int, seed: bytes) -> int:
    started = perf_counter()
    values = {sides: p_value(counted(sides, faces, seed), sides) for sides in SIDES}
    even = all(value >= LEAST for value in values.values())
    took = round(perf_counter() - started, 1)
    line = {"bench": "chi_square", "faces": faces, "seed": seed.hex(), "p": values, "even": even, "seconds": took}
    print(json.dumps(line))
    return 0 if even else 1


if __name__ == "__main__":
    said = sys.argv[1:]
    sys.exit(main(int(said[0]) if said else FACES, bytes.fromhex(said[1]) if said[1:] else secrets.token_bytes(16)))
