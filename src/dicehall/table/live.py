"""A live table: the only writer of its journal. check -> journal -> apply -> tell, for every act.

At most one act is in flight; what else is asked waits in a bounded, fair inbox and is checked on the stored
state when its turn comes. Memory changes only after the commit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from dicehall.core.game import Refused, Seat
from dicehall.table import acts
from dicehall.table.acts import Act, decode_act, encode_act
from dicehall.table.allowance import TABLE_ACTS, Allowances, is_repeatable
from dicehall.table.answering import decision, wakes
from dicehall.table.arrivals import HOLD_MS
from dicehall.table.chairs import chair_of
from dicehall.table.clocks import LAG_MS, Due, Kind, OnHold, Times, bot_due, chairs_due, dues, earlier, times_of
from dicehall.table.coming import Answer, Coming, Waiting
from dicehall.table.decide import Dealer, UsedUp, expire, follow_up, restart
from dicehall.table.folding import advance
from dicehall.table.history import Checkpoints
from dicehall.table.inbox import Inbox
from dicehall.table.listening import Listener, Listeners
from dicehall.table.ports import Clock, Commit, Conn, Journal, Outage, Row, Taken, Unavailable, Uncertain
from dicehall.table.pulse import GAP_MS
from dicehall.table.requests import Asked, Code, Do, Lose, Settle
from dicehall.table.state import TableState, Told
from dicehall.table.story import head_of
from dicehall.table.warning import next_warning, warned
from dicehall.table.writing import write

MOST_LOST = 20  # races in a row that nobody seems to have won
READ_AGAIN_S = 1.0  # what another process stored, and could not be read
LOOK_AGAIN_S = 0.02  # while an act that was in time is on its way
NOTABLE = (acts.Sat, acts.Stood)  # acts after which others sit there


@dataclass(frozen=True, slots=True)
class Ports:
    """The dependencies of a live table; passed in, never defaulted."""

    journal: Journal
    clock: Clock
    outages: Callable[[], Awaitable[Sequence[Outage]]]  # all outages up to now; Unavailable while one lasts
    schedule: Callable[[str, int | None], None]  # wake me at this time
    facts: Callable[[TableState], tuple[Any, ...]]  # what else becomes true when a game ends, or others sit there
    expected: Callable[[str, int], bool]  # whether a request of an account, from before a time, is still on its way
    void: Callable[[TableState, Due], Awaitable[Outage | None]]  # the outage because of which a deadline does not count
    shared: bool = False  # whether other processes write to the same journal
    # Told of a connection that is still there although another process has said that it ended.
    returned: Callable[[str, str, str | None], None] = lambda table, conn, account: None
    # Told of a clock that began long before its player, who is connected here, could know of it.
    delayed: Callable[[str, Outage], None] = lambda table, delay: None


@dataclass(slots=True, eq=False)
class LiveTable:
    """With a shared journal this is a copy that may lag behind: refusals are decided at the journal's head."""

    state: TableState
    dealer: Dealer
    ports: Ports
    ids: dict[tuple[str, str], int] = field(default_factory=dict)  # client ids that were answered by an act
    checkpoints: Checkpoints = field(default_factory=Checkpoints)
    listeners: Listeners = field(default_factory=Listeners)
    allowances: Allowances = field(default_factory=Allowances)
    ended: set[str | None] = field(default_factory=set)  # connections that ended, and may still come back
    inbox: Inbox = field(default_factory=Inbox)
    busy: asyncio.Future[None] | None = None  # the one request that is being answered
    warned: int = field(init=False)  # up to when warnings were told
    known: Times = field(init=False)  # of the state that was last asked for
    mine: bool = True  # whether this process stored the last act, and so looks after what is due next
    head: int = 0  # where another process said that this table stands
    delay: Outage | None = None  # from the beginning of a clock until this process knew of it

    def __post_init__(self) -> None:
        self.warned = self.ports.clock.now()
        self.known = times_of(self.state)

    # -- asking ------------------------------------------------------------------------------

    async def ask(self, asked: Asked) -> Answer:
        """Answer a request, after all earlier ones; raises Refused."""
        return await self.put(asked)

    def put(self, asked: Asked) -> asyncio.Future[Answer]:
        """Queue a request; raises Refused if too many are waiting."""
        waiting = Waiting(asked, asyncio.get_running_loop().create_future())
        self.inbox.add(waiting, visitor=self.is_visitor(asked.account))
        self.go_on()
        return waiting.answered

    def go_on(self) -> None:
        """Take the next request: a plain move goes straight to the journal, anything else runs in a task."""
        if self.head > self.state.seq and self.idle:
            self.busy = asyncio.create_task(self.read_on())
        while self.inbox and self.idle:
            waiting = self.next_request()
            if waiting is None:
                return
            if not self.move_at_once(waiting):
                self.busy = asyncio.create_task(self.work(waiting))

    def is_visitor(self, account: str | None) -> bool:
        return account is not None and chair_of(self.state.chairs, account) is None and not account.startswith("bot:")

    def next_request(self) -> Waiting | None:
        """The next request. One that came after a deadline waits for everything that came before it."""
        waiting = self.inbox.pop()
        due = self.times(self.state).due
        if due is None or waiting.asked.received < due.at:
            return waiting
        earlier_one = self.inbox.pop_before(due.at)
        if earlier_one is None and not self.is_expected(due):
            return waiting
        self.inbox.put_back(waiting)
        if earlier_one is None:
            asyncio.get_running_loop().call_later(LOOK_AGAIN_S, self.go_on)
        return earlier_one

    def is_expected(self, due: Due) -> bool:
        """Whether a timed-out player made a request in time that is still on its way to this table."""
        if self.ports.clock.now() >= due.at + HOLD_MS:
            return False
        chairs = chairs_due(self.state, due)
        return any(self.ports.expected(chair.account, due.at) for chair in chairs if chair.account is not None)

    async def rest(self) -> None:
        """Wait until all requests are answered."""
        while (busy := self.busy) is not None and not busy.cancelled():
            await asyncio.wait({busy})

    @property
    def idle(self) -> bool:
        """True if the next request can start. A cancelled request counts as finished; what it stored is read next."""
        return self.busy is None or self.busy.cancelled()

    def move_at_once(self, waiting: Waiting) -> bool:
        """Hand a move to the journal without a task; False if anything about it is unusual."""
        asked = waiting.asked
        plain = type(asked.request) is Do and self.state.phase == "playing" and self.state.seq < TABLE_ACTS
        if not plain or self.repeated(asked) is not None or not self.quiet(asked.received):
            return False
        try:
            act = decision(self.state, asked, self.dealer)
            if act is None:
                return False
            coming = self.prepare(act, asked.received, asked)
            coming.begun = self.busy = asyncio.ensure_future(self.ports.journal.append(coming.commit))
        except Exception:  # it will be raised again, and handled, in the task
            return False
        coming.begun.add_done_callback(partial(self.moved, waiting, coming))
        return True

    def moved(self, waiting: Waiting, coming: Coming, begun: asyncio.Future[None]) -> None:
        """Handle the journal's answer: a stored move takes effect; errors are handled in a task."""
        if begun.cancelled():  # as a task is: the process ends
            return
        if begun.exception() is not None:
            self.busy = asyncio.create_task(self.work(waiting, coming))
            return
        self.busy = None
        try:
            waiting.settle(Answer(self.take_in(coming)))
        except Exception as broken:
            waiting.settle(broken)
        self.go_on()

    async def work(self, waiting: Waiting, coming: Coming | None = None) -> None:
        try:
            waiting.settle(await self.answer(waiting.asked, coming))
        except Unavailable as trouble:
            waiting.settle(Refused(Code.STORE_UNAVAILABLE, str(trouble)))
        except Exception as broken:  # refused or unexpected: the caller gets the error, and the next request starts
            waiting.settle(broken)
        self.busy = None
        self.go_on()

    async def answer(self, asked: Asked, coming: Coming | None = None) -> Answer:
        """Answer one request at the journal's head; after a lost race, check it again on what was written."""
        lost = 0
        if self.ports.shared and asked.request == Settle(now=True):
            await self.catch_up()
        while True:
            begun, coming = coming, None
            if (n := self.repeated(asked)) is not None:
                return Answer(n, repeated=True)
            try:
                if begun is not None:
                    return Answer(await self.finish(begun))
                if not self.quiet(asked.received):
                    await self.settle(asked.received, patient=asked.request == Settle())
                if self.state.seq >= TABLE_ACTS and not self.state.ended:
                    raise UsedUp(f"a table can have at most {TABLE_ACTS} acts")
                if woke := wakes(self.state, asked):
                    self.allowances.take(asked.account or "", asked.received)
                    await self.store(woke, asked.received)
                if isinstance(asked.request, Lose):
                    await self.check_lost(asked)
                act = decision(self.state, asked, self.dealer, self.ended)
                if act is None:
                    if self.ports.shared and not isinstance(asked.request, Settle) and await self.catch_up():
                        continue
                    return Answer(self.state.seq)
                if is_repeatable(asked):
                    self.allowances.take(asked.account or "", asked.received)
                n = await self.store(act, asked.received, asked)
            except Taken:
                lost = 0 if await self.catch_up() else lost + 1
                if lost > MOST_LOST:
                    raise Unavailable("This table is no longer in the journal.") from None
                continue
            except Refused:
                if self.ports.shared and await self.catch_up():
                    continue
                raise
            except UsedUp as used_up:
                await self.store(acts.Destroyed(why=str(used_up)), asked.received)
                continue
            if self.state.phase == "lobby":
                await self.try_to_follow(asked.received)
            return Answer(n)

    def repeated(self, asked: Asked) -> int | None:
        if asked.account is None or asked.id is None:
            return None
        return self.ids.get((asked.account, asked.id))

    async def check_lost(self, asked: Asked) -> None:
        """Refuse to mark a player away after an outage: everyone gets time to return (C5)."""
        if any(outage.till > asked.received for outage in await self.ports.outages()):
            raise Unavailable("The server was down, so nobody could reconnect.")

    # -- what is due ---------------------------------------------------------------------------

    def times(self, state: TableState) -> Times:
        if self.known.state is not state:
            self.known = times_of(state)
        return self.known

    def quiet(self, now: int) -> bool:
        """True if nothing is due yet: no deadline, and no start or end of a lobby."""
        due = self.times(self.state).due
        return self.state.phase != "lobby" and (due is None or due.at > now)

    async def settle(self, now: int, *, patient: bool) -> None:
        """Apply all deadlines before *now*, each at its own time (C4, W6).

        A timer is *patient* and leaves a second for actions that were in time; a late action is not,
        because all that were in time stand before it in the inbox.
        """
        await self.follow(now)
        while due := self.times(self.state).due:
            if due.at + (LAG_MS if patient else 0) > now:
                return
            try:
                await self.take_effect(due, now)
            except OnHold:
                return
            await self.follow(now)

    async def take_effect(self, due: Due, now: int) -> None:
        outage = await self.ports.void(self.state, due)
        if outage is None and self.delay is not None and self.delay.since == due.since:
            outage = self.delay
        if outage is not None:
            await self.store(restart(outage), max(now, self.ports.clock.now(), outage.till))
        else:
            await self.store(expire(self.state, due, self.dealer), due.at)

    async def follow(self, now: int) -> None:
        while (act := follow_up(self.state, self.dealer)) is not None:
            await self.store(act, now)

    async def try_to_follow(self, now: int) -> None:
        """Acknowledge what is stored even if its follow-up fails: settling makes up for that."""
        try:
            await self.follow(now)
        except (Taken, Unavailable):
            return

    # -- check -> journal -> apply -> tell ---------------------------------------------------------

    async def store(self, act: Act, at: int, asked: Asked | None = None) -> int:
        """Commit an act: store it, apply it in memory, then announce it."""
        return await self.finish(self.prepare(act, at, asked))

    def prepare(self, act: Act, at: int, asked: Asked | None = None) -> Coming:
        at = max(self.state.at, at)
        after, told = advance(self.state, act, at, self.dealer.foreseen)
        account, client_id = (asked.account, asked.id) if asked and asked.account and asked.id else (None, None)
        row = Row(self.state.id, after.seq, encode_act(act), at, account, client_id)
        also = self.ports.facts(after) if after.ended or isinstance(act, NOTABLE) else ()
        return Coming(Commit(row, head_of(after, self.times(after)), also=also), after, told)

    async def finish(self, coming: Coming) -> int:
        await write(self.ports.journal, coming.commit, coming.begun)
        return self.take_in(coming)

    def take_in(self, coming: Coming) -> int:
        """Apply stored acts in memory and announce them."""
        row, before = coming.commit.row, self.state
        self.mine = True
        self.apply(row, coming.after)
        self.tell(coming.told)
        if self.ports.shared:
            self.check_delay(before)
        return row.seq

    def apply(self, row: Row, after: TableState) -> None:
        self.state = after
        self.checkpoints.add(after)
        if row.account is not None and row.id is not None:
            self.ids[row.account, row.id] = row.seq
        self.ports.schedule(after.id, self.alarm())

    async def catch_up(self) -> bool:
        """Read and announce what other processes wrote to this table; True if there was anything."""
        before = self.state
        for row in await self.ports.journal.rows(self.state.id, after=self.state.seq):
            after, told = advance(self.state, decode_act(row.act), row.at)
            self.mine = False
            self.apply(row, after)
            self.tell(told)
            self.check_present(told)
        if self.state is not before:
            self.check_delay(before)
        return self.state is not before

    def check_delay(self, before: TableState) -> None:
        """Restart a clock whose start reached its player late, because of a slow commit or notification (C5)."""
        due, now = self.times(self.state).due, self.ports.clock.now()
        if due is None or due.kind is Kind.CLOSING or now - due.since <= GAP_MS or self.is_known(due, before):
            return
        if any(chair.conn in self.listeners.by_id for chair in chairs_due(self.state, due)):
            self.delay = Outage(due.since, now)
            self.ports.delayed(self.state.id, self.delay)

    def is_known(self, due: Due, before: TableState) -> bool:
        return due.since in {one.since for one in dues(before)}

    def check_present(self, told: Told) -> None:
        """Check the seats of connections here: another process may have thought this one dead while it was stalled."""
        if isinstance(told.act, acts.Left) and told.act.lost and told.before is not None:
            conn = told.before.chair(told.act.chair).conn
            listener = None if conn is None else self.listeners.by_id.get(conn)
            if listener is not None:
                self.ports.returned(self.state.id, listener.conn.id, listener.account)

    def heard(self, seq: int) -> None:
        """Another process reports this table's latest number."""
        self.head = max(self.head, seq)
        self.go_on()

    async def read_on(self) -> None:
        head = self.head
        try:
            await self.catch_up()
        except (Unavailable, Uncertain, Refused):  # it may not be repeated, so check again
            if self.listeners.by_id:
                asyncio.get_running_loop().call_later(READ_AGAIN_S, self.heard, head)
        finally:
            if self.state.seq < head == self.head:
                self.head = 0  # it cannot be read now
            self.busy = None
            self.go_on()

    # -- telling -----------------------------------------------------------------------------------

    def tell(self, told: Told) -> None:
        self.listeners.tell(told, self.state)

    def listen(self, conn: Conn, account: str | None, name: str | None = None) -> None:
        self.ended.discard(conn.id)
        self.listeners.add(Listener(conn, account, name), self.state)

    def unlisten(self, conn_id: str) -> None:
        self.listeners.remove(conn_id, self.state)

    @property
    def spectators(self) -> int:
        """How many people watch this table through this process."""
        return self.listeners.spectators(self.state)

    def warn(self, now: int) -> None:
        """Send the warnings that are due."""
        for warning in warned(self.state, self.warned, now):
            self.listeners.mention(self.state.id, warning.shown)
        self.warned = max(self.warned, now)

    def alarm(self) -> int | None:
        """The time of this table's next timer: for a deadline, a bot or a warning."""
        alarm = self.times(self.state).alarm if self.mine else None
        warning = next_warning(self.state, self.warned)
        return warning if alarm is None else earlier(alarm, warning)

    def bot_to_move(self, now: int) -> Seat | None:
        """The bot that is due to move."""
        due = bot_due(self.state)
        if due is None or due > now:
            return None
        return min(seat for seat in self.state.to_act() if self.state.chairs[seat].plays)
