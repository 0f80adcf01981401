"""A game hosted in this process: people at this window take turns, and bots think on a thread of their own."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from dicehall.client.playing import Playing, ended, to_act
from dicehall.core.game import AnyGame, Event, Refused, Seat, Seats
from dicehall.ui.tables.game_table import Change, NarratedEvent, News, Position, Rejection
from dicehall.ui.terminal.game_lines import lines_of
from dicehall.wire.sentences import sentence
from dicehall.wire.shown import show_event

Chooser: TypeAlias = Callable[[Any, Seat, Sequence[Any], int], Any]  # view, me, choices, entries so far -> action
Submit: TypeAlias = Callable[[Callable[[], Any]], "Future[Any]"]


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """Who sits on a chair: a person with a name, or a bot of a level."""

    name: str
    avatar: str
    level: str | None = None  # of a bot


@dataclass(frozen=True, slots=True)
class LocalSetup:
    """What a local table is made with; each of its games starts afresh."""

    playing: Playing
    bots: Mapping[Seat, Chooser]
    avatars: Sequence[str]
    submit: Submit
    finished: Callable[[Playing], None]  # told once when a game is over
    again: Callable[[], LocalTable]


@dataclass(slots=True)
class LocalTable:
    setup: LocalSetup
    thinking: tuple[Seat, Future[Any]] | None = None
    waiting: list[News] = field(default_factory=list)
    reported: bool = False

    @property
    def playing(self) -> Playing:
        return self.setup.playing

    @property
    def game(self) -> AnyGame:
        return self.playing.game

    @property
    def names(self) -> Sequence[str]:
        return self.playing.names

    @property
    def avatars(self) -> Sequence[str]:
        return self.setup.avatars

    @property
    def people(self) -> Seats:
        return frozenset(map(Seat, range(len(self.names)))) - set(self.setup.bots)

    @property
    def now(self) -> int:
        return time.time_ns() // 1_000_000

    def start(self) -> Position:
        """The position before anything was told; what the start draws is in the news."""
        before = self.position()
        if events := self.playing.begin():
            self.tell(events)
        return before

    def position(self) -> Position:
        return Position(self.view_for(self.watcher), to_act(self.playing), ended(self.playing))

    @property
    def watcher(self) -> Seat | None:
        """Whose eyes the table is seen with: those of the only person, else nobody's."""
        return next(iter(self.people)) if len(self.people) == 1 else None

    def view_for(self, seat: Seat | None) -> Any:
        return self.playing.view(seat)

    def choices(self, seat: Seat) -> tuple[Any, ...]:
        return self.playing.choices(seat)

    def act(self, seat: Seat, action: Any) -> None:
        try:
            self.tell(self.playing.act(seat, action))
        except Refused as refused:
            self.waiting.append(Rejection(str(refused.code), refused.sentence))

    def tell(self, events: Sequence[Event]) -> None:
        """Only what everybody at this window may hear is told."""
        public = [event for event in events if event.to is None or (self.people and self.people <= event.to)]
        told = tuple(NarratedEvent(show_event(event), self.lines(event)) for event in public)
        self.waiting.append(Change(told, self.position()))
        if ended(self.playing) and not self.reported:
            self.reported = True
            self.setup.finished(self.playing)

    def lines(self, event: Event) -> tuple[str, ...]:
        own: Any = getattr(lines_of(type(self.game)), "told", None)
        told: list[str] | None = own(event, self.playing.view(None), self.names) if own else None
        return (sentence(self.game, event, self.names),) if told is None else tuple(told)

    def move_bots(self) -> None:
        if self.thinking is not None:
            return
        seat = min((seat for seat in to_act(self.playing) if seat in self.setup.bots), default=None)
        if seat is not None:
            self.thinking = seat, self.setup.submit(self.thought(seat))

    def thought(self, seat: Seat) -> Callable[[], Any]:
        playing, bot = self.playing, self.setup.bots[seat]
        view, choices, done = playing.view(seat), playing.choices(seat), len(playing.record().entries)
        return lambda: bot(view, seat, choices, done)

    def news(self) -> list[News]:
        if self.thinking is not None and self.thinking[1].done():
            seat, thought = self.thinking
            self.thinking = None
            self.act(seat, thought.result())
        told, self.waiting = self.waiting, []
        return told

    def again(self) -> LocalTable:
        return self.setup.again()

    @property
    def has_bots(self) -> bool:
        return bool(self.setup.bots)

    def leave(self) -> None:
        self.close()

    def close(self) -> None:
        if self.thinking is not None:
            self.thinking[1].cancel()
