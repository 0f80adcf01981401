"""The events of a Mana match: one type each, with one encoder and one decoder.

Relays index only the first value of tags with one letter, so every event carries the source document's long tags and
mirrors of them: ``t`` the game, ``d`` the match, ``p`` people, ``e`` events. The long tags count; a mirror that
disagrees makes an event invalid.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import ClassVar, Self, TypeVar

import msgspec
from msgspec import Struct

from dicehall.nostr.events import Event, Tag
from dicehall.nostr.keys import InvalidKey, parse_note, parse_public

GAME = "mana-strategy"
AUTHORITY = "game-engine-bot"
MATCH_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
HEX_32 = re.compile(r"[0-9a-f]{64}")
Content = TypeVar("Content", bound=Struct)
MAX_ROUND = 255  # one byte in a commitment
MAX_CONTENT = 16_384
MAX_TAGS_SIZE = 4096  # characters in all tags together


class Reason(StrEnum):
    """Why an event does not count: the source document's names, and a few that it lacks."""

    UNKNOWN_EVENT_TYPE = "UnknownEventType"
    EVENT_PARSING_ERROR = "EventParsingError"
    INVALID_COMMITMENT = "InvalidCommitment"
    INVALID_TOKEN = "InvalidToken"
    COMMITMENT_MISMATCH = "CommitmentMismatch"
    INVALID_UNIT_INDEX = "InvalidUnitIndex"
    MATCH_NOT_FOUND = "MatchNotFound"
    INVALID_STATE_TRANSITION = "InvalidStateTransition"
    INVALID_SENDER = "InvalidSender"  # ours, as those below
    INVALID_CHALLENGE = "InvalidChallenge"
    TOO_MANY_CHALLENGES = "TooManyChallenges"
    BUSY = "Busy"
    INTERNAL_ERROR = "InternalError"


