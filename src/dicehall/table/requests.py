"""Requests of people and their connections to a table."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

from msgspec import Struct


class Code(StrEnum):
    """A table's reasons to refuse, besides the rules' own codes."""

    NOT_SIGNED_IN = "not_signed_in"
    NOT_ALLOWED = "not_allowed"
    WRONG_PASSWORD = "wrong_password"
    NO_SUCH_TABLE = "no_such_table"
    TABLE_FULL = "table_full"
    ALREADY_SEATED = "already_seated"
    SEAT_TAKEN = "seat_taken"
    NOT_SEATED = "not_seated"
    TOO_FEW_SEATS = "too_few_seats"
    ALREADY_STARTED = "already_started"
    BAD_REQUEST = "bad_request"
    TOO_LARGE = "too_large"
    RATE_LIMITED = "rate_limited"
    SHUTTING_DOWN = "shutting_down"
    STORE_UNAVAILABLE = "store_unavailable"


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a chair in the lobby, or another one; a seat of a running game is returned to."""

    name: str
    chair: int | None = None
    commitment: str | None = None
    conn: str | None = None
    last: bool = False  # only as the last to sit down, who starts the game


@dataclass(frozen=True, slots=True)
class SitBot:
    chair: int | None
    level: str
    asked: str | None = None  # the level that was asked for, where it is another


@dataclass(frozen=True, slots=True)
class Stand:
    """Leave the chair: out of the lobby, or away from the game, perhaps for good."""

    good: bool = False


@dataclass(frozen=True, slots=True)
class Remove:
    """The person who opened the table takes somebody, or a bot, out of a chair in its lobby."""

    chair: int


@dataclass(frozen=True, slots=True)
class Decline:
    """Say no to a rematch; whoever changes their mind sits down."""

    name: str


@dataclass(frozen=True, slots=True)
class Start:
    pass


@dataclass(frozen=True, slots=True)
class OpenWords:
    words: str


class Do(Struct, frozen=True):
    """A move, as it stands on the wire."""

    move: Any


@dataclass(frozen=True, slots=True)
class BotDo:
    """What a bot chose on the position after act *seq*."""

    chair: int
    move: Any
    seq: int


@dataclass(frozen=True, slots=True)
class Carry:
    """A connection of somebody seated: from now on it carries the seat. A quiet one does not wake a sleeping table."""

    conn: str
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Lose:
    """The connection that carried a seat ended, and did not come back for a while."""

    conn: str


@dataclass(frozen=True, slots=True)
class Depute:
    """Let a bot stand in: for oneself at once, for another when all others present agree (C9)."""

    level: str
    chair: int | None = None  # None: one's own


@dataclass(frozen=True, slots=True)
class Reclaim:
    conn: str | None = None


@dataclass(frozen=True, slots=True)
class Hint:
    pass


@dataclass(frozen=True, slots=True)
class Doze:
    """A bot would move after act *seq*, but no person is present: the table sleeps instead."""

    seq: int


@dataclass(frozen=True, slots=True)
class Destroy:
    why: str
    operator: bool = False


@dataclass(frozen=True, slots=True)
class Abandon:
    """The only person who still plays ends a game against bots (C9)."""


@dataclass(frozen=True, slots=True)
class Restart:
    """A clock began at *since*, and the process of its player knew of it only at *till*: it starts afresh."""

    since: int
    till: int


@dataclass(frozen=True, slots=True)
class Settle:
    """Nobody asks for anything: what is due takes effect, a second late by a timer, at once for a reader."""

    now: bool = False


Request: TypeAlias = (
    Sit
    | SitBot
    | Stand
    | Remove
    | Decline
    | Start
    | OpenWords
    | Do
    | BotDo
    | Carry
    | Lose
    | Depute
    | Reclaim
    | Hint
    | Doze
    | Destroy
    | Abandon
    | Restart
    | Settle
)


class Asked(Struct, frozen=True):
    """A request with who asks, under which id of theirs, and when it reached this node."""

    request: Request
    received: int
    account: str | None = None
    id: str | None = None
