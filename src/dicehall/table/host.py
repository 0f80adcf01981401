"""A host of many tables in one process: opens and loads them, fires their timers, and tracks its outages."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from dicehall.core.game import Refused, Seat
from dicehall.core.house import check_seats, rules_of
from dicehall.table import acts, disconnections
from dicehall.table.arrivals import Arrivals, received_at
from dicehall.table.clocks import KEEP_MS, clock_alarm, is_attended
from dicehall.table.cluster import Cluster
from dicehall.table.coming import Answer
from dicehall.table.decide import Dealer
from dicehall.table.disconnections import AGAIN_MS, Disconnections
from dicehall.table.heartbeat import LoopTime
from dicehall.table.history import History
from dicehall.table.live import LiveTable, Ports
from dicehall.table.loader import Loader
from dicehall.table.parts import Parts as Parts
from dicehall.table.ports import Conn, Head, JournalError, Nodes
from dicehall.table.pulse import BEAT_S, Pulse
from dicehall.table.requests import Asked, Carry, Code, Doze, Lose, Reclaim, Request, Settle, Sit
from dicehall.table.retiring import Back, finished, put_away
from dicehall.table.settled import settled
from dicehall.table.slices import Shared, Slices
from dicehall.table.state import TableState
from dicehall.table.story import has_graces, opening
from dicehall.table.thinking import choose
from dicehall.table.timers import Timers
from dicehall.table.updates import audience, update
from dicehall.table.writing import write

STALL_S = 0.15  # a pulse that comes so late
AFTER_STALL_S = 0.25
HOLD_AGAIN_MS = 500  # until a deadline that is on hold is looked at again


@dataclass(slots=True, eq=False)
class Host:
    parts: Parts
    pulse: Pulse = field(init=False)
    history: History = field(init=False)
    loader: Loader = field(init=False)
    slices: Slices = field(default_factory=Slices)
    arrivals: Arrivals = field(init=False)
    tables: dict[str, LiveTable] = field(default_factory=dict)
    loading: dict[str, Shared[LiveTable]] = field(default_factory=dict)
    timers: Timers = field(init=False)
    tasks: set[asyncio.Task[Any]] = field(default_factory=set)
    back: Back = field(default_factory=Back)  # archived tables that somebody asked for
    disconnections: Disconnections = field(init=False)
    cluster: Cluster | None = field(init=False)  # where other processes share the journal
    returning_till: float = 0.0
    stopping: bool = False

    def __post_init__(self) -> None:
        parts, heartbeat = self.parts, self.parts.heartbeat
        loop_time = None if heartbeat is None else LoopTime(parts.clock, heartbeat)
        self.pulse = Pulse(parts.journal, parts.clock, parts.process, loop_time, parts.not_before, parts.nodes)
        self.history = History(self.parts.journal, self.parts.games, self.slices)
        self.loader = Loader(self.parts, self.history)
        self.arrivals = Arrivals(self.parts.clock)
        self.disconnections = Disconnections(self.tables, self.pulse, self.spawn, self.detach)
        self.timers = Timers(self.parts.clock, lambda table: self.spawn(self.ring(table)))
        self.cluster = None if parts.nodes is None else self.make_cluster(parts.nodes)

    def make_cluster(self, nodes: Nodes) -> Cluster:
        clock: Any = self.parts.clock  # one that can be set by the others'
        process, tables, frozen = self.parts.process, self.tables, self.frozen
        return Cluster(
            nodes, clock, process, self.pulse, tables, self.reach, self.ask, self.ring, self.spawn, self.forget, frozen
        )

    @property
    def frozen(self) -> set[str]:
        return self.loader.frozen

    # -- coming and going -------------------------------------------------------------------------

    async def start(self, close: str | None = None) -> None:
        """Get ready to play: read the heads of all tables; load a table itself on request or when a deadline passes.

        With *close*, a sentence for the players, every table that is not over is closed before anything else happens.
        """
        if self.cluster is not None:
            await self.cluster.start()
        await self.pulse.start()
        if close is not None:
            await self.close_unfinished(close)
        if self.cluster is not None:
            self.spawn(self.cluster.keep_looking())
        else:
            await self.look_after_all()
        self.spawn(self.keep_beating())
        if self.parts.heartbeat is not None and self.pulse.loop_time is not None:
            self.parts.heartbeat.start()
            self.spawn(self.keep_loop_time(self.pulse.loop_time))
        self.spawn(self.timers.run())

    async def look_after_all(self) -> None:
        """Take responsibility for all tables: no other process is running."""
        self.returning_till = asyncio.get_running_loop().time() + disconnections.RETURN_S
        heads = await self.parts.journal.heads()
        for head in heads:
            self.schedule(head.table, head.deadline)
        for table in await finished(self.parts.archive):
            self.schedule(table, self.parts.clock.now() + KEEP_MS)
        self.spawn(self.look_after(heads))

    async def close_unfinished(self, why: str) -> None:
        """Close every table without rolling another die: nothing that is due takes effect."""
        for head in await self.parts.journal.heads():
            try:
                live = await self.reach(head.table)
                await live.store(acts.Destroyed(why=why), self.parts.clock.now())
            except Refused as refused:
                if head.table not in self.frozen:  # which nobody can play at
                    raise JournalError(refused.sentence) from refused
            self.forget(head.table)

    def close_doors(self) -> None:
        """Stop serving. People can no longer act, so the outage begins here: no pulse follows."""
        self.stopping = True

    async def stop(self) -> None:
        """Finish what is in flight, then stop."""
        self.close_doors()
        if self.parts.heartbeat is not None:
            self.parts.heartbeat.stop()
        await asyncio.gather(*(table.rest() for table in self.tables.values()))
        for task in tuple(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    def spawn(self, work: Any) -> None:
        """Start work that outlives its cause, so it does not count from when that request arrived."""
        task = asyncio.create_task(work, context=contextvars.Context())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def look_after(self, heads: Sequence[Head]) -> None:
        """Mark players who never return after an outage as away, even if nobody looks: loading a table does that."""
        await asyncio.sleep(disconnections.RETURN_S)
        for head in sorted(heads, key=lambda head: head.status == "asleep"):
            try:
                if head.status != "asleep" or await has_graces(self.parts.journal, head.table, self.parts.games):
                    await self.reach(head.table)
            except (Refused, JournalError) as refused:
                lost = isinstance(refused, JournalError) or refused.code == Code.STORE_UNAVAILABLE
                if lost and head.table not in self.frozen:
                    self.schedule(head.table, self.parts.clock.now() + AGAIN_MS)

    # -- tables -----------------------------------------------------------------------------------

    async def open(
        self, table: str, game: Any, also: tuple[Any, ...] = (), day_secret: bytes | None = None, **chosen: Any
    ) -> LiveTable:
        """Open a table: its secret is stored before its seal is shown. A challenge has the secret of its day."""
        if day_secret is None:
            secret, dice = await self.parts.box.draw(self.slices)
        else:
            secret, dice = day_secret, self.parts.box.day_dice(day_secret)
        chosen.setdefault("drawn", game.policy.drawn)
        chosen.setdefault("seats", game.seats[-1])
        check_seats(game, chosen["seats"])
        act = acts.Opened(game=game.key, edition=game.edition, rules=rules_of(game), s0=dice.seal, **chosen)
        state, commit = opening(table, act, self.parts.clock.now(), secret, self.parts.games, also)
        live = LiveTable(state, Dealer(self.parts.box, dice), self.ports())
        await write(self.parts.journal, commit)
        live = self.tables.setdefault(table, live)  # while that took its time, somebody may have come to the table
        self.schedule(table, live.alarm())
        return live

    async def table(self, table: str) -> LiveTable:
        """A live table, from memory or from its journal; one load at a time."""
        if live := self.tables.get(table):
            return live
        if table not in self.loading:
            self.loading[table] = Shared(self.load(table))
            self.loading[table].task.add_done_callback(lambda _: self.loading.pop(table, None))
        return await self.loading[table].outcome()

    async def load(self, table: str) -> LiveTable:
        loaded = await self.loader.load(table)
        folded, dice = loaded.folded, loaded.dice
        live = LiveTable(folded.state, Dealer(self.parts.box, dice), self.ports(), folded.ids, folded.checkpoints)
        live.mine = self.cluster is None  # otherwise the process that stored its last act handles it, or the sweep does
        live = self.tables.setdefault(table, live)
        if loaded.archived:
            return self.keep_back(live)
        if not live.state.ended:
            self.spawn(self.slices.run(dice.prepare()))
        if self.cluster is None:
            self.expect_back(live)
        self.schedule(table, live.alarm())
        return live

    def keep_back(self, live: LiveTable) -> LiveTable:
        """Keep an archived table in memory for some minutes, unless there are too many."""
        self.schedule(live.state.id, self.parts.clock.now() + KEEP_MS)
        for table in self.back.add(live.state.id, live.state.seq):
            self.forget(table)
        return live

    def ports(self) -> Ports:
        parts = self.parts
        expected, cluster = self.arrivals.expected, self.cluster
        ports = Ports(
            parts.journal, parts.clock, self.pulse.outages, self.schedule, parts.facts, expected, self.pulse.void
        )
        if cluster is None:
            return ports
        return replace(ports, void=cluster.void, shared=True, returned=cluster.returned, delayed=cluster.delayed)

    def forget(self, table: str) -> None:
        """Drop a table from memory; everything is in its journal."""
        self.tables.pop(table, None)
        self.timers.set(table, None)

    # -- asking -----------------------------------------------------------------------------------

    async def ask(self, table: str, request: Request, account: str | None = None, id: str | None = None) -> Answer:
        """Send a request to a table; it counts from when it reached this process."""
        now = self.parts.clock.now()
        if self.stopping:
            raise Refused(Code.SHUTTING_DOWN, "The server is shutting down.")
        if self.is_unknown(request):
            await self.show_life()
        live = await self.reach(table)
        return await live.ask(Asked(request, received_at(now), account, id))

    def is_unknown(self, request: Request) -> bool:
        """True if others may think this process dead, and the request attaches a seat to it."""
        return self.cluster is not None and isinstance(request, Sit | Carry | Reclaim) and self.pulse.silent

    async def show_life(self) -> None:
        """Make this process's pulse known: otherwise a seat could stay attached to a dead process forever."""
        try:
            await self.pulse.outages()
        except JournalError as trouble:
            raise Refused(Code.STORE_UNAVAILABLE, str(trouble)) from trouble

    def put(
        self, table: str, request: Request, account: str, id: str | None, received: int
    ) -> asyncio.Future[Answer] | None:
        """Like `ask`, without waiting; None if the table is not in memory."""
        live = self.tables.get(table)
        if live is None or self.stopping:
            return None
        return live.put(Asked(request, received, account, id))

    async def reach(self, table: str) -> LiveTable:
        try:
            return await self.table(table)
        except JournalError as trouble:
            raise Refused(Code.STORE_UNAVAILABLE, str(trouble) or "The database is not responding.") from trouble

    async def current(self, table: str) -> LiveTable:
        """A live table at the journal's head, after reading what other processes have stored."""
        return await self.reach(table) if self.cluster is None else await self.look(table)

    async def look(self, table: str) -> LiveTable:
        """A table with everything due applied, for readers."""
        await self.ask(table, Settle(now=True))
        return await self.reach(table)

    def settled(self, live: LiveTable) -> TableState:
        """A table with everything due applied, stored or not, for callers that cannot wait (C4)."""
        now, due = self.parts.clock.now(), live.times(live.state).due
        if due is None or due.at > now or self.pulse.silent:
            return live.state
        return settled(live.state, now, live.dealer, self.pulse.known)

    async def updates(self, table: str, account: str | None, since: int) -> list[dict[str, Any]]:
        """All updates after number *since*, as this account may hear them."""
        live = await self.current(table)
        seat = audience(live.state, account)
        return [update(told, seat) async for told in self.history.told(live.state, live.checkpoints, since)]

    async def encoded_updates(self, table: str, account: str | None, since: int) -> tuple[list[msgspec.Raw], int]:
        """The same as JSON, and the number of the last; encoded one by one, because a long list takes much memory."""
        live = await self.current(table)
        seat, encoded, last = audience(live.state, account), list[msgspec.Raw](), since
        async for told in self.history.told(live.state, live.checkpoints, since):
            encoded.append(msgspec.Raw(msgspec.json.encode(update(told, seat))))
            last = told.seq
        return encoded, last

    # -- connections --------------------------------------------------------------------------------

    async def connect(self, table: str, conn: Conn, account: str | None, name: str | None = None) -> None:
        """Subscribe a connection; if its account is seated, this connection holds the seat."""
        live = await self.reach(table)
        self.disconnections.forget(table, conn.id)
        live.listen(conn, account, name)
        await self.current(table)  # what was stored before this connection was told of anything
        if any(chair.account == account for chair in live.state.chairs if account):
            await self.ask(table, Carry(conn.id), account)

    def disconnect(self, table: str, conn_id: str) -> None:
        """A connection ended or unsubscribed; its seat is away if it does not return in time."""
        if live := self.tables.get(table):
            live.unlisten(conn_id)
            live.ended.add(conn_id)
        self.disconnections.add(table, conn_id)

    async def detach(self, table: str, conn_id: str) -> None:
        await self.ask(table, Lose(conn_id))

    def expect_back(self, live: LiveTable) -> None:
        """Connections of a process that died end later than the outage: a restart marks nobody away (C5)."""
        wait = max(0.0, self.returning_till - asyncio.get_running_loop().time()) + disconnections.LOST_S
        for chair in live.state.chairs:
            if chair.conn and not chair.conn.startswith(f"{self.parts.process}:"):
                self.disconnections.add(live.state.id, chair.conn, wait)

    # -- time -----------------------------------------------------------------------------------------

    def schedule(self, table: str, at: int | None) -> None:
        """Set the one timer of a table; None clears it."""
        self.timers.set(table, at)

    async def keep_beating(self) -> None:
        """Write a pulse every second. After a stall, others see it only once requests from the stall are under way."""
        time = asyncio.get_running_loop().time
        while True:
            begun = time()
            await asyncio.sleep(BEAT_S)
            if self.cluster is not None and time() - begun - BEAT_S > STALL_S:
                await asyncio.sleep(AFTER_STALL_S)
            if self.stopping:
                return
            await self.pulse.try_beat()

    async def keep_loop_time(self, loop_time: LoopTime) -> None:
        while True:
            loop_time.tick()
            await asyncio.sleep(loop_time.tick_s)

    async def ring(self, table: str) -> None:
        """Handle a timer: apply what is due, let a due bot move, archive a finished table."""
        for _ in range(2):  # sockets are read first: a timer that was held up must not overtake an act in time
            await asyncio.sleep(0)
        try:
            await self.ask(table, Settle())
            live = await self.reach(table)
            live.warn(self.parts.clock.now())
            if live.state.ended:
                return await self.retire(live)
            seat = live.bot_to_move(self.parts.clock.now())
            if seat is not None:
                self.schedule(table, clock_alarm(live.state))  # a bot that thinks does not stop the clock
                await self.bot_moves(live, seat, self.parts.clock.now())
            self.schedule_next(live)
        except Refused as refused:
            if refused.code not in (Code.NO_SUCH_TABLE, Code.SHUTTING_DOWN) and table not in self.frozen:
                self.schedule(table, self.parts.clock.now() + AGAIN_MS)
        except Exception:
            self.schedule(table, self.parts.clock.now() + AGAIN_MS)  # whatever failed, the timers must go on
            raise

    def schedule_next(self, live: LiveTable) -> None:
        """The next time to look. What is already due, and was left, is on hold."""
        alarm, soon = live.alarm(), self.parts.clock.now() + HOLD_AGAIN_MS
        held = self.cluster is not None and alarm is not None and alarm < soon
        self.schedule(live.state.id, soon if held else alarm)

    async def mention(self, table: str, shown: dict[str, Any]) -> None:
        """Send an unnumbered message to all subscribers of a table, at any process."""
        if live := self.tables.get(table):
            live.listeners.mention(table, shown)
        if self.cluster is not None:
            await self.cluster.nodes.tell(table, shown)

    def offer(self, table: str, shown: dict[str, Any]) -> None:
        """Like *mention*, but slow readers can miss it, and nobody waits for the other processes."""
        if live := self.tables.get(table):
            live.listeners.offer(table, shown)
        if self.cluster is not None:
            self.spawn(self.cluster.nodes.tell(table, shown, optional=True))

    async def retire(self, live: LiveTable) -> None:
        """Archive a table some minutes after its end, when requests are no longer repeated; only the record is kept."""
        table, at = live.state.id, live.state.at + KEEP_MS
        if self.parts.clock.now() < at:
            return self.schedule(table, at)
        try:
            if self.parts.nodes is not None and not await self.parts.nodes.claim(table, self.parts.clock.now()):
                return self.forget(table)  # another process does it
            await put_away(self.parts.archive, self.history, live.state)
            self.forget(table)
        except JournalError:
            self.schedule(table, self.parts.clock.now() + AGAIN_MS)

    async def bot_moves(self, live: LiveTable, seat: Seat, now: int) -> None:
        """Let a bot move, or put the table to sleep if no person is present."""
        if not is_attended(live.state, now):
            await self.ask(live.state.id, Doze(live.state.seq))
            return
        chosen = await choose(self.parts.chooser, live.state, seat, live.dealer.dice)
        await self.ask(live.state.id, chosen, f"bot:{chosen.chair}", str(chosen.seq))
