"""Reports of the coach, hints and checks of records, asked for as often and for as long games as possible."""

from __future__ import annotations

import asyncio
import os
import pickle
import resource
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dicehall.core.game import Refused
from dicehall.games import catalogue
from dicehall.lab.coach import coach
from dicehall.lab.shown import show_report
from dicehall.launch import reporting, worker
from dicehall.launch.reporting import Reporter, reported
from dicehall.launch.worker import TooSlow, Worker
from dicehall.server.limits import Limits
from dicehall.solvers.finding import find
from dicehall.solvers.keeping import trim
from dicehall.table.fair_lock import FairLock
from dicehall.table.requests import Code
from dicehall.wire.record import Record, read_record, record_text
from tests.security.journals import write_finished_table
from tests.security.live import Guest, LiveHall, both_ways, live_hall
from tests.security.wire import connect, status_of
from tests.server.doors import FREE, StoppedClock

ENTRIES = 2_000
ATTACKER, NEIGHBOUR = "192.0.2.66", "192.0.2.7"
FOREVER_S = 600.0


def long_record() -> bytes:
    """Two people who only hold."""
    entries = tuple({"seat": at % 2, "move": "hold", "at": at} for at in range(ENTRIES))
    return record_text(Record(catalogue()["wards"](turn_seconds=None), ("Ann", "Bo"), entries, None, (), None))


# -- what a report costs the hall ------------------------------------------------------------------------


@both_ways
def test_the_report_of_a_long_game_is_not_handed_over_line_by_line(guarded: bool) -> None:
    """Whatever a process hands over is unpacked by the hall in one go: 11 MB and 0.6 s for the longest game."""
    report = reported(long_record())
    assert report is not None
    record = read_record(long_record(), catalogue())
    solver = find(record.game, 2)
    assert solver is not None
    handed = report if guarded else show_report(coach(record, solver))
    assert (len(pickle.dumps(handed)) < 65_536) is guarded


@both_ways
def test_many_reports_asked_for_at_once_do_not_read_their_records_at_once(guarded: bool) -> None:
    """The record of the longest game is 50 MiB of objects while it is read."""

    async def story() -> int:
        reporter, reading, most = Reporter(worker=Worker(FOREVER_S, most_waiting=30)), 0, 0

        async def read() -> bytes:
            nonlocal reading, most
            reading += 1
            most = max(most, reading)
            for _ in range(20):
                await asyncio.sleep(0)
            reading -= 1
            raise Refused(Code.NO_SUCH_TABLE, "This record cannot be read.")

        if guarded:
            asked = [reporter.report(ATTACKER, f"table {nth}", read) for nth in range(20)]
        else:  # as it was: the record is read first
            asked = [read() for _ in range(20)]  # type: ignore[misc]
        await asyncio.gather(*asked, return_exceptions=True)
        return most

    assert (asyncio.run(story()) > 1) is not guarded


def test_a_report_that_is_there_is_repeated_without_reading_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no guard to switch off: nothing is read if nothing has to be worked out."""

    async def story() -> int:
        reporter, reads = Reporter(), list[str]()

        async def read() -> bytes:
            reads.append("read")
            return long_record()

        reports = [await reporter.report(ATTACKER, "long", read) for _ in range(5)]
        assert all(report is reports[0] for report in reports)
        reporter.worker.end()
        return len(reads)

    assert asyncio.run(story()) == 1


@both_ways
def test_a_report_that_is_asked_for_and_given_up_all_the_time_harms_nobody_who_asks_for_the_same(
    monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Whoever asked right after the last one had given up was cancelled together with the report."""
    if not guarded:
        monkeypatch.setattr(Reporter, "give_up", lambda self, job, asked: job.task.cancel())

    async def story() -> bool:
        reporter = Reporter()

        async def read() -> bytes:
            await asyncio.sleep(0)
            return long_record()

        for _ in range(2):
            asked = asyncio.create_task(reporter.report(ATTACKER, "long", read))
            await asyncio.sleep(0)
            asked.cancel()
            honest = asyncio.create_task(reporter.report(NEIGHBOUR, "long", read))
            await asyncio.gather(asked, honest, return_exceptions=True)
        assert (len(reporter.known), len(reporter.askers), reporter.worker.waiting) == (1, 0, 0)
        reporter.worker.end()
        return not honest.cancelled() and honest.result().game == "wards"

    assert asyncio.run(story()) is guarded


