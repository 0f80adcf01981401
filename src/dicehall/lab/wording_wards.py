"""Dice Wards in words: ``Behind 65 to 85 with 22 on the pile``."""

from __future__ import annotations

from collections.abc import Sequence

from dicehall.core.game import Seat
from dicehall.games.wards.rules import Action, View
from dicehall.lab.wording import Deed, ShownDie, standing


def situation(view: View, seat: Seat, names: Sequence[str]) -> str:
    pile = f" with {view.round_score} on the pile" if view.round_score else ""
    return f"{standing(view.scores, seat)}{pile}"


def deed(view: View, seat: Seat, action: Action, names: Sequence[str]) -> Deed:
    if action is Action.HOLD:
        return Deed("held", "holding", "Hold")
    again = " again" if view.round_score else ""
    return Deed(f"rolled{again}", f"rolling{again}", f"Roll{again}")


def dice(view: View) -> tuple[ShownDie, ...]:
    return (ShownDie(view.last_roll),) if view.last_roll and view.round_score else ()


def round_of(view: View) -> int | None:
    return None
