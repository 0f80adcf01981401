"""The games on the whole screen of a terminal: the wiring of ``dicehall play`` where there is such a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dicehall.bots.levels import levels
from dicehall.client.keeping import CannotKeep, check_free
from dicehall.client.playing import ended
from dicehall.core.game import Seat
from dicehall.core.house import BadRule, with_rules
from dicehall.games import Catalogue
from dicehall.lab.spoken import game_name
from dicehall.launch.bot_names import bot_name
from dicehall.launch.kept_games import HomeGame, last_unfinished, results_file
from dicehall.launch.line_game import Wanted, seated
from dicehall.launch.output import Failed
from dicehall.launch.resumed_game import read_file
from dicehall.ui.terminal.sitting import Sitting
from dicehall.wire.record import Record

if TYPE_CHECKING:
    from dicehall.lab.coach import Report
    from dicehall.ui.tables.local_table import LocalTable
    from dicehall.ui.tables.server_link import ServerLink
    from dicehall.ui.tui.program import GamePlan, Program

SMALLEST = (40, 12)  # columns and rows; lines are better below


def fits(*, plain: bool = False, json: bool = False) -> bool:
    """Whether there is a terminal that can show whole screens, and nobody asked for plain lines."""
    if plain or json or os.environ.get("TERM", "dumb") in ("dumb", ""):
        return False
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    if "utf" not in (sys.stdout.encoding or "").lower():
        return False
    columns, rows = os.get_terminal_size(sys.stdout.fileno())
    return columns >= SMALLEST[0] and rows >= SMALLEST[1]


def play_menu(games: Catalogue) -> int:
    """Game after game, from the menu."""
    from dicehall.ui.tui.menu_screen import MenuScreen

    with Tables(games) as tables:
        program = tables.program()
        program.home = lambda: MenuScreen(program)
        return show(program.home())


def play(wanted: Wanted, games: Catalogue) -> int:
    """One game as it was asked for, and then the menu."""
    from dicehall.ui.tui.game_screen import GameScreen
    from dicehall.ui.tui.menu_screen import MenuScreen

    with Tables(games) as tables:
        program = tables.program()
        program.home = lambda: MenuScreen(program)
        code = show(GameScreen(program, tables.table(wanted)))
        tables.farewell()
        return code


def play_online(url: str, name: str, games: Catalogue, password: str | None = None) -> int:
    """The tables of a server, or the one that a link names."""
    from dicehall.ui.tables.server_link import split_link
    from dicehall.ui.tui.program import Problem
    from dicehall.ui.tui.server_screen import ServerScreen

    address, table = split_link(url)
    with Tables(games) as tables:
        program = tables.program()
        try:
            link = program.connect(address)
        except Problem as problem:
            raise Failed(str(problem)) from None
        wanted = [table]
        program.home = lambda: ServerScreen(program, link, name, wanted.pop() if wanted else None, password)
        return show(program.home())


def show(first: Any) -> int:
    from dicehall.ui.tui.app import DicehallApp

    return DicehallApp(first).run() or 0


class Tables:
    """Opens games in this process and connections to servers, and ends them when the program does."""

    def __init__(self, games: Catalogue) -> None:
        self.games = games
        self.threads = ThreadPoolExecutor(1, "bots")
        self.submit: Callable[..., Any] = self.threads.submit
        self.links: list[ServerLink] = []
        self.last: tuple[Sitting, HomeGame] | None = None  # the last game that was opened

    def __enter__(self) -> Tables:
        return self

    def __exit__(self, *_: object) -> None:
        self.threads.shutdown(wait=False, cancel_futures=True)
        if self.last is not None:
            self.last[1].close()
        for link in self.links:
            link.close()

    def program(self) -> Program:
        from dicehall.ui.tui.program import Program

        return Program(
            games=self.games,
            levels=levels,
            open_table=self.open,
            resume=self.resume,
            can_resume=self.can_resume,
            results=results_file().all,
            report=report,
            connect=self.connect,
        )

    # -- games in this process ---------------------------------------------------------------------------

    def open(self, plan: GamePlan) -> LocalTable:
        from dicehall.ui.tui.program import Problem

        try:
            game = with_rules(self.games[plan.game], plan.rules)
        except BadRule as bad:
            raise Problem(bad.sentence) from None
        seats = plan.seats
        names = (
            seat.name if seat.level is None else bot_name(game, len(seats), at, seat.level)
            for at, seat in enumerate(seats)
        )
        return self.table(Wanted(Record(game, tuple(names)), hints=plan.hints))

    def table(self, wanted: Wanted) -> LocalTable:
        from dicehall.ui.tables.local_table import LocalSetup, LocalTable

        if self.last is not None:
            self.last[1].close()
        sitting, home = self.last = seated(wanted)
        fresh = replace(wanted, record=Record(wanted.record.game, wanted.record.names), save=None, resumed=None)
        setup = LocalSetup(
            playing=sitting.playing,
            bots=sitting.bots,
            avatars=[""] * len(wanted.record.names),
            submit=self.submit,
            finished=lambda playing: home.close(),
            again=lambda: self.table(fresh),
            changed=keeping(sitting),
            advice=sitting.advice if sitting.hints else None,
            save=lambda file: save(sitting, file),
        )
        return LocalTable(setup)

    def can_resume(self) -> str:
        """What the last game was, where it can be continued."""
        path = last_unfinished(self.games)
        record = path and read_file(str(path), self.games)
        return f"{game_name(record.game)}: {', '.join(record.names)}" if record else ""

    def resume(self) -> LocalTable:
        from dicehall.ui.tui.program import Problem

        path = last_unfinished(self.games)
        if path is None:
            raise Problem("There is no game to resume.")
        return self.table(Wanted(read_file(str(path), self.games), resumed=path))

    def farewell(self) -> None:
        """How to continue the game, for those who left it before its end."""
        if self.last is None or ended(self.last[0].playing):
            return
        sitting, home = self.last
        if sitting.trouble:
            print(f"This game is not saved: {sitting.trouble}")
        elif sitting.keeper.kept or home.kept:
            print(f"The game is saved. To continue it: {sitting.resume_command()}")

    # -- servers -------------------------------------------------------------------------------------------

    def connect(self, url: str) -> ServerLink:
        from dicehall.client.sync import connect
        from dicehall.ui.tables.server_link import ServerLink
        from dicehall.ui.tui.program import Problem

        try:
            link = ServerLink(connect(url), url)
        except ValueError as wrong:
            raise Problem(str(wrong)) from None
        self.links.append(link)
        return link


def keeping(sitting: Sitting) -> Callable[[Seat | None], str | None]:
    """The record goes to the file that was asked for after every move."""

    def keep(seat: Seat | None) -> str | None:
        sitting.keep()
        return sitting.trouble

    return keep


def save(sitting: Sitting, file: str) -> str:
    from pathlib import Path

    if not file:
        return "Say which file, such as: save game.json"
    try:
        check_free(Path(file))
    except CannotKeep as taken:
        return str(taken)
    sitting.keeper.path = Path(file)
    sitting.keep()
    return sitting.trouble or f"Saved in {file}. Every move from now on is saved there too."


def report(record: Record, progress: Callable[[float], None]) -> Report:
    from dicehall.lab.coach import report_of
    from dicehall.lab.moments import course_of
    from dicehall.launch.solvers import solver_for
    from dicehall.ui.tui.program import Problem

    course = course_of(record)
    try:
        solver = solver_for(course.game, len(course.names), solve=False)
    except Failed as failed:
        raise Problem(str(failed)) from None
    return report_of(course, solver, progress)
