"""Aetharn in words: ``Behind 1250 to 3000 with 450 at stake and a roll of 1 3 3 5 6 6``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from dicehall.core.game import Seat
from dicehall.games.aetharn.actions import Action, Hold, Word
from dicehall.games.aetharn.lines import faces_of, hold_points
from dicehall.games.aetharn.state import View
from dicehall.games.aetharn.turn import DICE
from dicehall.lab.descriptions import ChoiceText, ShownDie, standing
from dicehall.lab.descriptions_farkle import at_stake, banked, folded, kept, rolled


def situation(view: View, seat: Seat, names: Sequence[str], language: str) -> str:
    answered = not view.must_hold
    return standing(view.scores, seat, language) + at_stake(view.turn_points, None if answered else view.roll, language)


def choice_text(view: View, seat: Seat, action: Action, names: Sequence[str], language: str) -> ChoiceText:
    match action:
        case Hold():
            return kept((faces_of(view, action),), hold_points(view, action), language)
        case Word.ROLL:
            return rolled(view.dice_left or DICE, language, first=view.roll is None and not view.turn_points)
        case Word.BANK:
            return banked(view.turn_points, language)
        case Word.FOLD:
            return folded(language)
        case _:
            assert_never(action)


def dice(view: View) -> tuple[ShownDie, ...]:
    return tuple(ShownDie(face, at in view.held) for at, face in enumerate(view.roll or ()))


def round_of(view: View) -> int | None:
    return None
