"""Several processes on a real PostgreSQL: who does what, what they tell each other, and that they never deadlock."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import Any

import asyncpg
import pytest

from dicehall.launch.in_process import in_process
from dicehall.store.postgres import PostgresJournal, open_postgres
from dicehall.store.postgres_nodes import PostgresNodes
from dicehall.store.postgres_writer import PostgresWriter
from dicehall.table.ports import Commit, Head, Outage, Row, Unavailable
from tests.client.halls import play
from tests.nodes.postgres_halls import halls, until
from tests.postgres import emptied_database, keeper, new_database, server
from tests.store.journals import act, outcome
from tests.tcp_proxy import TcpProxy

WAIT_S = 60
NOW = 1_794_000_000_000  # ms: no 32 bits hold it


@asynccontextmanager
async def journals(*urls: str) -> AsyncIterator[list[PostgresJournal]]:
    opened = [await open_postgres(url) for url in urls]
    try:
        yield opened
    finally:
        for journal in opened:
            journal.close()
            await journal.wait_closed()


def with_two(story: Callable[[PostgresJournal, PostgresJournal], Awaitable[None]], url: str | None = None) -> None:
    async def run() -> None:
        place = url or emptied_database()
        async with journals(place, place) as (one, other):
            await asyncio.wait_for(story(one, other), WAIT_S)

    asyncio.run(run())


class Notes:
    """What a process was told."""

    def __init__(self) -> None:
        self.heads: dict[str, int] = {}
        self.said_so: list[Any] = []
        self.times_missed = 0

    def moved(self, table: str, seq: int) -> None:
        self.heads[table] = max(seq, self.heads.get(table, 0))

    def said(self, table: str, shown: dict[str, Any], optional: bool) -> None:
        self.said_so.append((table, shown, optional))

    def missed(self) -> None:
        self.times_missed += 1


class TestRaces:
    def test_of_two_processes_that_store_the_same_number_one_is_too_late(self) -> None:
        async def story(one: PostgresJournal, other: PostgresJournal) -> None:
            for seq in range(1, 30):
                results = await asyncio.gather(
                    outcome(one.append(act(seq, text=b"one"))), outcome(other.append(act(seq, text=b"other")))
                )
                assert sorted(results) == ["Taken", "stored"]
            assert [row.seq for row in await one.rows("oak")] == list(range(1, 30))

        with_two(story)

    def test_an_id_is_used_once_whoever_stores_it(self) -> None:
        async def story(one: PostgresJournal, other: PostgresJournal) -> None:
            await one.append(act(1, account="ann", id="x"))
            assert await outcome(other.append(act(2, account="ann", id="x"))) == "Taken"

        with_two(story)

    def test_two_processes_that_write_to_the_same_tables_never_wait_for_each_other_for_ever(self) -> None:
        url = new_database()
        keeper().run(slow_down(url, ordered=True))
        assert deadlocks(url) == 0

    @pytest.mark.proof
    def test_with_rows_in_any_order_they_do(self) -> None:
        """A control: it is the order that keeps them from it."""
        url = new_database()
        keeper().run(slow_down(url, ordered=False))
        assert deadlocks(url) > 0


def test_a_journal_that_takes_too_long_to_read_is_out_of_reach_and_does_not_refuse() -> None:
    """After an uncertain commit a refusal would be a lie."""

    async def story(one: PostgresJournal, other: PostgresJournal) -> None:
        with pytest.raises(Unavailable):
            await one.ask(lambda connection: connection.execute("SET statement_timeout = 10; SELECT pg_sleep(30)"))
        assert await other.rows("oak") == []

    with_two(story)


SLOW = """CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_sleep(0.002); RETURN NEW; END $$;
    CREATE TRIGGER slow BEFORE INSERT ON acts FOR EACH ROW EXECUTE FUNCTION slow()"""


async def slow_down(url: str, *, ordered: bool) -> None:
    """Rows go in so slowly that two processes are sure to meet."""
    connection = await asyncpg.connect(url)
    await connection.execute(SLOW)
    if not ordered:
        honest = await connection.fetchval("SELECT pg_get_functiondef('store_acts'::regproc)")
        await connection.execute(honest.replace('ORDER BY asked.name COLLATE "C"', "ORDER BY random()"))
    await connection.close()


def deadlocks(url: str) -> int:
    """How often PostgreSQL had to end a transaction of two processes that write to the same tables."""
    counted = [0]
    honest = PostgresWriter._transact

    async def transact(self: PostgresWriter, writes: Any) -> Any:
        try:
            return await honest(self, writes)
        except asyncpg.DeadlockDetectedError:
            counted[0] += 1
            raise

    async def story(one: PostgresJournal, other: PostgresJournal) -> None:
        names, chance = [f"table {n:03}" for n in range(20)], Random("deadlock")
        for seq in range(1, 7):
            orders = [chance.sample(names, len(names)) for _ in range(2)]
            writes = [
                outcome(journal.append(act(seq, name)))
                for journal, order in zip((one, other), orders, strict=True)
                for name in order
            ]
            results = await asyncio.gather(*writes)
            assert results.count("stored") == len(names), results

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PostgresWriter, "_transact", transact)
        with_two(story, url)
    return counted[0]


class TestLookingAfterTables:
    def test_an_overdue_table_is_given_to_one_process(self) -> None:
        async def story(one: PostgresJournal, other: PostgresJournal) -> None:
            for n in range(10):
                await one.append(act(1, f"t{n}", deadline=NOW + 1000 + n))
            await one.append(act(1, "later", deadline=NOW + 5000))
            await one.append(act(1, "over", deadline=None, status="over"))
            sweeps = [PostgresNodes(journal).sweep(NOW + 1005, 0, NOW + 100_000) for journal in (one, other)]
            found = [name for names in await asyncio.gather(*sweeps) for name in names]
            assert sorted(found) == [f"t{n}" for n in range(6)]
            assert await PostgresNodes(one).sweep(NOW + 1005, 0, NOW + 104_000) == []
            assert len(await PostgresNodes(other).sweep(NOW + 1005, NOW + 2000, NOW + 106_000)) == 7

        with_two(story)

    def test_what_is_done_once_for_a_table_is_claimed_by_one(self) -> None:
        async def story(one: PostgresJournal, other: PostgresJournal) -> None:
            await one.append(act(1))
            claims = await asyncio.gather(
                *(PostgresNodes(journal).claim("oak", NOW + 100_000) for journal in (one, other))
            )
            assert sorted(claims) == [False, True]
            assert not await PostgresNodes(one).claim("elm", NOW + 100_000)
            assert await PostgresNodes(other).sweep(0, NOW + 5000, NOW + 100_000) == []
            await one.append(act(1, "elm", status="over"))
            assert await PostgresNodes(other).sweep(0, NOW + 5000, NOW + 200_000) == ["elm"]
            assert await PostgresNodes(other).claim("elm", NOW + 200_100)  # whoever swept it
            assert not await PostgresNodes(one).claim("elm", NOW + 200_100)

        with_two(story)

    def test_a_process_is_buried_unless_it_has_spoken_since(self) -> None:
        async def story(one: PostgresJournal, other: PostgresJournal) -> None:
            row = Row("oak", 1, b"{}", NOW + 1000)
            await one.append(Commit(row, Head("oak", 1, None, "playing", True, ("dead", "alive"))))
            assert await PostgresNodes(other).carried_by("dead") == ["oak"]
            assert await PostgresNodes(other).carried_by("dea") == []
            await one.pulse("dead", NOW + 1000)
            await one.pulse("alive", NOW + 2000)
            for process in ("dead", "alive"):
                await PostgresNodes(other).bury(Outage(NOW + 1000, NOW + 16_000, process))
            assert await PostgresNodes(one).pulses() == {"alive": NOW + 2000}
            assert await PostgresNodes(one).outages_of({"dead", "alive"}) == [Outage(NOW + 1000, NOW + 16_000, "dead")]

        with_two(story)

    def test_an_outage_of_the_whole_hall_is_stored_once(self) -> None:
        async def story(one: PostgresJournal, other: PostgresJournal) -> None:
            for journal, outage in (
                (one, Outage(NOW + 1000, NOW + 9000)),
                (other, Outage(NOW + 1500, NOW + 9100)),
                (one, Outage(NOW + 9500, NOW + 9900)),
            ):
                await journal.add_outage(outage)
            await other.add_outage(Outage(NOW + 1500, NOW + 9100, "other"))
            assert list(await one.outages()) == [
                Outage(NOW + 1000, NOW + 9000),
                Outage(NOW + 1500, NOW + 9100, "other"),
                Outage(NOW + 9500, NOW + 9900),
            ]

        with_two(story)


class TestBeingTold:
    def test_others_are_told_where_tables_stand_and_what_is_said_there(self) -> None:
        async def story(one: PostgresJournal, other: PostgresJournal) -> None:
            notes, nodes = Notes(), PostgresNodes(other)
            nodes.listen(notes)
            await until(lambda: notes.times_missed == 1)
            await one.append(act(1))
            await one.append(act(2))
            await other.append(act(1, "own"))
            await PostgresNodes(one).tell("oak", {"event": "RematchOffered"})
            await PostgresNodes(one).tell("oak", {"event": "Reacted"}, optional=True)
            await until(lambda: len(notes.said_so) == 2)
            assert notes.heads == {"oak": 2}
            assert notes.said_so == [("oak", {"event": "RematchOffered"}, False), ("oak", {"event": "Reacted"}, True)]
            await nodes.stop()

        with_two(story)

    def test_what_is_too_long_for_a_notification_is_not_told_and_does_no_harm(self) -> None:
        async def story(one: PostgresJournal, other: PostgresJournal) -> None:
            notes, nodes = Notes(), PostgresNodes(other)
            nodes.listen(notes)
            await until(lambda: notes.times_missed == 1)
            for name in ("ü" * 6_000, "a" * 9_000, "short"):
                await PostgresNodes(one).tell("oak", {"name": name})
            await until(lambda: bool(notes.said_so))
            assert notes.said_so == [("oak", {"name": "short"}, False)]
            await nodes.stop()

        with_two(story)

    def test_a_line_that_was_cut_comes_back_and_says_so(self) -> None:
        async def story() -> None:
            url = emptied_database()
            async with TcpProxy(server().port) as proxy:
                there = server().url(url.rpartition("/")[2], port=proxy.port)
                async with journals(url, there) as (near, far):
                    notes, nodes = Notes(), PostgresNodes(far)
                    nodes.listen(notes)
                    await until(lambda: notes.times_missed == 1)
                    proxy.cut()
                    await near.append(act(1))
                    await until(lambda: notes.times_missed == 2)
                    assert await nodes.moved({"oak": 0, "elm": 3}) == {"oak": 1}
                    await near.append(act(2))
                    await until(lambda: notes.heads == {"oak": 2})
                    await nodes.stop()

        asyncio.run(asyncio.wait_for(story(), WAIT_S))

    def test_whatever_somebody_else_says_on_the_channel_does_no_harm(self) -> None:
        async def story(one: PostgresJournal, other: PostgresJournal) -> None:
            notes, nodes = Notes(), PostgresNodes(other)
            nodes.listen(notes)
            await until(lambda: notes.times_missed == 1)
            for text in ("", "[]", '{"from": 3}', '{"from": "x", "at": {"oak": "far"}}'):
                await one.value(str, "SELECT pg_notify('dicehall', $1)", text)
            await one.append(act(1))
            await until(lambda: notes.heads == {"oak": 1})
            await nodes.stop()

        with_two(story)


RULES: dict[str, dict[str, int | None]] = {"wards": {"goal": 12}, "tenthousand": {"goal": 600, "opening": 0}}


@pytest.mark.parametrize("game", RULES)
def test_a_game_with_its_players_at_two_halls_and_a_spectator_at_a_third(game: str) -> None:
    async def story() -> None:
        async with halls(3) as (first, second, third), AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(in_process(hall.sockets)) for hall in (first, second, third)]
            ann, bo, watcher = clients
            for client, name in zip(clients, ("Ann", "Bo", "Cy"), strict=True):
                await client.guest(name)
            table = (await ann.open(game, rules=dict(RULES[game]), seats=2))["id"]
            heard: list[int] = []
            await watcher.watch(table, tell=lambda update: heard.append(update.n))
            for client in (ann, bo):
                await client.sit(table)
            if game == "tenthousand":  # the other starts by itself
                await ann.start(table)
            ends = await asyncio.gather(play(ann, table, Random(1)), play(bo, table, Random(2)))
            assert ends[0]["over"] == ends[1]["over"]
            last = ends[0]["n"]
            await until(lambda: bool(heard) and heard[-1] >= last)
            assert heard == list(range(heard[0], heard[-1] + 1))
            assert (await watcher.look(table))["over"] == ends[0]["over"]
            records = [await client.record(table) for client in clients]
            assert records[0] == records[1] == records[2]

    asyncio.run(asyncio.wait_for(story(), WAIT_S))
