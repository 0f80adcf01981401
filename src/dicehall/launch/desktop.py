"""``dicehall desktop``: the games in a window, hot seat or against bots."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from dicehall.bots.levels import levels
from dicehall.core.house import changed_rules, with_rules
from dicehall.games import Catalogue
from dicehall.launch.game_folder import results_file
from dicehall.launch.game_list import named
from dicehall.launch.line_game import Wanted, seated
from dicehall.launch.output import Failed, Help
from dicehall.launch.resumed_game import last_game_text, last_wanted
from dicehall.ui.tables.avatars import AVATARS, BOT
from dicehall.ui.tables.game_table import Problem
from dicehall.ui.tables.home_seats import SeatPlan, home_names
from dicehall.ui.tables.house_rules import Rules
from dicehall.wire.bot_names import bot_of
from dicehall.wire.errors import clipped
from dicehall.wire.record import Record

if TYPE_CHECKING:
    from dicehall.ui.desktop.screen import Program
    from dicehall.ui.tables.local_table import LocalTable
    from dicehall.ui.tables.server_link import ServerLink

DESCRIPTION = """Play in a window, with mouse or keyboard: people at this machine take turns, bots play the other seats.

DO or DICE, Dice Wards and Aetharn have a board of their own; the other games share a plain one. There is no clock,
except at a server's table (--server). Games that are played to their end count in the statistics (dicehall stats)."""

EXAMPLES = """examples:
  dicehall desktop
  dicehall desktop doordice --sound
  dicehall desktop aetharn --size 900x600
  dicehall desktop --server http://127.0.0.1:8000 --name Ann
"""
MISSING = """The window needs pygame-ce, which is not installed. Install it with:
  {command}"""
NO_SCREEN = "In a terminal, use dicehall play."
SIZE = re.compile(r"([0-9]{3,4})x([0-9]{3,4})")


def add(commands: Any, games: Catalogue) -> None:
    command = commands.add_parser(
        "desktop", help="play in a window", description=DESCRIPTION, epilog=EXAMPLES, formatter_class=Help
    )
    command.add_argument("game", metavar="GAME", nargs="?", help=f"the game to start with: {', '.join(games)}")
    command.add_argument("--size", metavar="WxH", default="1280x800", help="size of the window (default 1280x800)")
    command.add_argument("--sound", action="store_true", help="start with sound on")
    command.add_argument("--seed", metavar="TEXT", help="the same text gives the same dice and bots")
    command.add_argument(
        "--server", metavar="URL", help="play at the tables of this server; a table's link joins that table"
    )
    command.add_argument("--name", metavar="NAME", default="Guest", help="your name at a server")
    command.add_argument("--password", metavar="TEXT", help="the password of the server's table")
    command.set_defaults(command=run)


def run(options: argparse.Namespace, games: Catalogue) -> int:
    size = read_size(options.size)
    if options.game is not None:
        named(options.game, games)
    if find_spec("pygame") is None:
        raise Failed(MISSING.format(command=install_command()))
    return open_window(options, games, size)


def read_size(text: str) -> tuple[int, int]:
    found = SIZE.fullmatch(text)
    if not found:
        raise Failed(f"A window size looks like 1280x800, not {clipped(text)!r}.")
    return int(found[1]), int(found[2])


def install_command() -> str:
    import sys

    return f'{sys.executable} -m pip install "pygame-ce>=2.5"'


def open_window(options: argparse.Namespace, games: Catalogue, size: tuple[int, int]) -> int:
    import os

    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from dicehall.ui.desktop.app import App
    from dicehall.ui.desktop.screen import Program
    from dicehall.ui.desktop.sounds import Sounds
    from dicehall.ui.desktop.start_screen import StartScreen

    check_display()
    tables, results, sounds = LocalTables(games, options.seed), results_file(), Sounds()
    program = Program(games, levels, tables.open, tables.resume, tables.can_resume, results.all, sounds.play)
    program.home = lambda: StartScreen(program, options.game or "")
    link = None if options.server is None else go_online(program, options)
    try:
        app = App(program, sounds, size)
        program.sound_on = options.sound and sounds.toggle()
        app.run()
    finally:
        tables.close()
        if link is not None:
            link.close()
    return 0


def check_display() -> None:
    """Without a screen SDL draws where nobody sees it, unless a driver was asked for."""
    import os

    import pygame

    try:
        pygame.display.init()
    except pygame.error as error:
        raise Failed(f"No window can be opened here: {error}. {NO_SCREEN}") from None
    if pygame.display.get_driver() in ("offscreen", "dummy") and not os.environ.get("SDL_VIDEODRIVER"):
        raise Failed(f"No window can be opened here: there is no screen. {NO_SCREEN}")


def go_online(program: Program, options: argparse.Namespace) -> ServerLink:
    """Begin with the tables of a server."""
    from dicehall.launch.server_connection import reached, read_link
    from dicehall.ui.desktop.panels import TypedText
    from dicehall.ui.desktop.server_screen import ServerScreen
    from dicehall.ui.tables.home_seats import NAME_MOST
    from dicehall.ui.tables.server_visit import ServerVisit

    url, table = read_link(options.server)
    link = reached(url)
    wanted = [table]

    def home() -> ServerScreen:
        visit = ServerVisit(program.games, link, wanted.pop() if wanted else None, options.password)
        return ServerScreen(program, visit, TypedText(options.name, NAME_MOST))

    program.home = home
    return link


class LocalTables:
    """Opens games in this process, and keeps what became of them."""

    def __init__(self, games: Catalogue, seed: str | None) -> None:
        self.games, self.seed = games, seed
        self.opened = 0
        self.threads = ThreadPoolExecutor(1, "bots")
        self.submit: Callable[..., Any] = self.threads.submit

    def open(self, key: str, plans: Sequence[SeatPlan], rules: Rules) -> LocalTable:
        game = with_rules(self.games[key], rules)
        self.opened += 1
        seed = None if self.seed is None else f"{self.seed}\n{self.opened}"
        return self.table(Wanted(Record(game, home_names(game, plans)), seed), plans)

    def resume(self) -> LocalTable:
        try:
            wanted = last_wanted(self.games)
            return self.table(wanted, plans_of(wanted.record.names))
        except Failed as failed:
            raise Problem(str(failed)) from None

    def can_resume(self) -> str:
        return last_game_text(self.games)

    def table(self, wanted: Wanted, plans: Sequence[SeatPlan]) -> LocalTable:
        from dicehall.ui.tables.local_table import LocalSetup, LocalTable

        sitting, home = seated(wanted)
        game = wanted.record.game
        setup = LocalSetup(
            playing=sitting.playing,
            bots=sitting.bots,
            avatars=[plan.avatar for plan in plans],
            submit=self.submit,
            finished=lambda playing: home.close(),
            closed=home.close,
            again=lambda: self.open(game.key, plans, changed_rules(game)),
            changed=lambda seat: home.trouble,
        )
        return LocalTable(setup, moved=home.moved)

    def close(self) -> None:
        self.threads.shutdown(wait=False, cancel_futures=True)


def plans_of(names: Sequence[str]) -> list[SeatPlan]:
    """The seats of a kept game: it knows no avatars."""
    animals = iter(AVATARS)
    return [SeatPlan(name, BOT, level) if (level := bot_of(name)) else SeatPlan(name, next(animals)) for name in names]
