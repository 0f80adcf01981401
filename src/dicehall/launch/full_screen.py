"""The games on the whole screen of a terminal: the wiring of ``dicehall play`` where there is such a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dicehall.bots.levels import levels
from dicehall.client.playing import ended
from dicehall.core.game import Seat
from dicehall.core.house import BadRule, with_rules
from dicehall.games import Catalogue
from dicehall.launch.game_folder import last_damaged, results_file
from dicehall.launch.kept_games import HomeGame
from dicehall.launch.line_game import Wanted, seated
from dicehall.launch.output import Failed
from dicehall.launch.resumed_game import damage_text, last_game_text, last_wanted
from dicehall.ui.tables.game_table import Problem
from dicehall.ui.tables.home_seats import home_names
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
    from dicehall.launch.server_connection import reached, read_link
    from dicehall.ui.tui.server_screen import ServerScreen

    address, table = read_link(url)
    with Tables(games) as tables:
        program = tables.program()
        link = reached(address)
        tables.links.append(link)
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
            damaged=self.damaged,
            results=results_file().all,
            report=report,
            connect=self.connect,
        )

    # -- games in this process ---------------------------------------------------------------------------

    def open(self, plan: GamePlan) -> LocalTable:
        try:
            game = with_rules(self.games[plan.game], plan.rules)
        except BadRule as bad:
            raise Problem(bad.sentence) from None
        return self.table(Wanted(Record(game, home_names(game, plan.seats)), hints=plan.hints))

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
            closed=home.close,
            again=lambda: self.table(fresh),
            changed=keeping(sitting),
            advice=sitting.advice if sitting.hints else None,
            save=lambda file: save(sitting, file),
        )
        return LocalTable(setup)

    def can_resume(self) -> str:
        return last_game_text(self.games)

    def resume(self) -> LocalTable:
        try:
            return self.table(last_wanted(self.games))
        except Failed as failed:
            raise Problem(str(failed)) from None

    def damaged(self) -> str:
        found = last_damaged(self.games)
        return damage_text(found) if found else ""

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
        return "Which file? For example: save game.json"
    return sitting.save_to(Path(file)) or f"Saved to {file}. Every move from now on is saved there, too."


def report(record: Record, progress: Callable[[float], None]) -> Report:
    from dicehall.lab.coach import report_of
    from dicehall.lab.moments import course_of
    from dicehall.launch.solvers import solver_for

    course = course_of(record)
    try:
        solver = solver_for(course.game, len(course.names), solve=False)
    except Failed as failed:
        raise Problem(str(failed)) from None
    return report_of(course, solver, progress)
