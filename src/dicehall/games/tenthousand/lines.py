"""Dice 10 000 in plain lines: how a position reads, what can be typed, and what it is worth.

Dice are typed by their faces; commas separate groups.
"""

from __future__ import annotations

from collections.abc import Sequence

from dicehall.core.game import Event, Faces, Refusal, Refused, Seat
from dicehall.games.farkle import Grouping
from dicehall.games.tenthousand.actions import Action, Lock, Word
from dicehall.games.tenthousand.events import Locked, RoundEnded, RoundStarted
from dicehall.games.tenthousand.scoring import TABLE
from dicehall.games.tenthousand.state import DICE, View

VERBS = {
    "roll": "roll: throw the dice that are left, or all six once six are locked.",
    "lock": "lock 1 1 1, 5: set three ones and a five aside. Separate groups with commas; each group has to score.",
    "bank": "bank: keep the points of this turn and pass the dice.",
}
SPOKEN = {Word.YIELD.value: "bank"}  # what people call an action of another name
SHOWN = 8  # locks listed at once
BUST_PERCENT = (0, 67, 44, 28, 16, 8, 3)  # how often a roll of so many dice scores nothing


def scores(view: View, names: Sequence[str]) -> list[str]:
    told = ", ".join(f"{name} has {score}" for name, score in zip(names, view.scores, strict=True))
    return [f"{told}. The goal is {view.goal}."]


def table(view: View, names: Sequence[str], me: Seat) -> list[str]:
    points = " ".join(turn_text(view, me))
    if view.roll is None:
        return [points]
    return [f"Dice:   {' '.join(f'[{face}]' for face in view.roll)}", *locked_text(view), points]


def locked_text(view: View) -> list[str]:
    return [f"Locked: {grouped(view.locked)}"] if view.locked else []


def turn_text(view: View, me: Seat) -> list[str]:
    """The points of the turn, and what opening takes (T7) as long as it matters."""
    missing = view.opening - view.turn_points
    opening = [] if view.scores[me] or missing <= 0 else [f"You need {view.opening} to open; {missing} to go."]
    return [f"Points of this turn: {view.turn_points}.", *opening]


def grouped(subsets: Grouping) -> str:
    return ", ".join(" ".join(map(str, subset)) for subset in subsets)


def offers(view: View, names: Sequence[str], me: Seat, choices: Sequence[Action]) -> list[tuple[str, str]]:
    locks = lock_offers(choices)
    more = [("lock ...", f"{len(locks) - SHOWN} more ways")] if len(locks) > SHOWN else []
    return locks[:SHOWN] + more + word_offers(view, me, choices)


def all_offers(view: View, names: Sequence[str], me: Seat, choices: Sequence[Action]) -> list[tuple[str, str]]:
    return lock_offers(choices) + word_offers(view, me, choices)


def word_offers(view: View, me: Seat, choices: Sequence[Action]) -> list[tuple[str, str]]:
    words = [action for action in choices if isinstance(action, Word)]
    return [(SPOKEN.get(word.value, word.value), word_worth(view, me, word)) for word in words]


def lock_offers(choices: Sequence[Action]) -> list[tuple[str, str]]:
    """The best ones; of several groupings of the same dice only the best is worth a line."""
    best: dict[Faces, Lock] = {}
    locks = [action for action in choices if isinstance(action, Lock)]
    for lock in sorted(locks, key=lambda lock: (-points(lock), len(lock.subsets))):
        best.setdefault(tuple(sorted(face for subset in lock.subsets for face in subset)), lock)
    return [(f"lock {grouped(lock.subsets)}", f"for {points(lock)}") for lock in best.values()]


def points(lock: Lock) -> int:
    return sum(TABLE.worth[subset] for subset in lock.subsets)


def word_worth(view: View, me: Seat, word: Word) -> str:
    match word:
        case Word.ROLL:
            return roll_worth(view.dice_left or DICE, view.turn_points)
        case Word.YIELD:
            score = view.scores[me] + view.turn_points
            return f"keep {view.turn_points}, which makes {score}" + (" and wins" if score >= view.goal else "")


def roll_worth(dice: int, at_stake: int) -> str:
    lost = f" and lose {at_stake}" if at_stake else ""
    return f"throw {dice} {'die' if dice == 1 else 'dice'}; {BUST_PERCENT[dice]} % chance to bust{lost}"


def told(event: Event, view: View, names: Sequence[str]) -> list[str] | None:
    """Locks with their faces, and rounds counted as people count them."""
    match event:
        case Locked(seat, subsets, points, turn_points, dice_left):
            left = f"{dice_left} {'die' if dice_left == 1 else 'dice'} left" if dice_left else "all six are free again"
            return [f"{names[seat]} locks {grouped(subsets)} for {points}: {turn_points} at stake, {left}."]
        case RoundStarted(number):
            return [f"Round {number + 1} begins."]
        case RoundEnded(number):
            return [f"Round {number + 1} is over."]
        case _:
            return None


def read(verb: str, groups: tuple[Faces, ...], view: View) -> Action:
    subsets = tuple(tuple(int(digit) for number in group for digit in str(number)) for group in groups)
    if verb != "lock":
        if subsets:
            raise Refused(Refusal.BAD_MOVE, f"{verb} takes no numbers.")
        return Word.YIELD if verb == "bank" else Word(verb)
    if view.roll and not subsets:
        raise Refused(Refusal.BAD_MOVE, "Which faces? For example: lock 1 1 1, 5")
    if len(subsets) == 1 and tuple(sorted(subsets[0])) not in TABLE.worth and TABLE.points(subsets[0]):
        raise Refused(Refusal.BAD_MOVE, f"Separate the groups with commas: lock {grouped(parted(subsets[0]))}.")
    return Lock(subsets)


def parted(faces: Faces) -> Grouping:
    """Faces typed without commas, as the groups they are worth most in."""
    return TABLE.full[tuple(sorted(faces))].grouping
