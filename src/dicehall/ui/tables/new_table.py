"""A table at a server as somebody wants it, before it is opened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dicehall.ui.tables.house_rules import Rules
from dicehall.wire.bot_levels import level_name, usual_level

PASSWORD_MOST = 256


@dataclass(slots=True)
class NewTable:
    """The first seat is that of the person who opens it."""

    game: str
    seats: int
    level: str | None = None  # of the bots on the other seats; None: friends take them
    rules: Rules = field(default_factory=dict)
    password: str = ""

    @property
    def bots(self) -> list[dict[str, Any]]:
        return [] if self.level is None else [{"seat": at, "level": self.level} for at in range(1, self.seats)]

    @property
    def others(self) -> str:
        return "friends, by link" if self.level is None else f"bots: {level_name(self.level)}"

    def turn_others(self, levels: Sequence[str], step: int) -> None:
        """Friends, then the levels of bots, round and round."""
        kinds = [None, *levels]
        self.level = kinds[(kinds.index(self.level) + step) % len(kinds)]

    def change_seats(self, counts: Sequence[int], step: int) -> None:
        self.seats = counts[(counts.index(self.seats) + step) % len(counts)]


def usual_table(kind: Any, levels: Sequence[str], *, bots: bool) -> NewTable:
    return NewTable(kind.key, kind.seats[0], usual_level(levels) if bots else None)
