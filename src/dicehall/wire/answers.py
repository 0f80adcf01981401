"""Answering a record: what each entry did, and how the game then stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from dicehall.core.fold import play
from dicehall.core.game import AnyGame, Dice, Faces, Refused, Roll, Step
from dicehall.wire.entries import Logged
from dicehall.wire.errors import Invalid, clipped
from dicehall.wire.record import Record
from dicehall.wire.shown import show_choices, show_event, show_over, show_state, show_views


@dataclass(frozen=True, slots=True)
class Thrown:
    """One roll of a record, with what is needed to check it."""

    sides: Faces
    faces: Faces
    opened: str | None
    stated: Any = None  # the sides as the record states them, where it does
    entry: int = 0  # which entry of the record it is


@dataclass(slots=True)
class Replay:
    """A record being replayed; iterate :meth:`answers`, then ask how it stands."""

    record: Record
    state: Any = None
    thrown: list[Thrown] = field(default_factory=list)
    refused: tuple[int, Refused] | None = None
    taken: int = 0  # entries so far

    def __post_init__(self) -> None:
        self.state = self.game.start(len(self.record.names))

    @property
    def game(self) -> AnyGame:
        return self.record.game

    def answers(self) -> Iterator[dict[str, Any]]:
        """One answer per good entry; stops before the first that is refused."""
        for index, step in enumerate(self.steps()):
            events = [show_event(event) for event in step.events]
            yield {"entry": index, "events": events, "fresh_clock": step.fresh_clock}

    def steps(self) -> Iterator[Step[Any]]:
        done = 0
        try:
            for logged in self.record.logged():
                yield self.take(logged)
                done += 1
        except Refused as refused:
            self.refused = (done, refused)

    def take(self, logged: Logged) -> Step[Any]:
        awaited = self.game.awaits(self.state)
        step = play(self.game, self.state, logged.entry)
        if isinstance(logged.entry, Roll) and isinstance(awaited, Dice):
            self.thrown.append(Thrown(awaited.sides, logged.entry.faces, logged.opened, logged.sides, self.taken))
        self.state = step.state
        self.taken += 1
        return step

    def last(self) -> dict[str, Any]:
        """How the game stands, after the refused entry's answer where there is one."""
        shown = {
            "over": show_over(self.game, self.state),
            "state": show_state(self.game, self.state),
            "views": show_views(self.game, self.state),
        }
        if self.refused is None:
            return {**shown, "choices": show_choices(self.game, self.state)}
        index, refused = self.refused
        return {"refused": {"index": index, **show_refused(refused)}, **shown}


def show_refused(refused: Refused) -> dict[str, Any]:
    return {"code": str(refused.code), "message": clipped(refused.sentence), **refused.more}


def show_invalid(invalid: Invalid) -> dict[str, Any]:
    return {"invalid": {"code": invalid.code, "path": invalid.path, "message": invalid.sentence}}
