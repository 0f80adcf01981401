"""Reactions at a table: six of them, shown for a moment to everybody there. They have no number and are never stored.

However many people react, a table tells at most one message in PAUSE_S with at most MOST_TOLD reactions in it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

Reaction: TypeAlias = Literal["hello", "luck", "bravo", "wow", "ouch", "thanks"]
REACTIONS: tuple[Reaction, ...] = get_args(Reaction)
PAUSE_S = 0.5  # between two messages of one table
MOST_TOLD = 8  # in one message; further people are only counted


@dataclass(frozen=True, slots=True)
class Given:
    account: str
    name: str
    seat: int | None  # None: a spectator
    reaction: Reaction

    @property
    def shown(self) -> dict[str, Any]:
        return {"name": self.name, "seat": self.seat, "reaction": self.reaction}


@dataclass(slots=True)
class Gathered:
    """What came at one table since it was last told something: the newest of each account."""

    by_account: dict[str, Given] = field(default_factory=dict)
    more: set[str] = field(default_factory=set)  # accounts that are only counted

    def add(self, given: Given) -> None:
        if given.account in self.by_account or len(self.by_account) < MOST_TOLD:
            self.by_account[given.account] = given
        else:
            self.more.add(given.account)

    @property
    def shown(self) -> dict[str, Any]:
        reactions = [given.shown for given in self.by_account.values()]
        return {"event": "Reacted", "reactions": reactions, "more": len(self.more)}


@dataclass(slots=True)
class Reactions:
    """The first reaction is sent at once; those that follow shortly after are sent together."""

    tables: dict[str, Gathered] = field(default_factory=dict)  # those that were told something a moment ago

    def add(self, table: str, given: Given, tell: Callable[[dict[str, Any]], None]) -> None:
        if (gathered := self.tables.get(table)) is not None:
            return gathered.add(given)
        first = Gathered()
        first.add(given)
        self.tell(table, first, tell)

    def tell(self, table: str, gathered: Gathered, tell: Callable[[dict[str, Any]], None]) -> None:
        tell(gathered.shown)
        self.tables[table] = Gathered()
        asyncio.get_running_loop().call_later(PAUSE_S, self.flush, table, tell)

    def flush(self, table: str, tell: Callable[[dict[str, Any]], None]) -> None:
        gathered = self.tables.pop(table)
        if gathered.by_account:
            self.tell(table, gathered, tell)
