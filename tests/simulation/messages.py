"""What travels between clients and the host, and what came of each copy of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from dicehall.core.game import Refused, Seat
from dicehall.table.coming import Answer
from dicehall.table.requests import Code, Request
from dicehall.wire.record import Record

if TYPE_CHECKING:
    from tests.simulation.line import Line
    from tests.simulation.person import Person

TRANSIENT = (Code.STORE_UNAVAILABLE, Code.RATE_LIMITED, Code.SHUTTING_DOWN)


@dataclass(frozen=True, slots=True)
class Connect:
    line: Line


@dataclass(frozen=True, slots=True)
class Resume:
    since: int


@dataclass(frozen=True, slots=True)
class Look:
    pass


@dataclass(frozen=True, slots=True)
class Fetch:
    """The record of the game as far as it goes."""


@dataclass(frozen=True, slots=True)
class Looked:
    n: int
    seat: Seat | None
    view: Any


@dataclass(frozen=True, slots=True)
class Fetched:
    n: int
    seat: Seat | None
    record: Record


Outcome: TypeAlias = "Answer | Refused | Line | Looked | Fetched | list[dict[str, Any]]"


@dataclass(frozen=True, slots=True)
class Message:
    person: Person
    table: str
    id: str
    what: Connect | Resume | Look | Fetch | Request


@dataclass(slots=True)
class Copy:
    """One copy of a message that reached the host, and its outcome; None where the process died over it."""

    message: Message
    received: int  # moments, by which everything in a run is in order
    wall: int  # the host's clock when it came
    done: int | None = None
    outcome: Outcome | None = None


def is_final(outcome: Outcome) -> bool:
    """Whether a client takes this as the answer, or asks again at once."""
    return not isinstance(outcome, Refused) or outcome.code not in TRANSIENT or "retry_after" in outcome.more
