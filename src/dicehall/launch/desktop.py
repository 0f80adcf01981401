"""``dicehall desktop``: the games in a window, hot seat or against bots."""

from __future__ import annotations

import argparse
import re
import secrets
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from dicehall.bots.levels import bots_for, levels
from dicehall.client.local import LocalGame
from dicehall.client.playing import Playing
from dicehall.client.results import ResultsFile, result_of
from dicehall.core.game import Seat
from dicehall.dice.sources import Seeded, System
from dicehall.games import Catalogue
from dicehall.launch.last_game import keep_last
from dicehall.launch.listing import named
from dicehall.launch.output import Failed, Help
from dicehall.launch.sitting_down import bot_name, chooser
from dicehall.solvers.places import DATA
from dicehall.wire.record import Record

if TYPE_CHECKING:
    from dicehall.ui.desktop.screen import Program
    from dicehall.ui.tables.server_link import ServerLink

DESCRIPTION = """Play in a window, with mouse or keyboard: people at this machine take turns, bots play the other seats.

DO or DICE, Dice Wards and Aetharn have a table of their own; every other game has a plain one. Clocks do not run, but
at the tables of a server (--server). Games that are played to their end here count in the statistics."""

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
    command.add_argument("game", metavar="GAME", nargs="?", help=f"the game to begin with: {', '.join(games)}")
    command.add_argument("--size", metavar="WxH", default="1280x800", help="size of the window (default 1280x800)")
    command.add_argument("--sound", action="store_true", help="begin with sound on")
    command.add_argument("--seed", metavar="TEXT", help="the same dice and bots again for the same text")
    command.add_argument(
        "--server", metavar="URL", help="play at the tables of this server; a table's link joins that table"
    )
    command.add_argument("--name", metavar="NAME", default="Guest", help="your name at a server")
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
        raise Failed(f"A size is written like 1280x800, not {text!r}.")
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
    program = Program(games, levels, tables.open, results.all, sounds.play)
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
    from dicehall.client.sync import connect
    from dicehall.ui.desktop.server_screen import ServerScreen
    from dicehall.ui.tables.server_link import ServerLink, split_link

    url, table = split_link(options.server)
    try:
        link = ServerLink(connect(url), url)
    except ValueError as wrong:
        raise Failed(str(wrong)) from None
    wanted = [table]
    program.home = lambda: ServerScreen(program, link, options.name, wanted.pop() if wanted else None)
    return link


def results_file() -> ResultsFile:
    return ResultsFile(DATA.path() / "results.jsonl")


class LocalTables:
    """Opens games in this process, and keeps what became of them."""

    def __init__(self, games: Catalogue, seed: str | None) -> None:
        self.games, self.seed = games, seed
        self.opened = 0
        self.threads = ThreadPoolExecutor(1, "bots")
        self.submit: Callable[..., Any] = self.threads.submit

    def open(self, key: str, plans: Sequence[Any]) -> Any:
        from dicehall.ui.tables.local_table import LocalSetup, LocalTable

        game = self.games[key]()
        self.opened += 1
        seed = None if self.seed is None else f"{self.seed}\n{self.opened}"
        names = tuple(plan.name if plan.level is None else self.bot(game, plans, at) for at, plan in enumerate(plans))
        dice = System().roll if seed is None else Seeded(seed).roll
        makers = bots_for(game)
        bots = {Seat(at): chooser(makers[plan.level], seed) for at, plan in enumerate(plans) if plan.level}
        setup = LocalSetup(
            playing=LocalGame(Record(game, names), dice),
            bots=bots,
            avatars=[plan.avatar for plan in plans],
            submit=self.submit,
            finished=self.finished({at: plan.level for at, plan in enumerate(plans) if plan.level}),
            again=lambda: self.open(key, plans),
        )
        return LocalTable(setup)

    def bot(self, game: Any, plans: Sequence[Any], seat: int) -> str:
        return bot_name(game, len(plans), seat, plans[seat].level)

    def finished(self, bots: dict[int, str]) -> Callable[[Playing], None]:
        def keep(playing: Playing) -> None:
            keep_last(playing.record())
            if result := result_of(playing, bots, secrets.token_hex(8), time.time_ns() // 1_000_000):
                results_file().add(result)

        return keep

    def close(self) -> None:
        self.threads.shutdown(wait=False, cancel_futures=True)
