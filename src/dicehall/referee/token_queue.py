"""Reveals and verifications that wait for the mint's word on their tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dicehall.nostr.events import Event
from dicehall.nostr.match_events import PlayerEvent, Reason, Reveal, TokenProof, Verification, classify
from dicehall.referee.attempts import Attempts
from dicehall.referee.entries import Rejected
from dicehall.referee.match import Match
from dicehall.referee.store import Store

MAX_REFUSED_TOKENS = 5  # of a player for a match: each costs the mint work


@dataclass(frozen=True, slots=True)
class Question:
    """Something to ask the mint about the tokens of one event."""

    event: Event
    match_id: str
    proofs: tuple[TokenProof, ...]
    bind: bool  # a reveal's token is bound to the match


@dataclass(frozen=True, slots=True)
class TokenAnswer:
    """The mint's word on one token."""

    valid: bool
    league: int | None = None
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """An event that waits, and what it says."""

    event: Event
    at_ms: int
    said: Reveal | Verification


@dataclass(slots=True)
class TokenQueue:
    store: Store
    waiting: dict[str, Asked] = field(default_factory=dict)  # by event id
    by_match: dict[str, list[Asked]] = field(default_factory=dict)
    by_secret: dict[str, list[Asked]] = field(default_factory=dict)  # reveals, by their token
    attempts: Attempts = field(default_factory=Attempts)  # by event id
    refused: Counter[tuple[str, str]] = field(default_factory=Counter)  # tokens, by match and player

    def __contains__(self, event_id: str) -> bool:
        return event_id in self.waiting

    def load(self) -> None:
        """What the store has."""
        self.waiting.clear()
        self.by_match.clear()
        self.by_secret.clear()
        for one in self.store.waiting():
            self.put(Asked(one.event, one.at_ms, asking(classify(one.event))))

    def put(self, one: Asked) -> None:
        self.waiting[one.event.id] = one
        self.by_match.setdefault(one.said.match_id, []).append(one)
        if (secret := secret_of(one.said)) is not None:
            self.by_secret.setdefault(secret, []).append(one)

    def check(self, said: Reveal, event: Event) -> None:
        """While the mint is away, who reads a reveal could play with its token elsewhere, and be asked about first."""
        if self.refused[said.match_id, event.pubkey] >= MAX_REFUSED_TOKENS:
            raise Rejected(Reason.INVALID_TOKEN, "The mint has refused too many tokens of this player.")
        same = self.by_secret.get(said.content.mana_token_secret, ())
        if any(one.event.pubkey != event.pubkey for one in same):
            raise Rejected(Reason.INVALID_TOKEN, "Another reveal of this token is waiting for the mint.")

    def add(self, said: Reveal | Verification, event: Event, now_ms: int) -> None:
        waiting = self.by_match.get(said.match_id, ())
        if any(one.event.pubkey == event.pubkey and type(one.said) is type(said) for one in waiting):
            raise Rejected(Reason.INVALID_STATE_TRANSITION, "An event of this player is waiting for the mint.")
        self.put(Asked(event, now_ms, said))
        self.store.add_waiting(said.match_id, event, now_ms)

    def reveals(self, match_id: str) -> Iterator[Asked]:
        return (one for one in self.by_match.get(match_id, ()) if isinstance(one.said, Reveal))

    def questions(self, now_ms: int) -> list[Question]:
        """What to ask the mint now; each stays ours until it is answered or failed."""
        return [question(one) for id, one in self.waiting.items() if self.attempts.start(id, now_ms)]

    def answered(self, event_id: str) -> Asked | None:
        """The event that waited, which does so no longer."""
        self.attempts.done(event_id)
        found = self.waiting.pop(event_id, None)
        if found is not None:
            self.store.remove_waiting(event_id)
            remove(self.by_match, found.said.match_id, found)
            if (secret := secret_of(found.said)) is not None:
                remove(self.by_secret, secret, found)
        return found

    def not_answered(self, asked: Question, error: str, now_ms: int) -> None:
        self.attempts.failed(asked.event.id, error, now_ms)

    def forget_refused(self, match: Match) -> None:
        for player in match.players:
            self.refused.pop((match.id, player), None)


def remove(index: dict[str, list[Asked]], key: str, one: Asked) -> None:
    index[key].remove(one)
    if not index[key]:
        del index[key]


def asking(said: PlayerEvent) -> Reveal | Verification:
    assert isinstance(said, Reveal | Verification)
    return said


def secret_of(said: Reveal | Verification) -> str | None:
    return said.content.mana_token_secret if isinstance(said, Reveal) else None


def question(asked: Asked) -> Question:
    said = asked.said
    if isinstance(said, Verification):
        return Question(asked.event, said.match_id, said.token_proofs, bind=False)
    shown = said.content
    proof = TokenProof(shown.mana_token_secret, shown.mana_token_signature, shown.keyset)
    return Question(asked.event, said.match_id, (proof,), bind=True)


def refusal_of(match: Match, said: Verification, event: Event, answers: Sequence[TokenAnswer]) -> str | None:
    """Why a verification fails; None where every proof is good."""
    seat = match.seat_of(event)
    for proof, answer in zip(said.token_proofs, answers, strict=True):
        if not answer.valid:
            return answer.sentence or "The mint does not know this token."
        if (wrong := match.disagreement(seat, proof)) is not None:
            return wrong
    return None