def test_a_report_is_not_given_up_while_somebody_asks_for_it_again_and_again() -> None:
    """Between two questions nobody waits for it; the one that was asked long ago must not end it then.

    The control is the last question, which does.
    """

    async def story() -> tuple[bool, bool]:
        reporter, never = Reporter(), asyncio.Event()

        async def read() -> bytes:
            await never.wait()
            return b""

        for _ in range(2):
            await reporter.report(ATTACKER, "long", read, wait_s=0.0)
        job = reporter.known["long"]
        reporter.give_up(job, 1)  # as the first question does after a while
        goes_on = reporter.knows("long")
        reporter.give_up(job, 2)
        assert (len(reporter.known), len(reporter.asked)) == (0, 0)
        await asyncio.gather(job.task, return_exceptions=True)
        return goes_on, job.task.cancelled()

    assert asyncio.run(story()) == (True, True)


# -- who has the next turn -------------------------------------------------------------------------------


@both_ways
def test_one_address_cannot_fill_the_queue_of_hard_work(guarded: bool) -> None:
    async def story() -> bool:
        queue = Worker(FOREVER_S, most_waiting=8, most_each=2 if guarded else 8)

        async def work(who: str) -> str:
            async with queue.place(who):
                await asyncio.sleep(0)
                return who

        asked = [work(ATTACKER) for _ in range(20)]
        told = await asyncio.gather(*asked, work(NEIGHBOUR), return_exceptions=True)
        assert queue.waiting == 0
        return told[-1] == NEIGHBOUR

    assert asyncio.run(story()) is guarded


@both_ways
def test_whoever_asks_much_does_not_have_every_turn(guarded: bool) -> None:
    """Counted: the attacker's turns before the only one of somebody else, who came last."""

    async def story() -> int:
        lock, order = FairLock(), list[str]()

        async def work(who: str) -> None:
            async with lock.hold(who if guarded else "everybody"):
                order.append(who)
                await asyncio.sleep(0)

        await asyncio.gather(*(work(who) for who in [ATTACKER] * 10 + [NEIGHBOUR]))
        assert (len(order), lock.held) == (11, False)
        return order.index(NEIGHBOUR)

    assert (asyncio.run(story()) <= 2) is guarded


def test_a_turn_that_is_given_up_goes_to_the_next_whoever_gives_it_up() -> None:
    """Otherwise nobody would be served any more. All moments of giving up: before, at and after one's turn.

    The control is those who do not give up.
    """

    async def story(moment: int) -> None:
        lock, served = FairLock(), list[int]()

        async def work(nth: int) -> None:
            async with lock.hold(str(nth % 2)):
                await asyncio.sleep(0)
                served.append(nth)

        tasks = [asyncio.create_task(work(nth)) for nth in range(4)]
        for _ in range(moment):
            await asyncio.sleep(0)
        tasks[1].cancel()
        tasks[2].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert {0, 3} <= set(served)
        assert (lock.held, list(lock.lanes)) == (False, [])

    for moment in range(12):
        asyncio.run(story(moment))


# -- what hard work may use ------------------------------------------------------------------------------


def fill_memory() -> int:
    return len(bytearray(2 * worker.MOST_MEMORY))


def allowed() -> tuple[int, int]:
    return resource.getrlimit(resource.RLIMIT_DATA)[0], os.nice(0)


@pytest.mark.proof
@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not count the memory that way")
def test_hard_work_that_fills_the_memory_is_ended_and_the_next_is_done() -> None:
    """The guard cannot be switched off here: the machine would have to give two gigabytes."""

    async def story() -> None:
        queue = Worker(FOREVER_S, most_waiting=2)
        with pytest.raises(TooSlow):
            await queue.run(fill_memory)
        assert await queue.run(allowed) == (worker.MOST_MEMORY, min(19, worker.NICE + os.nice(0)))
        queue.end()

    asyncio.run(story())


@both_ways
def test_house_rules_that_nobody_had_before_do_not_fill_the_disk(tmp_path: Path, guarded: bool) -> None:
    """Every goal of Dice Wards has a table of its own, up to 8 MB: all of them would take 2.7 GB."""
    for goal in range(40):
        (tmp_path / f"wards-{goal:03}.bin").write_bytes(bytes(1000))
        (tmp_path / f"wards-{goal:03}.77.part").write_bytes(bytes(500))  # whose process was killed
        if guarded:
            trim(tmp_path, most_bytes=10_000)
    assert (sum(file.stat().st_size for file in tmp_path.iterdir()) <= 10_000) is guarded
    assert (tmp_path / "wards-039.bin").exists()


