"""What people outside a campaign's host know of a table: what they sent, were answered, heard and saw."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Down(NamedTuple):
    """A time without a host: from the kill to ready again, in ms."""

    killed: int
    ready: int


class Reply(NamedTuple):
    at: int  # when the host was asked, just before it looked at its own clock
    ready: int  # since when that process was ready
    n: int | None  # the act that answered, or None for a refusal
    refused: str | None = None


class Fault(NamedTuple):
    """One thing that must never happen, under the name of its count."""

    kind: str
    table: str
    what: str


@dataclass(slots=True)
class Sent:
    """One action under one id, however often it was sent."""

    account: str
    id: str
    kind: str
    basis: int  # the last act its sender had seen
    replies: list[Reply] = field(default_factory=list)


@dataclass(slots=True)
class Ear:
    """Somebody who listens, and all they ever heard, by number."""

    who: str
    account: str | None
    heard: dict[int, dict[str, Any]] = field(default_factory=dict)
    last: int = 0  # heard without a gap up to here
    resuming: bool = True
    wrong: list[str] = field(default_factory=list)

    def hear(self, update: dict[str, Any]) -> None:
        update.pop("table", None)
        n = update.get("n")
        if n is None:
            return  # no part of the story: a seat was taken over
        if self.heard.setdefault(n, update) != update:
            self.wrong.append(f"{self.who} heard two different updates {n}")
        while self.last + 1 in self.heard:
            self.last += 1
        if n > self.last and not self.resuming:
            self.resuming = True  # told once
            self.wrong.append(f"{self.who} heard update {n} after {self.last}")

    def resumed(self, updates: list[dict[str, Any]]) -> None:
        for update in updates:
            self.hear(update)
        self.resuming = False
        if self.heard and max(self.heard) > self.last:
            self.wrong.append(f"{self.who} resumed and has no update {self.last + 1}")


class Seen(NamedTuple):
    """A position as somebody was shown it."""

    n: int
    account: str | None
    view: dict[str, Any]


class Out(NamedTuple):
    """A time in which somebody was disconnected on purpose, in ms."""

    account: str
    since: int
    till: int


@dataclass(slots=True)
class Known:
    """All that is known of one table without asking its host's memory."""

    table: str
    game: str
    s0: str = ""  # the seal as it was shown before anybody sat down
    sent: dict[tuple[str, str], Sent] = field(default_factory=dict)
    ears: list[Ear] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    outs: list[Out] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)  # seen while it was played

    def moves(self) -> int:
        """Moves in the game that were acknowledged."""
        return sum(sent.kind == "Do" and any(reply.n for reply in sent.replies) for sent in self.sent.values())
