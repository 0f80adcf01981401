"""Dice 10 000 in words: ``Ahead 2500 to 1900 with 450 at stake and a roll of 1 5 3``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import assert_never

from dicehall.core.game import Seat
from dicehall.games.tenthousand.actions import Action, Lock, Word
from dicehall.games.tenthousand.lines import points
from dicehall.games.tenthousand.state import DICE, View
from dicehall.lab.wording import Deed, ShownDie, standing
from dicehall.lab.wording_farkle import at_stake, kept, rolled


def situation(view: View, seat: Seat, names: Sequence[str]) -> str:
    return standing(view.scores, seat) + at_stake(view.turn_points, view.roll if view.must_lock else None)


def deed(view: View, seat: Seat, action: Action, names: Sequence[str]) -> Deed:
    match action:
        case Lock():
            return kept(action.subsets, points(action))
        case Word.ROLL:
            return rolled(view.dice_left or DICE, first=view.roll is None and not view.turn_points)
        case Word.YIELD:
            return Deed(f"banked {view.turn_points}", f"banking {view.turn_points}", f"Bank {view.turn_points}")
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
