"""A greedy hand at Dice 10 000: locks the best it sees and yields what is worth keeping."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from dicehall.core.game import Seat
from dicehall.games.tenthousand.actions import Action, Lock, Word
from dicehall.games.tenthousand.scoring import TABLE
from dicehall.games.tenthousand.state import View

ENOUGH = (10_000, 250, 300, 400, 600, 1500, 10_000)  # by dice left: yield from here on (0: six fresh ones are coming)


def greedy(view: View, me: Seat, choices: Sequence[Action], chance: Random) -> Action:
    if view.must_lock:
        return max(locks(choices), key=worth)
    if Word.YIELD in choices and content(view, me):  # before the opening it is no choice at all (T7)
        return Word.YIELD
    return Word.ROLL


def locks(choices: Sequence[Action]) -> list[Lock]:
    return [action for action in choices if isinstance(action, Lock)]


def worth(lock: Lock) -> tuple[int, int]:
    """Points first; of equals the one that leaves more dice."""
    return sum(TABLE.worth[subset] for subset in lock.subsets), -sum(map(len, lock.subsets))


def content(view: View, me: Seat) -> bool:
    """Whether the turn's points are better kept than risked."""
    return view.scores[me] + view.turn_points >= view.goal or view.turn_points >= ENOUGH[view.dice_left]


LEVELS = {"greedy": greedy}
