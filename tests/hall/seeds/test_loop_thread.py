"""The loop behind an interface without await, on a real thread and in real time."""

from __future__ import annotations

import asyncio
import threading

import pytest

from dicehall.hall.seeds.doordice import GameController
from dicehall.hall.seeds.looping import LoopThread
from dicehall.launch.wiring import SealedBox, SystemClock
from tests.hall.seeds.keyboard import FIVE, play_out
from tests.hall.seeds.small_hall import small_hall


def test_work_goes_on_between_two_calls() -> None:
    """Decision 013: this is what asyncio.Runner would not do."""
    loop, done = LoopThread(), threading.Event()

    async def begin() -> str:
        asyncio.get_running_loop().call_later(0.01, done.set)
        return threading.current_thread().name

    assert loop.run(begin()) == "dicehall"
    assert done.wait(5)
    loop.close()
    loop.close()


def test_errors_come_back_to_the_caller() -> None:
    loop = LoopThread()

    async def fail() -> None:
        raise LookupError("in there")

    with pytest.raises(LookupError, match="in there"):
        loop.run(fail())
    loop.close()


def test_a_whole_game_of_do_or_dice_is_played_without_await() -> None:
    """D1, D11."""
    controller = GameController(small_hall(SystemClock(), SealedBox()), LoopThread())
    controller.init_game(FIVE)
    play_out(controller)
    state = controller.get_state_for_ui()
    assert state.game_over
    winner = state.players[state.ranking[0].player_id].name
    assert [one.player_name for one in controller.get_player_stats() if one.wins] == [winner]
    controller.close()
    assert "dicehall" not in {thread.name for thread in threading.enumerate()}
