"""A finished game as it looked, step by step: the events of each act, and what a spectator saw after it.

Each step holds only the changes of the view since the step before; put together, they give every view.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

from dicehall.core.game import AnyGame
from dicehall.wire.answers import Replay, Thrown
from dicehall.wire.record import Record
from dicehall.wire.shown import show_event, show_over, show_view


@dataclass(slots=True)
class ViewChanges:
    """A spectator's views, one after the other."""

    last: dict[str, Any] = field(default_factory=dict)

    def of(self, game: AnyGame, position: Any) -> dict[str, Any]:
        """What a step shows of the position after it: the fields that changed, and the end once there is one."""
        view = show_view(game, position, None)
        changed = {name: value for name, value in view.items() if name not in self.last or self.last[name] != value}
        self.last = view
        over = show_over(game, position)
        return {"view": changed} if over is None else {"view": changed, "over": over}


def record_steps(replay: Replay) -> Iterator[dict[str, Any]]:
    """The steps of a record; stops before the first entry that the rules refuse.

    A step is one act: a move, or whatever else happened, with the dice that answered it. The first is the start.
    """
    entries, changes = replay.record.entries, ViewChanges()
    step, before = start_of(replay.record), 0
    if not is_roll(entries, 0):
        yield shown(step, replay, 0, changes)
        step, before = step_after(step), len(replay.thrown)
    for index, done in enumerate(replay.steps()):
        step["entries"] += 1
        step["events"] += [show_event(event) for event in done.events]
        if not is_roll(entries, index + 1):
            yield shown(step, replay, before, changes)
            step, before = step_after(step), len(replay.thrown)
    if step["entries"]:  # what follows is refused
        yield shown(step, replay, before, changes)


def is_roll(entries: tuple[Any, ...], index: int) -> bool:
    return index < len(entries) and isinstance(entries[index], dict) and "roll" in entries[index]


def start_of(record: Record) -> dict[str, Any]:
    """The beginning, told as a table tells it whose seats are its chairs."""
    names = [{"chair": chair, "name": name} for chair, name in enumerate(record.names)]
    seal = {} if record.seal is None else msgspec.to_builtins(record.seal)
    opened = {"event": "Opened", "s0": seal.get("s0", ""), "bots": names, "to": None}
    started = {"event": "Started", "order": list(range(len(names))), "words": seal.get("words", []), "to": None}
    return {"n": 1, "at": 0, "events": [opened, started], "entries": 0}


def step_after(step: dict[str, Any]) -> dict[str, Any]:
    return {"n": step["n"] + 1, "at": 0, "events": [], "entries": 0}


def shown(step: dict[str, Any], replay: Replay, before: int, changes: ViewChanges) -> dict[str, Any]:
    if rolls := replay.thrown[before:]:
        step["rolls"] = [show_roll(roll) for roll in rolls]
    return {**step, **changes.of(replay.game, replay.state)}


def show_roll(roll: Thrown) -> dict[str, Any]:
    return {"sides": list(roll.sides), "faces": list(roll.faces), "opened": roll.opened}
