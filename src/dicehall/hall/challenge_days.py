"""The days of the daily challenge: when one begins, closes and is opened, and what is stored of it (decision 079)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Protocol

DAY_MS = 86_400_000
EXTRA_MS = 3_600_000  # after midnight, for attempts that were begun before it
MARGIN_MS = 60_000  # between the end of the last attempt and the opening of the secret


@dataclass(frozen=True, slots=True)
class Day:
    day: str  # 2026-11-17, in UTC
    seal: str
    secret: bytes | None  # None: void, because the hall was restored from a backup of that day


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt whose game is over, as the ranking has it."""

    rank: int  # equals share one
    table: str
    account: str
    name: str
    place: int
    won: bool
    score: int
    average_loss: float | None  # per decision; None while it is not judged
    decisions: int | None


@dataclass(frozen=True, slots=True)
class Unjudged:
    table: str
    account: str
    seat: int


class ChallengeStore(Protocol):
    async def day(self, day: str) -> Day | None: ...

    async def add_day(self, day: Day) -> Day:
        """Keep a day, and say which one is kept: of several that are added the first."""
        ...

    async def void_days(self, after: str) -> None:
        """Forget the secrets of all days after this one."""

    async def ranking(self, game: str, day: str, began: int, page: int, *, newcomers: bool) -> Sequence[Attempt]:
        """Attempts whose game is over, by place and average loss; of newcomers (guests, and accounts made since the
        day began), or of all others."""
        ...

    async def attempt(self, account: str, game: str, day: str, began: int, *, newcomers: bool) -> Attempt | None:
        """The attempt of an account in that ranking."""
        ...

    async def unjudged(self, most: int) -> Sequence[Unjudged]:
        """Attempts whose game is over and whose decisions nobody has judged, the oldest first."""
        ...

    async def judge(self, table: str, average_loss: float | None, decisions: int) -> None: ...


def day_at(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).date().isoformat()


def begins_at(day: str) -> int:
    return ordinal(day) * DAY_MS


def ordinal(day: str) -> int:
    """The number of a day since 1970; ValueError for what is not a day."""
    return (date.fromisoformat(day) - date(1970, 1, 1)).days


def ends_at(day: str) -> int:
    """From here on no attempt can begin."""
    return begins_at(day) + DAY_MS


def closes_at(day: str) -> int:
    """From here on no attempt can be played on."""
    return ends_at(day) + EXTRA_MS


def opens_at(day: str) -> int:
    return closes_at(day) + MARGIN_MS


def last_opened(now: int) -> str:
    """The last day whose secret may be known."""
    return day_at(now - DAY_MS - EXTRA_MS - MARGIN_MS)


def show_day(day: str, now: int) -> dict[str, Any]:
    times = {"ends_at": ends_at(day), "closes_at": closes_at(day), "opens_at": opens_at(day)}
    return {"day": day, **times, "opened": now >= opens_at(day)}
