"""A finished table's replay, in pages: its updates as spectators received them, each with the view after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from dicehall.table import acts
from dicehall.table.history import Checkpoints, History
from dicehall.table.state import TableState, Told
from dicehall.table.updates import update
from dicehall.wire.replay_steps import ViewChanges


@dataclass(frozen=True, slots=True)
class ReplayPage:
    updates: list[msgspec.Raw]
    n: int  # of the last of them
    last: int  # of the table


async def replay_page(
    history: History, state: TableState, checkpoints: Checkpoints, since: int, most: int
) -> ReplayPage:
    """At most this many updates after number *since*; the first of a page has its view whole."""
    changes, updates, n = ViewChanges(), list[msgspec.Raw](), since
    async for told in history.told(state, checkpoints, since):
        updates.append(msgspec.Raw(msgspec.json.encode(step_of(told, changes))))
        n = told.seq
        if len(updates) == most:
            break
    return ReplayPage(updates, n, state.seq)


def step_of(told: Told, changes: ViewChanges) -> dict[str, Any]:
    """An update as a step of a replay; what changed nothing in the game has no view."""
    given = told.act.given if isinstance(told.act, acts.Opened) else ()
    step = {**update(told, None), "entries": len(given) + len(told.act.entries)}
    if told.after is None or not (told.act.entries or isinstance(told.act, acts.Started)):
        return step
    return step | changes.of(told.after.game, told.after.position)
