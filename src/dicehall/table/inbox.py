"""The requests waiting at one table: bounded per account, and served in turn so that nobody crowds out others."""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass, field

from dicehall.core.game import Refused
from dicehall.table.coming import Waiting
from dicehall.table.requests import Code, Settle

INBOX = 64  # requests of one account that may wait at one table
VISITORS = 256  # requests of all accounts without a seat there

Lane = deque[Waiting]


@dataclass(slots=True)
class Rounds:
    """One queue per account, served round robin."""

    lanes: OrderedDict[str | None, Lane] = field(default_factory=OrderedDict)
    size: int = 0

    def add(self, waiting: Waiting) -> None:
        self.lanes.setdefault(waiting.asked.account, deque()).append(waiting)
        self.size += 1

    def pop(self) -> Waiting:
        account, lane = next(iter(self.lanes.items()))
        waiting = lane.popleft()
        self.size -= 1
        if lane:
            self.lanes.move_to_end(account)
        else:
            del self.lanes[account]
        return waiting

    def put_back(self, waiting: Waiting) -> None:
        """Undo a pop: this request is the next one again."""
        account = waiting.asked.account
        self.lanes.setdefault(account, deque()).appendleft(waiting)
        self.lanes.move_to_end(account, last=False)
        self.size += 1

    def pop_before(self, deadline: int) -> Waiting | None:
        """The first request of an account that arrived before *deadline*, if there is one."""
        for account, lane in self.lanes.items():
            for waiting in lane:
                if waiting.asked.received < deadline:
                    lane.remove(waiting)
                    self.size -= 1
                    if not lane:
                        del self.lanes[account]
                    return waiting
        return None

    def length(self, account: str | None) -> int:
        return len(self.lanes.get(account, ()))


@dataclass(slots=True)
class Inbox:
    """People at the table, its bots and its timers on one side, visitors on the other; the two sides alternate."""

    seated: Rounds = field(default_factory=Rounds)
    visitors: Rounds = field(default_factory=Rounds)
    visitor_next: bool = False

    def __len__(self) -> int:
        return self.seated.size + self.visitors.size

    def add(self, waiting: Waiting, *, visitor: bool) -> None:
        """Queue a request; refused if too many are waiting."""
        side = self.visitors if visitor else self.seated
        if not isinstance(waiting.asked.request, Settle):
            full = side.length(waiting.asked.account) >= INBOX or (visitor and side.size >= VISITORS)
            if full:
                raise Refused(Code.RATE_LIMITED, "Too many requests are waiting at this table.")
        side.add(waiting)

    def pop(self) -> Waiting:
        side = self.visitors if self.visitors.size and (self.visitor_next or not self.seated.size) else self.seated
        self.visitor_next = side is self.seated
        return side.pop()

    def put_back(self, waiting: Waiting) -> None:
        self.seated.put_back(waiting)

    def pop_before(self, deadline: int) -> Waiting | None:
        """A request that arrived before *deadline*: those are answered before anything that came after it."""
        return self.seated.pop_before(deadline) or self.visitors.pop_before(deadline)
