"""Screenshots of the full-screen terminal, for docs/screens: ``python -m tools.terminal_screens``.

Games are played with known dice in a terminal of 80x24 that nobody sees; Textual draws them as SVG, and the browser
that the tests of the page use makes small PNGs of that.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "docs" / "screens"
SIZE = (80, 24)
LONG_MS = 20_000.0
WIDTH = 880  # pixels of a picture
BOTS = ("Mira (Casual)", "Hugo (Casual)", "Selma (Casual)", "Otis (Casual)")
WEB_FONT = re.compile(r"@font-face \{.*?\}", re.DOTALL)  # would be fetched from a server


def at_once(work: Callable[[], Any]) -> Future[Any]:
    done: Future[Any] = Future()
    done.set_result(work())
    return done


class Camera:
    def __init__(self, app: Any, pilot: Any) -> None:
        self.app, self.pilot = app, pilot
        self.taken: dict[str, str] = {}

    @property
    def game(self) -> Any:
        from dicehall.ui.tui.game_screen import GameScreen

        return next(screen for screen in reversed(self.app.screen_stack) if isinstance(screen, GameScreen))

    async def settle(self) -> None:
        for _ in range(400):
            self.game.advance(LONG_MS)
            if self.game.playback.idle and (self.game.acting is not None or self.game.position.over):
                break
        await self.pilot.pause()

    async def play(self, moves: int) -> None:
        """So many moves, the first of the choices each time."""
        for _ in range(moves):
            await self.settle()
            if self.game.position.over:
                return
            if self.game.is_covered:
                await self.pilot.press("enter")
            keys = [key for key in self.game.actions() if key.isdigit()]
            await self.pilot.press("enter" if self.game.only_choice is not None else keys[0])
        await self.settle()

    async def shoot(self, name: str) -> None:
        await self.pilot.pause()
        self.taken[name] = WEB_FONT.sub("", self.app.export_screenshot(title="dicehall"))


# -- the scenes ------------------------------------------------------------------------------------------------


async def menu(camera: Camera) -> None:
    await camera.shoot("menu")
    await camera.pilot.press("2")
    await camera.shoot("setup")


async def doordice(camera: Camera) -> None:
    await camera.play(3)
    await camera.shoot("doordice")
    await camera.pilot.press("?")
    await camera.shoot("help")


async def rolling(camera: Camera) -> None:
    await camera.settle()
    camera.game.playback.speed = 1.0
    await camera.pilot.press("r")
    camera.game.advance(400.0)
    await camera.shoot("rolling")


async def aetharn(camera: Camera) -> None:
    await camera.play(1)
    await camera.shoot("aetharn")


async def tenthousand(camera: Camera) -> None:
    await camera.play(2)
    await camera.shoot("tenthousand")


async def wards(camera: Camera) -> None:
    await camera.play(2)
    await camera.shoot("wards")
    await camera.pilot.press("!")
    camera.game.advance(10.0)
    await camera.shoot("hint")


async def mana(camera: Camera) -> None:
    await camera.play(2)
    await camera.shoot("mana-secret")
    await camera.pilot.press("enter")
    await camera.shoot("mana")


async def fold(camera: Camera) -> None:
    await camera.play(1)
    await camera.pilot.press("f")
    await camera.shoot("fold")


async def result(camera: Camera) -> None:
    """A short game against a bot, to its end, with the coach's words."""
    while not camera.game.position.over:
        await camera.settle()
        if camera.game.acting is not None:
            await camera.pilot.press("h" if camera.game.view.round_score >= 20 else "r")
        await camera.settle()
    for _ in range(600):
        await camera.pilot.pause(0.05)
        if "coach" not in str(camera.app.screen.query("#coach").first().content):
            break
    await camera.shoot("result")
    await camera.pilot.press("c")
    await camera.shoot("report")
    await camera.pilot.press("escape", "m", "t")
    await camera.shoot("statistics")


Scene = Callable[[Camera], Awaitable[None]]
SCENES: list[tuple[Scene, str, tuple[str, ...], dict[str, int]]] = [
    (menu, "", (), {}),
    (doordice, "doordice", ("Ann", *BOTS), {}),
    (rolling, "aetharn", ("Ann", BOTS[0]), {}),
    (aetharn, "aetharn", ("Ann", "Bo", BOTS[0]), {}),
    (tenthousand, "tenthousand", ("Ann", *BOTS[:2]), {}),
    (wards, "wards", ("Ann", BOTS[0]), {}),
    (mana, "mana", ("Ann", "Bo"), {}),
    (fold, "aetharn", ("Ann", "Bo"), {}),
    (result, "wards", ("Ann", BOTS[0]), {"goal": 40}),
]


async def film(scene: Scene, key: str, names: tuple[str, ...], rules: dict[str, int]) -> dict[str, str]:
    from dicehall.core.house import with_rules
    from dicehall.games import catalogue
    from dicehall.launch.full_screen import Tables
    from dicehall.launch.line_game import Wanted
    from dicehall.ui.tui.app import DicehallApp
    from dicehall.ui.tui.game_screen import GameScreen
    from dicehall.ui.tui.menu_screen import MenuScreen
    from dicehall.wire.record import Record

    with Tables(catalogue()) as tables:
        tables.submit = at_once
        program = tables.program()
        program.speed = "instant"
        program.home = lambda: MenuScreen(program)
        first: Any = MenuScreen(program)
        if key:
            record = Record(with_rules(tables.games[key], rules), names)
            first = GameScreen(program, tables.table(Wanted(record, "screens")))
        app = DicehallApp(first)
        async with app.run_test(size=SIZE) as pilot:
            await pilot.pause()
            camera = Camera(app, pilot)
            await scene(camera)
            return camera.taken


def write_pngs(drawings: dict[str, str]) -> None:
    """Through the browser, at the size of a drawing."""
    from playwright.sync_api import sync_playwright

    from tests.page.browsers import launch

    with sync_playwright() as play:
        browser = launch(play)
        page = browser.new_page(viewport={"width": WIDTH, "height": WIDTH})
        for name, svg in drawings.items():
            page.set_content(f"<style>body {{margin: 0}} svg {{width: {WIDTH}px}}</style>{svg}")
            page.locator("svg").screenshot(path=str(FOLDER / f"terminal-{name}.png"))
            print(FOLDER / f"terminal-{name}.png")
        browser.close()


def main(wanted: Sequence[str]) -> None:
    taken: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as data:
        os.environ["DICEHALL_DATA"] = data
        for scene, key, names, rules in SCENES:
            if not wanted or scene.__name__ in wanted:
                taken |= asyncio.run(film(scene, key, names, rules))
    write_pngs(taken)


if __name__ == "__main__":
    main(sys.argv[1:])
