"""Mistakes in storing: the order of things, unknown outcomes, lost races, restarts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from typing import Any

from dicehall.table import acts, decide, folding, host, live, state, writing
from dicehall.table.coming import Answer, Coming, Waiting
from dicehall.table.host import Host
from dicehall.table.live import LiveTable
from dicehall.table.ports import Commit, Journal, Taken, Unavailable, Uncertain
from dicehall.table.requests import Asked, Lose
from tools.bugs.switching import BUGS, bug, changed, patched

# -- check -> journal -> apply -> tell -------------------------------------------------------------------

honest_prepare, honest_store = LiveTable.prepare, LiveTable.store


@bug("told before it is stored", (LiveTable, "prepare"))
def tell_first(self: LiveTable, act: acts.Act, at: int, asked: Asked | None = None) -> Coming:
    coming = honest_prepare(self, act, at, asked)
    self.listeners.tell(coming.told, coming.after)
    return coming


@bug("answered before it is stored", (LiveTable, "store"))
async def answer_first(self: LiveTable, act: acts.Act, at: int, asked: Asked | None = None) -> int:
    coming = honest_prepare(self, act, at, asked)
    self.apply(coming.commit.row, coming.after)

    async def behind() -> None:
        try:
            await writing.write(self.ports.journal, coming.commit)
            self.listeners.tell(coming.told, coming.after)
        except (Taken, Unavailable):
            return

    asyncio.get_running_loop().create_task(behind())
    return coming.commit.row.seq


@bug("memory changes before the commit", (LiveTable, "prepare"))
def apply_first(self: LiveTable, act: acts.Act, at: int, asked: Asked | None = None) -> Coming:
    coming = honest_prepare(self, act, at, asked)
    self.state = coming.after
    return coming


@bug("a move and its dice in two rows", (LiveTable, "store"))
async def torn(self: LiveTable, act: acts.Act, at: int, asked: Asked | None = None) -> int:
    if not isinstance(act, acts.Played) or len(act.entries) < 2:
        return await honest_store(self, act, at, asked)
    n = await honest_store(self, acts.Played(entries=act.entries[:1]), at, asked)
    await honest_store(self, acts.Played(entries=act.entries[1:]), at)
    return n


def in_tasks(name: str) -> None:
    """Have moves go the way of all other requests, where the bug of this name lies."""
    honest = BUGS[name]

    @contextmanager
    def switched() -> Iterator[None]:
        with honest(), patched(LiveTable, "move_at_once", lambda self, waiting: False):
            yield

    BUGS[name] = switched


in_tasks("answered before it is stored")
in_tasks("a move and its dice in two rows")


@bug("client ids are not stored", (LiveTable, "prepare"))
def nameless(self: LiveTable, act: acts.Act, at: int, asked: Asked | None = None) -> Coming:
    return honest_prepare(self, act, at)


@bug("a move is true whatever the journal says of it", (LiveTable, "moved"))
def carefree(self: LiveTable, waiting: Waiting, coming: Coming, begun: asyncio.Future[None]) -> None:
    if not begun.cancelled():
        begun.exception()
        self.busy = None
        waiting.answered.set_result(Answer(self.take_in(coming)))
        self.go_on()


@bug("a failed follow-up refuses what is stored", (LiveTable, "try_to_follow"))
async def follow_or_refuse(self: LiveTable, now: int) -> None:
    await self.follow(now)


# -- commits of unknown outcome, lost races ---------------------------------------------------------------


WRITES = (live, "write"), (host, "write")
Begun = Awaitable[None] | None


@bug("an uncertain commit is taken as failed", *WRITES)
async def pessimist(journal: Journal, commit: Commit, begun: Begun = None) -> None:
    try:
        await (begun or journal.append(commit))
    except Uncertain:
        raise Unavailable("It surely failed.") from None


@bug("an uncertain commit is taken as stored", *WRITES)
async def optimist(journal: Journal, commit: Commit, begun: Begun = None) -> None:
    try:
        await (begun or journal.append(commit))
    except Uncertain:
        return


@bug("a lost race is answered as a success", *WRITES)
async def sore_loser(journal: Journal, commit: Commit, begun: Begun = None) -> None:
    try:
        await writing.write(journal, commit, begun)
    except Taken:
        return


@bug("a commit that was not there when somebody looked never arrives", *WRITES)
async def looks_once(journal: Journal, commit: Commit, begun: Begun = None) -> None:
    try:
        await (begun or journal.append(commit))
    except Uncertain:
        if await writing.look(journal, commit.row) != commit.row:
            raise Unavailable("It was not there when I looked.") from None


# -- restarts --------------------------------------------------------------------------------------------

honest_load = Host.load


@bug("ids forgotten on restart", (Host, "load"))
async def forgetful(self: Host, table: str) -> LiveTable:
    loaded = await honest_load(self, table)
    loaded.ids = {}
    return loaded


@bug("dice redrawn on restart", (Host, "load"))
async def redrawn(self: Host, table: str) -> LiveTable:
    loaded = await honest_load(self, table)
    _, dice = await self.parts.box.draw(self.slices)
    loaded.dealer = decide.Dealer(self.parts.box, dice)
    return loaded


honest_started = folding.started


@bug("roll numbers do not count the draw of seats", (folding, "started"), (decide, "started"))
def draw_not_counted(before: state.TableState, act: acts.Started) -> state.TableState:
    return changed(honest_started(before, act), rolls=0)


@bug("away after a restart", (Host, "expect_back"))
def impatient(self: Host, table: LiveTable) -> None:
    for chair in table.state.chairs:
        if chair.conn:
            self.spawn(self.ask(table.state.id, Lose(chair.conn)))


@bug("a table that is slow to open is opened twice", (Host, "open"))
async def twice(self: Host, table: str, game: Any, **chosen: Any) -> LiveTable:
    opened = await honest_open(self, table, game, **chosen)
    other = LiveTable(opened.state, opened.dealer, opened.ports)
    await asyncio.sleep(1.0)
    self.tables[table] = other
    return other


honest_open = Host.open
