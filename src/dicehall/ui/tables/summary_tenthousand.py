"""Dice 10 000: the dice while a turn is shown, and why the game is over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dicehall.core.game import Over
from dicehall.games.tenthousand.state import View
from dicehall.ui.tables import summary


class GameSummary(summary.GameSummary):
    def patched(self, view: View, event: Mapping[str, Any]) -> View:
        match event:
            case {"event": "Rolled", "faces": faces}:
                return replace(view, roll=tuple(faces), locked=(), dice_left=len(faces))
            case {"event": "Yielded", "seat": seat, "score": score}:
                return replace(view, scores=(*view.scores[:seat], score, *view.scores[seat + 1 :]), turn_points=0)
            case {"event": "TurnStarted"}:
                return replace(view, roll=None, locked=(), turn_points=0, dice_left=0)
        return view

    def progress(self, view: View) -> str:
        return f"First to earn {view.goal}"

    def notes(self, view: View, over: Over) -> list[str]:
        return [f"The first to earn {view.goal} points wins."]
