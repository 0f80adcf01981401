"""The coach at a live table: where what the lab knows meets who asked for a hint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from dicehall.core.game import AnyGame, Seat
from dicehall.lab.advice import advise
from dicehall.lab.review import Made, review
from dicehall.lab.shown import show_choice, show_worded_advice
from dicehall.launch.worker import Worker
from dicehall.server.bodies import Advice, Reviewed
from dicehall.server.parts import MadeChoice
from dicehall.wire.languages import ENGLISH

SECONDS = 20.0  # that one hint may take
MOST_WAITING = 16  # hints
MOST_EACH = 4  # of one address


@dataclass(frozen=True, slots=True)
class Coach:
    """Thinks in a process of its own, for seconds in DO or DICE: neither the hall nor its bots wait for it."""

    worker: Worker = field(default_factory=lambda: Worker(SECONDS, MOST_WAITING, MOST_EACH))

    async def advise(
        self,
        address: str,
        game: AnyGame,
        names: Sequence[str],
        view: Any,
        seat: Seat,
        choices: Sequence[Any],
        seed: str,
        language: str = ENGLISH,
    ) -> Advice:
        advice = await self.worker.run(advise, game, len(names), view, seat, choices, seed, who=address)
        return msgspec.convert(show_worded_advice(game, advice, view, seat, names, language), Advice)

    async def review(
        self,
        address: str,
        game: AnyGame,
        names: Sequence[str],
        seat: Seat,
        turn: Sequence[MadeChoice],
        language: str = ENGLISH,
    ) -> Reviewed:
        made = [Made(one.view, one.choices, one.action) for one in turn]
        found = await self.worker.run(review, game, tuple(names), seat, made, language, who=address)
        mistake = None if found.mistake is None else show_choice(game, names[seat], found.mistake, language)
        return msgspec.convert({"n": 0, "judged": found.judged, "mistake": mistake}, Reviewed)

    def close(self) -> None:
        self.worker.close()
