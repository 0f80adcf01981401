"""The players of the game world: one key, one account, for as long as the bridge runs."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, field

from dicehall.core.game import Refused
from dicehall.core.text import only_visible
from dicehall.table.requests import Code

MOST = 512  # players that are known at once
NAME = 24  # characters that are shown
NAMELESS = "Somebody"


@dataclass(frozen=True, slots=True)
class Visitor:
    key: str
    account: str


@dataclass(slots=True, eq=False)
class Visitors:
    known: dict[str, Visitor] = field(default_factory=dict)  # by key
    names: dict[str, str] = field(default_factory=dict)  # by account

    def enter(self, key: str, name: str, busy: Callable[[], Container[str | None]]) -> Visitor:
        """Somebody does something; those who are not *busy* with a table make room."""
        if key not in self.known and len(self.known) >= MOST:
            self.forget_idle(busy())
        if key not in self.known and len(self.known) >= MOST:
            raise Refused(Code.RATE_LIMITED, f"{MOST} players are already at the tables.", retry_after=60)
        visitor = self.known.setdefault(key, Visitor(key, f"nwn:{key}"))
        self.names[visitor.account] = self.free_name(visitor.account, shown_name(name))
        return visitor

    def get(self, key: str) -> Visitor | None:
        return self.known.get(key)

    def key_of(self, account: str | None) -> str | None:
        key = (account or "").removeprefix("nwn:")
        return key if key in self.known else None

    def forget_idle(self, busy: Container[str | None]) -> None:
        for visitor in tuple(self.known.values()):
            if visitor.account not in busy:
                self.forget(visitor)

    def forget(self, visitor: Visitor) -> None:
        del self.known[visitor.key], self.names[visitor.account]

    def free_name(self, account: str, name: str) -> str:
        """The name, with a number where somebody else has it: two players may have characters of one name."""
        others = {known for other, known in self.names.items() if other != account}
        number = 1
        numbered = name
        while numbered in others:
            number += 1
            numbered = f"{name[: NAME - 4]} {number}"
        return numbered


def shown_name(name: str) -> str:
    return " ".join(only_visible(name).split())[:NAME].strip() or NAMELESS
