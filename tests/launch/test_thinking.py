from __future__ import annotations

import asyncio
import os
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dicehall.bots.levels import bots_for
from dicehall.core.game import Seat
from dicehall.games.wards.rules import ACTIONS, Wards
from dicehall.launch.thinking import Thinkers
from tests.launch.running import run

GAME, ME = Wards(), Seat(0)


@pytest.fixture(autouse=True)
def no_tables_of_mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DICEHALL_CACHE", f"{tmp_path}")


def test_hard_thinking_is_done_in_another_process_which_is_replaced_if_it_dies() -> None:
    asyncio.run(think_twice())


async def think_twice() -> None:
    thinkers, view = Thinkers(), GAME.view(GAME.start(2), ME)
    wanted = bots_for(GAME)["exact"](view, ME, ACTIONS, Random("seed"))
    try:
        assert await thinkers.choose(GAME, "exact", view, ME, ACTIONS, "seed") is wanted
        (process,) = pool_of(thinkers)._processes.values()
        process.kill()
        process.join()
        assert await thinkers.choose(GAME, "exact", view, ME, ACTIONS, "seed") is wanted
        assert await thinkers.plays_as(Wards(goal=78), "exact", 2) == "good"
        (process,) = pool_of(thinkers)._processes.values()
        manager = pool_of(thinkers)._executor_manager_thread  # sees the processes off
    finally:
        thinkers.close()
    await asyncio.to_thread(manager.join)
    with pytest.raises(ProcessLookupError):
        os.kill(process.pid, 0)


def pool_of(thinkers: Thinkers) -> Any:
    return thinkers.ready()


def test_quick_levels_and_unknown_ones_need_no_process() -> None:
    async def choose() -> None:
        thinkers, view = Thinkers(), GAME.view(GAME.start(2), ME)
        for level in ("random", "greedy", "a level of long ago"):
            assert await thinkers.choose(GAME, level, view, ME, ACTIONS, "seed") in ACTIONS
        assert await thinkers.plays_as(GAME, "greedy", 2) == "greedy"
        assert thinkers.pool is None

    asyncio.run(choose())


def test_a_bots_name_says_which_level_it_really_plays_on() -> None:
    usual = run("play", "wards", "--bot", "exact", "--seed", "a")
    assert usual.out.startswith("Dice Wards: Player 1 and Kaya (Exact).")
    house = run("play", "wards", "--bot", "exact", "--seed", "a", "--rules", "goal=78")
    assert house.out.startswith("Dice Wards: Player 1 and Kaya (Exact, as Good).")
