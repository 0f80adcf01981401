"""A window without a screen: real pygame events go in, scenes and tables are looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

import pygame

from dicehall.bots.levels import levels
from dicehall.client.local import LocalGame
from dicehall.core.game import AnyGame, Faces, Seat
from dicehall.dice.sources import Scripted
from dicehall.games import catalogue
from dicehall.launch.desktop import LocalTables
from dicehall.launch.game_folder import results_file
from dicehall.ui.desktop.app import App
from dicehall.ui.desktop.board import Stage
from dicehall.ui.desktop.game_screen import GameScreen
from dicehall.ui.desktop.scene import Intent, Item, Label
from dicehall.ui.desktop.screen import Program
from dicehall.ui.desktop.sounds import Sounds
from dicehall.ui.desktop.start_screen import StartScreen
from dicehall.ui.tables.avatars import AVATARS
from dicehall.ui.tables.local_table import LocalSetup, LocalTable
from dicehall.ui.tables.summary import Standing
from dicehall.wire.record import Record

LONG = 20_000.0  # ms: longer than anything that is shown
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo", "Kim", "Lea")


def at_once(work: Callable[[], Any]) -> Future[Any]:
    """Thinking that is done when it is asked for."""
    done: Future[Any] = Future()
    done.set_result(work())
    return done


def first_choice(view: Any, me: Seat, choices: Sequence[Any], done: int) -> Any:
    return choices[0]


class Window:
    def __init__(self, size: tuple[int, int] = (900, 600)) -> None:
        games = catalogue()
        self.tables, self.sounds = LocalTables(games, "window"), Sounds()
        self.tables.submit = at_once
        program = Program(
            games,
            levels,
            self.tables.open,
            self.tables.resume,
            self.tables.can_resume,
            results_file().all,
            self.sounds.play,
        )
        program.home = lambda: StartScreen(program)
        self.program = program
        self.app = App(program, self.sounds, size)

    def close(self) -> None:
        self.tables.close()
        self.app.close()

    @property
    def standings(self) -> list[Standing]:
        stage = self.stage
        assert stage.over is not None
        return stage.summary.standings(stage.view, stage.over, len(stage.names))

    # -- as a person does it ------------------------------------------------------------------------------

    def click(self, intent: Intent) -> None:
        """Press the mouse in the middle of what means this."""
        x, y = self.app.scene().item(intent).rect.center
        at = (round(x), round(y))
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=at, button=1))
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=at, button=1))
        self.pass_time(0)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.hold(key)
            self.release(key)

    def hold(self, key: str, repeats: int = 0) -> None:
        """Press a key and keep it down: the keyboard repeats it."""
        event = {"key": pygame.key.key_code(key), "mod": 0, "unicode": "", "scancode": 0}
        for _ in range(repeats + 1):
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, event))
            self.pass_time(0)

    def release(self, key: str) -> None:
        pygame.event.post(pygame.event.Event(pygame.KEYUP, key=pygame.key.key_code(key), mod=0))
        self.pass_time(0)

    def enter(self, text: str) -> None:
        pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, text=text))
        self.pass_time(0)

    def pass_time(self, ms: float) -> None:
        self.app.step(pygame.event.get(), ms)

    def settle(self, most: int = 400) -> None:
        """Let time pass until a person is to act or the game is over."""
        for _ in range(most):
            if self.game.acting is not None or (self.game.over and self.game.playback.idle):
                return
            self.pass_time(LONG)
        raise AssertionError("nobody came to act")

    # -- what is seen -------------------------------------------------------------------------------------

    @property
    def game(self) -> GameScreen:
        assert isinstance(self.app.screen, GameScreen)
        return self.app.screen

    @property
    def stage(self) -> Stage:
        return self.game.stage()

    @property
    def items(self) -> tuple[Item, ...]:
        return self.app.scene().items

    @property
    def texts(self) -> list[str]:
        return [item.text for item in self.items if isinstance(item, Label)]

    def of(self, kind: type[Any]) -> list[Any]:
        return [item for item in self.items if isinstance(item, kind)]

    # -- tables -------------------------------------------------------------------------------------------

    def sit(
        self,
        game: AnyGame,
        rolls: Sequence[Faces],
        seats: int = 5,
        bots: Sequence[int] = (),
        roll: Callable[[Faces], Faces] | None = None,
    ) -> LocalTable:
        """A game with dice that are known beforehand."""
        playing = LocalGame(Record(game, NAMES[:seats]), roll or Scripted(rolls).roll)
        choosers = {Seat(seat): first_choice for seat in bots}
        setup = LocalSetup(playing, choosers, AVATARS[:seats], at_once, lambda _: None, lambda: self.sit(game, rolls))
        table = LocalTable(setup)
        self.app.screen = GameScreen(self.program, table)
        self.settle()
        return table
