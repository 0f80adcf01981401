"""Playing on from a position of a finished game: where that is, and how the new table is set (decision 075)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dicehall.core.game import AnyGame, Refused, Seat, Turn
from dicehall.hall.opening import WantedBot
from dicehall.table.acts import EntryDoc, Origin
from dicehall.table.requests import Code
from dicehall.table.slices import Slices
from dicehall.table.stored_record import replay_stored
from dicehall.wire.record import Record, write_seal

MOST_GIVEN = 1500  # entries: the table folds them in one go when it is opened
MOST_ORIGINS = 8  # games, each continued from the one before


@dataclass(frozen=True, slots=True)
class PlayOn:
    """What somebody asks for who plays on."""

    entries: int  # of the record that are played again; the position is the last decision up to there
    seat: int  # that they take
    bots: Sequence[WantedBot] = ()  # the other seats are open to whoever has the link
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    """A position of a finished game from which it is played on."""

    game: AnyGame
    given: tuple[EntryDoc, ...]
    origins: tuple[Origin, ...]
    out: frozenset[int]  # seats with which the rules are done


async def branch_of(record: Record, entries: int, slices: Slices) -> Branch:
    count, position = await last_decision(record, entries, slices)
    if count > MOST_GIVEN:
        raise Refused(Code.NOT_ALLOWED, f"You can only play on from the first {MOST_GIVEN} entries of a game.")
    seats = [Seat(seat) for seat in range(len(record.names))]
    out = frozenset(seat for seat in seats if is_out(record.game, position, seat))
    return Branch(record.game, tuple(record.entries[:count]), origins_of(record, count), out)


async def last_decision(record: Record, entries: int, slices: Slices) -> tuple[int, Any]:
    """The last position at which seats decide after at most so many entries; the first one where there is none."""
    game, position = record.game, record.game.start(len(record.names))
    found = (0, position) if is_decision(game, position) else None
    done = 0
    async for _, step in replay_stored(record, slices):
        done += 1
        if found is not None and done > entries:
            break
        if is_decision(game, step.state):
            found = (done, step.state)
    if found is None:
        raise Refused(Code.NOT_ALLOWED, "This game has no decision to play on from.")
    return found


def is_decision(game: AnyGame, position: Any) -> bool:
    """Whether seats decide, and where they choose in secret, nobody has chosen yet: no choice may become known."""
    awaited = game.awaits(position)
    if not isinstance(awaited, Turn) or not awaited.seats:
        return False
    return not getattr(type(game), "secret", False) or len(awaited.seats) == game.count(position)


def is_out(game: AnyGame, position: Any, seat: Seat) -> bool:
    barred = game.barred(position, seat)
    return barred is not None and barred.code == "seat_is_out"


def origins_of(record: Record, count: int) -> tuple[Origin, ...]:
    """The seals that the first entries of a record were rolled with, and how far each of them goes."""
    if record.seal is None:
        raise Refused(Code.NOT_ALLOWED, "The dice of this game were not sealed, so you cannot play on from it.")
    earlier = [origin for origin in record.origins if origin.entries < count]
    seal = record.origins[len(earlier)].seal if len(earlier) < len(record.origins) else record.seal
    parts = [*((origin.entries, origin.seal) for origin in earlier), (count, seal)]
    if len(parts) > MOST_ORIGINS:
        raise Refused(Code.NOT_ALLOWED, "This game has already been continued too many times.")
    return tuple(Origin(entries, write_seal(one)) for entries, one in parts)


def check_seat(branch: Branch, wanted: PlayOn, seats: int) -> None:
    if not 0 <= wanted.seat < seats:
        raise Refused(Code.BAD_REQUEST, f"Choose a seat from 0 to {seats - 1}.")
    if wanted.seat in branch.out:
        raise Refused(Code.BAD_REQUEST, "That seat is out of the game.")
    if any(bot.seat == wanted.seat for bot in wanted.bots):
        raise Refused(Code.BAD_REQUEST, "That is your own seat.")


def all_bots(branch: Branch, wanted: PlayOn, level: str) -> list[WantedBot]:
    """The bots that were asked for, and one for every seat that is out of the game."""
    asked = {bot.seat for bot in wanted.bots}
    return [*wanted.bots, *(WantedBot(seat, level) for seat in sorted(branch.out - asked))]
