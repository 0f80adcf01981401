"""The games on the whole screen of a terminal: the wiring of ``dicehall play`` where there is such a terminal."""

from __future__ import annotations

import os
import secrets
import shlex
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dicehall.bots.levels import levels
from dicehall.client.keeping import CannotKeep, check_free
from dicehall.client.playing import Playing, ended
from dicehall.client.results import ResultsFile, result_of
from dicehall.core.game import Seat
from dicehall.core.house import BadRule, with_rules
from dicehall.games import Catalogue
from dicehall.lab.spoken import game_name
from dicehall.launch.last_game import keep_last, last_game
from dicehall.launch.output import Failed
from dicehall.launch.sitting_down import Wanted, bot_name, bot_of, seated
from dicehall.solvers.places import DATA
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


def play_online(url: str, name: str, games: Catalogue) -> int:
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
        program.home = lambda: ServerScreen(program, link, name, wanted.pop() if wanted else None)
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
        self.sitting: Sitting | None = None  # the last game that was opened

    def __enter__(self) -> Tables:
        return self

    def __exit__(self, *_: object) -> None:
        self.threads.shutdown(wait=False, cancel_futures=True)
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
        return self.table(Wanted(Record(game, tuple(names))))

    def table(self, wanted: Wanted) -> LocalTable:
        from dicehall.ui.tables.local_table import LocalSetup, LocalTable

        sitting = self.sitting = seated(wanted)
        bots = {seat: level for seat, name in enumerate(wanted.record.names) if (level := bot_of(name))}
        fresh = replace(wanted, record=Record(wanted.record.game, wanted.record.names), save=None, resumed=None)
        setup = LocalSetup(
            playing=sitting.playing,
            bots=sitting.bots,
            avatars=[""] * len(wanted.record.names),
            submit=self.submit,
            finished=lambda playing: count_result(playing, bots),
            again=lambda: self.table(fresh),
            changed=keeping(sitting),
            advice=sitting.advice if sitting.hints else None,
            save=lambda file: save(sitting, file),
        )
        return LocalTable(setup)

    def can_resume(self) -> str:
        """What the last game was, where it can be gone on with."""
        from dicehall.launch.resuming import last_unfinished

        record = last_unfinished(self.games)
        return "" if record is None else f"{game_name(record.game)}: {', '.join(record.names)}"

    def resume(self) -> LocalTable:
        from dicehall.launch.resuming import last_unfinished
        from dicehall.ui.tui.program import Problem

        record = last_unfinished(self.games)
        if record is None:
            raise Problem("There is no game to resume.")
        return self.table(Wanted(record))

    def farewell(self) -> None:
        """How to go on with the game, for those who left it before its end."""
        sitting = self.sitting
        if sitting is None or ended(sitting.playing):
            return
        if sitting.trouble:
            print(f"This game is not saved: {sitting.trouble}")
        elif command := sitting.resume_command():
            print(f"The game is saved. To go on with it: {command}")
        elif sitting.moved:
            file = shlex.quote(str(last_game()))
            print(f"The game is kept until you play the next one. To resume it: dicehall play --resume {file}")

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
    """The record goes to its file after every move, and to where the last game is found once a person has moved."""

    def keep(seat: Seat | None) -> str | None:
        sitting.moved = sitting.moved or seat in sitting.people
        sitting.keep()
        if sitting.moved:
            keep_last(sitting.playing.record())
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


def results_file() -> ResultsFile:
    return ResultsFile(DATA.path() / "results.jsonl")


def count_result(playing: Playing, bots: dict[int, str]) -> None:
    if result := result_of(playing, bots, secrets.token_hex(8), time.time_ns() // 1_000_000):
        results_file().add(result)


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
