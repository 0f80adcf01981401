"""Seeds, run and judged one after the other."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from tests.referee.simulation.judge import judge
from tests.referee.simulation.world import World, Wrong


def wrong_with(seed: int) -> Wrong | None:
    """The first thing that is wrong with this seed, if anything is."""
    world = World(seed)
    with without_logs():
        try:
            world.run()
            wrongs = judge(world)
        except Exception as broken:
            wrongs = [*world.wrongs, Wrong("runs come to an end", "", repr(broken))]
    return wrongs[0] if wrongs else None


@contextmanager
def without_logs() -> Iterator[None]:
    """Thousands of troubles are made on purpose here; other tests in this process read the log."""
    log = logging.getLogger("dicehall")
    level = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(level)


def first_wrong(seeds: Iterable[int]) -> tuple[int, Wrong] | None:
    for seed in seeds:
        if (wrong := wrong_with(seed)) is not None:
            return seed, wrong
    return None


def told(seed: int, wrong: Wrong) -> str:
    again = f"python -m tests.referee.simulation {seed}"
    return f"seed {seed} ({wrong.check}) {wrong.match_id}: {wrong.sentence}\nReplay it with: {again}"
