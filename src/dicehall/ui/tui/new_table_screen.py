"""A new table at a server: seats, bots or friends, house rules and a password."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from dicehall.core.house import written
from dicehall.ui.tui.dialogs import EntryScreen
from dicehall.ui.tui.list_screen import ListScreen, Row
from dicehall.ui.tui.program import Program
from dicehall.ui.tui.setup_screen import USUAL, RulesScreen
from dicehall.wire.sentences import words_of

PASSWORD_MOST = 256


@dataclass(slots=True)
class NewTable:
    """A table as somebody wants it; the first seat is theirs."""

    game: str
    seats: int
    level: str | None = None  # of the bots on the other seats; None: friends take them
    rules: dict[str, int | None] = field(default_factory=dict)
    password: str = ""

    @property
    def bots(self) -> list[dict[str, Any]]:
        return [] if self.level is None else [{"seat": at, "level": self.level} for at in range(1, self.seats)]


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
        others = "friends, by link" if wanted.level is None else f"bots: {wanted.level}"
        count = [
            Row("Seats", f"{wanted.seats}  ({few} to {many}; ←→)", lambda: self.change_count(1), "n", self.change_count)
        ]
        return [
            Row("Open the table", "", self.open, "s"),
            Row("Other seats", others, lambda: self.turn_others(1), "b", self.turn_others),
            *(count if few != many else []),
            Row("House rules", ", ".join(written(wanted.rules)) or "as usual", self.show_rules, "h"),
            Row(
                "Password",
                "set" if wanted.password else "none: everybody with the link can join",
                self.ask_password,
                "p",
            ),
        ]

    def turn_others(self, step: int) -> None:
        """Friends, then the levels of bots, round and round."""
        kinds = [None, *self.program.levels(self.wanted.game)]
        self.wanted.level = kinds[(kinds.index(self.wanted.level) + step) % len(kinds)]
        self.refresh_rows()

    def change_count(self, step: int) -> None:
        counts = list(self.kind.seats)
        self.wanted.seats = counts[(counts.index(self.wanted.seats) + step) % len(counts)]
        self.refresh_rows()

    def show_rules(self) -> None:
        self.app.push_screen(RulesScreen(self.kind, self.wanted.rules, self.ruled))

    def ruled(self, rules: dict[str, int | None]) -> None:
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


def usual_table(program: Program, game: str, *, bots: bool) -> NewTable:
    levels = program.levels(game)
    level = USUAL if USUAL in levels else levels[-1]
    return NewTable(game, program.games[game].seats[0], level if bots else None)
