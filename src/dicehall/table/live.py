"""A live table: the only writer of its journal. check -> journal -> apply -> tell, for every act.

At most one act is in flight; what else is asked waits in a bounded inbox and is checked on the stored
state when its turn comes. Memory changes only after the commit.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from dicehall.core.game import Refused, Seat
from dicehall.games import Catalogue
from dicehall.table import acts
from dicehall.table.acts import Act, decode_act, encode_act
from dicehall.table.answering import decision, wakes
from dicehall.table.clocks import LAG_MS, Due, Times, bot_due, earlier, times_of, voided
from dicehall.table.decide import Dealer, UsedUp, expire, follow_up, restart
from dicehall.table.listening import Listener, Listeners
from dicehall.table.ports import Clock, Commit, Conn, Head, Journal, Outage, Row, Taken, Unavailable, Uncertain
from dicehall.table.requests import Asked, Code, Lose, Settle
from dicehall.table.state import TableState, Told, advance, begin
from dicehall.table.warning import next_warning, warned

INBOX = 64  # requests that may wait at one table
RETRY_S = 0.25  # between two looks at a journal that does not answer


@dataclass(frozen=True, slots=True)
class Answer:
    """A request was answered by act number n, or needed none (then n is the last one)."""

    n: int
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Ports:
    """What a live table works with; passed in, never defaulted."""

    journal: Journal
    clock: Clock
    outages: Callable[[], Awaitable[Sequence[Outage]]]  # all outages up to now; Unavailable while one lasts
    schedule: Callable[[str, int | None], None]  # wake me at this time
    facts: Callable[[TableState], tuple[Any, ...]]  # what else becomes true when a game ends, or others sit there


@dataclass(slots=True)
class Waiting:
    asked: Asked
    answered: asyncio.Future[Answer]


@dataclass(slots=True, eq=False)
class LiveTable:
    state: TableState
    dealer: Dealer
    ports: Ports
    ids: dict[tuple[str, str], int] = field(default_factory=dict)  # client ids that were answered by an act
    listeners: Listeners = field(default_factory=Listeners)
    inbox: deque[Waiting] = field(default_factory=deque)
    worker: asyncio.Task[None] | None = None
    warned: int = field(init=False)  # up to when warnings were told
    known: Times = field(init=False)  # of the state that was last asked for

    def __post_init__(self) -> None:
        self.warned = self.ports.clock.now()
        self.known = times_of(self.state)

    # -- asking ------------------------------------------------------------------------------

    async def ask(self, asked: Asked) -> Answer:
        """Have a request answered, after all that came before it; raises Refused."""
        return await self.put(asked)

    def put(self, asked: Asked) -> asyncio.Future[Answer]:
        """Put a request behind all that came before it; Refused where too many wait."""
        if len(self.inbox) >= INBOX and not isinstance(asked.request, Settle):
            raise Refused(Code.RATE_LIMITED, "Too many requests wait at this table.")
        waiting = Waiting(asked, asyncio.get_running_loop().create_future())
        self.inbox.append(waiting)
        if self.worker is None or self.worker.done():
            self.worker = asyncio.create_task(self.work())
        return waiting.answered

    async def work(self) -> None:
        while self.inbox:
            waiting = self.inbox.popleft()
            try:
                answer = await self.answer(waiting.asked)
            except Refused as refused:
                settle_with(waiting.answered, refused)
            except Unavailable as trouble:
                settle_with(waiting.answered, Refused(Code.STORE_UNAVAILABLE, str(trouble)))
            except Exception as broken:  # whoever asked hears of it, and the next in the inbox has its turn
                settle_with(waiting.answered, broken)
            else:
                if not waiting.answered.done():
                    waiting.answered.set_result(answer)

    async def answer(self, asked: Asked) -> Answer:
        """Answer one request on the journal's head; a lost race is checked again on what was written."""
        while True:
            if (n := self.repeated(asked)) is not None:
                return Answer(n, repeated=True)
            try:
                if not self.quiet(asked.received):
                    await self.settle(asked.received, patient=asked.request == Settle())
                if woke := wakes(self.state, asked):
                    await self.store(woke, asked.received)
                if isinstance(asked.request, Lose):
                    await self.check_lost(asked)
                act = decision(self.state, asked, self.dealer)
                if act is None:
                    return Answer(self.state.seq)
                n = await self.store(act, asked.received, asked)
            except Taken:
                await self.catch_up()
                continue
            except UsedUp:
                await self.store(acts.Destroyed(why="The sealed dice are used up."), asked.received)
                continue
            if self.state.phase == "lobby":
                await self.try_to_follow(asked.received)
            return Answer(n)

    def repeated(self, asked: Asked) -> int | None:
        if asked.account is None or asked.id is None:
            return None
        return self.ids.get((asked.account, asked.id))

    async def check_lost(self, asked: Asked) -> None:
        """Who was about to be away when an outage began gets the time to come back that follows every outage (C5)."""
        if any(outage.till > asked.received for outage in await self.ports.outages()):
            raise Unavailable("The host was out, so nobody could come back.")

    # -- what is due ---------------------------------------------------------------------------

    def times(self, state: TableState) -> Times:
        if self.known.state is not state:
            self.known = times_of(state)
        return self.known

    def quiet(self, now: int) -> bool:
        """Whether nothing has come by itself up to now: no deadline, and no start or end of a lobby."""
        due = self.times(self.state).due
        return self.state.phase != "lobby" and (due is None or due.at > now)

    async def settle(self, now: int, *, patient: bool) -> None:
        """Let all deadlines before *now* take effect, each at its own time (C4, W6).

        A timer is *patient* and leaves a second for actions that were in time; a late action is not,
        because all that were in time stand before it in the inbox.
        """
        await self.follow(now)
        while due := self.times(self.state).due:
            if due.at + (LAG_MS if patient else 0) > now:
                return
            await self.take_effect(due, now)
            await self.follow(now)

    async def take_effect(self, due: Due, now: int) -> None:
        outage = voided(due, await self.ports.outages())
        if outage is not None:
            await self.store(restart(outage), max(now, self.ports.clock.now()))
        else:
            await self.store(expire(self.state, due, self.dealer), due.at)

    async def follow(self, now: int) -> None:
        while (act := follow_up(self.state, self.dealer)) is not None:
            await self.store(act, now)

    async def try_to_follow(self, now: int) -> None:
        """What is stored is acknowledged, whatever becomes of what follows from it: settling makes up for that."""
        try:
            await self.follow(now)
        except (Taken, Unavailable):
            return

    # -- check -> journal -> apply -> tell ---------------------------------------------------------

    async def store(self, act: Act, at: int, asked: Asked | None = None) -> int:
        """Make an act true: durable first, then in memory, then told."""
        at = max(self.state.at, at)
        after, told = advance(self.state, act, at, self.dealer.foreseen)
        account, client_id = (asked.account, asked.id) if asked and asked.account and asked.id else (None, None)
        row = Row(self.state.id, after.seq, encode_act(act), at, account, client_id)
        notable = after.ended or isinstance(act, acts.Sat | acts.Stood)
        also = self.ports.facts(after) if notable else ()
        await self.write(Commit(row, head_of(after, self.times(after)), also=also))
        self.apply(row, after)
        self.tell(told)
        return row.seq

    async def write(self, commit: Commit) -> None:
        """Append, and where nobody can say whether that worked, look; what was not there may still arrive."""
        unsure = False
        while True:
            try:
                return await self.ports.journal.append(commit)
            except Unavailable:
                if not unsure:
                    raise
                await asyncio.sleep(RETRY_S)
            except Taken:
                if not unsure or await self.look(commit.row.seq) != commit.row:
                    raise
                return
            except Uncertain:
                unsure = True
                found = await self.look(commit.row.seq)
                if found == commit.row:
                    return
                if found is not None:
                    raise Taken from None

    async def look(self, seq: int) -> Row | None:
        """The row under this number, however long the journal takes to say."""
        while True:
            try:
                rows = await self.ports.journal.rows(self.state.id, after=seq - 1)
                return rows[0] if rows else None
            except (Unavailable, Uncertain):
                await asyncio.sleep(RETRY_S)

    def apply(self, row: Row, after: TableState) -> None:
        self.state = after
        if row.account is not None and row.id is not None:
            self.ids[row.account, row.id] = row.seq
        self.ports.schedule(after.id, self.alarm())

    async def catch_up(self) -> None:
        """Somebody else wrote to this table: read on and tell it."""
        for row in await self.ports.journal.rows(self.state.id, after=self.state.seq):
            after, told = advance(self.state, decode_act(row.act), row.at)
            self.apply(row, after)
            self.tell(told)

    # -- telling -----------------------------------------------------------------------------------

    def tell(self, told: Told) -> None:
        self.listeners.tell(told, self.state)

    def listen(self, conn: Conn, account: str | None, name: str | None = None) -> None:
        self.listeners.add(Listener(conn, account, name), self.state)

    def unlisten(self, conn_id: str) -> None:
        self.listeners.remove(conn_id, self.state)

    def warn(self, now: int) -> None:
        """Tell the warnings whose time has come."""
        for warning in warned(self.state, self.warned, now):
            self.listeners.mention(self.state.id, warning.shown)
        self.warned = max(self.warned, now)

    def alarm(self) -> int | None:
        """When a timer should ring for this table: for what is due, for a bot, for a warning."""
        alarm, warning = self.times(self.state).alarm, next_warning(self.state, self.warned)
        return warning if alarm is None else earlier(alarm, warning)

    def bot_to_move(self, now: int) -> Seat | None:
        """The bot whose time to move has come."""
        due = bot_due(self.state)
        if due is None or due > now:
            return None
        return min(seat for seat in self.state.to_act() if self.state.chairs[seat].plays)


def settle_with(answered: asyncio.Future[Answer], trouble: Exception) -> None:
    if not answered.done():
        answered.set_exception(trouble)


def head_of(state: TableState, times: Times | None = None) -> Head:
    return Head(state.id, state.seq, (times or times_of(state)).deadline, state.phase)


def opening(
    table: str, act: acts.Opened, at: int, secret: bytes, games: Catalogue, also: tuple[Any, ...] = ()
) -> tuple[TableState, Commit]:
    """A new table, and the commit that makes it one: its secret is stored with the act that shows the seal."""
    state = begin(table, act, at, games)
    row = Row(table, 1, encode_act(act), at, None, None)
    return state, Commit(row, head_of(state), secret, also)


def story(table: str, rows: Sequence[Row], games: Catalogue) -> Iterator[Told]:
    """All that was ever told of a table, from its journal."""
    first = decode_act(rows[0].act)
    if not isinstance(first, acts.Opened):
        raise ValueError(f"The journal of {table} does not begin with its opening.")
    state = begin(table, first, rows[0].at, games)
    yield Told(1, rows[0].at, first, (), None, state)
    for row in rows[1:]:
        state, told = advance(state, decode_act(row.act), row.at)
        yield told
