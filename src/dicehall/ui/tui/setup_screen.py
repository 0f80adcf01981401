"""Who plays a local game: seats, names, bots with their levels, and house rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rich.text import Text

from dicehall.ui.tables.game_table import Problem
from dicehall.ui.tables.home_seats import NAME_MOST, SeatPlan, home_names, names_problem
from dicehall.ui.tables.house_rules import Rules, rules_text
from dicehall.ui.tui.dialogs import EntryScreen, QuestionScreen
from dicehall.ui.tui.game_screen import GameScreen
from dicehall.ui.tui.list_screen import ListScreen, Row
from dicehall.ui.tui.program import GamePlan, Program
from dicehall.ui.tui.rules_screen import RulesScreen
from dicehall.wire.bot_levels import level_name, usual_level
from dicehall.wire.sentences import words_of


class SetupScreen(ListScreen):
    foot = "↑↓ choose   ←→ change   Enter opens   Esc goes back"

    def __init__(self, program: Program, game: str) -> None:
        super().__init__()
        self.program, self.game = program, game
        self.kind: Any = program.games[game]
        self.heading = f"{words_of(self.kind)['about']['name']}: who plays?"
        self.seats = [SeatPlan("Player 1"), *(self.bot() for _ in range(1, self.kind.seats[0]))]
        self.rules: Rules = {}
        self.hints = False  # where several people play; one person always gets them

    def bot(self, level: str = "") -> SeatPlan:
        return SeatPlan("", level=level or usual_level(self.program.levels(self.game)))

    def intro(self) -> Sequence[Text | str]:
        return [Text(f" {words_of(self.kind)['about']['line']}", "dim"), Text()]

    def make_rows(self) -> Sequence[Row]:
        few, many = self.kind.seats[0], self.kind.seats[-1]
        count = [Row("Seats", f"{len(self.seats)}  ({few} to {many}; ←→)", self.ask_count, "n", self.change_count)]
        return [
            Row("Start the game", "", self.start, "s"),
            *(self.seat_row(at) for at in range(len(self.seats))),
            *(count if few != many else []),
            Row("House rules", rules_text(self.rules), self.show_rules, "h"),
            *self.hint_rows(),
        ]

    def hint_rows(self) -> list[Row]:
        """Whether the coach helps people who play each other."""
        if sum(plan.level is None for plan in self.seats) < 2:
            return []
        note = "on: anyone can ask the coach" if self.hints else "off"
        return [Row("Hints", note, lambda: self.turn_hints(1), "i", self.turn_hints)]

    def turn_hints(self, step: int) -> None:
        self.hints = not self.hints
        self.refresh_rows()

    def seat_row(self, at: int) -> Row:
        plan = self.seats[at]
        name = home_names(self.kind(), self.seats)[at]
        note = f"{name}, a person" if plan.level is None else f"{name}, a bot"
        key = str((at + 1) % 10) if at < 10 else ""
        return Row(f"Seat {at + 1}", note, lambda: self.ask_seat(at), key, lambda step: self.turn_seat(at, step))

    # -- seats ----------------------------------------------------------------------------------------------

    def person(self, at: int) -> SeatPlan:
        return SeatPlan(f"Player {at + 1}")

    def turn_seat(self, at: int, step: int) -> None:
        """A person, then the levels of bots, round and round."""
        kinds = [None, *self.program.levels(self.game)]
        level = kinds[(kinds.index(self.seats[at].level) + step) % len(kinds)]
        self.seats[at] = self.person(at) if level is None else self.bot(level)

    def change_count(self, step: int) -> None:
        wanted = len(self.seats) + step
        if wanted in self.kind.seats:
            self.seats = [*self.seats, self.bot()] if step > 0 else self.seats[:-1]

    def ask_count(self) -> None:
        counts = [(str(n), str(n) if n < 10 else "", f"{n} seats") for n in self.kind.seats]
        self.app.push_screen(
            QuestionScreen("How many seats?", counts, len(self.seats) - counts_from(counts)), self.counted
        )

    def counted(self, count: str | None) -> None:
        if count is not None:
            wanted = int(count)
            self.seats = [*self.seats, *(self.bot() for _ in range(len(self.seats), wanted))][:wanted]
            self.refresh_rows()

    def ask_seat(self, at: int) -> None:
        levels = [
            (level, str(n), f"Bot: {level_name(level)}") for n, level in enumerate(self.program.levels(self.game), 1)
        ]
        answers = [("person", "p", "A person"), *levels, ("", "n", "No change")]

        def answered(answer: str | None) -> None:
            if answer == "person":
                plan = self.seats[at]
                name = plan.name if plan.level is None else self.person(at).name
                self.app.push_screen(EntryScreen(f"Name of seat {at + 1}", name, most=NAME_MOST), self.namer(at))
            elif answer:
                self.seats[at] = self.bot(answer)
                self.refresh_rows()

        self.app.push_screen(QuestionScreen(f"Who has seat {at + 1}?", answers), answered)

    def namer(self, at: int) -> Any:
        def named(name: str | None) -> None:
            if name:
                self.seats[at] = SeatPlan(name)
                self.refresh_rows()

        return named

    # -- house rules ----------------------------------------------------------------------------------------

    def show_rules(self) -> None:
        self.app.push_screen(RulesScreen(self.kind, self.rules, self.ruled))

    def ruled(self, rules: Rules) -> None:
        self.rules = rules

    def on_screen_resume(self) -> None:
        if self.is_mounted:
            self.refresh_rows()

    # -- the start ------------------------------------------------------------------------------------------

    def start(self) -> None:
        problem = names_problem([plan.name for plan in self.seats if plan.level is None])
        if problem:
            self.say(problem)
        else:
            self.open([replace(plan) for plan in self.seats])

    def open(self, seats: Sequence[SeatPlan]) -> None:
        try:
            table = self.program.open_table(GamePlan(self.game, seats, self.rules, self.hints))
        except Problem as problem:
            self.say(str(problem))
            return
        self.app.switch_screen(GameScreen(self.program, table))


def counts_from(counts: Sequence[tuple[str, str, str]]) -> int:
    return int(counts[0][0])
