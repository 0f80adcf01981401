"""Mistakes with people: connections, what each may hear, repeated requests."""

from __future__ import annotations

from functools import wraps
from typing import Any

import msgspec

from dicehall.core.game import Refused
from dicehall.table import acts, listening, record, sitting, state, updates
from dicehall.table.coming import Answer, Coming
from dicehall.table.listening import Listeners
from dicehall.table.live import LiveTable
from dicehall.table.requests import Asked, Code
from tools.bugs.switching import bug


@bug("after a take-over the end of the first connection counts", (sitting, "lose"))
def any_line(before: state.TableState, conn: str) -> acts.Act | None:
    person = conn.rpartition("/")[0].rpartition(":")[2]
    chair = next((chair for chair in before.chairs if chair.account == person), None)
    return None if chair is None else sitting.leave(before, chair, lost=True)


@bug("after a take-over the end of the second connection does not count", (sitting, "carried"))
def first_line(before: state.TableState, chair: Any, conn: str, **more: Any) -> acts.Act:
    return honest_carried(before, chair, chair.conn or conn, **more)


honest_carried = sitting.carried


@bug("an update that is hidden takes no number", (Listeners, "tell"))
def unheard(self: Listeners, told: state.Told, after: state.TableState) -> None:
    if told.events or after.phase == "lobby":
        honest_tell(self, told, after)


honest_tell = Listeners.tell


@bug("everybody hears hidden picks", (listening, "update"))
def loud(told: state.Told, seat: Any) -> dict[str, Any]:
    shown = updates.update(told, seat)
    return {**shown, "entries": msgspec.to_builtins(told.act.entries)}


@bug("the record of a running game shows hidden picks", (record, "visible"))
def open_book(before: state.TableState, kept: Any, seat: Any) -> int:
    return len(kept.entries)


honest_answer = LiveTable.answer


@bug("a repeated request is refused", (LiveTable, "answer"))
@wraps(honest_answer)
async def no_repeats(self: LiveTable, asked: Asked, coming: Coming | None = None) -> Answer:
    if self.repeated(asked) is not None:
        raise Refused(Code.BAD_REQUEST, "You asked that before.")
    return await honest_answer(self, asked, coming)
