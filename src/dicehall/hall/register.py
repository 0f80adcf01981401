"""What a hall needs to know of all its tables, beside the journals: a port."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from dicehall.core.game import Refused
from dicehall.hall.cards import Card, Ending
from dicehall.table.requests import Code

PAGE = 20  # rows of a page
LAST_PAGE = 499  # pages count from 0; what lies further back is not listed
LONG_PAGE = 100  # rows of a page of one account's tables

Kind: TypeAlias = Literal["accounts", "guests", "bots"]
Order: TypeAlias = Literal["won", "rate"]


@dataclass(frozen=True, slots=True)
class Filter:
    """Which tables are looked for."""

    game: str | None = None
    statuses: tuple[str, ...] = ()  # any, if empty: lobby, playing, asleep, over, abandoned
    public_only: bool = True  # also leaves out a table with a password once its game is over
    opener: str | None = None
    sitter: str | None = None  # somebody who sits there, or sat there when it ended


@dataclass(frozen=True, slots=True)
class Past:
    """Which games of somebody are looked for; any, where nothing is said."""

    game: str | None = None
    outcome: Literal["won", "lost"] | None = None  # won alone, or not
    against: Literal["people", "bots"] | None = None  # another person was there, or nobody but bots
    since: int = 0  # ms: ended at this time or later


@dataclass(frozen=True, slots=True)
class Listed:
    card: Card
    status: str


@dataclass(frozen=True, slots=True)
class Count:
    """Games played and won: by game, by somebody, or between two."""

    game: str
    played: int
    won: int


@dataclass(frozen=True, slots=True)
class Tally:
    """All games of one game that somebody played, or the bots of one level."""

    account: str | None
    bot: str | None
    name: str  # as they were called the last time
    played: int
    won: int
    score: int  # in sum


@dataclass(frozen=True, slots=True)
class Leader:
    account: str  # a bot's level where bots are ranked
    name: str
    played: int
    won: int


def offset_of(page: int, rows: int = PAGE) -> int:
    """How many rows come before a page; refused where nobody turns pages any more."""
    if page > LAST_PAGE:
        raise Refused(Code.BAD_REQUEST, f"Page numbers go up to {LAST_PAGE}.")
    return max(0, page) * rows


class Register(Protocol):
    """Pages count from 0, and one after LAST_PAGE is refused."""

    async def card(self, table: str) -> Card | None: ...

    async def opened_as(self, opener: str, id: str) -> Card | None:
        """The card that this opener's id opened, if it did."""
        ...

    async def rematch_of(self, table: str) -> Card | None: ...

    async def continuations(self, table: str, account: str) -> Sequence[Card]:
        """Tables at which a game is played on that this account opened or sits at, the newest first, PAGE of them."""
        ...

    async def attempt_at(self, opener: str, game: str, day: str) -> Card | None:
        """The table at which an account plays the challenge of a day; there is at most one for each game."""
        ...

    async def find(self, wanted: Filter, page: int) -> Sequence[Listed]:
        """Tables, the newest first, PAGE of them; page counts from 0.

        Where only tables are looked for that go on, those at which a person is present come before all others.
        """
        ...

    async def tables_of(self, account: str, game: str, page: int) -> Sequence[Listed]:
        """Tables of a game at which an account sits, or sat when they ended, the newest first, LONG_PAGE of them."""
        ...

    async def lobbies_of(self, account: str) -> Sequence[str]:
        """The tables at which an account sits and which have not started."""
        ...

    async def tallies(self, game: str, page: int) -> Sequence[Tally]:
        """Everyone who has finished a game, sorted by wins, then by score."""
        ...

    async def ending(self, table: str) -> Ending | None: ...

    async def endings(
        self, game: str | None, account: str | None, page: int, *, viewer: str | None = None, private: bool = False
    ) -> Sequence[Ending]:
        """Games that ended, the latest first, abandoned ones left out; those of *account* if one is named.

        Games of tables that only their link or a password opens are left out too, unless *viewer* played in them or
        *private* ones are asked for: whoever reads a list must not find a link in it.
        """
        ...

    async def past(self, account: str, wanted: Past, page: int, viewer: str | None = None) -> Sequence[Ending]:
        """The games that an account played, the latest first; private ones only where *viewer* played in them, too."""
        ...

    async def counts(self, account: str, *, rated: bool = False) -> Sequence[Count]:
        """Games played and won by an account, per game; all of them, or the rated ones only."""
        ...

    async def versus(self, account: str, other: str) -> Sequence[tuple[Count, Count]]:
        """Per game, what the two played together: how often each of them won."""
        ...

    async def leaders(self, game: str | None, kind: Kind, order: Order, least: int, page: int) -> Sequence[Leader]:
        """Players by rated wins, or by win rate over at least *least* games; guests and bots are listed separately."""
        ...
