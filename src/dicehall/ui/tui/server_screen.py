"""The way to a server's table: a name, the list of tables, and the lobby of the one that was joined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from dicehall.client.hall import Shown
from dicehall.ui.tables.home_seats import NAME_MOST
from dicehall.ui.tables.new_table import NewTable, usual_table
from dicehall.ui.tables.remote_table import RemoteTable
from dicehall.ui.tables.server_link import ServerLink, split_link
from dicehall.ui.tables.server_visit import LockedTable, ServerVisit
from dicehall.ui.tui.dialogs import EntryScreen, QuestionScreen
from dicehall.ui.tui.game_screen import GameScreen
from dicehall.ui.tui.list_screen import ListScreen, Row
from dicehall.ui.tui.new_table_screen import NewTableScreen
from dicehall.ui.tui.program import Program
from dicehall.ui.tui.text_graphics import ACCENT
from dicehall.wire.bot_levels import USUAL, level_name
from dicehall.wire.sentences import words_of

TICK_S = 0.1


class ServerScreen(ListScreen):
    heading = "Play on a server"

    def __init__(
        self, program: Program, link: ServerLink, name: str, wanted: str | None = None, password: str | None = None
    ) -> None:
        super().__init__()
        self.program, self.link, self.name_typed = program, link, name
        self.visit = ServerVisit(program.games, link, wanted, password)
        self.drawn: Any = None

    def on_mount(self) -> None:
        super().on_mount()
        self.set_interval(TICK_S, self.tick)

    # -- what happens -------------------------------------------------------------------------------------

    def tick(self) -> None:
        if not self.is_current:
            return
        visit = self.visit
        if table := visit.advance(TICK_S * 1000):
            self.play(table)
            return
        if visit.locked is not None:
            self.ask_password(visit.locked)
        state = (self.link.connected, self.link.signed_in, visit.lobby, visit.tables)
        if state != self.drawn:
            self.drawn = state
            self.refresh_rows()
        self.say(visit.notice)

    def choose(self, at: int) -> None:
        self.visit.notice = ""
        super().choose(at)

    def play(self, table: RemoteTable) -> None:
        self.app.switch_screen(GameScreen(self.program, table, self.afresh))

    def afresh(self) -> ServerScreen:
        return ServerScreen(self.program, self.link, self.name_typed)

    # -- what is shown ------------------------------------------------------------------------------------

    def intro(self) -> Sequence[Text | str]:
        lobby = self.visit.lobby
        if not self.link.connected:
            return [f" Connecting to {self.link.url} ...", ""]
        if lobby is None:
            return [f" {self.link.url}", ""]
        link = f" Invite friends: {self.link.url}/t/{lobby['id']}"
        seats = [f"   {line}" for line in self.visit.seat_lines()]
        return [Text(f" {lobby['name']}: waiting for players", ACCENT), link, *seats, ""]

    def make_rows(self) -> Sequence[Row]:
        if not self.link.signed_in:
            return [
                Row(f"Play as {self.name_typed}", "no sign-up", self.sign_in),
                Row("Change name", "", self.ask_name),
            ]
        return self.table_rows() if self.visit.lobby is None else self.lobby_rows()

    def table_rows(self) -> list[Row]:
        found = [self.table_row(table) for table in self.visit.tables]
        return [*found, Row("New table", "", self.new_table, "n"), Row("Join by link", "", self.ask_link, "l")]

    def table_row(self, table: Shown) -> Row:
        return Row(table["name"], self.visit.table_note(table), lambda: self.visit.join(table["id"]))

    def lobby_rows(self) -> list[Row]:
        """The choices of a lobby depend on who is seated."""
        visit = self.visit
        starts = visit.is_started_by_hand and visit.can_start
        start = [Row("Start the game", "", visit.start, "s")] if starts else []
        bot = [Row("Add a bot", level_name(USUAL), visit.add_bot, "b")] if visit.has_free_seat else []
        return [*start, *bot, Row("Leave this table", "", visit.leave, "l")]

    # -- what is wanted -----------------------------------------------------------------------------------

    def sign_in(self) -> None:
        self.visit.sign_in(self.name_typed)

    def ask_name(self) -> None:
        self.app.push_screen(EntryScreen("Your name", self.name_typed, most=NAME_MOST), self.named)

    def named(self, name: str | None) -> None:
        if name:
            self.name_typed = name
            self.sign_in()
            self.refresh_rows()

    def ask_password(self, locked: LockedTable) -> None:
        self.visit.locked = None  # it is asked for once

        def typed(password: str | None) -> None:
            if password:
                self.visit.join(locked.id, password)

        self.app.push_screen(EntryScreen(f"{locked.sentence} Type the password:", password=True), typed)

    def ask_link(self) -> None:
        def typed(link: str | None) -> None:
            address, table = split_link(link or "")
            if table and address in ("", self.link.url):
                self.visit.join(table)
            elif link:
                self.visit.notice = f"A link looks like {self.link.url}/t/TABLE."

        self.app.push_screen(EntryScreen("The link of the table"), typed)

    def new_table(self) -> None:
        answers = []
        for number, (key, kind) in enumerate(self.program.games.items(), start=1):
            name = words_of(kind)["about"]["name"]
            answers.append((f"{key} bots", str(number), f"{name} against bots"))
        for letter, (key, kind) in zip("abcdefgh", self.program.games.items(), strict=False):
            answers.append((f"{key} friends", letter, f"{words_of(kind)['about']['name']} with friends"))
        self.app.push_screen(QuestionScreen("Which game?", [*answers, ("", "x", "No table")]), self.opened)

    def opened(self, answer: str | None) -> None:
        game, _, company = (answer or "").partition(" ")
        if not game:
            return
        wanted: NewTable = usual_table(self.program.games[game], self.program.levels(game), bots=company == "bots")
        self.app.push_screen(NewTableScreen(self.program, wanted, self.visit.open))

    def action_back(self) -> None:
        if self.visit.lobby is not None:
            self.visit.leave()
        elif len(self.app.screen_stack) > 2:
            self.app.pop_screen()
        else:
            self.app.exit(0)
