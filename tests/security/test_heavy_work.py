"""Hard work that people ask for: a bounded time, a short queue, a process of its own, a place that is given back."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from dicehall.core.game import Refused, Seat
from dicehall.games import catalogue
from dicehall.launch import thinking
from dicehall.launch.thinking import Thinkers
from dicehall.launch.worker import Worker
from dicehall.server import tables
from dicehall.server.limits import Limits, Rate
from dicehall.server.parts import ServerParts
from tests.security.live import both_ways
from tests.server.doors import FREE, StoppedClock, open_doors

FOREVER_S = 600.0
TOO_LONG_S = 0.2


def slowly(*_: Any) -> None:
    time.sleep(FOREVER_S)


def quickly(*_: Any) -> str:
    return "done"


def test_work_without_an_end_is_ended_and_the_next_in_the_queue_has_its_turn() -> None:
    """With the guard off this test would not end: the queue has one process, and the work never gives it back."""

    async def story() -> None:
        worker = Worker(seconds=TOO_LONG_S, most_waiting=8)
        endless = asyncio.create_task(worker.run(slowly))
        with pytest.raises(Refused) as refused:
            await endless
        assert (refused.value.code, refused.value.more["retry_after"]) == ("rate_limited", 60)
        worker.seconds = FOREVER_S
        assert await worker.run(quickly) == "done"
        worker.end()

    asyncio.run(story())


@both_ways
def test_a_queue_of_hard_work_does_not_grow_for_ever(guarded: bool) -> None:
    async def story() -> int:
        worker = Worker(FOREVER_S, most_waiting=2 if guarded else 10**9)
        asked = [asyncio.create_task(worker.run(quickly)) for _ in range(6)]
        told = await asyncio.gather(*asked, return_exceptions=True)
        worker.end()
        return sum(isinstance(one, Refused) for one in told)

    assert (asyncio.run(story()) > 0) is guarded


def test_work_that_is_abandoned_gives_its_place_back() -> None:
    """With the guard off the second piece of work would wait for ten minutes."""

    async def story() -> None:
        worker = Worker(FOREVER_S, most_waiting=1)
        abandoned = asyncio.create_task(worker.run(slowly))
        await asyncio.sleep(0)
        abandoned.cancel()
        await asyncio.gather(abandoned, return_exceptions=True)
        assert (worker.waiting, await worker.run(quickly)) == (0, "done")
        worker.end()

    asyncio.run(story())


def test_one_slow_bot_does_not_silence_the_bots_of_other_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second process goes on meanwhile, which is the guard; with one alone this test would not end."""

    async def story() -> None:
        thinkers = Thinkers(FOREVER_S)
        slow = asyncio.create_task(thinkers.apart(slowly))
        await asyncio.sleep(0)
        assert [await thinkers.apart(quickly) for _ in range(3)] == ["done"] * 3
        slow.cancel()
        await asyncio.gather(slow, return_exceptions=True)
        for worker in thinkers.workers:
            worker.end()
        thinkers.close()

    asyncio.run(story())


def test_a_bot_that_thinks_for_too_long_plays_as_a_quick_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the guard off this test would wait for ten minutes, until the bot is done."""

    async def story() -> None:
        game = catalogue()["wards"]()
        view, choices = game.view(game.start(2), Seat(0)), game.choices(game.start(2), Seat(0))
        thinkers, asked = Thinkers(TOO_LONG_S), list[Any]()
        apart = thinkers.apart

        async def endless(*given: Any) -> Any:
            asked.append(given)
            return await apart(slowly)

        monkeypatch.setattr(thinkers, "apart", endless)
        for _ in range(2):
            assert await thinkers.choose(game, "exact", view, Seat(0), choices, "seed") in choices
        assert len(asked) == 1  # it is remembered
        thinkers.close()

    asyncio.run(story())


def test_people_who_ask_for_hard_work_never_use_what_bots_think_with(tmp_path: Path) -> None:
    """There is no guard to switch off: bots have processes of their own, and nothing else is given them."""
    with open_doors(tmp_path) as doors:
        running = doors.running
        bots = {id(worker) for worker in running.thinkers.workers}
        others = [running.coach.worker, running.reporter.worker, running.checker.worker]
        assert len(bots | {id(worker) for worker in others}) == 5
        assert doors.nobody.ask("POST", "/api/verify", {}).status_code == 200
        assert running.checker.worker.pool is not None
        assert [worker.pool for worker in running.thinkers.workers] == [None, None]
        assert running.thinkers.threads._max_workers == thinking.THREADS


def once(kind: str, guarded: bool) -> Limits:
    """One of this kind is allowed, and everything where the guard is off."""
    return Limits(StoppedClock(), {**FREE, kind: Rate(burst=1, per_second=0.1)} if guarded else FREE)


@both_ways
@pytest.mark.parametrize("kind", ["verify", "verify_address"])
def test_nobody_has_records_checked_without_a_limit(tmp_path: Path, kind: str, guarded: bool) -> None:
    with open_doors(tmp_path, limits=once(kind, guarded)) as doors:
        ann, bo = doors.guest("Ann"), doors.guest("Bo")
        assert ann.ask("POST", "/api/verify", {}).status_code == 200
        again = (ann if kind == "verify" else bo).ask("POST", "/api/verify", {})
        assert again.status_code == (429 if guarded else 200)


@both_ways
@pytest.mark.parametrize("path", ["/docs", "/openapi.json", "/metrics", "/readyz", "/t/nowhere/qr.svg"])
def test_nobody_asks_for_documents_and_pictures_without_a_limit(tmp_path: Path, path: str, guarded: bool) -> None:
    with open_doors(tmp_path, limits=once("document_address", guarded)) as doors:
        assert doors.nobody.ask("GET", path).status_code in (200, 404)
        assert (doors.nobody.ask("GET", path).status_code == 429) is guarded


def test_the_list_of_games_is_put_together_once_for_each_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has no limit but that of all requests, and in German it cost three times as much as any other answer. There
    is no guard to switch off: that it is kept is the guard."""
    made: list[str] = []
    put_together = tables.list_games

    def counted(parts: ServerParts, language: str) -> list[dict[str, Any]]:
        made.append(language)
        return put_together(parts, language)

    monkeypatch.setattr(tables, "list_games", counted)
    with open_doors(tmp_path) as doors:
        for language in ("de", "en", "xx", "de;q=0.5") * 3:
            assert len(doors.nobody.get(f"/api/games?language={language}")) == len(catalogue())
    assert sorted(made) == ["de", "en"]


def test_a_picture_is_drawn_for_real_tables_only(tmp_path: Path) -> None:
    """The control is a real table, whose picture is drawn."""
    with open_doors(tmp_path) as doors:
        table = doors.guest("Ann").open()
        assert doors.nobody.ask("GET", f"/t/{table}/qr.svg").status_code == 200
        assert doors.nobody.wrong("GET", "/t/nowhere/qr.svg") == (404, "no_such_table")
