"""Aetharn: the dice and scores while a turn is shown, and how places were decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dicehall.core.game import Over, Seat, Seats
from dicehall.games.aetharn import lines
from dicehall.games.aetharn.state import View, standings
from dicehall.games.aetharn.turn import DICE
from dicehall.ui.tables import summary
from dicehall.ui.tables.summary import Standing


class GameSummary(summary.GameSummary):
    def patched(self, view: View, event: Mapping[str, Any]) -> View:
        match event:
            case {"event": "DiceRolled", "dice_values": faces}:
                return replace(view, roll=tuple(faces), held=(), dice_left=len(faces))
            case {"event": "PointsScored", "player": seat, "total_score": total}:
                return replace(view, scores=(*view.scores[:seat], total, *view.scores[seat + 1 :]), turn_points=0)
            case {"event": "TurnStarted"}:
                return replace(view, roll=None, held=(), turn_points=0, dice_left=DICE)
        return view

    def places(self, view: View, seats: int) -> tuple[Seats, ...]:
        return standings(view.scores, frozenset(Seat(int(seat)) for seat in view.out))

    def standings(self, view: View, over: Over, seats: int) -> list[Standing]:
        rows = super().standings(view, over, seats)
        fates = {row.seat: view.out.get(str(row.seat), "") for row in rows}
        return [replace(row, note=fates[row.seat], is_out=bool(fates[row.seat])) for row in rows]

    def progress(self, view: View) -> str:
        return f"First to bank {view.goal}"

    def notes(self, view: View, over: Over) -> list[str]:
        return [lines.ending(over.reason, view.goal), "Places by points; players who are out come last."]
