"""Aetharn, clauses A1 to A18."""

from collections import Counter
from typing import Any

from .table import No, Table, is_whole, payload, ranked


def group_value(face: int, many: int) -> int:
    """What `many` dice of one face are worth if every one of them scores, else 0."""
    triple = 1000 if face == 1 else 100 * face
    if many >= 3:
        return triple << (many - 3)
    return {1: 100, 5: 50}.get(face, 0) * many


def whole_value(faces: list[int]) -> int:
    """A4: the best reading in which every die scores; 0 if there is none."""
    groups = Counter(faces)
    values = [group_value(face, many) for face, many in groups.items()]
    best = sum(values) if all(values) else 0
    if len(faces) == 6:
        straight = len(groups) == 6
        three_pairs = all(many % 2 == 0 for many in groups.values())  # A3: 4 + 2 and 6 count too
        if straight or three_pairs:
            best = max(best, 1500)
    return best


def is_bust(faces: list[int]) -> bool:
    groups = Counter(faces)
    return whole_value(faces) == 0 and not any(group_value(face, many) for face, many in groups.items())


class Aetharn(Table):
    def __init__(self, count: int, rules: dict[str, Any]) -> None:
        super().__init__(count, rules)
        self.scores = [0] * count
        self.order: list[int] | None = None
        self.away: set[int] = set()
        self.out: dict[int, str] = {}
        self.clear_turn()
        self.ask_dice(*range(count, 1, -1))

    def clear_turn(self) -> None:
        self.points = 0
        self.roll: list[int] | None = None
        self.held: set[int] = set()
        self.left = 6
        self.hot_used = 0

    # Dice

    def on_dice(self, faces: list[int]) -> None:
        self.sides = None
        if self.order is None:
            self.draw_order(faces)
        elif is_bust(faces):
            self.pass_turn()
        else:
            self.roll = list(faces)

    def draw_order(self, faces: list[int]) -> None:
        unplaced = list(range(self.count))
        self.order = [unplaced.pop(face - 1) for face in faces] + unplaced
        self.acting = [self.order[0]]

    # Moves

    def barred(self, seat: int) -> str | None:
        if seat in self.out:
            return "seat_is_out"
        return "seat_is_away" if seat in self.away else None

    def anytime(self, move: object) -> bool:
        return move == "fold"

    def on_move(self, seat: int, move: object) -> None:
        is_hold, positions = payload(move, "hold")
        if move == "fold":
            self.drop(seat, "folded")
        elif move == "roll":
            self.ask_to_roll()
        elif move == "bank":
            self.bank(seat)
        elif is_hold and isinstance(positions, list) and all(map(is_whole, positions)):
            self.hold(positions)
        else:
            raise No("bad_move")

    def ask_to_roll(self) -> None:
        if self.roll is not None and not self.held:
            raise No("must_hold")
        if self.left == 0:
            if self.hot_used >= self.rules["hot_dice"]:
                raise No("only_bank_left")
            self.hot_used += 1
            self.left = 6
        self.roll = None
        self.held = set()
        self.ask_dice(*[6] * self.left)

    def hold(self, positions: list[int]) -> None:
        if self.roll is None:
            raise No("nothing_rolled")
        free = set(range(len(self.roll))) - self.held
        if not positions or len(set(positions)) < len(positions) or not set(positions) <= free:
            raise No("bad_index")
        value = whole_value([self.roll[position] for position in positions])
        if value == 0:
            raise No("does_not_score")
        self.held |= set(positions)
        self.left -= len(positions)
        self.points += value

    def bank(self, seat: int) -> None:
        if self.roll is None:
            raise No("nothing_rolled")
        if not self.held:
            raise No("must_hold")
        self.scores[seat] += self.points
        if self.scores[seat] >= self.rules["goal"]:
            self.win(seat, "WinnerReached5000")
        else:
            self.pass_turn()

    def on_expired(self, seat: int) -> None:
        self.pass_turn()  # A9: points lost

    # Presence

    def on_attend(self, seat: int, presence: str) -> None:
        if seat in self.out:
            raise No("seat_is_out")
        is_away = seat in self.away
        if presence == ("away" if is_away else "here"):
            raise No("no_change")
        if presence == "gone" and not is_away:
            raise No("not_away")
        if presence == "away":
            self.away.add(seat)
        elif presence == "gone":
            self.drop(seat, "removed")
        else:
            self.welcome_back(seat)

    def welcome_back(self, seat: int) -> None:
        self.away.remove(seat)
        if self.still_in() == [seat]:
            self.win(seat, "LastPlayerStanding")
        elif not self.acting:
            self.acting = [seat]  # A14

    def still_in(self) -> list[int]:
        return [seat for seat in range(self.count) if seat not in self.out]

    def drop(self, seat: int, how: str) -> None:
        self.out[seat] = how
        self.away.discard(seat)
        remaining = self.still_in()
        if not remaining:
            self.clear_turn()
            self.finish([], "AllPlayersLeft")
        elif len(remaining) == 1:
            self.leave_it_to(remaining[0])
        elif self.acting == [seat]:
            self.pass_turn()

    def leave_it_to(self, last: int) -> None:
        """A15: an absent last seat wins only when it comes back."""
        self.clear_turn()
        self.acting = []
        if last not in self.away:
            self.win(last, "LastPlayerStanding")

    def pass_turn(self) -> None:
        assert self.order is not None
        start = self.order.index(self.acting[0])
        round_the_table = self.order[start + 1 :] + self.order[: start + 1]
        able = [seat for seat in round_the_table if seat not in self.out and seat not in self.away]
        self.acting = able[:1]
        self.clear_turn()

    def win(self, seat: int, reason: str) -> None:
        """A18: the winner, then who is still in, then who is out."""
        self.clear_turn()
        others = [other for other in self.still_in() if other != seat]
        places = [[seat], *ranked(others, self.score), *ranked(self.out, self.score)]
        self.finish(places, reason)

    def score(self, seat: int) -> int:
        return self.scores[seat]

    def own_state(self) -> dict[str, Any]:
        return {
            "scores": list(self.scores),
            "order": None if self.order is None else list(self.order),
            "turn_points": self.points,
            "roll": None if self.roll is None else list(self.roll),
            "held": sorted(self.held),
            "dice_left": self.left,
            "must_hold": self.roll is not None and not self.held,
            "hot_dice_used": self.hot_used,
            "away": sorted(self.away),
            "out": {str(seat): self.out[seat] for seat in sorted(self.out)},
        }
