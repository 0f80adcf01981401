"""Mana in words: ``In round 2, ahead by one round``."""

from __future__ import annotations

from collections.abc import Sequence

from dicehall.core.game import Seat
from dicehall.games.mana.actions import Action, Pick
from dicehall.games.mana.rules import View
from dicehall.games.mana.units import Unit
from dicehall.lab.descriptions import ChoiceText, ShownDie, compared, filled_choice
from dicehall.lab.texts import texts


def situation(view: View, seat: Seat, names: Sequence[str], language: str) -> str:
    mine, theirs = view.wins[seat], view.wins[1 - seat]
    fields = {"stands": compared(mine, theirs), "round": view.round, "mine": mine, "theirs": theirs}
    return texts("mana", language).say("situation", **fields)


def choice_text(view: View, seat: Seat, action: Action, names: Sequence[str], language: str) -> ChoiceText:
    assert isinstance(action, Pick), "a match over Nostr is read as picks"
    shown = card(view, seat, action.unit, language)
    return filled_choice(texts("mana", language), "pick", unit=action.unit + 1, card=shown)


def card(view: View, seat: Seat, number: int, language: str) -> str:
    """The numbers of a unit, as its card has them."""
    army = view.units[seat] if view.units else None
    if army is None or not 0 <= number < len(army):
        return ""
    unit: Unit = army[number]
    fields = {"attack": unit.attack, "defense": unit.defense, "health": unit.health, "ability": unit.ability.value}
    return texts("mana", language).say("card", **fields)


def dice(view: View) -> tuple[ShownDie, ...]:
    return ()


def round_of(view: View) -> int:
    return view.round
