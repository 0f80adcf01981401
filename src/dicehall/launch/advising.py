"""The coach at a live table: where what the lab knows meets who asked for a hint."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec

from dicehall.core.game import AnyGame, Seat
from dicehall.lab.advice import advise
from dicehall.lab.shown import show_advice
from dicehall.server.bodies import Advice


async def advise_aside(game: AnyGame, seats: int, view: Any, seat: Seat, choices: Sequence[Any], seed: str) -> Advice:
    """Thought out on a thread, so that nobody else waits for it."""
    advice = await asyncio.to_thread(advise, game, seats, view, seat, choices, seed)
    return msgspec.convert(show_advice(game, advice), Advice)
