"""A terminal that nobody sees: keys go in, what stands on the screen is looked at."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from typing import Any

from rich.cells import cell_len
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import OptionList, Static

from dicehall.core.house import with_rules
from dicehall.games import catalogue
from dicehall.lab.coach import Report
from dicehall.launch.full_screen import Tables
from dicehall.launch.line_game import Wanted
from dicehall.ui.tables.game_table import Problem
from dicehall.ui.tui.app import DicehallApp
from dicehall.ui.tui.game_screen import GameScreen
from dicehall.ui.tui.menu_screen import MenuScreen
from dicehall.ui.tui.program import Program
from dicehall.wire.record import Record

LONG = 20_000.0  # ms: longer than anything that is shown
SIZE = (80, 24)


def at_once(work: Callable[[], Any]) -> Future[Any]:
    """Thinking that is done when it is asked for."""
    done: Future[Any] = Future()
    done.set_result(work())
    return done


def no_report(record: Record, progress: Callable[[float], None]) -> Report:
    """The coach takes long; one test asks the real one."""
    raise Problem("the coach has a day off.")


class Driver:
    """An app with a pilot, and somebody who plays."""

    def __init__(self, app: DicehallApp, pilot: Pilot[Any], program: Program, tables: Tables) -> None:
        self.app, self.pilot, self.program, self.tables = app, pilot, program, tables

    @property
    def game(self) -> GameScreen:
        found = next(screen for screen in reversed(self.app.screen_stack) if isinstance(screen, GameScreen))
        return found

    @property
    def screen(self) -> Screen[Any]:
        return self.app.screen

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def settle(self) -> None:
        """Until a person is to act, or the game is over and told."""
        for _ in range(500):
            self.game.advance(LONG)
            if self.game.playback.idle and (self.game.acting is not None or self.game.position.over):
                break
        else:
            raise AssertionError("nobody ever got to act")
        await self.pilot.pause()

    async def until(self, true: Callable[[], Any]) -> None:
        for _ in range(1500):
            if true():
                return
            await self.pilot.pause(0.02)
        raise AssertionError(f"it did not happen; the screen shows:\n{self.text}")

    @property
    def text(self) -> str:
        """The screen as it stands, row by row."""
        return "\n".join(rows(self.app))

    @property
    def options(self) -> list[str]:
        listed = self.screen.query_one(OptionList)
        return [str(option.prompt) for option in listed.options]


def rows(app: DicehallApp) -> list[str]:
    width, height = app.size
    strips = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip).rstrip()[:width] for strip in strips[:height]]


def on_screen(
    play: Callable[[Driver], Awaitable[None]], first: Callable[[Tables, Program], Any], size: tuple[int, int] = SIZE
) -> None:
    """Run an app that begins with a screen, and let somebody use it."""

    async def run() -> None:
        with Tables(catalogue()) as tables:
            tables.submit = at_once
            program = tables.program()
            program.speed, program.report = "instant", no_report
            program.home = lambda: MenuScreen(program)
            app = DicehallApp(first(tables, program))
            async with app.run_test(size=size) as pilot:
                await pilot.pause()
                await play(Driver(app, pilot, program, tables))

    asyncio.run(run())


def playing(
    key: str, names: Sequence[str], rules: dict[str, Any] | None = None, seed: str = "tui"
) -> Callable[[Tables, Program], GameScreen]:
    """A game screen with these seats; bots are known by their names."""

    def make(tables: Tables, program: Program) -> GameScreen:
        game = with_rules(tables.games[key], rules or {})
        return GameScreen(program, tables.table(Wanted(Record(game, tuple(names)), seed)))

    return make


# -- what must hold of every screen --------------------------------------------------------------------------


def check_layout(driver: Driver) -> None:
    """Nothing is wider than the screen, cut off, or scrolled out of sight, but for the log, which scrolls."""
    screen = driver.game
    width, height = driver.app.size
    for widget in screen.query("#top, #board, #prompt, #keys, #typed, #choices"):
        if not widget.display or widget.size.height == 0:
            continue
        region = widget.region
        assert region.right <= width, (widget.id, region)
        assert region.bottom <= height, (widget.id, region)
        assert whole(widget), f"{widget.id} is cut off:\n{driver.text}"
    for name in ("#top", "#board", "#prompt", "#keys"):
        check_lines(screen.query_one(name, Static), driver)
    check_choices(screen.query_one(OptionList), driver)
    log = screen.query_one("#log")
    assert log.size.height >= 2 or not screen.is_wide, driver.text


def whole(widget: Widget) -> bool:
    shown = widget.screen.find_widget(widget)
    return shown.visible_region.size == shown.region.size


def check_lines(static: Static, driver: Driver) -> None:
    lines = str(static.visual if static.visual is not None else "").splitlines() or [""]
    text = str(getattr(static, "content", "")).splitlines() or lines
    assert len(text) <= max(1, static.size.height), f"{static.id} wraps:\n{driver.text}"
    for line in text:
        assert cell_len(line.rstrip()) <= static.content_region.width, (static.id, line)
        assert "…" not in line, (static.id, line)


def check_choices(choices: OptionList, driver: Driver) -> None:
    for option in choices.options:
        text = str(option.prompt)
        assert cell_len(text) <= choices.content_region.width, text
        assert "…" not in text, text
    assert choices.option_count <= choices.size.height or driver.game.expanded, f"choices scroll:\n{driver.text}"
