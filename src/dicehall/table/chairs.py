"""Chairs: who sits where, who is present, and which connection holds a seat."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from dicehall.core.game import Presence


class Carriage(Struct, frozen=True):
    """A period during which connections of one process held a seat."""

    process: str
    since: int  # ms
    till: int | None = None  # None while it lasts

    def meets(self, since: int, till: int) -> bool:
        """Whether it overlaps this period."""
        return self.since < till and (self.till is None or self.till > since)


MOST_CARRIAGES = 4  # remembered of a chair; a clock runs through few


class Chair(Struct, frozen=True):
    """One chair of a table and its occupant. During a game, its index in the tuple is its seat."""

    number: int  # as people see it in the lobby
    account: str | None  # None for a bot
    name: str
    joined: int  # number of the act by which it was taken
    bot: str | None = None
    commitment: str | None = None
    words: str | None = None  # once opened
    conn: str | None = None  # the connection that carries it
    presence: Presence = Presence.HERE
    since: int = 0  # ms: when it went away
    lost: bool = False  # whether it went away with its connection
    stood: bool = False  # whether its person left the chair after that
    good: bool = False  # whether its person said that they will not come back
    deputy: str | None = None  # the level of the bot that stands in
    deputed: bool = False  # whether one ever did
    agreed: frozenset[int] = frozenset()  # who of the others would let a bot stand in
    asked: str | None = None  # the level that was asked for, where the bot cannot play on it
    carried: tuple[Carriage, ...] = ()  # by which processes, the latest last

    @property
    def plays(self) -> str | None:
        """The level of the bot that moves for this chair, if one does."""
        return self.bot or self.deputy

    @property
    def unopened(self) -> bool:
        return self.commitment is not None and self.words is None

    @property
    def has_left(self) -> bool:
        """Whether its person left deliberately, and so returns only deliberately."""
        return self.presence is Presence.AWAY and (self.stood or not self.lost)

    def away(self, at: int, *, lost: bool, good: bool, stood: bool) -> Chair:
        if self.presence is Presence.AWAY:  # it began when it began
            return replace(self, good=good)
        return replace(self, presence=Presence.AWAY, since=at, lost=lost, good=good, stood=stood, conn=None)

    def here(self, conn: str | None) -> Chair:
        here = replace(self, presence=Presence.HERE, since=0, lost=False, stood=False, good=False)
        return replace(here, conn=conn, agreed=frozenset())


Chairs = tuple[Chair, ...]


def process_of(conn: str | None) -> str | None:
    """The process to which a connection belongs: its name comes first in the connection's."""
    return None if conn is None else conn.partition(":")[0]


def followed(before: Chairs, chairs: Chairs, at: int) -> Chairs:
    """Chairs after an act, with the process that holds each one, and since when."""
    return tuple(carried_on(chair_of(before, chair.account), chair, at) for chair in chairs)


def carried_on(before: Chair | None, chair: Chair, at: int) -> Chair:
    so_far = before.carried if before is not None else ()
    last, process = (so_far[-1] if so_far else None), process_of(chair.conn)
    if last is not None and last.till is None and last.process != process:
        so_far = (*so_far[:-1], replace(last, till=at))
        last = None
    if process is not None and (last is None or last.till is not None):
        so_far = (*so_far[-MOST_CARRIAGES + 1 :], Carriage(process, at))
    return chair if chair.carried == so_far else replace(chair, carried=so_far)


def chair_of(chairs: Chairs, account: str | None) -> Chair | None:
    """Where an account sits."""
    if account is None:
        return None
    for chair in chairs:  # every request comes through here, and a loop is quickest
        if chair.account == account:
            return chair
    return None


def numbered(chairs: Chairs, number: int) -> Chair | None:
    return next((chair for chair in chairs if chair.number == number), None)


def put(chairs: Chairs, chair: Chair) -> Chairs:
    """The chairs with this one in place of the one with its number; a new one goes in by number."""
    if numbered(chairs, chair.number) is None:
        return tuple(sorted((*chairs, chair), key=lambda one: one.number))
    return tuple(chair if one.number == chair.number else one for one in chairs)


def without(chairs: Chairs, numbers: tuple[int, ...]) -> Chairs:
    return tuple(chair for chair in chairs if chair.number not in numbers)
