"""Acts: what a journal holds. One act is everything that becomes true together.

Every act can carry entries, which the rules see; only the table sees the rest. Seats, presence,
deadlines and sleep are folds over acts (see state.py), never kept beside them.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

EntryDoc: TypeAlias = dict[str, Any]  # an entry as records hold it


class Base(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="act", tag=str.lower):
    entries: tuple[EntryDoc, ...] = ()


class BotSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    chair: int
    level: str
    name: str
    asked: str | None = None  # the level that was asked for, where these house rules are too much for it


class Origin(msgspec.Struct, frozen=True):
    """An earlier game from which a table plays on."""

    entries: int  # the given entries up to here were rolled with this seal, or with those before it
    seal: dict[str, Any]  # as records hold it


class Opened(Base, frozen=True, kw_only=True, omit_defaults=True):
    """A table is opened, and the seal of its dice is shown."""

    game: str
    edition: int
    rules: dict[str, int | None]
    seats: int  # chairs
    s0: str
    name: str = ""
    by: str | None = None
    drawn: bool = False  # whether seats are drawn at the start
    hints: bool = False
    clock: bool = True  # False: no turn clock runs while one person plays with bots only
    rated: bool = True  # False: whoever opened it wants a casual game
    reactions: bool = True  # whether people can react
    bot_ms: int = 800  # how long a bot waits before it moves, so that people can follow
    bots: tuple[BotSeat, ...] = ()  # who sits there from the beginning
    reserved: tuple[str | None, ...] = ()  # chairs that are kept for somebody, by chair number
    keeps_opener: bool = False  # whether who opened it keeps their chair in the lobby until they leave it
    origins: tuple[Origin, ...] = ()  # where it plays on from a finished game (decision 075)
    given: tuple[EntryDoc, ...] = ()  # what had happened in that game
    challenge: str | None = None  # the day whose dice are rolled here, of a daily challenge (decision 078)
    closes: int | None = None  # ms: when the table is closed, if its game is not over by then


class Sat(Base, frozen=True, kw_only=True, omit_defaults=True):
    chair: int
    name: str
    account: str | None = None  # None for a bot
    bot: str | None = None  # its level
    asked: str | None = None  # as in BotSeat
    commitment: str | None = None
    conn: str | None = None


class Stood(Base, frozen=True, kw_only=True, omit_defaults=True):
    chairs: tuple[int, ...]
    why: str  # left, lost, words or removed


class Declined(Base, frozen=True, kw_only=True, omit_defaults=True):
    """A player with a reserved chair in a rematch declines: the chair is free."""

    account: str
    name: str


class Asked(Base, frozen=True, kw_only=True, omit_defaults=True):
    """A seated player wants to start: the table asks for the committed words."""

    chair: int


class Words(Base, frozen=True, kw_only=True, omit_defaults=True):
    chair: int
    words: str


class Draw(msgspec.Struct, frozen=True):
    faces: tuple[int, ...]
    opened: str


class Started(Base, frozen=True, kw_only=True, omit_defaults=True):
    """The game starts; seat i of the game is the i-th chair named here."""

    order: tuple[int, ...]
    drawn: Draw | None = None


class Played(Base, frozen=True, kw_only=True, omit_defaults=True):
    """Something the rules see: a move with its dice, an expiry, the end of a grace."""


class Carried(Base, frozen=True, kw_only=True, omit_defaults=True):
    """A connection is attached to the seat; an absent player is back, perhaps in another chair.

    A quiet return leaves a sleeping table asleep: its person only reads (W8).
    """

    chair: int
    conn: str
    moved: int | None = None
    quiet: bool = False


class Left(Base, frozen=True, kw_only=True, omit_defaults=True):
    """A seat is away: its connection was lost, or its person left the chair, perhaps for good.

    If a player lost the connection and then left the chair, the absence began with the connection (A12).
    """

    chair: int
    lost: bool = False
    good: bool = False
    stood: bool = False  # left the chair after the connection was lost


class Deputed(Base, frozen=True, kw_only=True, omit_defaults=True):
    chair: int
    level: str


class Agreed(Base, frozen=True, kw_only=True, omit_defaults=True):
    """One of the others agrees that a bot may stand in."""

    chair: int
    by: int


class Reclaimed(Base, frozen=True, kw_only=True, omit_defaults=True):
    chair: int
    conn: str | None = None


class Slept(Base, frozen=True, kw_only=True, omit_defaults=True):
    """The table falls asleep, after an expiry (W8) or with only bots present: no turn clock runs from here on."""


class Woke(Base, frozen=True, kw_only=True, omit_defaults=True):
    chair: int


class Restarted(Base, frozen=True, kw_only=True, omit_defaults=True):
    """The host was down while a clock ran: running clocks restart (C5)."""

    since: int
    till: int


class Hinted(Base, frozen=True, kw_only=True, omit_defaults=True):
    chair: int


class Destroyed(Base, frozen=True, kw_only=True, omit_defaults=True):
    why: str


Act: TypeAlias = (
    Opened
    | Sat
    | Stood
    | Declined
    | Asked
    | Words
    | Started
    | Played
    | Carried
    | Left
    | Deputed
    | Agreed
    | Reclaimed
    | Slept
    | Woke
    | Restarted
    | Hinted
    | Destroyed
)

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Act] = msgspec.json.Decoder(Act)


def encode_act(act: Act) -> bytes:
    return _encoder.encode(act)


def decode_act(text: bytes) -> Act:
    return _decoder.decode(text)