class Unclassified(ValueError):
    def __init__(self, reason: Reason, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


def unparsable(sentence: str) -> Unclassified:
    return Unclassified(Reason.EVENT_PARSING_ERROR, sentence)


# -- what players say -------------------------------------------------------------------------------------


class Challenge(Struct, frozen=True):
    name: ClassVar[str] = "challenge"
    match_id: str
    challenged: str  # a public key in hex, as all people here
    text: str = ""

    def encode(self) -> tuple[tuple[Tag, ...], str]:
        return (*common(self.match_id), (self.name, self.challenged), ("p", self.challenged)), self.text

    @classmethod
    def decode(cls, event: Event, match_id: str) -> Self:
        challenged = person(event.tag(cls.name))
        mirrored(event, "p", challenged)
        return cls(match_id, challenged, event.content)


class Acceptance(Struct, frozen=True):
    name: ClassVar[str] = "challenge_accepted"
    match_id: str
    challenge_id: str
    text: str = ""

    def encode(self) -> tuple[tuple[Tag, ...], str]:
        return (*common(self.match_id), (self.name, self.challenge_id), ("e", self.challenge_id)), self.text

    @classmethod
    def decode(cls, event: Event, match_id: str) -> Self:
        challenge_id = event_reference(event.tag(cls.name))
        mirrored(event, "e", challenge_id)
        return cls(match_id, challenge_id, event.content)


class Commitment(Struct, frozen=True):
    name: ClassVar[str] = "commitment"
    match_id: str
    round: int
    hash: str

    def encode(self) -> tuple[tuple[Tag, ...], str]:
        return (*common(self.match_id), (self.name, self.hash), ("round", str(self.round))), self.hash

    @classmethod
    def decode(cls, event: Event, match_id: str) -> Self:
        hash = event.tag(cls.name) or ""
        if not HEX_32.fullmatch(hash):
            raise Unclassified(Reason.INVALID_COMMITMENT, "A commitment must be 64 hex digits in lower case.")
        if event.content not in ("", hash):
            raise unparsable("The content and the tag of this commitment differ.")
        return cls(match_id, round_number(event.tag("round")), hash)


class RevealContent(Struct, frozen=True):
    round: int
    mana_token_secret: str
    mana_token_signature: str
    keyset: str
    unit_index: int
    commitment_event_id: str
    nonce: str | None = None


class Reveal(Struct, frozen=True):
    name: ClassVar[str] = "reveal"
    match_id: str
    content: RevealContent

    def encode(self) -> tuple[tuple[Tag, ...], str]:
        number, committed = str(self.content.round), self.content.commitment_event_id
        tags = (*common(self.match_id), (self.name, number), ("round", number), ("e", committed))
        return tags, to_json(self.content)

    @classmethod
    def decode(cls, event: Event, match_id: str) -> Self:
        content = read_content(event, RevealContent)
        number = round_number(event.tag(cls.name))
        if content.round != number or round_number(event.tag("round") or str(number)) != number:
            raise unparsable("The tags and the content of this reveal name different rounds.")
        committed = event_reference(content.commitment_event_id)
        mirrored(event, "e", committed)
        return cls(match_id, msgspec.structs.replace(content, commitment_event_id=committed))


class TokenProof(Struct, frozen=True):
    secret: str
    C: str
    id: str
    unit_indices: tuple[int, ...] = ()


class VerificationContent(Struct, frozen=True):
    token_proofs: tuple[TokenProof, ...]


class Verification(Struct, frozen=True):
    name: ClassVar[str] = "verification"
    match_id: str
    token_proofs: tuple[TokenProof, ...]

    def encode(self) -> tuple[tuple[Tag, ...], str]:
        return (*common(self.match_id), (self.name, "1")), to_json(VerificationContent(self.token_proofs))

    @classmethod
    def decode(cls, event: Event, match_id: str) -> Self:
        return cls(match_id, read_content(event, VerificationContent).token_proofs)


PlayerEvent = Challenge | Acceptance | Commitment | Reveal | Verification
PLAYER_EVENTS: tuple[type[PlayerEvent], ...] = (Challenge, Acceptance, Commitment, Reveal, Verification)


# -- what the bot says ------------------------------------------------------------------------------------


class BotContent(Struct, frozen=True, omit_defaults=True):
    """The contents of an event of the bot; people in it are npubs."""

    name: ClassVar[str]


class MatchAnnouncement(BotContent, frozen=True):
    name: ClassVar[str] = "match_announcement"
    match_id: str
    players: tuple[str, str]
    status: str
    created_at: int
    reason: str | None = None  # of a refused challenge


class RevealRequest(BotContent, frozen=True):
    name: ClassVar[str] = "reveal_request"
    match_id: str
    round: int
    status: str


class UnitAfterCombat(Struct, frozen=True):
    attack: int
    defense: int
    health: int
    max_health: int
    ability: str


class RoundUnits(Struct, frozen=True):
    player1: UnitAfterCombat
    player2: UnitAfterCombat


class RoundResult(BotContent, frozen=True):
    name: ClassVar[str] = "round_result"
    round: int
    winner: str | None
    damage_dealt: tuple[int, int]
    units: RoundUnits


class MatchResult(BotContent, frozen=True):
    name: ClassVar[str] = "match_result"
    match_id: str
    winner: str | None
    score: tuple[int, int]
    total_damage: tuple[int, int]
    rounds: int
    reason: str
    completed_at: int


class LootReward(BotContent, frozen=True):
    name: ClassVar[str] = "loot_reward"
    match_id: str
    winner: str
    amount: int
    token: str


class VerificationResult(BotContent, frozen=True, omit_defaults=False):
    name: ClassVar[str] = "verification_result"
    match_id: str
    player: str
    valid: bool
    reason: str | None = None  # why not


BOT_EVENTS: tuple[type[BotContent], ...] = (
    MatchAnnouncement,
    RevealRequest,
    RoundResult,
    MatchResult,
    LootReward,
    VerificationResult,
)


class BotEvent(Struct, frozen=True):
    """What the referee publishes: its content, whom it concerns and the events it answers."""

    match_id: str
    content: BotContent
    people: tuple[str, ...] = ()
    events: tuple[str, ...] = ()

    def encode(self) -> tuple[tuple[Tag, ...], str]:
        mirrors = (*(("p", one) for one in self.people), *(("e", one) for one in self.events))
        tags = (*common(self.match_id), ("authority", AUTHORITY), (self.content.name, self.tag_value()), *mirrors)
        return tags, to_json(self.content)

    def tag_value(self) -> str:
        return str(getattr(self.content, "round", None) or getattr(self.content, "status", None) or self.match_id)

    @classmethod
    def decode(cls, event: Event) -> Self:
        found = [kind for kind in BOT_EVENTS if event.tag(kind.name) is not None]
        if len(found) != 1 or event.tag("authority") != AUTHORITY:
            raise Unclassified(Reason.UNKNOWN_EVENT_TYPE, "This is not an event of a referee.")
        content = read_content(event, found[0])
        return cls(match_of(event), content, event.tag_values("p"), event.tag_values("e"))


# -- reading ----------------------------------------------------------------------------------------------


def classify(event: Event) -> PlayerEvent:
    """What a player's event says. Unclassified where it is something else, or not well-formed."""
    names = {tag[0] for tag in event.tags if len(tag) > 1}
    if "authority" in names:
        raise Unclassified(Reason.UNKNOWN_EVENT_TYPE, "This is an event of a referee.")
    found = [kind for kind in PLAYER_EVENTS if kind.name in names]
    if len(found) != 1:
        raise Unclassified(Reason.UNKNOWN_EVENT_TYPE, "This is not one of the five player events.")
    return found[0].decode(event, match_of(event))


def match_of(event: Event) -> str:
    match_id = event.tag("match_id") or ""
    if not MATCH_ID.fullmatch(match_id):
        raise unparsable("A match_id is 1 to 64 of A-Z a-z 0-9 . _ -")
    if event.tag("game") not in (None, GAME):
        raise unparsable("This event belongs to another game.")
    mirrored(event, "d", match_id)
    mirrored(event, "t", GAME)
    if len(event.content) > MAX_CONTENT:
        raise unparsable(f"The content of an event can have at most {MAX_CONTENT} characters.")
    if event.tags_size > MAX_TAGS_SIZE:
        raise unparsable(f"The tags of an event can have at most {MAX_TAGS_SIZE} characters.")
    return match_id


def mirrored(event: Event, letter: str, value: str) -> None:
    if (letter, value) in event.tags:  # as a rule, and much faster to see
        return
    values = event.tag_values(letter)
    if values and value not in values:
        raise unparsable(f"The tag {letter!r} disagrees with the tag that it mirrors.")


def person(text: str | None) -> str:
    try:
        return parse_public(text or "")
    except InvalidKey as error:
        raise unparsable(str(error)) from None


def event_reference(text: str | None) -> str:
    try:
        return parse_note(text or "")
    except InvalidKey as error:
        raise unparsable(str(error)) from None


def round_number(text: str | None) -> int:
    if text is None or not re.fullmatch(r"[1-9][0-9]{0,2}", text) or int(text) > MAX_ROUND:
        raise unparsable("A round must be a whole number from 1.")
    return int(text)


def read_content(event: Event, kind: type[Content]) -> Content:
    try:
        return msgspec.json.decode(event.content, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise unparsable(f"The content of this event cannot be read: {error}") from None


# -- writing ----------------------------------------------------------------------------------------------


def common(match_id: str) -> tuple[Tag, ...]:
    return (("match_id", match_id), ("game", GAME), ("t", GAME), ("d", match_id))


def to_json(content: Struct) -> str:
    return msgspec.json.encode(content).decode()
