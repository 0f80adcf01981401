"""Long journals: whoever asks for all of one waits alone, and nobody else's act does."""

from __future__ import annotations

import asyncio
import tracemalloc
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from dicehall.core.game import Event, Seat
from dicehall.games.tenthousand.events import RoundEnded, RoundStarted, Yielded
from dicehall.games.tenthousand.rules import TenThousand
from dicehall.hall.cards import Card
from dicehall.hall.seeds import tenthousand_records
from dicehall.hall.seeds.tales import Sitter, Tale
from dicehall.launch.wiring import SystemClock
from dicehall.server import parts
from dicehall.server.limits import Limits
from dicehall.table import allowance, history, slices
from dicehall.table.ports import Row
from dicehall.table.retiring import MOST_BACK_ACTS, Back
from tests.security.journals import write_long_table
from tests.security.live import WAIT_S, Guest, LiveHall, Turns, both_ways, live_hall
from tests.server.doors import FREE

HOLDS = 5_000
ENOUGH = 10  # turns of the event loop in which others are served while a long journal is gone through
ALL_AT_ONCE = 10**9


def turns_meanwhile(
    folder: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool, attack: Callable[[Guest], Any], *, load: bool = True
) -> int:
    """The turns in which others were served between the first and the last row of the attacker's journal."""
    write_long_table(folder, "long", HOLDS)
    if not guarded:
        monkeypatch.setattr(slices, "ACTS", ALL_AT_ONCE)
        monkeypatch.setattr(history, "PAGE", ALL_AT_ONCE)
    with live_hall(folder) as hall:
        honest, mallory = hall.honest_pair(), hall.guest("Mallory")
        if load:
            mallory.get("/api/tables/long")
        counted = count_turns(hall, monkeypatch)
        honest.act()
        honest.acts_while(lambda: attack(mallory))
        return max(counted)


def count_turns(hall: LiveHall, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """For every time the long journal is gone through, the turns of the event loop in which others were served."""
    rows, counted, turns = history.History.rows, list[int](), Turns(hall)

    async def watched(self: history.History, table: str, after: int = 0) -> AsyncIterator[Row]:
        begun: int | None = None
        async for row in rows(self, table, after):
            begun = turns.count if begun is None else begun
            yield row
        if table == "long" and begun is not None:
            counted.append(turns.count - begun)

    monkeypatch.setattr(history.History, "rows", watched)
    return counted


@both_ways
@pytest.mark.parametrize("path", ["/api/tables/long/events", "/api/tables/long/record"])
def test_reading_a_long_journal_does_not_hold_up_an_honest_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool, path: str
) -> None:
    turns = turns_meanwhile(tmp_path, monkeypatch, guarded, lambda mallory: mallory.get(path))
    assert (turns >= ENOUGH) is guarded


@both_ways
def test_loading_a_long_journal_does_not_hold_up_an_honest_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    turns = turns_meanwhile(tmp_path, monkeypatch, guarded, lambda mallory: mallory.get("/api/tables/long"), load=False)
    assert (turns >= ENOUGH) is guarded


@both_ways
def test_watching_a_long_table_from_its_beginning_does_not_hold_up_an_honest_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    def watch(mallory: Guest) -> None:
        line = mallory.socket()
        line.send('{"id": 1, "do": "watch", "table": "long", "since": 0}')
        line.recv()

    turns = turns_meanwhile(tmp_path, monkeypatch, guarded, watch)
    assert (turns >= ENOUGH) is guarded


@both_ways
def test_the_rooms_of_dice_wards_do_not_hold_up_an_honest_player_with_a_long_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    def look(mallory: Guest) -> None:
        mallory.post("/api/wards/lobbies/getRoom", {"roomId": "long"})

    turns = turns_meanwhile(tmp_path, monkeypatch, guarded, look)
    assert (turns >= ENOUGH) is guarded


def test_of_a_long_journal_only_the_acts_after_the_number_that_was_asked_for_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole is folded once, when the table is loaded. The control asks for everything, and all of it is read."""
    write_long_table(tmp_path, "long", HOLDS)
    with live_hall(tmp_path) as hall:
        head = hall.request("GET", "/api/tables/long")["n"]
        read = count_reads(hall, monkeypatch)
        updates = hall.request("GET", f"/api/tables/long/events?since={head - 3}")["updates"]
        assert [update["n"] for update in updates] == [head - 2, head - 1, head]
        assert hall.request("GET", f"/api/tables/long/events?since={head}")["updates"] == []
        assert 0 < sum(read) <= history.CHECKPOINT + 3
        assert len(hall.request("GET", "/api/tables/long/events")["updates"]) == head
        assert sum(read) > HOLDS


def count_reads(hall: LiveHall, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows of a journal are read from here on."""
    journal, read = hall.running.journal, list[int]()
    rows = journal.rows

    async def counted(table: str, after: int = 0, most: int | None = None) -> Any:
        found = await rows(table, after, most)
        read.append(len(found))
        return found

    monkeypatch.setattr(journal, "rows", counted)
    return read


