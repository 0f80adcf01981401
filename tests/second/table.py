"""What the five games of this package have in common: a mutable table that says no by raising."""

from collections.abc import Callable, Iterable
from typing import Any


class No(Exception):
    """The rules refuse; nothing was changed."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Table:
    """One game in progress. `sides` is set while dice are awaited, `acting` names the seats to act."""

    def __init__(self, count: int, rules: dict[str, Any]) -> None:
        self.count = count
        self.rules = rules
        self.sides: list[int] | None = None
        self.acting: list[int] = []
        self.over: dict[str, Any] | None = None

    # What a game fills in.

    def on_dice(self, faces: list[int]) -> None:
        raise NotImplementedError

    def on_move(self, seat: int, move: object) -> None:
        raise NotImplementedError

    def on_expired(self, seat: int) -> None:
        raise NotImplementedError

    def on_attend(self, seat: int, presence: str) -> None:
        """Only one of the five games knows absence; for the others this is nothing (C9)."""

    def own_state(self) -> dict[str, Any]:
        raise NotImplementedError

    def barred(self, seat: int) -> str | None:
        """Why a seat may make no move at all."""
        return None

    def anytime(self, move: object) -> bool:
        """Whether a move may be made out of turn."""
        return False

    def phase_allows(self, move: object) -> bool:
        """Whether a move of a seat to act belongs to the phase that is open."""
        return True

    # What they share.

    def ask_dice(self, *sides: int) -> None:
        self.sides = list(sides)

    def finish(self, places: list[list[int]], reason: str) -> None:
        self.over = {"places": places, "reason": reason}
        self.sides = None
        self.acting = []

    def winner(self) -> int | None:
        """C8: a shared first place is no win."""
        if not self.over or not self.over["places"] or len(self.over["places"][0]) != 1:
            return None
        seat: int = self.over["places"][0][0]
        return seat

    def state(self) -> dict[str, Any]:
        awaits = "over" if self.over else "dice" if self.sides is not None else "turn"
        common = {
            "awaits": awaits,
            "dice": None if self.sides is None else list(self.sides),
            "turn": sorted(self.acting),
            "winner": self.winner(),
        }
        return common | self.own_state()


def ranked(seats: Iterable[int], worth: Callable[[int], Any]) -> list[list[int]]:
    """Seats from best to worst, those worth the same together and in seat order."""
    groups: dict[Any, list[int]] = {}
    for seat in sorted(seats):
        groups.setdefault(worth(seat), []).append(seat)
    return [groups[key] for key in sorted(groups, reverse=True)]


def is_whole(value: object) -> bool:
    """A JSON whole number: true, false and 1.0 are none."""
    return type(value) is int


def payload(move: object, word: str) -> tuple[bool, Any]:
    """Whether `move` is an object of the one key `word`, and what that key holds."""
    if isinstance(move, dict) and list(move) == [word]:
        return True, move[word]
    return False, None
