"""What a match is made of: its entries, what the referee says to them, and why an event does not count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from msgspec import Struct

from dicehall.core.game import Seat
from dicehall.games.mana.units import Unit
from dicehall.nostr.events import Event
from dicehall.nostr.match_events import BotContent, Reason


class Phase(StrEnum):
    WAITING_FOR_ACCEPTANCE = "WaitingForAcceptance"
    WAITING_FOR_COMMITMENTS = "WaitingForCommitments"
    WAITING_FOR_REVEALS = "WaitingForReveals"
    PROCESSING_COMBAT = "ProcessingCombat"  # both reveals are in, and the mint has to say what the tokens are
    ROUND_COMPLETE = "RoundComplete"  # the result of the round is on its way to the relays
    MATCH_COMPLETE = "MatchComplete"
    ABANDONED = "Abandoned"


class Rejected(Exception):
    """An event that does not count. Nothing has changed."""

    def __init__(self, reason: Reason, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class Limits(Struct, frozen=True):
    """How long the players have, and what a commitment must have."""

    round_ms: int = 300_000
    match_ms: int = 1_800_000
    nonce_required: bool = True


class Accepted(Struct, frozen=True, tag="event", omit_defaults=True):
    """A player's event that counted, and when."""

    event: Event
    at_ms: int
    waited_ms: int = 0  # for the mint
    league: int | None = None  # of a reveal's token, as the mint said
    refusal: str | None = None  # why a verification failed


class Expired(Struct, frozen=True, tag="expired"):
    at_ms: int


class Paused(Struct, frozen=True, tag="paused"):
    """The players could not reach the referee for a while, which costs them nothing."""

    ms: int


Entry = Accepted | Expired | Paused


class Saying(Struct, frozen=True):
    """Something the referee says. The key names it within its match, so that nothing is said twice."""

    match_id: str
    key: str
    content: BotContent
    at_ms: int
    people: tuple[str, ...] = ()
    events: tuple[str, ...] = ()


Say = Callable[[Saying], str]  # and the id of the event that says it


@dataclass(frozen=True, slots=True)
class CommitmentData:
    hash: str
    event_id: str
    timestamp: int


@dataclass(frozen=True, slots=True)
class RevealData:
    unit_index: int
    unit: Unit
    secret: str
    signature: str
    event_id: str


@dataclass(frozen=True, slots=True)
class VerificationData:
    seat: Seat
    refusal: str | None
    event_id: str  # of the answer
