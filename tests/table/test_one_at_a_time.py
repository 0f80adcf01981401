"""One act in flight, a bounded inbox, and trouble that stays with whom it belongs to."""

from __future__ import annotations

import asyncio

import pytest

from dicehall.table.coming import Answer
from dicehall.table.inbox import INBOX
from dicehall.table.requests import Do, Hint, Request, Settle
from tests.table.fakes import Ear
from tests.table.hosting import T, World, code_of, hosted


@hosted
async def test_a_table_has_at_most_one_act_in_flight(world: World) -> None:
    """C7: what else is asked waits and is checked on the stored state."""
    world.box.named = dict.fromkeys(range(1, 40), (3,))
    ann, bo = await world.play("wards", "Ann", "Bo")
    world.journal.seconds = 0.1
    asked = [ann.do("roll") for _ in range(10)] + [bo.do("roll") for _ in range(10)]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert world.journal.most_at_once == 1
    assert [getattr(answer, "n", None) for answer in answers] == [*range(5, 15), *[None] * 10]


@hosted
async def test_two_seats_in_one_tick_are_judged_one_after_the_other(world: World) -> None:
    """C2, C7."""
    ann, bo = await world.play("wards", "Ann", "Bo")
    held, also = await asyncio.gather(ann.do("hold"), bo.do("hold"))
    assert (held.n, also.n) == (5, 6)


@hosted
async def test_an_inbox_that_is_full_refuses_and_the_table_goes_on(world: World) -> None:
    """C2: never an endless queue. One is being answered while the others wait."""
    ann, _ = await world.play("wards", "Ann", "Bo")
    world.journal.seconds = 1.0
    answers = await asyncio.gather(*(ann.do("hold") for _ in range(1 + INBOX + 10)), return_exceptions=True)
    refused = [answer for answer in answers if "rate_limited" in str(answer)]
    assert len(refused) == 10
    world.journal.seconds = 0.0
    await world.host.ask(T, Settle(now=True))


@hosted
async def test_tables_do_not_wait_for_each_other(world: World) -> None:
    """One writer per table, not one for all."""
    await world.open("aetharn", table="a")
    await world.open("aetharn", table="b")
    ann, bo = await world.person("Ann", "a"), await world.person("Bo", "b")
    world.journal.seconds = 1.0
    await asyncio.gather(ann.sit(), bo.sit())
    assert world.now == 1_000


@hosted
async def test_somebody_who_gave_up_waiting_does_not_stop_the_table(world: World) -> None:
    """Cancelled requests are still done or refused once."""
    ann, bo = await world.play("wards", "Ann", "Bo")
    world.journal.seconds = 1.0
    asked = asyncio.create_task(ann.do("hold", "one"))
    await world.after(500)
    asked.cancel()
    await bo.do("hold")
    world.journal.seconds = 0.0
    assert (await ann.do("hold", "one")).repeated


@hosted
async def test_a_fault_in_one_request_is_answered_and_the_next_is_served(world: World) -> None:
    """Nobody waits for ever because of somebody else's trouble."""
    ann, _ = await world.play("wards", "Ann", "Bo")
    live, broken = world.live(), RuntimeError("a fault in the dice")

    class Broken:
        seal = ""

        def roll(self, *_: object) -> object:
            raise broken

    whole = live.dealer
    live.dealer = type(whole)(whole.box, Broken())  # type: ignore[arg-type]
    first = asyncio.create_task(ann.do("roll"))
    second = asyncio.create_task(ann.do("hold"))
    (failed, held) = await asyncio.gather(first, second, return_exceptions=True)
    assert failed is broken
    assert getattr(held, "n", None) == 5


@hosted
async def test_a_stopped_host_refuses_and_what_was_in_flight_is_answered(world: World) -> None:
    """C2: shutting_down."""
    ann, bo = await world.play("wards", "Ann", "Bo")
    world.journal.seconds = 1.0
    asked = asyncio.create_task(ann.do("hold"))
    await world.after(100)
    stopping = asyncio.create_task(world.host.stop())
    await world.after(100)
    assert await code_of(bo.do("hold")) == "shutting_down"
    await stopping
    assert (await asked).n == 5


@pytest.mark.parametrize("request_", [Do("hold"), Hint()], ids=["a move", "anything else"])
@hosted
async def test_a_table_goes_on_after_what_was_at_work_was_cancelled(world: World, request_: Request) -> None:
    """Whatever ends a task, nobody who comes after it waits for ever; what it stored is read."""
    ann, bo = await world.play("wards", "Ann", "Bo", hints=True)
    world.journal.seconds = 1.0
    cut_off = world.host.put(T, request_, "ann", "cut off", world.clock.now())
    await world.after(100)
    assert cut_off is not None
    busy = world.live().busy
    assert busy is not None
    busy.cancel()
    await world.after(100)
    world.journal.seconds = 0.0
    asked = asyncio.create_task(ann.do("hold", "next"))
    await world.after(1_000)
    assert asked.done()
    assert (asked.result().n, (await bo.do("hold")).n) == (5, 6)


@pytest.mark.parametrize("request_", [Do("hold"), Hint()], ids=["a move", "anything else"])
@hosted
async def test_a_host_stops_although_what_was_at_work_was_cancelled(world: World, request_: Request) -> None:
    """As it is where all tasks of a loop are cancelled, and one of them stops the host."""
    await world.play("wards", "Ann", "Bo", hints=True)
    world.journal.seconds = 1.0
    world.host.put(T, request_, "ann", "cut off", world.clock.now())
    busy = world.live().busy
    assert busy is not None
    busy.cancel()  # before it took a single step
    stopping = asyncio.create_task(world.host.stop())
    for _ in range(100):  # turns of the loop, not time: it must not go round in circles
        await asyncio.sleep(0)
    assert stopping.done()


@hosted
async def test_who_asks_while_being_told_is_served_in_turn(world: World) -> None:
    """C7: a listener in this process may ask at once; everybody still hears one story in order."""
    world.box.named = dict.fromkeys(range(1, 40), (3,))
    ann, _ = await world.play("wards", "Ann", "Bo")
    answers: list[asyncio.Future[Answer] | None] = []

    class Eager(Ear):
        def push(self, message: bytes) -> None:
            super().push(message)
            if "n" in self.messages[-1] and len(answers) < 10:
                now = world.clock.now()
                answers.extend(
                    world.host.put(T, Do("roll"), "ann", f"{len(answers)} {again}", now) for again in range(2)
                )

    eager = Eager("p1:eager")
    before = await world.watch()
    await world.host.connect(T, eager, None)
    after = await world.watch()
    await ann.do("roll")
    await world.after(1_000)
    assert [answer.result().n for answer in answers if answer is not None] == list(range(6, 16))
    for ear in (before, eager, after):
        assert [message["n"] for message in ear.messages if "n" in message] == list(range(5, 16))
    assert world.journal.most_at_once == 1
