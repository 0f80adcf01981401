"""The whole story of one table, told alike from its journal and from the record that is left of it."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from dicehall.core.game import AnyGame, Event, Refused
from dicehall.hall.cards import Card, Ending
from dicehall.hall.hall import Hall
from dicehall.hall.records import DamagedRecord, damage_refused, read_archived
from dicehall.table import acts
from dicehall.table.folding import seating
from dicehall.table.requests import Code
from dicehall.table.retiring import NEVER_STARTED
from dicehall.table.slices import Slices
from dicehall.table.state import TableState, Told
from dicehall.table.stored_record import replay_stored
from dicehall.wire.record import Record

T = TypeVar("T")
TableAct: TypeAlias = dict[str, Any]  # an act of the table as records show it
Happened: TypeAlias = tuple[int, tuple[Event, ...]]  # events of the game that belong together, with their time


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits in a chair: a person, or a bot of some level."""

    chair: int
    account: str | None
    bot: str | None
    name: str
    since: int  # ms


@dataclass(frozen=True, slots=True)
class Tale:
    card: Card
    game: AnyGame
    phase: str
    sitters: tuple[Sitter, ...]  # by seat; in a lobby as they would sit
    started_at: int | None
    ended_at: int | None
    happened: tuple[Happened, ...]
    position: Any  # None where the game never began

    @property
    def accounts(self) -> frozenset[str]:
        return frozenset(sitter.account for sitter in self.sitters if sitter.account is not None)


async def tale_of(hall: Hall, card: Card) -> Tale:
    """The story up to now, with all that is due in effect."""
    parts = hall.host.parts
    await settle(hall, card.table)
    known = [told async for _, told in hall.host.history.replay(card.table)]
    if known:
        return from_story(card, known)
    text = await parts.journal.archived(card.table)
    ending = await hall.parts.register.ending(card.table)
    if text is None or ending is None:
        raise Refused(Code.NO_SUCH_TABLE, "There is no such table.")
    if text == NEVER_STARTED:
        return never_started(card, parts.games[card.game](), ending)
    with damage_refused():
        return await from_record(card, await read_archived(hall.host, text), ending, hall.host.slices)


async def unless_frozen(hall: Hall, card: Card, asked: Awaitable[T]) -> T | None:
    """The summary of a table; None if it is damaged, so that it does not hide the rest of a list."""
    try:
        return await asked
    except DamagedRecord:
        return None
    except Refused as refused:
        if refused.code != Code.NO_SUCH_TABLE and card.table not in hall.host.frozen:
            raise
        return None


async def settle(hall: Hall, table: str) -> None:
    """Let all that is due take effect; there is nothing to settle where only the record is left."""
    try:
        await hall.host.look(table)
    except Refused as refused:
        if refused.code != Code.NO_SUCH_TABLE:
            raise


def from_story(card: Card, known: Sequence[Told]) -> Tale:
    state = known[-1].after
    assert state is not None
    return Tale(
        card=card,
        game=state.game,
        phase=state.phase,
        sitters=tuple(sitters(state, known)),
        started_at=next((one.at for one in known if isinstance(one.act, acts.Started)), None),
        ended_at=next((one.at for one in known if one.after is not None and one.after.ended), None),
        happened=tuple((one.at, one.events) for one in known if one.events),
        position=state.position,
    )


def sitters(state: TableState, known: Sequence[Told]) -> Iterator[Sitter]:
    for chair in state.chairs if state.sitting else seating(state):
        yield Sitter(chair.number, chair.account, chair.bot, chair.name, known[chair.joined - 1].at)


def never_started(card: Card, game: AnyGame, ending: Ending) -> Tale:
    """A lobby that was closed: who sat there is forgotten with its journal."""
    return Tale(card, game, "abandoned", (), None, ending.at, (), None)


async def from_record(card: Card, record: Record, ending: Ending, slices: Slices) -> Tale:
    happened, position = await replayed(record, slices)
    return Tale(
        card=card,
        game=record.game,
        phase="over" if ending.results else "abandoned",
        sitters=tuple(recorded_sitters(record, ending)),
        started_at=time_of(record.table, "started"),
        ended_at=ending.at,
        happened=happened,
        position=position,
    )


async def replayed(record: Record, slices: Slices) -> tuple[tuple[Happened, ...], Any]:
    position = record.game.start(len(record.names))
    happened: list[Happened] = []
    async for logged, step in replay_stored(record, slices):
        position = step.state
        if step.events:
            happened.append((logged.at or 0, step.events))
    return tuple(happened), position


def recorded_sitters(record: Record, ending: Ending) -> Iterator[Sitter]:
    """The players of an archived table: records name no accounts, but the results of a game do."""
    results = {result.seat: result for result in ending.results}
    order = next(act["order"] for act in record.table if act["act"] == "started")
    opened = record.table[0]["at"]
    sat = {act["chair"]: act["at"] for act in record.table if act["act"] == "sat"}
    for seat, name in enumerate(record.names):
        result = results.get(seat)
        account, bot = (None, None) if result is None else (result.account, result.bot)
        yield Sitter(order[seat], account, bot, name, sat.get(order[seat], opened))


def time_of(acts: Iterable[TableAct], name: str) -> int | None:
    return next((act["at"] for act in acts if act["act"] == name), None)
