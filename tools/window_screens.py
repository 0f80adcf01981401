"""Screenshots of the window's screens: `make screens` writes them to docs/screens, or look at them elsewhere.

.venv/bin/python -m tools.window_screens
.venv/bin/python -m tools.window_screens --out looks

A game is played with known dice; nothing is shown on a real screen.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "docs" / "screens"
SIZES = {"desk": (1280, 800), "small": (900, 600)}


def prepare() -> None:
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")


def at_once(work: Any) -> Future[Any]:
    done: Future[Any] = Future()
    done.set_result(work())
    return done


class Camera:
    def __init__(self, size: tuple[int, int], tag: str, out: Path) -> None:
        from dicehall.bots.levels import levels
        from dicehall.games import catalogue
        from dicehall.launch.desktop import LocalTables
        from dicehall.launch.game_folder import results_file
        from dicehall.ui.desktop.app import App
        from dicehall.ui.desktop.screen import Program
        from dicehall.ui.desktop.sounds import Sounds
        from dicehall.ui.desktop.start_screen import StartScreen

        games, sounds, self.tag, self.out = catalogue(), Sounds(), tag, out
        tables = LocalTables(games, "pictures")
        tables.submit = at_once
        program = Program(games, levels, tables.open, tables.resume, tables.can_resume, results_file().all, sounds.play)
        program.home = lambda: StartScreen(program)
        self.app = App(program, sounds, size)

    @property
    def screen(self) -> Any:
        return self.app.screen

    def shoot(self, name: str) -> None:
        import pygame

        self.app.draw()
        pygame.image.save(self.app.surface, self.out / f"window-{name}-{self.tag}.png")

    def do(self, name: str, value: Any = None) -> None:
        from dicehall.ui.desktop.scene import Intent

        self.app.do(Intent(name, value))

    def settle(self) -> None:
        while self.screen.acting is None and not (self.screen.over and self.screen.playback.idle):
            self.app.step([], 20_000)

    def until(self, event: str) -> bool:
        """Let time pass until an event of this name is shown, or somebody is to act."""
        for _ in range(2000):
            beat = self.screen.playback.current
            if beat and beat.narrated and beat.narrated.event["event"] == event and self.screen.playback.progress > 0.4:
                return True
            if self.screen.acting is not None or self.screen.over:
                return False
            self.app.step([], 60)
        return False


def before_a_game(camera: Camera) -> None:
    """The start, house rules, and a new table at a server."""
    from dicehall.ui.desktop.new_table_screen import NewTableScreen
    from dicehall.ui.tables.new_table import usual_table

    camera.shoot("start")
    camera.do("rules")
    camera.shoot("rules")
    camera.do("back")
    program, start = camera.app.program, camera.screen
    wanted = usual_table(program.games["aetharn"], program.levels("aetharn"), bots=False)
    camera.app.screen = NewTableScreen(program, wanted, lambda _: start, lambda: start)
    camera.do("password")
    camera.screen.typed("open sesame")
    camera.shoot("new-table")
    camera.do("back")


def doordice(camera: Camera) -> None:
    camera.do("person", 1)
    camera.do("start")
    shot = {"roll": False, "effect": False, "fall": False, "wrong": False, "target": False}
    while not camera.screen.over:
        camera.settle()
        stage = camera.screen.stage()
        if stage.over:
            break
        if stage.view.face is None:
            camera.do("roll")
            if not shot["roll"] and camera.until("Rolled"):
                shot["roll"] = True
                camera.shoot("doordice-rolling")
        elif camera.screen.board.chosen(stage) is None:
            camera.do("effect", stage.view.effects[0])
        else:
            if not shot["wrong"]:
                camera.do("target", stage.acting)
                camera.shoot("doordice-refused")
                shot["wrong"] = True
            camera.do("target", stage.view.targets[-1])
            if not shot["effect"] and camera.until("EffectDone"):
                shot["effect"] = True
                camera.shoot("doordice-effect")
        if not shot["fall"] and camera.until("Fell"):
            shot["fall"] = True
            camera.shoot("doordice-fall")
    camera.settle()
    camera.shoot("doordice-standings")
    camera.do("overlay", "help")
    camera.shoot("doordice-help")
    camera.do("stats")
    camera.shoot("statistics")
    camera.do("back")
    camera.do("home")


def others(camera: Camera) -> None:
    for game, moves in (("wards", ["roll", "roll"]), ("aetharn", ["roll", "best"])):
        camera.do("game", game)
        camera.do("start")
        for move in moves:
            camera.settle()
            camera.do(move)
        camera.settle()
        camera.shoot(game)
        camera.do("home")
    for game in ("tenthousand", "mana"):
        camera.do("game", game)
        camera.do("start")
        camera.settle()
        if game == "tenthousand":
            for move in ("roll", "best", "lock"):
                camera.do(move)
                camera.settle()
            camera.do("roll")
            camera.settle()
            camera.do("best")
        else:
            camera.do("choice", "pick 6")
            camera.settle()
        camera.shoot(game)
        camera.do("home")


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=FOLDER, help="the folder to write them to (default docs/screens)")
    out: Path = parser.parse_args(arguments).out
    out.mkdir(parents=True, exist_ok=True)
    prepare()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DICEHALL_DATA"] = folder
        for tag, size in SIZES.items():
            camera = Camera(size, tag, out)
            before_a_game(camera)
            doordice(camera)
            others(camera)
            camera.app.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
