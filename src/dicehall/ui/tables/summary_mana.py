"""Mana: rounds and damage in the standings, and how the match was decided."""

from __future__ import annotations

from typing import Any

from dicehall.core.game import Over, Seats
from dicehall.games.mana import lines
from dicehall.games.mana.rules import View, result
from dicehall.ui.tables import summary
from dicehall.ui.tables.summary import Standing
from dicehall.wire.results import numbered_places


class GameSummary(summary.GameSummary):
    def __init__(self, game: Any) -> None:
        self.headings = ("rounds", "damage")

    def places(self, view: View, seats: int) -> tuple[Seats, ...]:
        return result(view.wins, view.damage).places

    def standings(self, view: View, over: Over, seats: int) -> list[Standing]:
        rows = numbered_places(over)
        return [Standing(place, seat, (str(view.wins[seat]), str(view.damage[seat]))) for place, seat in rows]

    def notes(self, view: View, over: Over) -> list[str]:
        return [lines.ORDER]
