"""What the referee bot of Mana says about its matches, as types.

The bot's answers are checked against these before they are passed on; further fields are passed on, too. The page's
types are made from them. People are npubs, events are named by their ids in hex, times are seconds since the epoch.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from dicehall.hall.register import LAST_PAGE

MatchPhase = Literal[
    "WaitingForAcceptance",
    "WaitingForCommitments",
    "WaitingForReveals",
    "ProcessingCombat",
    "RoundComplete",
    "MatchComplete",
    "Abandoned",
]


class MatchesQuery(Struct, kw_only=True):
    state: MatchPhase | None = None
    page: Annotated[int, Meta(ge=1, le=LAST_PAGE + 1)] = 1


class RelayStatus(Struct, kw_only=True):
    url: str
    connected: bool
    last_error: str | None
    rejected: int


class MintStatus(Struct, kw_only=True):
    url: str
    ok: bool
    last_error: str | None


class LootCounts(Struct, kw_only=True):
    queued: int
    paid: int


class BotStatus(Struct, kw_only=True):
    ok: bool
    npub: str
    relays: list[RelayStatus]
    mint: MintStatus
    matches: dict[str, int]  # by phase
    rejected: dict[str, int]  # events, by reason
    loot: LootCounts


class MatchSummary(Struct, kw_only=True):
    match_id: str
    players: tuple[str, str]  # the challenger is the first
    state: MatchPhase
    current_round: int
    score: tuple[int, int]
    winner: str | None
    reason: str | None
    created_at: int
    ended_at: int | None


class BotMatches(Struct, kw_only=True):
    matches: list[MatchSummary]  # the newest first
    page: int
    pages: int


class MatchUnit(Struct, kw_only=True):
    attack: int
    defense: int
    health: int
    max_health: int
    ability: Literal["None", "Boost", "Shield", "Heal"]


class MatchRound(Struct, kw_only=True):
    round: int
    player1_unit: MatchUnit  # after combat
    player2_unit: MatchUnit
    damage_dealt: tuple[int, int]
    winner: str | None
    event_id: str | None


class MatchCommitment(Struct, kw_only=True):
    player: str
    round: int
    hash: str
    event_id: str
    timestamp: int


class MatchReveal(Struct, kw_only=True):
    player: str
    round: int
    unit: MatchUnit | None
    unit_index: int | None
    token_secret: str | None  # once both have revealed and the round is fought
    event_id: str


class MatchEvent(Struct, kw_only=True):
    name: str
    event_id: str
    published: bool
    round: int | UnsetType | None = UNSET


class MatchLoot(Struct, kw_only=True):
    amount: int
    state: str
    event_id: str | None


class MatchVerification(Struct, kw_only=True):
    player: str
    valid: bool
    reason: str | None
    event_id: str | None


class BotMatch(Struct, kw_only=True):
    match_id: str
    players: tuple[str, str]
    current_round: int
    state: MatchPhase
    rounds: list[MatchRound]
    commitments: list[MatchCommitment]
    reveals: list[MatchReveal]
    created_at: int
    timeout_at: int | None
    leagues: tuple[int | None, int | None]
    units: tuple[list[MatchUnit] | None, list[MatchUnit] | None]  # eight each, once revealed
    score: tuple[int, int]
    total_damage: tuple[int, int]
    winner: str | None
    reason: str | None
    ended_at: int | None
    challenge_event_id: str
    acceptance_event_id: str | None
    events: list[MatchEvent]  # of the bot, in order
    loot: MatchLoot | None
    verifications: list[MatchVerification]


MATCH_SHAPES: tuple[type[Struct], ...] = (BotStatus, BotMatches, BotMatch)
