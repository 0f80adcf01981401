"""The dependencies of the endpoints: a hall, its people, and the settings of this server."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias
from weakref import WeakValueDictionary

import msgspec

from dicehall.core.game import AnyGame, Refused, Seat
from dicehall.hall.challenges import Challenges
from dicehall.hall.hall import Hall
from dicehall.hall.keys import SignedEvent
from dicehall.hall.people import People
from dicehall.hall.ports import WebhookStore
from dicehall.hall.ratings import Ratings
from dicehall.hall.register import PAGE, Filter
from dicehall.hall.seeds.wards_rooms import Rooms
from dicehall.hall.webhooks import Mode
from dicehall.server.bodies import Advice, Coached, Reviewed
from dicehall.server.guests import Guests
from dicehall.server.limits import Limits
from dicehall.server.presence import HttpPresence
from dicehall.server.preview_pictures import Picture
from dicehall.server.tokens import Tokens
from dicehall.table.fair_lock import FairLock
from dicehall.table.requests import Code

MOST_OPEN = 5 * PAGE  # tables of one account that are not over
MOST_LOBBIES = 10  # in which one account sits at once
LONG_READ = 1024  # acts; longer reads wait for each other
MOST_RECEIVING = 4  # large bodies on their way from one address at once
MOST_RECEIVING_IN_ALL = 32


@dataclass(frozen=True, slots=True)
class Settings:
    public_url: str = "http://127.0.0.1:8000"  # where people reach this server, with a path prefix perhaps
    service_token: str | None = None  # lets an operator's program use the service methods of the seeds' doors
    trust_proxy: int = 0  # how many proxies in front add to X-Forwarded-For
    mana_bot: str | None = None  # where the referee of Mana over Nostr answers
    webhooks: Mode = "off"  # whether results are sent to addresses that openers of tables name, and to which


ReadRecord: TypeAlias = Callable[[], Awaitable[bytes]]


class Adviser(Protocol):
    async def __call__(
        self,
        address: str,
        game: AnyGame,
        names: Sequence[str],
        view: Any,
        seat: Seat,
        choices: Sequence[Any],
        seed: str,
        language: str,
    ) -> Advice:
        """The coach's advice on what a seat sees, computed off the event loop."""
        ...


@dataclass(frozen=True, slots=True)
class MadeChoice:
    """A choice: what the seat saw, what it could do, and what it did."""

    view: Any
    choices: tuple[Any, ...]
    action: Any


class Reviewer(Protocol):
    async def __call__(
        self,
        address: str,
        game: AnyGame,
        names: Sequence[str],
        seat: Seat,
        turn: Sequence[MadeChoice],
        language: str,
    ) -> Reviewed:
        """The cost of a turn's choices, computed off the event loop."""
        ...


class Reports(Protocol):
    """Reports of finished games, each computed once, in another process."""

    def knows(self, table: str) -> bool: ...

    async def report(self, address: str, table: str, read: ReadRecord, wait_s: float | None, language: str) -> Coached:
        """The report of a table's record; with *wait_s*, possibly only its progress."""
        ...


class Judge(Protocol):
    def wake(self) -> None:
        """Look for games of the daily challenge that have not been analysed."""
        ...


class NostrKeys(Protocol):
    """What the server needs from Nostr; it knows nothing else about it."""

    def verify(self, header: str, url: str, method: str, now_s: int, body: bytes) -> SignedEvent:
        """The event in an Authorization header (NIP-98); refused unless it was signed for this very request."""
        ...

    def npub(self, public_key: bytes) -> str: ...

    def parse(self, text: str) -> bytes:
        """A public key from npub or hex, or Refused."""
        ...


