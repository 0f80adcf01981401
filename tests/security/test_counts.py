"""Leaderboards, statistics and deep pages: they are counted away from the journal, and not without a limit."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import pytest

from dicehall.core.game import Refused
from dicehall.hall.register import LAST_PAGE, Filter
from dicehall.server.limits import Limits, Rate
from dicehall.store import reader
from dicehall.store.memory import MemoryJournal
from dicehall.store.register import SqliteRegister
from dicehall.store.sqlite import SqliteJournal
from tests.security.live import WAIT_S, both_ways, live_hall
from tests.server.doors import FREE, StoppedClock, open_doors

ACTS = 3
COUNTED: list[tuple[str, str, Any]] = [
    ("GET", "/api/leaderboards/wards", None),
    ("GET", "/api/players/{me}", None),
    ("GET", "/api/doordice/sessions", None),
    ("GET", "/api/doordice/stats", None),
    ("GET", "/api/tenthousand/games", None),
    ("GET", "/api/tenthousand/players/{me}", None),
    ("POST", "/api/wards/profiles/getMyProfile", {}),
]
PAGED = ["/api/tables?", "/api/leaderboards/all?", "/api/players/{me}?", "/api/doordice/sessions?", "/api/me/tables?"]


@both_ways
@pytest.mark.parametrize("path", ["/api/leaderboards/all", "/api/doordice/stats", "/api/tables?phase=over"])
def test_what_takes_long_to_count_does_not_hold_up_an_honest_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool, path: str
) -> None:
    """The attacker's question lasts until the honest player has acted; without the guard that cannot be."""
    begun, released = threading.Event(), threading.Event()

    def slow(question: Callable[[sqlite3.Connection], Any]) -> Callable[[sqlite3.Connection], Any]:
        def ask(connection: sqlite3.Connection) -> Any:
            begun.set()
            released.wait(WAIT_S)
            return question(connection)

        return ask

    with live_hall(tmp_path) as hall, ThreadPoolExecutor(2) as threads:
        honest, journal = hall.honest_pair(), hall.running.journal
        assert isinstance(journal, SqliteJournal)
        for name in ("look_up", "count"):
            real = getattr(journal, name) if guarded else journal.ask
            monkeypatch.setattr(journal, name, lambda question, real=real: real(slow(question)))
        asking = threads.submit(hall.request, "GET", path)
        assert begun.wait(WAIT_S)
        acting = threads.submit(lambda: [honest.act() for _ in range(ACTS)])
        wait([acting], WAIT_S if guarded else 0.5)
        harmed = not acting.done()
        released.set()
        assert len(acting.result()) == ACTS
        asking.result()
    assert harmed is not guarded


@pytest.mark.parametrize(("method", "path", "body"), COUNTED)
@pytest.mark.parametrize("kind", ["count", "count_address"])
def test_nobody_counts_all_games_without_a_limit(tmp_path: Path, kind: str, method: str, path: str, body: Any) -> None:
    """By account, and by address for as many accounts as somebody makes. The control is a hall without the limit."""
    for rates, refused in ((FREE, False), ({**FREE, kind: Rate(burst=2, per_second=0.1)}, True)):
        folder = tmp_path / str(refused)
        folder.mkdir()
        with open_doors(folder, limits=Limits(StoppedClock(), dict(rates))) as doors:
            first, second = doors.guest("Ann"), doors.guest("Bo")
            people = [first, first, first if kind == "count" else second]
            told = [one.ask(method, path.format(me=one.id), body).status_code for one in people]
            assert (told[-1] == 429) is refused


@pytest.mark.parametrize("path", PAGED)
def test_nobody_turns_pages_for_ever(tmp_path: Path, path: str) -> None:
    """The control is the last page that is allowed."""
    with open_doors(tmp_path) as doors:
        ann = doors.guest("Ann")
        asked = path.format(me=ann.id)
        assert ann.ask("GET", f"{asked}page={LAST_PAGE}").status_code == 200
        assert ann.wrong("GET", f"{asked}page={LAST_PAGE + 1}") == (422, "bad_request")
        with doors.socket(ann) as line:
            assert line.code("find", page=LAST_PAGE + 1) == "bad_request"
            assert line.code("leaders", game="all", page=LAST_PAGE + 1) == "bad_request"


@pytest.mark.parametrize("kind", ["sqlite", "memory"])
def test_both_stores_refuse_the_same_pages(tmp_path: Path, kind: str) -> None:
    """The control is the last page that is allowed, which both stores read."""

    async def story() -> None:
        journal = SqliteJournal(tmp_path / "hall.db") if kind == "sqlite" else MemoryJournal()
        register = SqliteRegister(journal) if isinstance(journal, SqliteJournal) else journal.register
        questions: list[Callable[[int], Awaitable[Any]]] = [
            lambda page: register.find(Filter(), page),
            lambda page: register.endings(None, None, page),
            lambda page: register.leaders(None, "accounts", "won", 1, page),
            lambda page: register.tallies("wards", page),
            lambda page: register.tables_of("ann", "wards", page),
        ]
        for ask in questions:
            await ask(LAST_PAGE)
            with pytest.raises(Refused) as refused:
                await ask(LAST_PAGE + 1)
            assert refused.value.code == "bad_request"
        journal.close()

    asyncio.run(story())


@both_ways
def test_a_question_without_an_end_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool) -> None:
    """Without the guard it has an end here too, but nobody is told sooner."""
    if guarded:
        monkeypatch.setattr(reader, "LONGEST_S", 0.0)
    long = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 300000) SELECT count(*) FROM n"

    async def story() -> str:
        journal = SqliteJournal(tmp_path / "hall.db")
        try:
            await journal.count(lambda connection: connection.execute(long).fetchone())
        except Refused as refused:
            return str(refused.code)
        finally:
            journal.close()
        return "counted"

    assert asyncio.run(story()) == ("rate_limited" if guarded else "counted")


@both_ways
def test_a_queue_of_questions_does_not_grow_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    monkeypatch.setattr(reader, "MOST_WAITING", 3 if guarded else 10**9)

    async def story() -> int:
        journal = SqliteJournal(tmp_path / "hall.db")
        asked = [journal.count(lambda connection: 1) for _ in range(20)]
        told = await asyncio.gather(*asked, return_exceptions=True)
        journal.close()
        return sum(isinstance(one, Refused) for one in told)

    assert (asyncio.run(story()) == 0) is not guarded
