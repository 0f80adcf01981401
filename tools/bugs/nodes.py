"""Mistakes of several processes on one journal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from dicehall.core.game import Seat
from dicehall.table import answering, decide, live
from dicehall.table.acts import Act
from dicehall.table.chairs import Carriage
from dicehall.table.clocks import Due
from dicehall.table.cluster import Cluster
from dicehall.table.decide import Dealer
from dicehall.table.host import Host
from dicehall.table.live import LiveTable, Ports
from dicehall.table.ports import Commit, Journal, Outage, Unavailable, Uncertain
from dicehall.table.pulse import Pulse
from dicehall.table.requests import BotDo
from dicehall.table.shared_clock import SharedClock
from dicehall.table.state import TableState
from dicehall.table.thinking import choose
from tools.bugs.storing import Begun
from tools.bugs.switching import Bug, patched
from tools.bugs.switching import bug as any_bug

NODE_BUGS: dict[str, Bug] = {}
honest_ports, honest_catch_up = Host.ports, LiveTable.catch_up


def bug(name: str, *places: tuple[Any, str]) -> Callable[[Any], Any]:
    return any_bug(name, *places, among=NODE_BUGS)


@bug("what was missed while the line was down stays missed", (Cluster, "missed"))
def nothing_missed(self: Cluster) -> None:
    pass


@bug("notifications are thrown away", (Cluster, "moved"))
def hears_nothing(self: Cluster, table: str, seq: int) -> None:
    pass


@bug("deadlines count though the player's process is dead", (Cluster, "void"))
async def counts_always(self: Cluster, state: TableState, due: Due) -> Outage | None:
    return None


@bug("refused without reading the journal's head", (Host, "ports"))
def own_copy_only(self: Host) -> Ports:
    return replace(honest_ports(self), shared=False)


@bug("acts of other processes are not told", (LiveTable, "catch_up"))
async def read_in_silence(self: LiveTable) -> bool:
    listeners, self.listeners.by_id = self.listeners.by_id, {}
    try:
        return await honest_catch_up(self)
    finally:
        self.listeners.by_id = listeners


# -- time -----------------------------------------------------------------------------------------------


@bug("a process trusts the clock of its own machine", (SharedClock, "set"))
def own_clock(self: SharedClock, time: int, before: int, after: int) -> None:
    pass


@bug("deadlines count while the player's process is silent", (Cluster, "check_alive"))
def never_waits(self: Cluster, carriage: Carriage, due: Due, pulses: Mapping[str, int]) -> None:
    pass


@bug("a process that comes back says nothing of its outage", (Pulse, "ended"))
async def as_if_nothing_was(self: Pulse, now: int, gap: int) -> list[Outage]:
    return []


@bug("a turn begins before its player's process knows of it", (LiveTable, "check_delay"))
def no_delay(self: LiveTable, before: TableState) -> None:
    pass


# -- looking after tables -----------------------------------------------------------------------------------


def hasty(state: TableState, asked: BotDo, dealer: Dealer) -> Act | None:
    chair = state.chair(asked.chair)
    return decide.do(state, None, chair, asked.move, dealer) if chair.plays else None


async def without_id(self: Host, live: LiveTable, seat: Seat, now: int) -> None:
    chosen = await choose(self.parts.chooser, live.state, seat, live.dealer.dice)
    await self.ask(live.state.id, chosen, f"bot:{chosen.chair}", f"{chosen.seq} {self.parts.process}")


@contextmanager
def moved_twice() -> Iterator[None]:
    with patched(answering, "bot_move", hasty), patched(Host, "bot_moves", without_id):
        yield


NODE_BUGS["two processes move a bot at the same moment, and it moves twice"] = moved_twice


@bug("what a dead process should have done stays undone", (Cluster, "look"))
async def looks_away(self: Cluster) -> None:
    await self.set_clock()
    self.pulses = await self.nodes.pulses()
    self.bury_silent(self.clock.now())


@bug("dead processes are never buried", (Cluster, "bury_silent"))
def unburied(self: Cluster, now: int) -> None:
    pass


@bug("a process is buried though others may still be served by it", (Cluster, "bury"))
async def hasty_burial(self: Cluster, process: str, last: int) -> None:
    await self.nodes.bury(Outage(last, last + 1, process))
    self.burials.discard(process)


@bug("whoever was connected to a suspended process stays away", (Cluster, "returned"))
def stays_away(self: Cluster, table: str, conn: str, account: str | None) -> None:
    pass


# -- the way to the database ----------------------------------------------------------------------------------


@bug("a read that failed is not repeated", (LiveTable, "read_on"))
async def reads_once(self: LiveTable) -> None:
    head, self.head = self.head, 0
    try:
        await self.catch_up()
    except (Unavailable, Uncertain):
        self.head = min(self.state.seq, head)
    finally:
        self.busy = None
        self.go_on()


@bug("a commit whose connection broke counts as failed", (live, "write"))
async def takes_for_failed(journal: Journal, commit: Commit, begun: Begun = None) -> None:
    try:
        await (begun or journal.append(commit))
    except Uncertain:
        raise Unavailable("It surely failed.") from None


@bug("a commit whose connection broke counts as stored", (live, "write"))
async def takes_for_stored(journal: Journal, commit: Commit, begun: Begun = None) -> None:
    try:
        await (begun or journal.append(commit))
    except Uncertain:
        return
