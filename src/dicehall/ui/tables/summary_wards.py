"""Dice Wards: the pile while it grows, and why the game is over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dicehall.core.game import Over
from dicehall.games.wards.rules import View
from dicehall.ui.tables import summary


class GameSummary(summary.GameSummary):
    def patched(self, view: View, event: Mapping[str, Any]) -> View:
        match event:
            case {"event": "Rolled", "round_score": pile, "face": face}:
                return replace(view, round_score=pile, last_roll=face)
            case {"event": "Held", "seat": seat, "score": score}:
                scores = (score, view.scores[1]) if seat == 0 else (view.scores[0], score)
                return replace(view, round_score=0, scores=scores)
        return view

    def progress(self, view: View) -> str:
        return f"First to hold {view.goal}"

    def notes(self, view: View, over: Over) -> list[str]:
        return [f"The first to hold {view.goal} points wins."]
