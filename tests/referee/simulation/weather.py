"""The weather of a run: which faults come, how often, and until when. Each seed draws its own mixture."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

BLOWS = ("crash", "relay", "mint", "cut", "forget")


@dataclass(frozen=True, slots=True)
class Weather:
    storm_s: float = 0.0  # after this many seconds all faults stop
    every_s: float = 10.0  # between two blows
    blows: tuple[str, ...] = ()
    lost: float = 0.0  # shares of messages
    doubled: float = 0.0
    late_s: float = 0.1  # the longest delay of a message
    dying: float = 0.0  # share of commits, publications and calls to the mint around which the process is killed
    failing: float = 0.0  # shares of calls to the mint
    unanswered: float = 0.0
    repeated: float = 0.0
    hostile: float = 0.0  # hostile events a second


def forecast(chance: Random) -> Weather:
    """Leaving kinds of faults out finds more than having all of them always."""
    if chance.random() < 0.1:
        return Weather()

    def some(most: float) -> float:
        return chance.random() * most if chance.random() < 0.5 else 0.0

    return Weather(
        storm_s=chance.uniform(40, 160),
        every_s=chance.uniform(4, 30),
        blows=tuple(blow for blow in BLOWS if chance.random() < 0.5),
        lost=some(0.1),
        doubled=some(0.3),
        late_s=chance.choice((0.01, 0.3, 3.0)),
        dying=some(0.05),
        failing=some(0.2),
        unanswered=some(0.3),
        repeated=some(0.3),
        hostile=chance.choice((0.0, 0.2, 2.0)),
    )


def length(chance: Random) -> float:
    """Of an outage in seconds: shorter or longer than a phase of a match."""
    return chance.choice((chance.uniform(0.05, 1.0), chance.uniform(1.0, 10.0), chance.uniform(30.0, 120.0)))
