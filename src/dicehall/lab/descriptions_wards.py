"""Dice Wards in words: ``Behind 65 to 85 with 22 on the pile``."""

from __future__ import annotations

from collections.abc import Sequence

from dicehall.core.game import Seat
from dicehall.games.wards.rules import Action, View
from dicehall.lab.descriptions import ChoiceText, ShownDie, filled_choice, standing
from dicehall.lab.texts import texts


def situation(view: View, seat: Seat, names: Sequence[str], language: str) -> str:
    pile = texts("wards", language).say("pile", points=view.round_score) if view.round_score else ""
    return f"{standing(view.scores, seat, language)}{pile}"


def choice_text(view: View, seat: Seat, action: Action, names: Sequence[str], language: str) -> ChoiceText:
    if action is Action.HOLD:
        return filled_choice(texts("wards", language), "hold")
    return filled_choice(texts("wards", language), "roll_again" if view.round_score else "roll")


def dice(view: View) -> tuple[ShownDie, ...]:
    return (ShownDie(view.last_roll),) if view.last_roll and view.round_score else ()


def round_of(view: View) -> int | None:
    return None
