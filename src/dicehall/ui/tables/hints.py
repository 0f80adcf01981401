"""The coach's advice as a screen shows it, whether it was thought out here or at a server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dicehall.core.game import AnyGame, Seat
from dicehall.lab.advice import Advice
from dicehall.lab.shown import show_advice
from dicehall.lab.spoken import move_text, percent
from dicehall.ui.tables.game_table import Hint
from dicehall.wire.actions import codec_of

SHOWN = 5  # choices that a hint compares


def hint_of(game: AnyGame, view: Any, names: Sequence[str], seat: Seat, advice: Advice) -> Hint:
    return hint_from_wire(game, view, names, seat, show_advice(game, advice))


def hint_from_wire(game: AnyGame, view: Any, names: Sequence[str], seat: Seat, advice: Mapping[str, Any]) -> Hint:
    def typed(move: Any) -> str:
        return move_text(game, view, names, seat, codec_of(type(game)).decode(move))

    worths = advice["worths"][:SHOWN]
    rows = tuple((typed(worth["move"]), f"{percent(worth['chance'])} to win") for worth in worths)
    return Hint(typed(advice["best"]), rows, advice["note"])