class ManaBot(Protocol):
    async def get(self, path: str, shape: type[msgspec.Struct]) -> msgspec.Raw:
        """A JSON object of this shape from the referee bot. Refused if there is none, or no bot that answers."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class ServerParts:
    hall: Hall
    people: People
    tokens: Tokens
    limits: Limits
    presence: HttpPresence
    # Heavy work runs elsewhere; addresses are served in turn.
    verify: Callable[[str, bytes], Awaitable[dict[str, Any]]]  # replays a record and checks its dice
    replay_record: Callable[[str, bytes], Awaitable[bytes]]  # shows a record step by step, as JSON
    draw: Callable[[str, Picture], Awaitable[bytes]]  # the picture of a link's preview, as PNG
    advise: Adviser
    review: Reviewer
    reports: Reports
    nostr: NostrKeys
    mana_bot: ManaBot
    webhooks: WebhookStore
    challenges: Challenges
    judge: Judge
    ratings: Ratings
    settings: Settings = field(default_factory=Settings)
    rooms: Rooms = field(init=False)  # the hall as Dice Wards' own doors see it
    guests: Guests = field(init=False)
    turns: WeakValueDictionary[str, asyncio.Lock] = field(init=False)  # of accounts, see turn_of
    long_reads: FairLock = field(init=False)
    game_lists: dict[str, msgspec.Raw] = field(init=False)  # the list of games, by language: it never changes
    large_bodies: Counter[str] = field(init=False)  # on their way, by address

    def __post_init__(self) -> None:
        object.__setattr__(self, "rooms", Rooms(self.hall))
        object.__setattr__(self, "guests", Guests(self.people))
        object.__setattr__(self, "turns", WeakValueDictionary())
        object.__setattr__(self, "long_reads", FairLock())
        object.__setattr__(self, "game_lists", {})
        object.__setattr__(self, "large_bodies", Counter())

    async def may_open(self, account: str, address: str) -> None:
        """Refuse if an account or address opens tables too fast, or an account has too many of them."""
        self.limits.take("open", account)
        self.limits.take("open_address", address)
        wanted = Filter(statuses=("lobby", "playing", "asleep"), public_only=False, opener=account)
        if len(await self.hall.parts.register.find(wanted, MOST_OPEN // PAGE - 1)) == PAGE:
            sentence = f"You already have {MOST_OPEN} open tables. Close some first."
            raise Refused(Code.RATE_LIMITED, sentence, retry_after=60)

    @asynccontextmanager
    async def reading(self, account: str | None, address: str, table: str, since: int = 0) -> AsyncIterator[None]:
        """Guard reading a journal: refused if somebody reads more acts than anyone needs.

        Long ones are read one at a time, and addresses are served in turn, because each takes much memory.
        """
        try:
            head = (await self.hall.host.reach(table)).state.seq
        except Refused:  # there is none, or only a record: whoever reads it is told
            head = since
        self.limits.take_both("history", account, address, max(1, head - since))
        async with self.long_reads.hold(address) if head - since > LONG_READ else nullcontext():
            yield

    @asynccontextmanager
    async def sitting_down(self, account: str, table: str | None = None) -> AsyncIterator[None]:
        """Guard everything that takes a chair: refused if somebody already sits in too many lobbies.

        One at a time for each account, so that many requests at once are counted like many in a row.
        """
        async with self.turn_of(account):
            lobbies = await self.hall.parts.register.lobbies_of(account)
            if len(set(lobbies) - {table}) >= MOST_LOBBIES:
                sentence = f"You are already waiting at {MOST_LOBBIES} tables. Leave one of them first."
                raise Refused(Code.RATE_LIMITED, sentence, retry_after=60)
            yield

    def turn_of(self, account: str) -> asyncio.Lock:
        """The lock for what an account can do only one at a time."""
        return self.turns.setdefault(account, asyncio.Lock())

    @contextmanager
    def receiving(self, address: str) -> Iterator[None]:
        """Guard reading a large body, which stays in memory until it is complete: only a few at a time."""
        bodies = self.large_bodies
        if bodies[address] >= MOST_RECEIVING or bodies.total() >= MOST_RECEIVING_IN_ALL:
            raise Refused(Code.RATE_LIMITED, "Too many records are being uploaded at once.", retry_after=5)
        bodies[address] += 1
        try:
            yield
        finally:
            bodies[address] -= 1
            if not bodies[address]:
                del bodies[address]

    @property
    def now(self) -> int:
        return self.hall.host.parts.clock.now()
