"""Which points a turn of a Farkle game can have, by the dice that are rolled next and how often all six came back.

Points are bits of a whole number, one for each unit of the score table: bit 7 stands for 7 units. Scoring a row moves
every bit up by what the row is worth, so all turns are followed at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dicehall.core.game import Faces
from dicehall.games.farkle import ScoreTable

MOST = 100_000  # points; a turn with more is not looked into


@dataclass(frozen=True, slots=True)
class TurnPoints:
    table: ScoreTable
    worth: Callable[[Faces], int]  # what a row of the table earns if it is scored alone
    dice: int

    def possible(self, points: int, dice: int, hot: int | None = None) -> bool:
        """Whether somebody can roll *dice* with these points; *hot* is how often all dice came back, if known."""
        if points > MOST:
            return True
        bit = 1 << points // self.table.unit
        return any(found[dice] & bit for used, found in enumerate(self.cycles(2 * bit - 1)) if hot in (None, used))

    def cycles(self, mask: int) -> Iterator[list[int]]:
        """For each time that all dice are rolled: the points before a roll of so many (of none: all have scored)."""
        start = 1
        while start:
            found = [0] * self.dice + [start]
            for left in range(self.dice, 0, -1):
                for row, _ in self.table.rows:
                    if len(row) <= left:
                        found[left - len(row)] |= found[left] << self.worth(row) // self.table.unit & mask
            yield found
            start = found[0]
