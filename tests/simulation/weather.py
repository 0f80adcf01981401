"""The weather of a run: which faults come, how often, and until when. Each seed draws its own mixture."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

BLOWS = ("crash", "unreach", "forward", "back", "suspend", "cut")


@dataclass(frozen=True, slots=True)
class Weather:
    storm_s: float  # after this many seconds all faults stop
    every_s: float  # between two blows
    blows: tuple[str, ...]
    slow: float  # shares of commits
    failing: float
    uncertain: float
    dying: float  # the process ends just before or just after the commit is durable
    telling: float  # share of pushes in which the process ends between apply and tell
    lost: float  # shares of messages
    doubled: float
    late: float
    flaky: float  # share of updates with which their connection breaks


def forecast(chance: Random) -> Weather:
    """Swarm testing: leaving kinds of faults out finds more than having all of them always."""
    if chance.random() < 0.08:
        return Weather(0.0, 1.0, (), 0, 0, 0, 0, 0, 0, 0, 0, 0)

    def some(most: float) -> float:
        return chance.random() * most if chance.random() < 0.5 else 0.0

    return Weather(
        storm_s=chance.uniform(10, 35),
        every_s=chance.uniform(2, 12),
        blows=tuple(blow for blow in BLOWS if chance.random() < 0.5),
        slow=some(0.4),
        failing=some(0.15),
        uncertain=some(0.2),
        dying=some(0.05),
        telling=some(0.02),
        lost=some(0.15),
        doubled=some(0.2),
        late=some(0.15),
        flaky=some(0.05),
    )


# How long a blow lasts, in seconds: often too short to be an outage, sometimes just long enough, sometimes long.
def length(chance: Random) -> float:
    return chance.choice((chance.uniform(0.05, 1.0), chance.uniform(1.0, 4.5), chance.uniform(4.5, 25.0)))
