"""Long work on the event loop is cut into slices, done for each address in turn and only while its client is there."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from dicehall.server import app
from dicehall.table import slices
from dicehall.table.fair_lock import FairLock
from dicehall.table.live import LiveTable
from dicehall.table.slices import Shared, Slices
from tests.security.journals import write_finished_table, write_long_table
from tests.security.live import WAIT_S, EndlessWork, both_ways, live_hall
from tests.security.wire import connect, hang_up, wire
from tests.server.wire import frame

HONEST, MALLORY = "127.0.0.1", "127.0.0.66"
HOLDS = 320  # short enough that such journals are read at once
FLOOD = 30  # records that are asked for at once
FAIR = 2  # slices of the attacker, at most, for each one of the honest player
ASK = {
    "http": b"GET /api/tables/long/record HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "socket": frame(b'{"id": 1, "do": "record", "table": "long"}'),
}


class OneLane(FairLock):
    """Whoever asks: all wait in one line."""

    async def acquire(self, who: str) -> None:
        await super().acquire("")


class Meeting:
    """The attacker's slices are held back until all of them wait and the honest player's first one comes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, guarded: bool) -> None:
        self.waiting, self.order = 0, list[str]()
        self.flooded, self.begun = threading.Event(), asyncio.Event()
        real = Slices.pause

        async def pause(self_: Slices) -> None:
            if not guarded and not isinstance(self_.turn, OneLane):
                self_.turn = OneLane()
            who = slices.asking.get()
            await self.meet(who)
            await real(self_)
            self.order.append(who)

        monkeypatch.setattr(Slices, "pause", pause)

    async def meet(self, who: str) -> None:
        if who == HONEST:
            self.begun.set()
        elif who == MALLORY and not self.begun.is_set():
            self.waiting += 1
            if self.waiting == FLOOD:
                self.flooded.set()
            await self.begun.wait()

    def others(self) -> tuple[int, int]:
        """Slices of the honest player, and those of the attacker before the last of them."""
        last = len(self.order) - 1 - self.order[::-1].index(HONEST)
        return self.order.count(HONEST), self.order[:last].count(MALLORY)


@both_ways
@pytest.mark.parametrize("door", ASK)
def test_thirty_records_asked_for_at_once_do_not_delay_the_record_of_somebody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool, door: str
) -> None:
    write_long_table(tmp_path, "long", HOLDS)
    with live_hall(tmp_path) as hall:
        hall.request("GET", "/api/tables/long")  # it is loaded
        meeting = Meeting(monkeypatch, guarded)
        for _ in range(FLOOD):
            line = wire(hall, source=MALLORY) if door == "socket" else connect(hall, source=MALLORY)
            line.send(ASK[door])
        assert meeting.flooded.wait(WAIT_S)
        assert hall.request("GET", "/api/tables/long/record")["game"] == "wards"
        mine, theirs = meeting.others()
        assert (theirs <= FAIR * mine) is guarded


class Joining:
    """The attacker's slices are held back until the honest player waits for a table that they looked at first."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, guarded: bool) -> None:
        self.waiting, self.order = 0, list[bool]()  # the attacker's slices: whether one was of that table
        self.ready, self.joined = threading.Event(), asyncio.Event()
        pause, outcome = Slices.pause, Shared.outcome

        async def held_pause(self_: Slices) -> None:
            if slices.asking.get() != MALLORY:
                return await pause(self_)
            self.waiting += 1
            if self.waiting == FLOOD + 1:
                self.ready.set()
            await self.joined.wait()
            await pause(self_)
            self.order.append(slices.sharing.get() is not None)

        async def noticed(self_: Shared[LiveTable]) -> LiveTable:
            if slices.asking.get() == HONEST:
                asyncio.get_running_loop().call_soon(self.joined.set)
            return await (outcome(self_) if guarded else asyncio.shield(self_.task))

        monkeypatch.setattr(Slices, "pause", held_pause)
        monkeypatch.setattr(Shared, "outcome", noticed)

    def others(self) -> tuple[int, int]:
        """Slices of that table, and the attacker's other ones before the last of them."""
        last = len(self.order) - 1 - self.order[::-1].index(True)
        return self.order.count(True), self.order[:last].count(False)


@both_ways
def test_a_table_that_an_attacker_looked_at_first_is_loaded_in_the_turn_of_those_who_play_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """After a restart its players waited behind everything else that the attacker had asked for."""
    for table in ("long", "ours"):
        write_long_table(tmp_path, table, HOLDS)
    with live_hall(tmp_path) as hall:
        hall.request("GET", "/api/tables/long")  # it is loaded
        joining = Joining(monkeypatch, guarded)
        look = b"GET /api/tables/ours HTTP/1.1\r\nHost: localhost\r\n\r\n"
        lines = [connect(hall, source=MALLORY) for _ in range(FLOOD + 1)]
        for line, request in zip(lines, [look, *[ASK["http"]] * FLOOD], strict=True):
            line.sendall(request)
        assert joining.ready.wait(WAIT_S)
        assert hall.request("GET", "/api/tables/ours")["game"] == "wards"
        ours, theirs = joining.others()
        assert (theirs <= FAIR * ours) is guarded


def never_ending_slices(monkeypatch: pytest.MonkeyPatch) -> EndlessWork:
    """Slices whose turn never comes, for the attacker."""
    work, real = EndlessWork(), Slices.pause

    async def pause(self: Slices) -> None:
        if slices.asking.get() == MALLORY:
            await work.run()
        await real(self)

    monkeypatch.setattr(Slices, "pause", pause)
    return work


@both_ways
@pytest.mark.parametrize("what", ["record", "events?since=0", "replay?since=0"])
def test_long_work_is_given_up_when_the_client_that_asked_for_it_hangs_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool, what: str
) -> None:
    """It went on for nobody, and what was not done when the hall stopped was logged as errors."""
    if not guarded:
        monkeypatch.setattr(app, "unless_gone", lambda request, work: work)
    write_finished_table(tmp_path, "long", HOLDS)
    with live_hall(tmp_path) as hall:
        hall.request("GET", "/api/tables/long")  # it is loaded
        work, line = never_ending_slices(monkeypatch), connect(hall, source=MALLORY)
        line.sendall(f"GET /api/tables/long/{what} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert work.begun.wait(WAIT_S)
        hang_up(hall, line)
        assert work.given_up is guarded
        work.released = True
