"""Dice 10 000 in words: ``Ahead 2500 to 1900 with 450 at stake and a roll of 1 5 3``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import assert_never

from dicehall.core.game import Seat
from dicehall.games.tenthousand.actions import Action, Lock, Word
from dicehall.games.tenthousand.lines import points
from dicehall.games.tenthousand.state import DICE, View
from dicehall.lab.descriptions import ChoiceText, ShownDie, standing
from dicehall.lab.descriptions_farkle import at_stake, banked, kept, rolled


def situation(view: View, seat: Seat, names: Sequence[str], language: str) -> str:
    roll = view.roll if view.must_lock else None
    return standing(view.scores, seat, language) + at_stake(view.turn_points, roll, language)


def choice_text(view: View, seat: Seat, action: Action, names: Sequence[str], language: str) -> ChoiceText:
    match action:
        case Lock():
            return kept(action.subsets, points(action), language)
        case Word.ROLL:
            return rolled(view.dice_left or DICE, language, first=view.roll is None and not view.turn_points)
        case Word.YIELD:
            return banked(view.turn_points, language)
        case _:
            assert_never(action)


def dice(view: View) -> tuple[ShownDie, ...]:
    locked = Counter(face for subset in view.locked for face in subset)
    shown = []
    for face in view.roll or ():
        shown.append(ShownDie(face, locked[face] > 0))
        locked[face] -= 1
    return tuple(shown)


def round_of(view: View) -> int:
    return view.round + 1
