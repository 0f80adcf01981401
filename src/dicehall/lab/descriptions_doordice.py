"""DO or DICE in words: ``In round 3 with 14 HP and 2 VP, after rolling a 4``."""

from __future__ import annotations

from collections.abc import Sequence

from dicehall.core.game import Seat
from dicehall.games.doordice.rules import Action, Choose, View, Word
from dicehall.lab.descriptions import ChoiceText, ShownDie, filled_choice
from dicehall.lab.texts import texts


def situation(view: View, seat: Seat, names: Sequence[str], language: str) -> str:
    hp, vp, face = view.hp[seat], view.vp[seat], view.face or None
    return texts("doordice", language).say("situation", fallen=hp <= 0, round=view.round, hp=hp, vp=vp, face=face)


def choice_text(view: View, seat: Seat, action: Action, names: Sequence[str], language: str) -> ChoiceText:
    words = texts("doordice", language)
    if not isinstance(action, Choose):
        assert action is Word.ROLL
        return filled_choice(words, "roll")
    target = "" if action.target is None else names[action.target]
    known = action.effect if action.effect in words.templates else "other"
    return filled_choice(words, known, target=target, effect=action.effect)


def dice(view: View) -> tuple[ShownDie, ...]:
    return (ShownDie(view.face),) if view.face else ()


def round_of(view: View) -> int:
    return view.round
