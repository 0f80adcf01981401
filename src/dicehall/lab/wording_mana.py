"""Mana in words: ``In round 2, ahead by one round``."""

from __future__ import annotations

from collections.abc import Sequence

from dicehall.core.game import Seat
from dicehall.games.mana.actions import Action, Pick
from dicehall.games.mana.rules import View
from dicehall.games.mana.units import Ability, Unit
from dicehall.lab.wording import Deed, ShownDie


def situation(view: View, seat: Seat, names: Sequence[str]) -> str:
    mine, theirs = view.wins[seat], view.wins[1 - seat]
    if mine == theirs:
        return f"In round {view.round}, level at {mine} to {theirs}"
    return f"In round {view.round}, {'ahead' if mine > theirs else 'behind'} {mine} to {theirs}"


def deed(view: View, seat: Seat, action: Action, names: Sequence[str]) -> Deed:
    assert isinstance(action, Pick), "a match over Nostr is read as picks"
    told = f"unit {action.unit + 1}{card(view, seat, action.unit)}"
    return Deed(f"sent {told}", f"sending {told}", f"Send {told}")


def card(view: View, seat: Seat, number: int) -> str:
    """The numbers of a unit, as its card has them."""
    army = view.units[seat] if view.units else None
    if army is None or not 0 <= number < len(army):
        return ""
    unit: Unit = army[number]
    ability = "" if unit.ability is Ability.NONE else f", {unit.ability.value}"
    return f" ({unit.attack}/{unit.defense}/{unit.health}{ability})"


def dice(view: View) -> tuple[ShownDie, ...]:
    return ()


def round_of(view: View) -> int:
    return view.round
