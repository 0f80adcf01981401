"""Mistakes with time: timers, deadlines, outages, sleep."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dicehall.table import acts, answering, clocks, decide, folding, live, pulse, state
from dicehall.table.coming import Answer, Waiting
from dicehall.table.host import Host
from dicehall.table.live import LiveTable
from dicehall.table.ports import Outage
from dicehall.table.requests import Asked, Settle
from tools.bugs.switching import BUGS, bug, changed, patched


@contextmanager
def timer_first() -> Iterator[None]:
    def put(self: LiveTable, asked: Asked) -> asyncio.Future[Answer]:
        waiting = Waiting(asked, asyncio.get_running_loop().create_future())
        ahead = isinstance(asked.request, Settle)
        self.inbox.put_back(waiting) if ahead else self.inbox.add(waiting, visitor=False)
        if self.busy is None:
            self.go_on()
        return waiting.answered

    def next_request(self: LiveTable) -> Waiting:
        return self.inbox.pop()

    late = patched(live, "LAG_MS", 0), patched(clocks, "LAG_MS", 0)
    with late[0], late[1], patched(LiveTable, "put", put), patched(LiveTable, "next_request", next_request):
        yield


BUGS["a timer goes ahead of an action in time"] = timer_first


@bug("an expiry is stamped with now", (LiveTable, "take_effect"))
async def stamped_now(self: LiveTable, due: clocks.Due, now: int) -> None:
    outage = clocks.voided(due, await self.ports.outages())
    act = decide.restart(outage) if outage is not None else decide.expire(self.state, due, self.dealer)
    await self.store(act, max(now, self.ports.clock.now()))


@bug("clocks run on through an outage", (pulse, "voided"))
def nothing_voided(due: clocks.Due, outages: Any) -> Outage | None:
    return None


@bug("outages end whenever somebody notices them", (pulse.Pulse, "outages"))
async def not_looked_for(self: pulse.Pulse) -> list[Outage]:
    return self.known


@bug("an outage makes people away", (pulse.Pulse, "returning"))
def nobody_returns(self: pulse.Pulse) -> int:
    return 0


@bug("graces run on through an outage", (folding, "restarted"))
def graces_run_on(before: state.TableState) -> state.TableState:
    return changed(before, clocks=changed(before.clocks, turn=before.at if before.to_act() else None))


@bug("alarms are forgotten", (Host, "schedule"))
def no_alarm(self: Host, table: str, at: int | None) -> None:
    if self.timers.set_for.get(table) is None:
        honest_schedule(self, table, at)


honest_schedule = Host.schedule


@bug("a table that nobody plays never sleeps", (live, "expire"))
def sleepless(before: state.TableState, due: clocks.Due, dealer: decide.Dealer) -> acts.Act:
    act = decide.expire(before, due, dealer)
    return acts.Played(entries=act.entries) if isinstance(act, acts.Slept) else act


honest_dues = clocks.dues


@bug("a sleeping table keeps expiring", (clocks, "dues"))
def sleepwalker(before: state.TableState) -> list[clocks.Due]:
    if before.phase != "asleep":
        return honest_dues(before)
    awake = changed(before, phase="playing", clocks=state.Clocks(turn=before.at))
    return honest_dues(awake)


@bug("graces never end", (clocks, "dues"))
def endless_graces(before: state.TableState) -> list[clocks.Due]:
    return [due for due in honest_dues(before) if due.kind is not clocks.Kind.GRACE]


@bug("looking wakes a sleeping table", (live, "wakes"))
def light_sleeper(before: state.TableState, asked: Asked) -> acts.Act | None:
    asleep = before.phase == "asleep" and isinstance(asked.request, Settle) and asked.request.now
    return acts.Woke(chair=before.chairs[0].number) if asleep else answering.wakes(before, asked)
