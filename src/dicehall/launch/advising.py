"""The coach at a live table: where what the lab knows meets who asked for a hint."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from dicehall.core.game import AnyGame, Seat
from dicehall.lab.advice import Advice, advise
from dicehall.server import bodies
from dicehall.solvers.answers import Worth
from dicehall.wire.actions import codec_of


async def advise_aside(
    game: AnyGame, seats: int, view: Any, seat: Seat, choices: Sequence[Any], seed: str
) -> bodies.Advice:
    """Thought out on a thread, so that nobody else waits for it."""
    return show_advice(game, await asyncio.to_thread(advise, game, seats, view, seat, choices, seed))


def show_advice(game: AnyGame, advice: Advice) -> bodies.Advice:
    worths = [show_worth(game, worth) for worth in advice.worths]
    return bodies.Advice(best=codec_of(type(game)).encode(advice.best), worths=worths, note=advice.note)


def show_worth(game: AnyGame, worth: Worth) -> bodies.ChoiceWorth:
    move = codec_of(type(game)).encode(worth.action)
    return bodies.ChoiceWorth(move=move, chance=worth.chance.value, stderr=worth.chance.stderr)
