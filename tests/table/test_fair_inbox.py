"""Requests that wait at a table: everybody has their turn, and what arrived in time stays in time."""

from __future__ import annotations

import asyncio

import pytest

from dicehall.table import inbox as inbox_module
from dicehall.table.arrivals import HOLD_MS, LONGEST_MS, STALL_MS, Arrivals, current
from dicehall.table.coming import Waiting
from dicehall.table.inbox import Inbox, Rounds
from dicehall.table.requests import Asked, Do, Settle
from tests.server.doors import StoppedClock
from tests.table.hosting import T, World, code_of, hosted


def waiting(account: str | None, received: int = 0) -> Waiting:
    return Waiting(Asked(Do("roll"), received, account), None)  # type: ignore[arg-type]


def order(rounds: Rounds | Inbox, count: int) -> list[str | None]:
    return [rounds.pop().asked.account for _ in range(count)]


def test_accounts_are_served_in_turn() -> None:
    rounds = Rounds()
    for account in "aaaabbc":
        rounds.add(waiting(account))
    assert order(rounds, 7) == ["a", "b", "c", "a", "b", "a", "a"]
    assert rounds.size == 0


def test_however_many_visitors_wait_every_other_turn_belongs_to_those_at_the_table() -> None:
    inbox = Inbox()
    for number in range(20):
        inbox.add(waiting(f"v{number}"), visitor=True)
    for account in ("ann", "bo", "ann"):
        inbox.add(waiting(account), visitor=False)
    served = order(inbox, 23)
    assert [account for account in served[:6] if account in ("ann", "bo")] == ["ann", "bo", "ann"]


def test_a_request_that_is_put_back_is_the_next_again() -> None:
    rounds = Rounds()
    for account in "ab":
        rounds.add(waiting(account))
    rounds.put_back(rounds.pop())
    assert order(rounds, 2) == ["a", "b"]


def test_visitors_together_fill_only_their_own_queue() -> None:
    inbox = Inbox()
    for number in range(inbox_module.VISITORS):
        inbox.add(waiting(f"v{number}"), visitor=True)
    with pytest.raises(Exception, match="Too many"):
        inbox.add(waiting("one more"), visitor=True)
    inbox.add(waiting("ann"), visitor=False)
    inbox.add(Waiting(Asked(Settle(), 0), None), visitor=False)  # type: ignore[arg-type]


@hosted
async def test_a_flood_by_an_opponent_refuses_no_move(world: World) -> None:
    ann, bo = await world.play("wards", "Ann", "Bo")
    world.journal.seconds = 0.01
    flood = [asyncio.create_task(bo.do("fly")) for _ in range(500)]
    await asyncio.sleep(0)
    for _ in range(13):
        assert (await ann.do("hold")).n
        await bo.do("hold")
        flood += [asyncio.create_task(bo.do("fly")) for _ in range(64)]
        await asyncio.sleep(0)
    await asyncio.gather(*flood, return_exceptions=True)


@hosted
async def test_an_act_in_time_counts_although_a_late_one_reached_the_table_first(world: World) -> None:
    """C4: a late act of somebody else must not make the deadline take effect before an act that arrived in time."""
    ann, bo = await world.play("wards", "Ann", "Bo", rules={"turn_seconds": 10})
    due = world.live().times(world.live().state).due
    assert due is not None
    await world.after(due.at - world.clock.now() - 1)
    arrival = world.host.arrivals.expect(world.clock.now(), "ann")
    await world.after(100)
    late = asyncio.create_task(bo.do("hold"))
    await world.after(300)
    assert not late.done()

    async def on_its_way() -> int:
        current.set(arrival)
        return (await ann.do("hold")).n

    assert await on_its_way() == 5
    assert (await late).n == 6
    assert "TimedOut" not in world.names()


@hosted
async def test_a_request_that_never_comes_holds_a_deadline_up_for_a_few_seconds_only(world: World) -> None:
    ann, _ = await world.play("wards", "Ann", "Bo", rules={"turn_seconds": 10})
    due = world.live().times(world.live().state).due
    assert due is not None
    world.host.arrivals.expect(world.clock.now(), "ann")
    await world.after(due.at - world.clock.now() + HOLD_MS - 100)
    assert world.live().state.seq == 4
    await world.after(200)
    assert world.live().state.seq == 5
    assert await code_of(ann.do("hold")) == "not_your_turn"


@hosted
async def test_nobody_holds_up_the_deadlines_of_others(world: World) -> None:
    await world.play("wards", "Ann", "Bo", rules={"turn_seconds": 10})
    due = world.live().times(world.live().state).due
    assert due is not None
    world.host.arrivals.expect(world.clock.now(), "eve")
    await world.after(due.at - world.clock.now() + 1_100)
    assert world.live().state.seq == 5


def test_what_is_read_after_a_stall_may_have_come_at_its_beginning() -> None:
    clock = StoppedClock()
    arrivals = Arrivals(clock)
    assert arrivals.now() == clock.now()
    arrivals.tick()
    before = clock.now()
    clock.time += STALL_MS
    assert arrivals.now() == clock.now()
    clock.time += 2_000
    assert arrivals.now() == before
    arrivals.tick()
    assert arrivals.now() == before  # until the sockets have been read
    arrivals.stalled = None
    assert arrivals.now() == clock.now()
    clock.time += LONGEST_MS
    assert arrivals.now() == clock.now()  # that was an outage


def test_an_arrival_is_known_until_it_is_done_also_once_its_account_is() -> None:
    arrivals = Arrivals(StoppedClock())
    arrival = arrivals.expect(100, None)
    assert arrivals.expected("ann", 101)
    assert not arrivals.expected("ann", 100)
    arrival.belongs_to("bo")
    assert not arrivals.expected("ann", 101)
    assert arrivals.expected("bo", 101)
    arrival.done()
    arrival.done()
    arrival.belongs_to("ann")
    assert arrivals.on_their_way == {}


@hosted
async def test_work_that_outlives_a_request_does_not_count_from_when_that_arrived(world: World) -> None:
    """A lost connection five seconds later is not lost five seconds earlier."""
    ann, _ = await world.play("aetharn", "Ann", "Bo")
    current.set(world.host.arrivals.expect(world.clock.now(), "ann"))
    ann.drop()
    gone_at = world.clock.now()
    await world.after(6_000)
    chair = next(chair for chair in world.live().state.chairs if chair.account == "ann")
    assert chair.since == gone_at + 5_000
    assert T in world.host.tables
