"""Stepping through a record on the whole screen."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from dicehall.games import catalogue
from dicehall.ui.terminal.recorded_game import RecordedGame, recorded_game
from dicehall.ui.tui import replay_screen
from dicehall.ui.tui.app import DicehallApp
from dicehall.ui.tui.replay_screen import ReplayScreen
from dicehall.wire.record import parse_record
from tests.launch.sealing import sealed
from tests.ui.tui.driver import SIZE, rows

Use = Callable[[ReplayScreen, Pilot[Any]], Awaitable[None]]


def a_game(key: str = "aetharn", entries: int | None = None) -> RecordedGame:
    document = json.loads(json.dumps(sealed(key, catalogue()[key].seats[0])))
    return recorded_game(parse_record({**document, "entries": document["entries"][:entries]}, catalogue()))


def replaying(record: RecordedGame, use: Use) -> None:
    async def run() -> None:
        screen = ReplayScreen(record)
        app = DicehallApp(screen)
        async with app.run_test(size=SIZE) as pilot:
            await pilot.pause()
            await use(screen, pilot)

    asyncio.run(run())


def shown(screen: ReplayScreen) -> list[str]:
    app = screen.app
    assert isinstance(app, DicehallApp)
    return rows(app)


@pytest.mark.parametrize("key", list(catalogue()))
def test_every_step_of_every_game_fits_80x24(key: str) -> None:
    async def use(screen: ReplayScreen, pilot: Pilot[Any]) -> None:
        for step in range(0, screen.last + 1, max(1, screen.last // 10)):
            screen.go(step)
            await pilot.pause()
            assert f"step {step} of {screen.last}" in shown(screen)[0]
            assert screen.query_one("#board").region.bottom <= SIZE[1]

    replaying(a_game(key), use)


def test_keys_step_forward_back_to_the_ends_and_from_turn_to_turn() -> None:
    async def use(screen: ReplayScreen, pilot: Pilot[Any]) -> None:
        await pilot.press("right", "right", "left")
        assert screen.at == 1
        await pilot.press("end")
        assert screen.at == screen.last
        assert any("The game is over." in row for row in shown(screen))
        await pilot.press("right")
        assert screen.at == screen.last
        await pilot.press("home", "left")
        assert screen.at == 0
        await pilot.press("right")
        turn = screen.record.frames[1].turn
        await pilot.press("pagedown")
        assert screen.record.frames[screen.at].turn != turn
        await pilot.press("pageup")
        assert screen.record.frames[screen.at].turn == turn

    replaying(a_game(), use)


def test_a_step_is_reached_by_its_number() -> None:
    async def use(screen: ReplayScreen, pilot: Pilot[Any]) -> None:
        await pilot.press("g", "4", "enter")
        await pilot.pause()
        assert screen.at == 4
        await pilot.press("g", "x", "enter")
        await pilot.pause()
        assert screen.at == 4

    replaying(a_game("doordice"), use)


def test_it_plays_on_its_own_until_it_is_stopped_or_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_screen, "PAUSE_SECONDS", 3600.0)

    async def use(screen: ReplayScreen, pilot: Pilot[Any]) -> None:
        await pilot.press("space")
        screen.step_on()
        screen.step_on()
        assert screen.at == 2
        await pilot.press("space")
        screen.step_on()
        assert screen.at == 2
        screen.go(screen.last - 1)
        await pilot.press("space")
        screen.step_on()
        assert (screen.at, screen.on_its_own) == (screen.last, False)

    replaying(a_game(), use)


def test_the_log_goes_back_with_the_steps() -> None:
    async def use(screen: ReplayScreen, pilot: Pilot[Any]) -> None:
        await pilot.press("right", "right")
        two = list(screen.logged)
        await pilot.press("end", "home", "right", "right")
        assert screen.logged == two

    replaying(a_game(), use)


def test_a_refused_entry_is_said_at_the_last_step() -> None:
    record = RecordedGame(**{**vars_of(a_game(entries=4)), "refused": "Entry 4 of the record is refused: no."})

    async def use(screen: ReplayScreen, pilot: Pilot[Any]) -> None:
        await pilot.press("end")
        assert any("Entry 4 of the record is refused" in row for row in shown(screen))
        await pilot.press("q")

    replaying(record, use)


def vars_of(record: RecordedGame) -> dict[str, Any]:
    return {"game": record.game, "names": record.names, "frames": record.frames}
