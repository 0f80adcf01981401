"""A greedy hand at Aetharn: holds the best it sees, banks what is worth keeping, and never folds."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from dicehall.core.game import Seat
from dicehall.games.aetharn.actions import Action, Hold, Word
from dicehall.games.aetharn.scoring import TABLE
from dicehall.games.aetharn.state import View

ENOUGH = (0, 150, 200, 300, 450, 1000, 10_000)  # by dice left: bank from here on (0: all six lie, so roll them again)


def greedy(view: View, me: Seat, choices: Sequence[Action], chance: Random) -> Action:
    if view.must_hold:
        return max(holds(choices), key=lambda hold: worth(view, hold))
    if Word.BANK in choices and (Word.ROLL not in choices or content(view, me)):
        return Word.BANK
    return Word.ROLL


def calm(view: View, me: Seat, choices: Sequence[Action], chance: Random) -> Action:
    """Plays at random like its kin elsewhere, but stays at the table."""
    staying = [action for action in choices if action is not Word.FOLD]
    return chance.choice(staying)


def holds(choices: Sequence[Action]) -> list[Hold]:
    return [action for action in choices if isinstance(action, Hold)]


def worth(view: View, hold: Hold) -> tuple[int, int]:
    """Points first; of equals the one that leaves more dice."""
    roll = view.roll or ()
    return TABLE.points([roll[at] for at in hold.dice]), -len(hold.dice)


def content(view: View, me: Seat) -> bool:
    """Whether the turn's points are better kept than risked."""
    if view.scores[me] + view.turn_points >= view.goal:
        return True
    return view.dice_left > 0 and view.turn_points >= ENOUGH[view.dice_left]


LEVELS = {"random": calm, "greedy": greedy}
