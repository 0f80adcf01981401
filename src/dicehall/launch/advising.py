"""The coach at a live table: where what the lab knows meets who asked for a hint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from dicehall.core.game import AnyGame, Seat
from dicehall.lab.advice import advise
from dicehall.lab.shown import show_advice
from dicehall.launch.worker import Worker
from dicehall.server.bodies import Advice

SECONDS = 20.0  # that one hint may take
MOST_WAITING = 16  # hints
MOST_EACH = 4  # of one address


@dataclass(frozen=True, slots=True)
class Coach:
    """Thinks in a process of its own, for seconds in DO or DICE: neither the hall nor its bots wait for it."""

    worker: Worker = field(default_factory=lambda: Worker(SECONDS, MOST_WAITING, MOST_EACH))

    async def advise(
        self, address: str, game: AnyGame, seats: int, view: Any, seat: Seat, choices: Sequence[Any], seed: str
    ) -> Advice:
        advice = await self.worker.run(advise, game, seats, view, seat, choices, seed, who=address)
        return msgspec.convert(show_advice(game, advice), Advice)

    def close(self) -> None:
        self.worker.close()
