"""Which roll of whose turn comes next, counted from the log alone: dice of a challenge are numbered by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from dicehall.core.game import Attend, Entry, Roll


class Place(NamedTuple):
    """A roll in a turn of a seat; both count from 1. Dice before any move are of seat 0, turn 0."""

    seat: int
    turn: int
    roll: int


@dataclass(frozen=True, slots=True)
class Throws:
    """The count so far. A turn begins with the first move of a seat after a move of another seat."""

    seat: int | None = None  # who moved last
    rolls: int = 0  # in this turn
    turns: tuple[int, ...] = ()  # by seat
    moves: tuple[int, ...] = ()  # by seat

    def after(self, entry: Entry[Any]) -> Throws:
        """The count after one more entry; absences are not moves."""
        if isinstance(entry, Roll):
            return self.rolled()
        return self if isinstance(entry, Attend) else self.moved(entry.seat)

    def moved(self, seat: int) -> Throws:
        moves = one_more(self.moves, seat)
        if seat == self.seat:
            return Throws(seat, self.rolls, self.turns, moves)
        return Throws(seat, 0, one_more(self.turns, seat), moves)

    def rolled(self) -> Throws:
        return Throws(self.seat, self.rolls + 1, self.turns, self.moves)

    @property
    def place(self) -> Place:
        """The place of the roll that was counted last."""
        return Place(0, 0, self.rolls) if self.seat is None else Place(self.seat, self.turns[self.seat], self.rolls)

    def moves_of(self, seat: int) -> int:
        return self.moves[seat] if seat < len(self.moves) else 0


def one_more(counts: tuple[int, ...], seat: int) -> tuple[int, ...]:
    padded = counts + (0,) * (seat + 1 - len(counts))
    return (*padded[:seat], padded[seat] + 1, *padded[seat + 1 :])
