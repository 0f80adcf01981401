"""The way to a server's table: a name, the list of tables, and the lobby of the one that was joined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

from rich.text import Text

from dicehall.client.errors import Refused
from dicehall.client.hall import Shown
from dicehall.core.house import with_rules
from dicehall.ui.tables.remote_table import RemoteTable
from dicehall.ui.tables.server_link import ServerLink, split_link
from dicehall.ui.tui.dialogs import EntryScreen, QuestionScreen
from dicehall.ui.tui.drawing import ACCENT
from dicehall.ui.tui.game_screen import GameScreen
from dicehall.ui.tui.list_screen import ListScreen, Row
from dicehall.ui.tui.new_table_screen import NewTable, NewTableScreen, usual_table
from dicehall.ui.tui.program import Program
from dicehall.wire.sentences import words_of

TICK_S = 0.1
REFRESH_TICKS = 12
USUAL = "greedy"
WRONG_PASSWORD = "wrong_password"


class ServerScreen(ListScreen):
    heading = "Play on a server"

    def __init__(
        self, program: Program, link: ServerLink, name: str, wanted: str | None = None, password: str | None = None
    ) -> None:
        super().__init__()
        self.password = password  # of that table
        self.program, self.link, self.name_typed = program, link, name
        self.wanted = wanted  # a table that a link named, until it is joined
        self.joining: tuple[str, Future[Shown]] | None = None
        self.pending: Future[Any] | None = None  # signing in, or something asked of the lobby
        self.listing: Future[Any] | None = None
        self.tables: list[Shown] = []
        self.lobby: Shown | None = None  # the table that was joined and has not started
        self.waited = REFRESH_TICKS
        self.drawn: Any = None

    def on_mount(self) -> None:
        super().on_mount()
        self.set_interval(TICK_S, self.tick)

    # -- what happens -------------------------------------------------------------------------------------

    def tick(self) -> None:
        if not self.is_current:
            return
        self.waited += 1
        self.settle_pending()
        self.settle_joining()
        if self.lobby is not None and self.lobby["phase"] != "lobby":
            self.play(self.lobby)
            return
        self.refresh_list()
        state = (self.link.connected, self.link.signed_in, self.lobby, self.tables)
        if state != self.drawn:
            self.drawn = state
            self.refresh_rows()

    def settle_pending(self) -> None:
        if self.pending is not None and self.pending.done():
            self.result(self.pending)
            self.pending = None
        if self.wanted and self.link.signed_in:
            self.join(self.wanted, self.password)
            self.wanted = None

    def settle_joining(self) -> None:
        if self.link.joining is not None and self.joining is None:  # a rematch that the table asked for
            self.joining = "", self.link.joining
        if self.joining is None or not self.joining[1].done():
            return
        table, joined = self.joining
        self.joining = self.link.joining = None
        error = joined.exception()
        if isinstance(error, Refused) and error.code == WRONG_PASSWORD:
            self.ask_password(table, error.sentence)
        else:
            self.lobby = self.result(joined)

    def refresh_list(self) -> None:
        """The lobby, or the list of tables, as it is now."""
        if self.listing is not None and self.listing.done():
            found = self.result(self.listing)
            self.listing = None
            if isinstance(found, dict) and self.lobby is not None:
                self.lobby = found
            elif isinstance(found, list):
                self.tables = [table for table in found if table["game"] in self.program.games]
        if self.listing is None and self.waited >= REFRESH_TICKS and self.link.signed_in:
            self.waited = 0
            hall = self.link.hall
            self.listing = self.link.submit(hall.look(self.lobby["id"]) if self.lobby else hall.find(phase="lobby"))

    def result(self, done: Future[Any]) -> Any:
        """What came of a request; a refusal is shown instead."""
        error = done.exception()
        if error is None:
            return done.result()
        self.say(error.sentence if isinstance(error, Refused) else str(error))
        return None

    def play(self, shown: Shown) -> None:
        game = with_rules(self.program.games[shown["game"]], shown["rules"])
        self.lobby = None
        table = RemoteTable(self.link, game, shown)
        self.app.switch_screen(GameScreen(self.program, table, self.afresh))

    def afresh(self) -> ServerScreen:
        return ServerScreen(self.program, self.link, self.name_typed)

    # -- what is shown ------------------------------------------------------------------------------------

    def intro(self) -> Sequence[Text | str]:
        if not self.link.connected:
            return [f" Connecting to {self.link.url} ...", ""]
        if self.lobby is None:
            return [f" {self.link.url}", ""]
        seats = [f"   {at}. {seat['name'] or 'free'}" for at, seat in enumerate(self.lobby["seats"], start=1)]
        link = f" Invite friends: {self.link.url}/t/{self.lobby['id']}"
        return [Text(f" {self.lobby['name']}: waiting for players", ACCENT), link, *seats, ""]

    def make_rows(self) -> Sequence[Row]:
        if not self.link.signed_in:
            return [
                Row(f"Play as {self.name_typed}", "no sign-up", self.sign_in),
                Row("Change name", "", self.ask_name),
            ]
        return self.lobby_rows(self.lobby) if self.lobby is not None else self.table_rows()

    def table_rows(self) -> list[Row]:
        found = [self.table_row(table) for table in self.tables]
        return [*found, Row("New table", "", self.new_table, "n"), Row("Join by link", "", self.ask_link, "l")]

    def table_row(self, table: Shown) -> Row:
        name = words_of(self.program.games[table["game"]])["about"]["name"]
        note = f"{name}, {len(table['names'])} of {table['seats']} seats taken"
        locked = ", password" if table.get("locked") else ""
        return Row(table["name"], note + locked, lambda: self.join(table["id"]))

    def lobby_rows(self, lobby: Shown) -> list[Row]:
        """Who sits there decides what starts the game."""
        policy = self.program.games[lobby["game"]]().policy
        free = any(not seat["name"] for seat in lobby["seats"])
        taken = sum(bool(seat["name"]) for seat in lobby["seats"])
        start = [Row("Start the game", "", self.start_game, "s")] if policy.starts == "asked" and taken > 1 else []
        bot = [Row("Add a bot", USUAL, self.add_bot, "b")] if free else []
        return [*start, *bot, Row("Leave this table", "", self.leave_lobby, "l")]

    # -- what is wanted -----------------------------------------------------------------------------------

    def sign_in(self) -> None:
        if self.pending is None:
            self.pending = self.link.submit(self.link.hall.guest(self.name_typed))

    def ask_name(self) -> None:
        self.app.push_screen(EntryScreen("Your name", self.name_typed, most=24), self.named)

    def named(self, name: str | None) -> None:
        if name:
            self.name_typed = name
            self.sign_in()
            self.refresh_rows()

    def join(self, table: str, password: str | None = None) -> None:
        self.joining = table, self.link.join(table, password)

    def ask_password(self, table: str, sentence: str) -> None:
        def typed(password: str | None) -> None:
            if password:
                self.join(table, password)

        self.app.push_screen(EntryScreen(f"{sentence} Type the password:", password=True), typed)

    def ask_link(self) -> None:
        def typed(link: str | None) -> None:
            address, table = split_link(link or "")
            if table and address in ("", self.link.url):
                self.join(table)
            elif link:
                self.say(f"A link looks like {self.link.url}/t/TABLE.")

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
        wanted = usual_table(self.program, game, bots=company == "bots")
        self.app.push_screen(NewTableScreen(self.program, wanted, self.open_table))

    def open_table(self, wanted: NewTable) -> None:
        """With bots alone there are hints: nobody is wronged by them."""
        opening = self.link.open(
            wanted.game,
            wanted.seats,
            wanted.bots,
            hints=bool(wanted.bots),
            rules=wanted.rules,
            password=wanted.password or None,
        )
        self.joining = "", opening

    def start_game(self) -> None:
        self.ask_lobby(self.link.hall.start)

    def add_bot(self) -> None:
        self.ask_lobby(lambda table: self.link.hall.bots(table, USUAL))

    def leave_lobby(self) -> None:
        self.ask_lobby(self.link.hall.stand)
        self.lobby, self.waited = None, REFRESH_TICKS

    def ask_lobby(self, request: Callable[[str], Any]) -> None:
        if self.lobby is not None:
            self.pending = self.link.submit(request(self.lobby["id"]))

    def action_back(self) -> None:
        if self.lobby is not None:
            self.leave_lobby()
        elif len(self.app.screen_stack) > 2:
            self.app.pop_screen()
        else:
            self.app.exit(0)
