"""The requests and answers of HTTP as types: codecs and the OpenAPI document are made from them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw, Struct
from msgspec.structs import replace

from dicehall.hall.ports import Account
from dicehall.hall.reactions import Reaction
from dicehall.hall.register import LAST_PAGE
from dicehall.hall.webhooks import LONGEST_URL, Problem, State

Name = Annotated[str, Meta(min_length=1, max_length=200, description="1-24 characters after normalisation")]
Hex = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
ClientId = Annotated[str, Meta(min_length=1, max_length=64, description="the client's own id of this request")]
GUEST_ID = (
    "at least 22 random characters; repeating the request from the same address within a minute returns the same guest"
)
Page = Annotated[int, Meta(ge=0, le=LAST_PAGE)]
SeatNumber = Annotated[int, Meta(ge=0, le=63)]
MOST_STEPS = 1000  # updates of a replay in one answer
Phase = Literal["lobby", "playing", "asleep", "over", "abandoned"]


class AccountShown(Struct, kw_only=True):
    id: str
    name: str
    avatar: str
    guest: bool
    created: int


class Entered(Struct, kw_only=True):
    token: str
    account: AccountShown


class GuestBody(Struct, kw_only=True):
    name: Annotated[str, Meta(max_length=200)] = "Guest"
    id: Annotated[str, Meta(min_length=22, max_length=64, description=GUEST_ID)] | None = None


class SignUpBody(Struct, kw_only=True):
    name: Name
    password: Annotated[str, Meta(max_length=1000)]


class SignInBody(Struct, kw_only=True):
    """With a name and its password, or with a challenge and its signature (hex) by an Ed25519 key.

    With a Nostr event in the Authorization header all of it can be left out; the name is that of a new account.
    """

    name: Annotated[str, Meta(max_length=200)] | None = None
    password: Annotated[str, Meta(max_length=1000)] | None = None
    challenge: Annotated[str, Meta(max_length=200)] | None = None
    signature: Annotated[str, Meta(max_length=200)] | None = None


class AddKeyBody(Struct, kw_only=True):
    """With a challenge and its signature (hex) by an Ed25519 key, or with a Nostr event in the Authorization header."""

    challenge: Annotated[str, Meta(max_length=200)] | None = None
    signature: Annotated[str, Meta(max_length=200)] | None = None
    password: Annotated[str, Meta(max_length=1000, description="of the account, if it has one")] = ""


class KeyShown(Struct, kw_only=True):
    kind: Literal["nostr", "ed25519"]
    key: str  # an npub, or DER as hex


class KeysShown(Struct, kw_only=True):
    password: bool  # whether the account has one
    keys: list[KeyShown]


class ChallengeBody(Struct, kw_only=True):
    public_key: Annotated[str, Meta(max_length=200, description="Ed25519, raw or DER, as hex")]


class ChallengeShown(Struct, kw_only=True):
    challenge: str
    expires: int


class MeBody(Struct, kw_only=True):
    name: Name | None = None
    avatar: Annotated[str, Meta(max_length=40)] | None = None
    password: Annotated[str, Meta(max_length=1000)] | None = None
    old_password: Annotated[str, Meta(max_length=1000)] = ""
    challenge: Annotated[str, Meta(max_length=200, description="signed by an Ed25519 key of the account")] | None = None
    signature: Annotated[str, Meta(max_length=200)] | None = None


class BotBody(Struct, kw_only=True):
    seat: SeatNumber | None = None
    level: Annotated[str, Meta(max_length=40)] = "greedy"
    id: ClientId | None = None


class OpenBot(Struct, kw_only=True):
    seat: SeatNumber
    level: Annotated[str, Meta(max_length=40)] = "greedy"


class WebhookWanted(Struct, kw_only=True):
    """Where the result of a table is sent when its game ends."""

    url: Annotated[str, Meta(min_length=1, max_length=LONGEST_URL)]
    secret: (
        Annotated[str, Meta(max_length=100, description="whsec_ and 24-64 bytes in base64; null: the server makes one")]
        | None
    ) = None


class WebhookShown(Struct, kw_only=True):
    url: str
    secret: str | None  # null once it is delivered or given up
    state: State
    tries: int
    next_try: int | None  # ms
    problem: Problem | None  # of the last try


class OpenBody(Struct, kw_only=True):
    game: Annotated[str, Meta(max_length=40)]
    name: Annotated[str, Meta(max_length=200)] = ""
    rules: Annotated[dict[str, int | None], Meta(max_length=20)] = {}
    seats: Annotated[int, Meta(ge=1, le=64)] | None = None
    visibility: Literal["public", "link"] = "public"
    password: Annotated[str, Meta(max_length=200)] | None = None
    hints: Annotated[bool | None, Meta(description="null: on if one person plays against bots only")] = None
    clock: Annotated[bool | None, Meta(description="null: a turn clock only if two or more people play")] = None
    rated: bool = True
    reactions: Annotated[bool, Meta(description="whether people at the table can react")] = True
    drawn: bool | None = None
    bots: Annotated[list[OpenBot], Meta(max_length=64)] = []
    webhook: WebhookWanted | None = None
    id: ClientId | None = None


class ContinueBody(Struct, kw_only=True):
    """Play on from a finished game: I take *seat*, bots take theirs, and anyone with the link can take the others."""

    entries: Annotated[int, Meta(ge=0, le=1_000_000, description="of the record that have been played there")]
    seat: SeatNumber
    bots: Annotated[list[OpenBot], Meta(max_length=64)] = []
    id: ClientId | None = None


class SitBody(Struct, kw_only=True):
    seat: SeatNumber | None = None
    commitment: Hex | None = None
    password: Annotated[str, Meta(max_length=200)] | None = None
    id: ClientId | None = None


class ReactBody(Struct, kw_only=True):
    reaction: Reaction
    id: ClientId | None = None


class Reacted(Struct, kw_only=True):
    reaction: Reaction


class RemoveBody(Struct, kw_only=True):
    seat: SeatNumber
    id: ClientId | None = None


class WordsBody(Struct, kw_only=True):
    words: Annotated[str, Meta(max_length=96)] = ""
    id: ClientId | None = None


class ActBody(Struct, kw_only=True):
    move: Any
    id: ClientId | None = None


class IdBody(Struct, kw_only=True):
    id: ClientId | None = None


class Answered(Struct, kw_only=True):
    """A request was answered by update number n; the table as I see it then."""

    n: int
    table: dict[str, Any]


class ChoiceWorth(Struct, kw_only=True):
    """A choice, and the chance to win of whoever makes it."""

    move: Any
    words: str  # "Roll again"
    chance: float
    stderr: float  # 0: exact


class Advice(Struct, kw_only=True):
    situation: str  # "Behind 65 to 85 with 22 on the pile"
    best: Any  # a move, as it is sent
    best_words: str
    worths: list[ChoiceWorth]  # the best first; empty where these house rules are not solved
    note: str  # how far to trust it: exact, against the leader, rollouts, or whose advice it is


class HintAnswered(Answered, kw_only=True):
    """The hint is update number n, which everyone sees; the advice is only for the player who asked."""

    advice: Advice | None


class CoachLine(Struct, kw_only=True):
    """A moment of the game that the coach mentions, by its entry in the record."""

    entry: int
    sentence: str


class Chance(Struct, kw_only=True):
    chance: float
    stderr: float  # 0: exact


class DieShown(Struct, kw_only=True):
    face: int
    kept: bool  # set aside before the choice


class CostlyChoice(Struct, kw_only=True):
    """A decision that cost something, and what was better."""

    entry: int  # in the record, from 0
    round: int | None  # as the score sheet counts
    situation: str
    dice: list[DieShown]
    move: Any
    chosen: str  # in words
    chance: Chance
    best: Any
    better: str | None
    best_chance: Chance | None
    loss: float
    stderr: float
    sentence: str  # by name
    yours: str  # to the person who made it


class Reviewed(Struct, kw_only=True):
    """The costliest choice of my last turn."""

    n: int  # the act that ended the turn
    judged: int  # choices of it that could be judged
    mistake: CostlyChoice | None


class SeatStory(Struct, kw_only=True):
    headline: str
    luck: str
    skill: str
    average_luck: str


class GraphPoint(Struct, kw_only=True):
    entry: int
    seat: int | None  # whose doing it was
    round: int | None
    sentence: str
    chances: list[float]  # by seat


class SeatCoached(Struct, kw_only=True):
    """The effect of luck and play on one seat, in shares of a game (0.1 is a tenth of a win)."""

    seat: int
    name: str
    bot: bool
    start: float
    result: float
    luck: float
    luck_stderr: float
    adjusted: float  # the result with the luck taken out: a sum, which can leave 0 to 1 (the story stays within)
    lost: float  # by one's own decisions
    mistakes_cost: float  # by those that stand out of the noise
    decisions: int
    contested: int  # decisions whose choices really differed; they alone are graded
    mistakes: int
    average_loss: float
    grade: str
    headline: str
    turning_points: list[CoachLine]
    worst: list[CoachLine]  # the decisions that cost most, with what was better
    costliest: list[CostlyChoice]  # the same, part by part
    told: SeatStory  # by name
    yours: SeatStory  # to the person in this seat


class Coached(Struct, kw_only=True):
    progress: float  # below 1: ask again; the rest is a first estimate then, or without seats not there yet
    game: str
    note: str  # how far to trust it
    exact: bool
    against_leader: bool
    trust: str  # how far to trust it, in a sentence
    explained: dict[str, str]  # what each kind of number means
    seats: list[SeatCoached]
    graph: list[GraphPoint]


ALMOST_DONE = 0.99  # of a report whose moves are all judged, but which is not here yet


def coaching(progress: float, first: Coached | None = None) -> Coached:
    """The answer while a report is being computed: the progress, and a first estimate if there is one."""
    nothing: dict[str, Any] = {"game": "", "note": "", "trust": "", "explained": {}, "seats": [], "graph": []}
    so_far = first or Coached(progress=0.0, exact=False, against_leader=False, **nothing)
    return replace(so_far, progress=min(max(progress, so_far.progress), ALMOST_DONE))


class CoachQuery(Struct, kw_only=True):
    wait_ms: Annotated[int, Meta(ge=0, le=10_000, description="answer with the progress after this time")] | None = None


class Acted(Struct, kw_only=True):
    n: int
    view: dict[str, Any]


class Updates(Struct, kw_only=True):
    updates: list[Raw]
    n: int


class SinceQuery(Struct, kw_only=True):
    since: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0


class ReplayQuery(SinceQuery, kw_only=True):
    most: Annotated[int, Meta(ge=1, le=MOST_STEPS)] = MOST_STEPS


class FindQuery(Struct, kw_only=True):
    game: Annotated[str, Meta(max_length=40)] | None = None
    phase: Phase | None = None
    page: Page = 0


class PageQuery(Struct, kw_only=True):
    page: Page = 0


class PastQuery(PageQuery, kw_only=True):
    """Which games of a player are listed."""

    game: Annotated[str, Meta(max_length=40)] | None = None
    outcome: Literal["won", "lost"] | None = None
    against: Literal["people", "bots"] | None = None
    since: Annotated[int, Meta(ge=0, le=2**53, description="ms: games that ended at this time or later")] = 0


class RankingQuery(Struct, kw_only=True):
    who: Annotated[
        Literal["accounts", "guests"], Meta(description="guests: also accounts created after the day began")
    ] = "accounts"
    page: Page = 0


class LeadersQuery(Struct, kw_only=True):
    by: Annotated[Literal["won", "rate", "rating"], Meta(description="rating: of one game only")] = "won"
    who: Literal["accounts", "guests", "bots"] = "accounts"
    least: Annotated[int, Meta(ge=1, le=1_000_000)] = 1
    page: Page = 0


class Found(Struct, kw_only=True):
    tables: list[dict[str, Any]]
    page: int


class Error(Struct, kw_only=True):
    code: str
    message: str


class Refusal(Struct, kw_only=True):
    error: Error


def show_account(account: Account) -> AccountShown:
    return msgspec.convert(msgspec.to_builtins(account), AccountShown)
