"""The coach of a hall: the same answers as anywhere, and the event loop is free while it thinks."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import Any

import msgspec

from dicehall.core.fold import play
from dicehall.core.game import Move, Roll, Seat
from dicehall.games.doordice.rules import Action, DoOrDice, Word
from dicehall.lab.advice import advise
from dicehall.lab.shown import show_worded_advice
from dicehall.launch.advising import Coach
from dicehall.server.bodies import Advice

GAME, ME = DoOrDice(rounds=1), Seat(0)
NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve")
TURNS = 10_000
HERE = "127.0.0.1"


def test_the_event_loop_is_free_while_the_coach_thinks() -> None:
    asyncio.run(ask_while_the_loop_turns())


async def ask_while_the_loop_turns() -> None:
    """As long as its process is held still, the coach thinks; a thread could not be held."""
    coach, (jab, strike) = Coach(), (position(face) for face in (2, 4))
    try:
        assert await coach.advise(HERE, *jab) == advised(*jab)
        (process,) = pool_of(coach)._processes.values()
        os.kill(process.pid, signal.SIGSTOP)
        asked = asyncio.ensure_future(coach.advise(HERE, *strike))
        for _ in range(TURNS):
            await asyncio.sleep(0)
        assert not asked.done()
        os.kill(process.pid, signal.SIGCONT)
        assert await asked == advised(*strike)
        manager = pool_of(coach)._executor_manager_thread  # sees the process off
    finally:
        coach.close()
    await asyncio.to_thread(manager.join)


def position(face: int) -> tuple[Any, ...]:
    """What the coach is asked of a seat that rolled this."""
    rolls: Move[Action] = Move(ME, Word.ROLL)
    state = play(GAME, play(GAME, GAME.start(5), rolls).state, Roll((face,))).state
    return GAME, NAMES, GAME.view(state, ME), ME, GAME.choices(state, ME), "seed"


def advised(game: Any, names: Any, view: Any, seat: Seat, choices: Any, seed: str) -> Advice:
    advice = advise(game, len(names), view, seat, choices, seed)
    return msgspec.convert(show_worded_advice(game, advice, view, seat, names), Advice)


def pool_of(coach: Coach) -> Any:
    return coach.worker.ready()
