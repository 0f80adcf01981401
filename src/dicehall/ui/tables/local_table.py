"""A game hosted in this process: people at this screen take turns, and bots think on a thread of their own."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from dicehall.client.playing import Playing, ended, to_act
from dicehall.core.game import AnyGame, Event, Refused, Seat, Seats
from dicehall.lab.advice import Advice
from dicehall.ui.tables.game_table import Change, NarratedEvent, News, Position, Rejection
from dicehall.ui.tables.hints import hint_of
from dicehall.ui.terminal.narration import told_lines
from dicehall.wire.bot_names import first_name
from dicehall.wire.record import Record
from dicehall.wire.shown import show_event

Chooser: TypeAlias = Callable[[Any, Seat, Sequence[Any], int], Any]  # view, me, choices, entries so far -> action
Submit: TypeAlias = Callable[[Callable[[], Any]], "Future[Any]"]


def unkept(seat: Seat | None) -> None:
    """Nothing is written down."""


@dataclass(frozen=True, slots=True)
class LocalSetup:
    """What a local table is made with; each of its games starts afresh."""

    playing: Playing
    bots: Mapping[Seat, Chooser]
    avatars: Sequence[str]
    submit: Submit
    finished: Callable[[Playing], None]  # called once when a game is over
    again: Callable[[], LocalTable]
    changed: Callable[[Seat | None], str | None] = unkept  # after a move of a seat: what went wrong with keeping it
    advice: Callable[[Seat], Callable[[], Advice]] | None = None  # notes that a seat asked, and gives what will think
    save: Callable[[str], str] | None = None
    closed: Callable[[], None] = lambda: None  # called when somebody leaves the table


@dataclass(slots=True)
class LocalTable:
    setup: LocalSetup
    thinking: tuple[Seat, Future[Any]] | None = None
    waiting: list[News] = field(default_factory=list)
    reported: bool = False
    moved: bool = False  # whether a person has
    trouble: str | None = None  # why the game could not be kept
    hinting: tuple[Seat, Any, Future[Advice]] | None = None

    @property
    def playing(self) -> Playing:
        return self.setup.playing

    @property
    def game(self) -> AnyGame:
        return self.playing.game

    @property
    def names(self) -> Sequence[str]:
        """As they are shown: the level of a bot is said before the game, and not in every sentence."""
        return [first_name(name) for name in self.playing.names]

    @property
    def avatars(self) -> Sequence[str]:
        return self.setup.avatars

    @property
    def people(self) -> Seats:
        return frozenset(map(Seat, range(len(self.names)))) - set(self.setup.bots)

    @property
    def seal(self) -> str | None:
        seal = self.playing.record().seal
        return None if seal is None else seal.s0

    @property
    def now(self) -> int:
        return time.time_ns() // 1_000_000

    def start(self) -> Position:
        """The position before the first event; whatever the start draws comes as news."""
        before = self.position()
        if events := self.playing.begin():
            self.keep(None)
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
            events = self.playing.act(seat, action)
        except Refused as refused:
            self.waiting.append(Rejection(str(refused.code), refused.sentence))
            return
        self.moved = self.moved or seat in self.people
        self.keep(seat)
        self.tell(events)

    def keep(self, seat: Seat | None) -> None:
        """Stored before it is told."""
        trouble = self.setup.changed(seat)
        if trouble != self.trouble:
            self.trouble = trouble
            sentence = f"This game is not saved: {trouble}" if trouble else "This game is saved again."
            self.waiting.append(Rejection("not_saved", sentence))

    def tell(self, events: Sequence[Event]) -> None:
        """Announce only what everyone at this screen may hear."""
        public = [event for event in events if event.to is None or (self.people and self.people <= event.to)]
        told = tuple(NarratedEvent(show_event(event), self.lines(event)) for event in public)
        self.waiting.append(Change(told, self.position()))
        if ended(self.playing) and not self.reported:
            self.reported = True
            self.setup.finished(self.playing)

    def lines(self, event: Event) -> tuple[str, ...]:
        return tuple(told_lines(self.game, event, self.playing.view(None), self.names))

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
        if self.hinting is not None and self.hinting[2].done():
            seat, view, thought = self.hinting
            self.hinting = None
            self.waiting.append(hint_of(self.game, view, self.names, seat, thought.result()))
        news, self.waiting = self.waiting, []
        return news

    @property
    def hints(self) -> bool:
        return self.setup.advice is not None

    def ask_hint(self, seat: Seat) -> None:
        if self.setup.advice is None:
            self.waiting.append(Rejection("no_hints", "Hints are off in this game."))
        elif self.hinting is None:
            self.hinting = seat, self.view_for(seat), self.setup.submit(self.setup.advice(seat))

    def record(self) -> Future[Record]:
        answer: Future[Record] = Future()
        answer.set_result(self.playing.record())
        return answer

    def save(self, file: str) -> str:
        return "Games here are not saved in files." if self.setup.save is None else self.setup.save(file)

    def again(self) -> LocalTable:
        return self.setup.again()

    @property
    def has_bots(self) -> bool:
        return bool(self.setup.bots)

    @property
    def leaving(self) -> str:
        if self.trouble:
            return "It could not be saved."
        return "It is saved: you can resume it later." if self.moved else "It has not begun."

    def leave(self) -> None:
        self.close()

    def close(self) -> None:
        if self.thinking is not None:
            self.thinking[1].cancel()
        self.setup.closed()