@both_ways
def test_the_records_of_a_long_game_are_made_in_short_steps(monkeypatch: pytest.MonkeyPatch, guarded: bool) -> None:
    """At the limit of acts per table the records of Dice 10 000 took a second of the event loop."""
    if not guarded:
        monkeypatch.setattr(tenthousand_records, "ACTS", ALL_AT_ONCE)
    sitters = (Sitter(0, "ann", None, "Ann", 0), Sitter(1, "bo", None, "Bo", 0))
    happened = tuple((number, yielded(number)) for number in range(HOLDS))
    tale = Tale(Card("long", "tenthousand", "Long", "ann", 0), TenThousand(), "over", sitters, 0, HOLDS, happened, None)
    records = tenthousand_records.no_records(tale)
    steps = sum(1 for _ in tenthousand_records.fold(records, tale))
    assert len(records.game.rounds) == HOLDS // 2 + 1
    assert (steps >= HOLDS // 16) is guarded


def yielded(number: int) -> tuple[Event, ...]:
    """A turn that ends at once, and its round with the second one."""
    seat, index = Seat(number % 2), number // 2
    over = (RoundEnded(round=index, scores=(0, 0)), RoundStarted(round=index + 1)) if seat else ()
    return (Yielded(seat=seat, points=0, score=0), *over)


# -- what is kept in memory -------------------------------------------------------------------------------


@both_ways
def test_many_long_journals_are_not_read_into_memory_at_the_same_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Counted: the most that were under way at once. Whatever is made of one takes 26 MiB at the limit of acts."""
    if not guarded:
        monkeypatch.setattr(parts, "LONG_READ", ALL_AT_ONCE)
    write_long_table(tmp_path, "long", HOLDS)
    limits = Limits(SystemClock(), dict(FREE))
    with live_hall(tmp_path, limits=limits) as hall:
        mallory, under_way = hall.guest("Mallory"), count_under_way(monkeypatch)
        mallory.get("/api/tables/long")
        under_way.clear()
        with ThreadPoolExecutor(6) as senders:
            paths = ["/api/tables/long/events", "/api/tables/long/record"] * 3
            assert len(list(senders.map(mallory.get, paths))) == 6
        assert (max(under_way) > 1) is not guarded


def count_under_way(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many journals are being gone through, each time one more is begun."""
    rows, counted, now = history.History.rows, list[int](), set[object]()

    async def watched(self: history.History, table: str, after: int = 0) -> AsyncIterator[Row]:
        me = object()
        now.add(me)
        counted.append(len(now))
        try:
            async for row in rows(self, table, after):
                yield row
        finally:
            now.discard(me)

    monkeypatch.setattr(history.History, "rows", watched)
    return counted


@both_ways
def test_the_updates_of_a_long_journal_do_not_fill_the_memory(tmp_path: Path, guarded: bool) -> None:
    """Counted: the bytes that are taken at most for each byte of the answer."""
    write_long_table(tmp_path, "long", HOLDS)
    with live_hall(tmp_path) as hall:
        host = hall.running.host

        async def read() -> float:
            await host.reach("long")
            tracemalloc.start()
            try:
                if guarded:
                    size = sum(len(bytes(update)) for update in (await host.encoded_updates("long", None, 0))[0])
                else:  # as it was: all objects, and then their texts
                    encoded = await host.slices.encode_each(await host.updates("long", None, 0))
                    size = sum(len(bytes(update)) for update in encoded)
                return tracemalloc.get_traced_memory()[1] / size
            finally:
                tracemalloc.stop()

        most = asyncio.run_coroutine_threadsafe(read(), hall.loop).result(WAIT_S)
    assert (most < 4) is guarded


@both_ways
def test_archived_tables_that_are_asked_for_again_do_not_fill_the_memory(guarded: bool) -> None:
    """Counted: the acts of the tables that stay; with each of them the ids of its requests are remembered."""
    back = Back() if guarded else Back(most_acts=ALL_AT_ONCE)
    kept = set[str]()
    for nth in range(200):
        kept.add(f"table {nth}")
        kept -= set(back.add(f"table {nth}", allowance.TABLE_ACTS))
    assert (len(kept) * allowance.TABLE_ACTS <= MOST_BACK_ACTS) is guarded
    assert kept == {table for table, _ in back.tables}