@both_ways
def test_tables_that_the_host_solved_are_not_thrown_away_for_those_of_strangers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """A folder of their own for those of strangers is the guard."""
    if not guarded:
        monkeypatch.setattr(reporting, "folder_of_hall", lambda: tmp_path)
    monkeypatch.setenv("DICEHALL_CACHE", str(tmp_path))
    monkeypatch.setattr(reporting, "MOST_KEPT_BYTES", 0)
    (tmp_path / "aetharn-of-the-host.bin").write_bytes(bytes(1000))
    entries = ({"seat": 0, "move": "hold", "at": 0},)
    record = Record(catalogue()["wards"](goal=7), ("Ann", "Bo"), entries, None, (), None)
    assert reported(record_text(record)) is not None
    kept = [file.name for file in tmp_path.glob("**/*") if file.is_file()]
    assert kept == (["aetharn-of-the-host.bin"] if guarded else [])


# -- a hall under attack -----------------------------------------------------------------------------------

TABLES = 6
REQUESTS = 12
ENOUGH = 10  # acts of honest players, each after the answer to the one before it


def attack(hall: LiveHall, mallory: Guest, requests: list[bytes]) -> list[int]:
    """Send a dozen at a time, each on a connection of its own; every second one hangs up without waiting."""
    return [
        status for at in range(0, len(requests), REQUESTS) for status in flood(hall, mallory, requests[at:][:REQUESTS])
    ]


def flood(hall: LiveHall, mallory: Guest, requests: list[bytes]) -> list[int]:
    lines = [connect(hall, "127.0.0.66") for _ in requests]
    for line, request in zip(lines, requests, strict=True):
        line.sendall(request.replace(b"\r\n", b"\r\nAuthorization: Bearer %s\r\n" % mallory.token.encode(), 1))
    for line in lines[::2]:
        line.close()
    return [status_of(line.recv(65_536)) for line in lines[1::2]]


def get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode()


def post(path: str, body: bytes) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def reports(_: Guest, __: Guest) -> list[bytes]:
    return [get(f"/api/tables/long{nth % TABLES}/coach") for nth in range(REQUESTS)]


def checks(_: Guest, __: Guest) -> list[bytes]:
    return [post("/api/verify", long_record()) for _ in range(REQUESTS)]


def hints(mallory: Guest, friend: Guest) -> list[bytes]:
    """At tables of their own, where it is the attacker's turn."""
    tables = [mallory.post("/api/tables", {"game": "wards", "hints": True})["id"] for _ in range(TABLES)]
    for table in tables:
        for guest in (mallory, friend):
            guest.post(f"/api/tables/{table}/sit", {})
    floods = 5 * REQUESTS  # most are refused at once, so that fewer would be over before anybody could act
    return [post(f"/api/tables/{tables[nth % TABLES]}/hint", b"{}") for nth in range(floods)]


@pytest.mark.parametrize(
    "requests",
    [reports, *(pytest.param(kind, marks=pytest.mark.proof) for kind in (checks, hints))],
    ids=lambda kind: kind.__name__,
)
def test_a_flood_of_hard_work_holds_up_neither_acts_nor_the_hall(
    tmp_path: Path, requests: Callable[[Guest, Guest], list[bytes]]
) -> None:
    """No limit on requests is on; what is counted is what honest players at another table can do meanwhile.

    Guards of this are switched off one by one in the tests above.
    """
    for nth in range(TABLES):
        write_finished_table(tmp_path, f"long{nth}", ENTRIES)
    with live_hall(tmp_path, limits=Limits(StoppedClock(), dict(FREE))) as hall:
        honest, mallory = hall.honest_pair(), hall.guest("Mallory")
        sent, answers = requests(mallory, hall.guest("Friend")), list[int]()
        acts = honest.acts_while(lambda: answers.extend(attack(hall, mallory, sent)))
        assert acts >= ENOUGH
        assert set(answers) <= {200, 429}
        assert 200 in answers
        for queue in (hall.running.reporter.worker, hall.running.checker.worker, hall.running.coach.worker):
            while queue.waiting:  # until the last who hung up has given its place back
                assert "ok" in honest.act()
            queue.end()
