"""A seat at a table of a server, or a place to watch from."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import cache
from typing import Any, get_type_hints

import msgspec

from dicehall.client.errors import Refused, UnfairDice, Unreachable
from dicehall.client.following import Update
from dicehall.client.hall import Shown
from dicehall.core.game import AnyGame, Over, Seat, Seats
from dicehall.ui.tables.avatars import AVATARS, BOT
from dicehall.ui.tables.game_table import Change, GameTable, NarratedEvent, News, Position, Rejection, Trouble
from dicehall.ui.tables.hints import hint_from_wire
from dicehall.ui.tables.server_link import ServerLink, sentence_of
from dicehall.ui.terminal.narration import shown_lines
from dicehall.wire.actions import codec_of
from dicehall.wire.record import Record, read_record
from dicehall.wire.sentences import words_of

LOST = "Connection lost. Reconnecting - your game is safe."


@cache
def view_type(game: Any) -> Any:
    return get_type_hints(game.view)["return"]


@dataclass(slots=True)
class RemoteTable:
    link: ServerLink
    game: AnyGame
    shown: Shown
    waiting: list[News] = field(default_factory=list)
    looking: Future[tuple[Shown, list[Update]]] | None = None
    acting: Future[int] | None = None
    hinting: Future[Shown] | None = None
    lost: bool = False

    @property
    def id(self) -> str:
        return str(self.shown["id"])

    @property
    def names(self) -> Sequence[str]:
        return [seat["name"] or "nobody" for seat in self.shown["seats"]]

    @property
    def avatars(self) -> Sequence[str]:
        """Where bots play, bots; the others get an animal by their name."""
        seats = self.shown["seats"]
        return [BOT if seat["bot"] else AVATARS[sum(map(ord, seat["name"] or "")) % len(AVATARS)] for seat in seats]

    @property
    def people(self) -> Seats:
        return frozenset() if self.shown["me"] is None else frozenset({Seat(self.shown["me"])})

    @property
    def seal(self) -> str | None:
        seal = self.shown["seal"]
        return str(seal) if seal else None

    @property
    def now(self) -> int:
        return self.link.sync.now

    def start(self) -> Position:
        self.look()
        return self.position(self.shown)

    def position(self, shown: Shown) -> Position:
        over = shown["over"]
        ended = Over(tuple(frozenset(map(Seat, place)) for place in over["places"]), over["reason"]) if over else None
        if ended is None and shown["phase"] == "abandoned":
            ended = Over((), "abandoned")
        turn = frozenset(map(Seat, shown["view"]["turn"] if shown["view"]["awaits"] == "turn" else ()))
        return Position(msgspec.convert(shown["view"], view_type(type(self.game))), turn, ended, shown["deadline"])

    def view_for(self, seat: Seat) -> Any:
        return self.position(self.shown).view

    def choices(self, seat: Seat) -> tuple[Any, ...]:
        codec = codec_of(type(self.game))
        return tuple(codec.decode(move) for move in self.shown["choices"].get(str(seat), ()))

    def act(self, seat: Seat, action: Any) -> None:
        move = codec_of(type(self.game)).encode(action)
        self.acting = self.link.submit(self.link.hall.act(self.id, move))

    def move_bots(self) -> None:
        """The server's bots move without us."""

    def look(self) -> None:
        self.looking = self.link.submit(self.link.look_until(self.id, self.shown["n"]))

    def news(self) -> list[News]:
        if self.acting is not None and self.acting.done():
            self.answered(self.acting)
            self.acting = None
        if self.looking is not None and self.looking.done():
            self.moved(self.looking)
        if self.hinting is not None and self.hinting.done():
            self.hinted(self.hinting)
            self.hinting = None
        if self.lost == self.link.connected:
            self.lost = not self.link.connected
            self.waiting.append(Trouble(LOST if self.lost else None))
        news, self.waiting = self.waiting, []
        return news

    def answered(self, acting: Future[int]) -> None:
        """A move that was taken is told with the next change."""
        error = acting.exception()
        if error is not None:
            self.waiting.append(rejection(error))

    def moved(self, looking: Future[tuple[Shown, list[Update]]]) -> None:
        self.looking = None
        if looking.cancelled():  # the table was closed
            return
        error = looking.exception()
        if isinstance(error, Refused | Unreachable | UnfairDice):
            self.waiting.append(Trouble(sentence_of(error)))
            return
        shown, updates = looking.result()
        self.shown = shown
        events = tuple(narrated for update in updates for narrated in self.narrated(update))
        self.waiting.append(Change(events, self.position(shown)))
        self.look()

    def narrated(self, update: Update) -> list[NarratedEvent]:
        """Events of the game; what the table itself tells has no sentence here."""
        words, view = words_of(type(self.game)), self.position(self.shown).view
        known = [event for event in update.events if event["event"] in words]
        return [NarratedEvent(event, tuple(shown_lines(self.game, event, view, self.names))) for event in known]

    @property
    def hints(self) -> bool:
        return bool(self.shown.get("hints"))

    def ask_hint(self, seat: Seat) -> None:
        if self.hinting is None:
            self.hinting = self.link.submit(self.link.hall.hint(self.id))

    def hinted(self, hinting: Future[Shown]) -> None:
        error = hinting.exception()
        if error is not None:
            self.waiting.append(rejection(error))
        elif (advice := hinting.result()) and (seat := min(self.people, default=None)) is not None:
            self.waiting.append(hint_from_wire(self.game, self.view_for(seat), self.names, seat, advice))

    def record(self) -> Future[Record]:
        async def fetched() -> Record:
            text = msgspec.json.encode(await self.link.hall.record(self.id))
            return read_record(text, {self.game.key: type(self.game)})

        return self.link.submit(fetched())

    def save(self, file: str) -> str:
        return "The server keeps this game; its record can be downloaded from the table's page."

    def again(self) -> GameTable | None:
        """A rematch is joined from the lobby."""
        self.link.rematch(self.id)
        return None

    @property
    def has_bots(self) -> bool:
        return False

    @property
    def leaving(self) -> str:
        return "Your seat is given up for good." if self.people else "The others play on."

    def leave(self) -> None:
        """Give the seat up for good, so that nobody waits for it."""
        self.close()
        if self.people and self.shown["over"] is None:
            self.link.submit(self.link.hall.leave(self.id))

    def close(self) -> None:
        looking, self.looking = self.looking, None
        if looking is not None:
            looking.cancel()


def rejection(error: BaseException) -> Rejection:
    return Rejection(error.code if isinstance(error, Refused) else "unreachable", sentence_of(error))
