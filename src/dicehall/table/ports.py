"""What a table needs from outside: a journal, a clock, dice, choosers for its bots, and who listens.

Errors of a journal, by what the table may conclude from them:

    Taken         the number, or the client's id, is already in the journal; nothing of this commit is stored
    Unavailable   nothing of this commit is stored, and the sentence says why
    Uncertain     nobody can say; the table reads the journal before it answers anybody
"""

from __future__ import annotations

from collections.abc import Awaitable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from msgspec import Struct

from dicehall.core.game import Faces, Seat
from dicehall.core.throws import Place
from dicehall.table.slices import Slices


class Row(Struct, frozen=True):
    """One act in the journal. (table, seq) is unique, and so is (table, account, id) where an id is given."""

    table: str
    seq: int  # from 1, without gaps
    act: bytes
    at: int  # ms; never before the row before it
    account: str | None = None
    id: str | None = None


class Head(Struct, frozen=True):
    """The latest position of a table; written in the same transaction as its latest row."""

    table: str
    seq: int
    deadline: int | None  # when somebody must look at it again; None while nothing runs
    status: str  # lobby, playing, asleep, over, abandoned
    attended: bool = False  # whether a person is present: such tables are listed first
    carriers: tuple[str, ...] = ()  # the processes whose connections carry seats


class Commit(Struct, frozen=True):
    """Everything that is stored in one transaction."""

    row: Row
    head: Head
    secret: bytes | None = None  # the last secret of the dice chain, with the act that shows its seal
    also: tuple[Any, ...] = ()  # what else becomes true with the act, for rooms above this one


@dataclass(frozen=True, slots=True)
class Outage:
    """A period during which a host was down: from its last pulse to its return, in ms."""

    since: int
    till: int
    process: str = ""  # of several that share a journal; "" where nobody was there at all


class JournalError(Exception):
    """The journal did not confirm."""


class Taken(JournalError):
    pass


class Unavailable(JournalError):
    pass


class Damaged(Unavailable):
    """The stored data of one table is damaged; retrying does not help."""


class Uncertain(JournalError):
    pass


class Journal(Protocol):
    def append(self, commit: Commit) -> Awaitable[None]:
        """Done when the commit is durable; raises Taken, Unavailable or Uncertain."""
        ...

    async def rows(self, table: str, after: int = 0, most: int | None = None) -> Sequence[Row]:
        """The acts of a table in order, from number after + 1, all or the first *most* of them.

        Empty for an unknown or archived table.
        """

    async def secret(self, table: str) -> bytes | None: ...


class HostJournal(Journal, Protocol):
    """A journal with what a host of many tables needs beside it."""

    async def heads(self) -> Sequence[Head]:
        """Where the tables stand that are neither over nor abandoned."""
        ...

    async def pulse(self, process: str, at: int) -> None:
        """This process is alive."""

    async def last_pulse(self) -> int | None:
        """The last time any process was alive."""
        ...

    async def add_outage(self, outage: Outage) -> None: ...
    async def outages(self) -> Sequence[Outage]: ...
    async def archive(self, table: str, record: bytes, acts: bytes | None = None) -> None:
        """Store a finished table as one row, with its record and packed acts; idempotent."""

    async def archived(self, table: str) -> bytes | None:
        """The record of a table that is archived."""
        ...

    async def archived_acts(self, table: str) -> bytes | None:
        """Its packed acts; None also for one that was archived before they were kept."""
        ...


class Nodes(Protocol):
    """What processes that share a journal know about each other. Raises the journal's errors."""

    async def time(self) -> int:
        """The time by the clock that they share, in ms."""
        ...

    async def pulses(self) -> Mapping[str, int]:
        """When each process last said that it lives."""
        ...

    async def outages_of(self, processes: Collection[str]) -> Sequence[Outage]: ...

    async def bury(self, outage: Outage) -> None:
        """Declare a process dead, unless it has sent a pulse since its outage began."""

    async def carried_by(self, process: str) -> Sequence[str]:
        """The unfinished tables at which a connection of this process holds a seat."""
        ...

    async def sweep(self, due: int, ended: int, now: int) -> Sequence[str]:
        """Some tables with a deadline up to *due*, or whose game ended before *ended*; each for one process only."""
        ...

    async def claim(self, table: str, now: int) -> bool:
        """Whether this process alone may now do something that must happen once per table."""
        ...

    async def moved(self, tables: Mapping[str, int]) -> Mapping[str, int]:
        """The latest numbers of those of these tables that have moved on."""
        ...

    async def tell(self, table: str, shown: dict[str, Any], *, optional: bool = False) -> None:
        """Have every process mention something at a table, or offer it, so that slow readers can miss it."""

    def listen(self, hears: Hears) -> None:
        """Start listening to what other processes do."""

    async def stop(self) -> None:
        """Stop listening."""


class Hears(Protocol):
    """Listener to what other processes do. Nothing is reported twice; after a pause, something may be missed."""

    def moved(self, table: str, seq: int) -> None:
        """A table stands at this number now."""

    def said(self, table: str, shown: dict[str, Any], optional: bool) -> None:
        """Something was mentioned at a table, or offered there."""

    def missed(self) -> None:
        """The connection was down: whatever happened meanwhile was missed."""


class Clock(Protocol):
    def now(self) -> int:
        """Milliseconds since the epoch, UTC."""


class SealedDice(Protocol):
    """The dice of one table: roll number i is fixed from the start, no matter who asks or how often."""

    @property
    def seal(self) -> str: ...
    def prepare(self) -> Iterator[None]:
        """Work out the seal and whatever all rolls need, in short steps; what was not prepared is made up for."""
        ...

    def roll(self, number: int, salt: bytes, sides: Faces) -> tuple[Faces, str | None]:
        """The faces of this roll (from 1), and the secret that is shown with it, as hex; None at a challenge."""
        ...

    def key(self, label: str) -> str:
        """A key derived from the table's secret, always the same for a label, which nobody outside can work out."""
        ...


class DiceBox(Protocol):
    """Where sealed dice come from, and how words are mixed into them."""

    async def draw(self, slices: Slices) -> tuple[bytes, SealedDice]:
        """A new secret that nobody can guess or has ever been shown, and its dice, worked out in slices."""
        ...

    def dice(self, secret: bytes) -> SealedDice: ...
    def day_dice(self, secret: bytes) -> SealedDice:
        """The dice of a day's challenge, by their places (decision 078)."""
        ...

    def place_salt(self, day: str, game: str, place: Place) -> bytes: ...
    def opens(self, words: str, commitment: str) -> bool: ...
    def salt(self, table: str, words: tuple[str, ...]) -> bytes: ...


class Chooser(Protocol):
    async def choose(self, game: Any, level: str, view: Any, me: Seat, choices: Sequence[Any], seed: str) -> Any:
        """A bot's action, computed off the event loop; the same for the same seed."""


class Conn(Protocol):
    """A subscriber. Never awaited: a slow one is dropped."""

    @property
    def id(self) -> str: ...
    def push(self, message: bytes) -> None: ...
    def offer(self, message: bytes) -> None:
        """Push a dispensable message, unless other messages still wait for this client."""
        ...
