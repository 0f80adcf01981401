"""The first screen: a game, the last game, a server, or the statistics."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from dicehall.ui.tables.game_table import Problem
from dicehall.ui.tables.server_link import split_link
from dicehall.ui.tui.dialogs import EntryScreen, TextScreen
from dicehall.ui.tui.game_screen import GameScreen
from dicehall.ui.tui.list_screen import ListScreen, Row
from dicehall.ui.tui.program import Program
from dicehall.ui.tui.server_screen import ServerScreen
from dicehall.ui.tui.setup_screen import SetupScreen
from dicehall.ui.tui.stats_screen import StatsScreen
from dicehall.ui.tui.text_graphics import ACCENT
from dicehall.wire.sentences import words_of

LOCAL = "http://127.0.0.1:8000"


class MenuScreen(ListScreen):
    heading = "Dicehall"
    foot = "↑↓ and Enter, a key, or the mouse chooses   Esc quits"

    def __init__(self, program: Program) -> None:
        super().__init__()
        self.program = program

    def intro(self) -> Sequence[Text | str]:
        return [Text(), Text(" What shall we play?", ACCENT), Text()]

    def make_rows(self) -> Sequence[Row]:
        rows = [self.game_row(key) for key in self.program.games]
        last = self.program.can_resume()
        if last:
            rows.insert(0, Row("Resume last game", last, self.resume, "r"))
        if self.program.damaged():
            rows.insert(0, Row("A saved game is damaged", "what to do", self.show_damage, "d"))
        return [
            *rows,
            Row("Play on a server", "with people anywhere", self.ask_server, "o"),
            Row("Statistics", "games played here", self.show_statistics, "t"),
            Row("Quit", "", lambda: self.app.exit(0), "q"),
        ]

    def game_row(self, key: str) -> Row:
        about = words_of(self.program.games[key])["about"]
        number = str(list(self.program.games).index(key) + 1)
        few, many = self.program.games[key].seats[0], self.program.games[key].seats[-1]
        players = f"{few} players" if few == many else f"{few} to {many} players"
        return Row(about["name"], players, lambda: self.set_up(key), number, detail=about["line"])

    def set_up(self, key: str) -> None:
        self.app.push_screen(SetupScreen(self.program, key))

    def action_back(self) -> None:
        self.app.exit(0)

    def on_screen_resume(self) -> None:
        if self.is_mounted:
            self.refresh_rows()

    def resume(self) -> None:
        try:
            self.app.push_screen(GameScreen(self.program, self.program.resume()))
        except Problem as problem:
            self.say(str(problem))

    def show_damage(self) -> None:
        self.app.push_screen(TextScreen("A saved game is damaged", self.program.damaged().splitlines()))

    def show_statistics(self) -> None:
        self.app.push_screen(StatsScreen(self.program))

    def ask_server(self) -> None:
        self.app.push_screen(EntryScreen("Address of the server, or the link of a table", LOCAL), self.connect)

    def connect(self, url: str | None) -> None:
        if not url:
            return
        address, table = split_link(url if "://" in url else f"http://{url}")
        try:
            link = self.program.connect(address)
        except Problem as problem:
            self.say(str(problem))
            return
        self.app.push_screen(ServerScreen(self.program, link, "Guest", table))
