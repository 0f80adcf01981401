"""Dice 10 000, clauses T1 to T9."""

from collections import Counter
from typing import Any

from .table import No, Table, is_whole, payload, ranked

# T2: row by row; the place in a list is the number of dice, and 0 stands for no such row.
POINTS = {
    1: [0, 100, 200, 1000, 2000, 4000, 8000],
    2: [0, 0, 0, 200, 400, 800, 1600],
    3: [0, 0, 0, 300, 600, 1200, 2400],
    4: [0, 0, 0, 400, 800, 1800, 3600],
    5: [0, 50, 100, 500, 1000, 2000, 4000],
    6: [0, 0, 0, 600, 1200, 2400, 4800],
}


def row_value(subset: list[int]) -> int:
    """The points of a subset that is exactly one row, else 0."""
    if len(set(subset)) != 1 or subset[0] not in POINTS or len(subset) > 6:
        return 0
    return POINTS[subset[0]][len(subset)]


def is_bust(faces: list[int]) -> bool:
    return not any(POINTS[face][many] for face, many in Counter(faces).items())


class TenThousand(Table):
    def __init__(self, count: int, rules: dict[str, Any]) -> None:
        super().__init__(count, rules)
        self.scores = [0] * count
        self.round = 0
        self.acting = [0]
        self.clear_turn()

    def clear_turn(self) -> None:
        self.points = 0
        self.roll: list[int] | None = None
        self.locked: list[list[int]] = []
        self.left = 6

    def on_dice(self, faces: list[int]) -> None:
        self.sides = None
        if is_bust(faces):
            self.pass_turn()
        else:
            self.roll = list(faces)

    def on_move(self, seat: int, move: object) -> None:
        is_lock, subsets = payload(move, "lock")
        if move == "roll":
            self.ask_to_roll()
        elif move == "yield":
            self.yield_turn(seat)
        elif is_lock:
            self.lock(subsets)
        else:
            raise No("bad_move")

    def ask_to_roll(self) -> None:
        if self.must_lock():
            raise No("must_lock")
        self.left = self.left or 6  # T5
        self.roll = None
        self.locked = []
        self.ask_dice(*[6] * self.left)

    def lock(self, subsets: Any) -> None:
        if self.roll is None:
            raise No("nothing_rolled")
        if not readable(subsets):
            raise No("bad_lock")
        loose = Counter(self.roll)
        for done in self.locked:
            loose.subtract(done)
        gained = 0
        for subset in subsets:
            value = row_value(subset)
            if value == 0:
                raise No("does_not_score")
            if loose[subset[0]] < len(subset):
                raise No("not_in_roll")
            loose.subtract(subset)
            gained += value
        self.points += gained
        self.left -= sum(map(len, subsets))
        self.locked += [sorted(subset) for subset in subsets]

    def yield_turn(self, seat: int) -> None:
        if not self.locked:
            raise No("must_lock")
        if self.scores[seat] == 0 and self.points < self.rules["opening"]:
            raise No("below_opening")  # T7
        self.scores[seat] += self.points
        if self.scores[seat] >= self.rules["goal"]:
            self.clear_turn()
            self.finish(ranked(range(self.count), lambda other: self.scores[other]), "goal")
        else:
            self.pass_turn()

    def on_expired(self, seat: int) -> None:
        self.pass_turn()  # T9

    def pass_turn(self) -> None:
        self.clear_turn()
        following = self.acting[0] + 1
        if following == self.count:
            self.round += 1
        self.acting = [following % self.count]

    def must_lock(self) -> bool:
        return self.roll is not None and not self.locked

    def own_state(self) -> dict[str, Any]:
        return {
            "scores": list(self.scores),
            "round": self.round,
            "turn_points": self.points,
            "roll": None if self.roll is None else list(self.roll),
            "locked": [list(subset) for subset in self.locked],
            "dice_left": self.left,
            "must_lock": self.must_lock(),
        }


def readable(subsets: object) -> bool:
    """One or more lists of whole numbers."""
    if not isinstance(subsets, list) or not subsets:
        return False
    return all(isinstance(subset, list) and all(map(is_whole, subset)) for subset in subsets)
