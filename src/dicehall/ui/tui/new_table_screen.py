"""A new table at a server: seats, bots or friends, house rules and a password."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dicehall.ui.tables.house_rules import Rules, rules_text
from dicehall.ui.tables.new_table import PASSWORD_MOST, NewTable
from dicehall.ui.tui.dialogs import EntryScreen
from dicehall.ui.tui.list_screen import ListScreen, Row
from dicehall.ui.tui.program import Program
from dicehall.ui.tui.rules_screen import RulesScreen
from dicehall.wire.sentences import words_of


class NewTableScreen(ListScreen):
    foot = "↑↓ choose   ←→ change   Enter opens   Esc goes back"

    def __init__(self, program: Program, wanted: NewTable, done: Callable[[NewTable], None]) -> None:
        super().__init__()
        self.program, self.wanted, self.done = program, wanted, done
        self.kind: Any = program.games[wanted.game]
        self.heading = f"{words_of(self.kind)['about']['name']}: a new table"

    def make_rows(self) -> Sequence[Row]:
        few, many = self.kind.seats[0], self.kind.seats[-1]
        wanted = self.wanted
        count = f"{wanted.seats}  ({few} to {many}; ←→)"
        seats = [Row("Seats", count, lambda: self.change_count(1), "n", self.change_count)] if few != many else []
        locked = "set" if wanted.password else "none: anyone with the link can join"
        return [
            Row("Open the table", "", self.open, "s"),
            Row("Other seats", wanted.others, lambda: self.turn_others(1), "b", self.turn_others),
            *seats,
            Row("House rules", rules_text(wanted.rules), self.show_rules, "h"),
            Row("Password", locked, self.ask_password, "p"),
        ]

    def turn_others(self, step: int) -> None:
        self.wanted.turn_others(self.program.levels(self.wanted.game), step)
        self.refresh_rows()

    def change_count(self, step: int) -> None:
        self.wanted.change_seats(list(self.kind.seats), step)
        self.refresh_rows()

    def show_rules(self) -> None:
        self.app.push_screen(RulesScreen(self.kind, self.wanted.rules, self.ruled))

    def ruled(self, rules: Rules) -> None:
        self.wanted.rules = rules

    def ask_password(self) -> None:
        def typed(password: str | None) -> None:
            if password is not None:
                self.wanted.password = password
                self.refresh_rows()

        question = "Password of the table (empty: none)"
        self.app.push_screen(EntryScreen(question, self.wanted.password, password=True, most=PASSWORD_MOST), typed)

    def on_screen_resume(self) -> None:
        if self.is_mounted:
            self.refresh_rows()

    def open(self) -> None:
        self.app.pop_screen()
        self.done(self.wanted)
