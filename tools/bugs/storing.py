"""Mistakes in storing: the order of things, unknown outcomes, lost races, restarts."""

from __future__ import annotations

import asyncio
from typing import Any

from dicehall.table import acts, decide, state
from dicehall.table.host import Host
from dicehall.table.live import LiveTable, head_of
from dicehall.table.ports import Commit, Row, Taken, Unavailable, Uncertain
from dicehall.table.requests import Asked, Lose
from tools.bugs.switching import bug, changed


def commit_of(table: LiveTable, act: acts.Act, at: int, asked: Asked | None) -> tuple[Commit, Any, Any]:
    at = max(table.state.at, at)
    after, told = state.advance(table.state, act, at)
    account, id = (asked.account, asked.id) if asked and asked.account and asked.id else (None, None)
    return Commit(Row(after.id, after.seq, acts.encode_act(act), at, account, id), head_of(after)), after, told


# -- check -> journal -> apply -> tell -------------------------------------------------------------------

honest_store = LiveTable.store


@bug("told before it is stored", (LiveTable, "store"))
async def tell_first(self: LiveTable, act: acts.Act, at: int, asked: Asked | None = None) -> int:
    commit, after, told = commit_of(self, act, at, asked)
    self.listeners.tell(told, after)
    await self.write(commit)
    self.apply(commit.row, after)
    return commit.row.seq


@bug("answered before it is stored", (LiveTable, "store"))
async def answer_first(self: LiveTable, act: acts.Act, at: int, asked: Asked | None = None) -> int:
    commit, after, told = commit_of(self, act, at, asked)
    self.apply(commit.row, after)

    async def behind() -> None:
        try:
            await self.write(commit)
            self.listeners.tell(told, after)
        except (Taken, Unavailable):
            return

    asyncio.get_running_loop().create_task(behind())
    return commit.row.seq


@bug("memory changes before the commit", (LiveTable, "store"))
async def apply_first(self: LiveTable, act: acts.Act, at: int, asked: Asked | None = None) -> int:
    commit, after, told = commit_of(self, act, at, asked)
    self.state = after
    await self.write(commit)
    self.apply(commit.row, after)
    self.tell(told)
    return commit.row.seq


@bug("a move and its dice in two rows", (LiveTable, "store"))
async def torn(self: LiveTable, act: acts.Act, at: int, asked: Asked | None = None) -> int:
    if not isinstance(act, acts.Played) or len(act.entries) < 2:
        return await honest_store(self, act, at, asked)
    n = await honest_store(self, acts.Played(entries=act.entries[:1]), at, asked)
    await honest_store(self, acts.Played(entries=act.entries[1:]), at)
    return n


@bug("client ids are not stored", (LiveTable, "store"))
async def nameless(self: LiveTable, act: acts.Act, at: int, asked: Asked | None = None) -> int:
    return await honest_store(self, act, at)


@bug("a failed follow-up refuses what is stored", (LiveTable, "try_to_follow"))
async def follow_or_refuse(self: LiveTable, now: int) -> None:
    await self.follow(now)


# -- commits of unknown outcome, lost races ---------------------------------------------------------------


@bug("an uncertain commit is taken as failed", (LiveTable, "write"))
async def pessimist(self: LiveTable, commit: Commit) -> None:
    try:
        await self.ports.journal.append(commit)
    except Uncertain:
        raise Unavailable("It surely failed.") from None


@bug("an uncertain commit is taken as stored", (LiveTable, "write"))
async def optimist(self: LiveTable, commit: Commit) -> None:
    try:
        await self.ports.journal.append(commit)
    except Uncertain:
        return


honest_write = LiveTable.write


@bug("a lost race is answered as a success", (LiveTable, "write"))
async def sore_loser(self: LiveTable, commit: Commit) -> None:
    try:
        await honest_write(self, commit)
    except Taken:
        return


@bug("a commit that was not there when somebody looked never arrives", (LiveTable, "write"))
async def looks_once(self: LiveTable, commit: Commit) -> None:
    try:
        await self.ports.journal.append(commit)
    except Uncertain:
        if await self.look(commit.row.seq) != commit.row:
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
    loaded.dealer = decide.Dealer(self.parts.box, self.parts.box.dice(self.parts.box.secret()))
    return loaded


honest_started = state.started


@bug("roll numbers do not count the draw of seats", (state, "started"), (decide, "started"))
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
