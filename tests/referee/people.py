"""Players of a match over Nostr, and a referee that is driven by hand: time and the mint's word come from the test."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from dicehall.games.mana.commitments import commitment
from dicehall.games.mana.units import Army, army, token_digest
from dicehall.nostr.events import Event, sign_event
from dicehall.nostr.keys import SecretKey
from dicehall.nostr.match_events import (
    Acceptance,
    BotContent,
    BotEvent,
    Challenge,
    Commitment,
    PlayerEvent,
    Reveal,
    RevealContent,
    TokenProof,
    Verification,
)
from dicehall.referee.entries import Limits
from dicehall.referee.referee import Referee
from dicehall.referee.store import Outgoing, Store
from dicehall.referee.token_queue import Question, TokenAnswer

BOT = SecretKey(bytes(31) + b"\5")
START_MS = 1_800_000_000_000


def secret_of(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


@dataclass(slots=True)
class Person:
    """Somebody with a key and a token; the point C is any, for only the mint could tell."""

    key: SecretKey
    secret: str
    C: str
    league: int = 0
    keyset: str = "00" + "ab" * 7
    count: int = 0

    @classmethod
    def called(cls, name: str, league: int = 0) -> Person:
        digest = hashlib.sha256(b"key of " + name.encode()).digest()
        return cls(SecretKey(digest), secret_of("secret of " + name), "02" + secret_of("C of " + name), league)

    @property
    def army(self) -> Army:
        return army(token_digest(bytes.fromhex(self.secret), bytes.fromhex(self.C)), self.league)

    def sign(self, said: PlayerEvent, at_s: int = START_MS // 1000, kind: int = 1) -> Event:
        tags, content = said.encode()
        return sign_event(self.key, at_s, kind, tags, content)

    def challenge(self, other: Person, match_id: str = "m1", text: str = "") -> Event:
        return self.sign(Challenge(match_id, other.key.public_hex, text))

    def accept(self, challenge: Event, match_id: str = "m1") -> Event:
        return self.sign(Acceptance(match_id, challenge.id))

    def nonce(self, number: int) -> str:
        return secret_of(f"{self.secret} {number}")

    def commit(self, unit: int, number: int = 1, match_id: str = "m1", **more: Any) -> Event:
        nonce: str | None = more.get("nonce", self.nonce(number))
        fresh = None if nonce is None else bytes.fromhex(nonce)
        secret, signature = bytes.fromhex(self.secret), bytes.fromhex(self.C)
        return self.sign(Commitment(match_id, number, commitment(secret, signature, unit, number, match_id, fresh)))

    def reveal(self, unit: int, committed: Event, number: int = 1, match_id: str = "m1", **more: Any) -> Event:
        fields: dict[str, Any] = {
            "round": number,
            "mana_token_secret": self.secret,
            "mana_token_signature": self.C,
            "keyset": self.keyset,
            "unit_index": unit,
            "commitment_event_id": committed.id,
            "nonce": self.nonce(number),
        }
        return self.sign(Reveal(match_id, RevealContent(**(fields | more))))

    def verify(self, units: Sequence[int] = (), match_id: str = "m1", **more: Any) -> Event:
        fields: dict[str, Any] = {"secret": self.secret, "C": self.C, "id": self.keyset, "unit_indices": tuple(units)}
        return self.sign(Verification(match_id, (TokenProof(**(fields | more)),)))


@dataclass(slots=True)
class Court:
    """A referee on a store of its own, and what relays and mint have heard of it."""

    store: Store
    limits: Limits = field(default_factory=Limits)
    now_ms: int = START_MS
    leagues: dict[str, int] = field(default_factory=dict)  # by secret: the tokens that the mint knows
    published: list[Outgoing] = field(default_factory=list)
    max_matches: int = 100
    referee: Referee = field(init=False)

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        self.referee = Referee(BOT, self.store, limits=self.limits, max_matches=self.max_matches)
        self.referee.resume(self.now_ms)

    def restart(self, after_ms: int = 0) -> None:
        """As after a kill: what was not written is gone."""
        self.store.batch.clear()
        self.now_ms += after_ms
        self.start()

    def know(self, *people: Person) -> None:
        for one in people:
            self.leagues[one.secret] = one.league

    def send(self, *events: Event) -> None:
        for event in events:
            self.referee.receive(event, self.now_ms)
            self.settle()

    def settle(self, *, mint: bool = True, relay: bool = True) -> None:
        """Until there is nothing to do."""
        self.referee.commit()
        while True:
            questions = self.referee.tokens.questions(self.now_ms) if mint else []
            for question in questions:
                self.referee.answered(question, self.answers(question), self.now_ms)
            self.referee.commit()
            outgoing = self.referee.outbox.publications(self.now_ms) if relay else []
            for one in outgoing:
                self.published.append(one)
                self.referee.published(one, self.now_ms)
            self.referee.commit()
            if not questions and not outgoing:
                return

    def answers(self, question: Question) -> list[TokenAnswer]:
        return [TokenAnswer(one.secret in self.leagues, self.leagues.get(one.secret)) for one in question.proofs]

    def wait(self, seconds: float) -> None:
        self.now_ms += round(seconds * 1000)
        self.referee.check_deadlines(self.now_ms)
        self.referee.alive(self.now_ms)
        self.settle()

    def said(self, kind: type[BotContent] = BotContent) -> list[Any]:
        """The contents of what was published, in order."""
        contents = [BotEvent.decode(one.event).content for one in self.published]
        return [one for one in contents if isinstance(one, kind)]

    def reasons(self) -> dict[str, int]:
        return dict(self.referee.rejections.counts)


def rounds(ann: Person, bea: Person, picks: Sequence[tuple[int, int]], match_id: str = "m1") -> Iterator[list[Event]]:
    """The events of one round after the other: two commitments and two reveals."""
    for number, (mine, theirs) in enumerate(picks, 1):
        first, second = ann.commit(mine, number, match_id), bea.commit(theirs, number, match_id)
        yield [
            first,
            second,
            ann.reveal(mine, first, number, match_id),
            bea.reveal(theirs, second, number, match_id),
        ]
