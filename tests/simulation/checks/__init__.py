"""The checker: what must hold of every run, whatever went wrong in it."""

from __future__ import annotations

from tests.simulation.checks import answers, dice, ends, presence, stories, times
from tests.simulation.world import World, Wrong

CHECKS = (times, answers, stories, presence, dice, ends)


def check(world: World) -> list[Wrong]:
    """All that was wrong with a run, what was seen while it ran first."""
    for part in CHECKS:
        part.check(world)
    return world.wrongs
