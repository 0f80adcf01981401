"""One game with the people and bots who sit round it on this machine, kept in a file as it goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from dicehall.client.keeping import CannotKeep, Keeper, check_free
from dicehall.client.playing import Playing, to_act
from dicehall.core.game import Event, Refusal, Refused, Seat
from dicehall.lab.advice import Advice, advise

Chooser: TypeAlias = Callable[[Any, Seat, Sequence[Any], int], Any]  # view, me, choices, entries so far -> action


@dataclass(slots=True)
class Sitting:
    playing: Playing
    bots: Mapping[Seat, Chooser]
    keeper: Keeper
    again: Callable[[Path | None], str]  # the command that continues a game from its file, or the last one
    hints: bool = False  # whether hints are allowed here
    trouble: str | None = None  # why the record could not be kept, if it could not
    seal: str | None = None  # of the dice, where they are sealed
    unkept: Callable[[], str | None] = lambda: None  # why the copy that is made without asking could not be made

    @property
    def people(self) -> frozenset[Seat]:
        return frozenset(map(Seat, range(len(self.playing.names)))) - set(self.bots)

    def next(self) -> Seat | None:
        """The seat to act now; if several can, the lowest."""
        return min(to_act(self.playing), default=None)

    def begin(self) -> tuple[Event, ...]:
        return self.kept(self.playing.begin())

    def act(self, seat: Seat, action: Any) -> tuple[Event, ...]:
        return self.kept(self.playing.act(seat, action))

    def bot_acts(self, seat: Seat) -> tuple[Event, ...]:
        playing = self.playing
        done = len(playing.record().entries)
        return self.act(seat, self.bots[seat](playing.view(seat), seat, playing.choices(seat), done))

    def hint(self, seat: Seat) -> Advice:
        return self.advice(seat)()

    def advice(self, seat: Seat) -> Callable[[], Advice]:
        """What the coach would do: written down first that somebody asked, then thought out when it is called."""
        if not self.hints:
            raise Refused(Refusal.BAD_MOVE, "Hints are off in this game. To allow them, start it with --hints.")
        playing = self.playing
        playing.hinted(seat)
        self.keep()
        seed, view, choices = str(len(playing.record().entries)), playing.view(seat), playing.choices(seat)
        return lambda: advise(playing.game, len(playing.names), view, seat, choices, seed)

    def kept(self, events: tuple[Event, ...]) -> tuple[Event, ...]:
        """Store first, then announce only what everyone at this machine may hear."""
        self.keep()
        return tuple(event for event in events if event.to is None or (self.people and self.people <= event.to))

    def keep(self) -> None:
        try:
            self.keeper.keep(self.playing.record())
            self.trouble = None if self.keeper.kept else self.unkept()
        except CannotKeep as trouble:
            self.trouble = str(trouble)

    def save_to(self, path: Path) -> str | None:
        """From now on in this file, too; where it cannot be written, in the one before. Says what is in the way."""
        before = self.keeper.path
        try:
            check_free(path)
            self.keeper.path = path
            self.keeper.keep(self.playing.record())
            problem = None
        except CannotKeep as error:
            self.keeper.path, problem = before, str(error)
        self.keep()
        return problem

    def resume_command(self) -> str:
        """How to continue this game another time."""
        return self.again(self.keeper.path if self.keeper.kept else None)
