"""Deliberate bugs, each a small patch from outside: nothing in the program itself knows of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import wraps
from typing import Any

import msgspec
from msgspec.structs import replace

from dicehall.core.game import Refused
from dicehall.table import acts, clocks, decide, listening, live, pulse, record, sitting, state, updates
from dicehall.table.host import Host
from dicehall.table.listening import Listeners
from dicehall.table.live import Answer, LiveTable, Waiting, head_of
from dicehall.table.ports import Commit, Outage, Row, Taken, Unavailable, Uncertain
from dicehall.table.requests import Asked, Code, Lose, Settle

Bug = Callable[[], AbstractContextManager[None]]
BUGS: dict[str, Bug] = {}
MISSING = object()


@contextmanager
def patched(owner: Any, name: str, value: Any) -> Iterator[None]:
    before = vars(owner).get(name, MISSING)
    setattr(owner, name, value)
    try:
        yield
    finally:
        delattr(owner, name) if before is MISSING else setattr(owner, name, before)


def bug(name: str, *places: tuple[Any, str]) -> Callable[[Any], Any]:
    """A function that stands in for all these places while the bug of this name is switched in."""

    def named(value: Any) -> Any:
        @contextmanager
        def switched() -> Iterator[None]:
            with ExitStack() as stack:
                for owner, place in places:
                    stack.enter_context(patched(owner, place, value))
                yield

        BUGS[name] = switched
        return value

    return named


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
    return replace(honest_started(before, act), rolls=0)


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

# -- time ------------------------------------------------------------------------------------------------


@contextmanager
def timer_first() -> Iterator[None]:
    async def ask(self: LiveTable, asked: Asked) -> Answer:
        waiting = Waiting(asked, asyncio.get_running_loop().create_future())
        ahead = isinstance(asked.request, Settle)
        self.inbox.appendleft(waiting) if ahead else self.inbox.append(waiting)
        if self.worker is None or self.worker.done():
            self.worker = asyncio.create_task(self.work())
        return await waiting.answered

    with patched(live, "LAG_MS", 0), patched(clocks, "LAG_MS", 0), patched(LiveTable, "ask", ask):
        yield


BUGS["a timer goes ahead of an action in time"] = timer_first


@bug("an expiry is stamped with now", (LiveTable, "take_effect"))
async def stamped_now(self: LiveTable, due: clocks.Due, now: int) -> None:
    outage = clocks.voided(due, await self.ports.outages())
    act = decide.restart(outage) if outage is not None else decide.expire(self.state, due, self.dealer)
    await self.store(act, max(now, self.ports.clock.now()))


@bug("clocks run on through an outage", (live, "voided"))
def nothing_voided(due: clocks.Due, outages: Any) -> Outage | None:
    return None


@bug("outages end whenever somebody notices them", (pulse.Pulse, "outages"))
async def not_looked_for(self: pulse.Pulse) -> list[Outage]:
    return self.known


@bug("an outage makes people away", (pulse.Pulse, "returning"))
def nobody_returns(self: pulse.Pulse) -> int:
    return 0


@bug("graces run on through an outage", (state, "restarted"))
def graces_run_on(before: state.TableState) -> state.TableState:
    return replace(before, clocks=replace(before.clocks, turn=before.at if before.to_act() else None))


@bug("alarms are forgotten", (Host, "schedule"))
def no_alarm(self: Host, table: str, at: int | None) -> None:
    if self.set_for.get(table) is None:
        honest_schedule(self, table, at)


honest_schedule = Host.schedule


@bug("a table that nobody plays never sleeps", (live, "expire"))
def sleepless(before: state.TableState, due: clocks.Due, dealer: decide.Dealer) -> acts.Act:
    act = decide.expire(before, due, dealer)
    return acts.Played(entries=act.entries) if isinstance(act, acts.Slept) else act


honest_dues = clocks.dues


@bug("a sleeping table keeps expiring", (live, "dues"))
def sleepwalker(before: state.TableState) -> list[clocks.Due]:
    if before.phase != "asleep":
        return honest_dues(before)
    awake = replace(before, phase="playing", clocks=state.Clocks(turn=before.at))
    return honest_dues(awake)


# -- people ----------------------------------------------------------------------------------------------


@bug("after a take-over the end of the first connection counts", (sitting, "lose"))
def any_line(before: state.TableState, conn: str) -> acts.Act | None:
    person = conn.rpartition("/")[0].rpartition(":")[2]
    chair = next((chair for chair in before.chairs if chair.account == person), None)
    return None if chair is None else sitting.leave(before, chair, lost=True)


@bug("after a take-over the end of the second connection does not count", (sitting, "carried"))
def first_line(before: state.TableState, chair: Any, conn: str) -> acts.Act:
    return honest_carried(before, chair, chair.conn or conn)


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
async def no_repeats(self: LiveTable, asked: Asked) -> Answer:
    if self.repeated(asked) is not None:
        raise Refused(Code.BAD_REQUEST, "You asked that before.")
    return await honest_answer(self, asked)
