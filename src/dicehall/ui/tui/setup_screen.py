"""Who plays a local game: seats, names, bots with their levels, and house rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rich.text import Text

from dicehall.core.house import BadRule, HouseRule, house_rules, with_rules, written
from dicehall.ui.tables.local_table import SeatPlan
from dicehall.ui.tui.dialogs import EntryScreen, QuestionScreen
from dicehall.ui.tui.game_screen import GameScreen
from dicehall.ui.tui.list_screen import ListScreen, Row
from dicehall.ui.tui.program import GamePlan, Problem, Program
from dicehall.wire.sentences import words_of

USUAL = "greedy"  # of the bots: neither the weakest nor one that cannot be beaten
NAME_MOST = 24


class SetupScreen(ListScreen):
    foot = "↑↓ choose   ←→ change   Enter opens   Esc goes back"

    def __init__(self, program: Program, game: str) -> None:
        super().__init__()
        self.program, self.game = program, game
        self.kind: Any = program.games[game]
        self.heading = f"{words_of(self.kind)['about']['name']}: who plays?"
        self.seats = [SeatPlan("Player 1", ""), *(self.bot() for _ in range(1, self.kind.seats[0]))]
        self.rules: dict[str, int | None] = {}
        self.hints = False  # where several people play; one person always gets them

    def bot(self, level: str = "") -> SeatPlan:
        known = self.program.levels(self.game)
        return SeatPlan("", "", level or (USUAL if USUAL in known else known[-1]))

    def intro(self) -> Sequence[Text | str]:
        return [Text(f" {words_of(self.kind)['about']['line']}", "dim"), Text()]

    def make_rows(self) -> Sequence[Row]:
        few, many = self.kind.seats[0], self.kind.seats[-1]
        count = [Row("Seats", f"{len(self.seats)}  ({few} to {many}; ←→)", self.ask_count, "n", self.change_count)]
        rules = ", ".join(written(self.rules)) or "as usual"
        return [
            Row("Start the game", "", self.start, "s"),
            *(self.seat_row(at) for at in range(len(self.seats))),
            *(count if few != many else []),
            Row("House rules", rules, self.show_rules, "h"),
            *self.hint_rows(),
        ]

    def hint_rows(self) -> list[Row]:
        """Whether the coach helps people who play each other."""
        if sum(plan.level is None for plan in self.seats) < 2:
            return []
        note = "on: the coach helps everybody who asks" if self.hints else "off"
        return [Row("Hints", note, lambda: self.turn_hints(1), "i", self.turn_hints)]

    def turn_hints(self, step: int) -> None:
        self.hints = not self.hints
        self.refresh_rows()

    def seat_row(self, at: int) -> Row:
        plan = self.seats[at]
        note = f"{plan.name} (a person)" if plan.level is None else f"bot: {plan.level}"
        key = str((at + 1) % 10) if at < 10 else ""
        return Row(f"Seat {at + 1}", note, lambda: self.ask_seat(at), key, lambda step: self.turn_seat(at, step))

    # -- seats ----------------------------------------------------------------------------------------------

    def person(self, at: int) -> SeatPlan:
        return SeatPlan(f"Player {at + 1}", "")

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
        levels = [(level, str(n), f"Bot: {level}") for n, level in enumerate(self.program.levels(self.game), 1)]
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
                self.seats[at] = SeatPlan(name, "")
                self.refresh_rows()

        return named

    # -- house rules ----------------------------------------------------------------------------------------

    def show_rules(self) -> None:
        self.app.push_screen(RulesScreen(self.kind, self.rules, self.ruled))

    def ruled(self, rules: dict[str, int | None]) -> None:
        self.rules = rules

    def on_screen_resume(self) -> None:
        if self.is_mounted:
            self.refresh_rows()

    # -- the start ------------------------------------------------------------------------------------------

    def start(self) -> None:
        people = [plan.name for plan in self.seats if plan.level is None]
        if len({name.casefold() for name in people}) < len(people):
            self.say("Two people have the same name: names must be unique.")
        elif any(name.startswith("Bot ") or not name.isprintable() for name in people):
            self.say("Names must be printable, and names that begin with 'Bot' belong to the bots.")
        else:
            self.open([replace(plan) for plan in self.seats])

    def open(self, seats: Sequence[SeatPlan]) -> None:
        try:
            table = self.program.open_table(GamePlan(self.game, seats, self.rules, self.hints))
        except Problem as problem:
            self.say(str(problem))
            return
        self.app.switch_screen(GameScreen(self.program, table))


class RulesScreen(ListScreen):
    """The numbers of a game that can be changed."""

    heading = "House rules"

    def __init__(self, kind: Any, rules: dict[str, int | None], done: Any) -> None:
        super().__init__()
        self.kind, self.rules, self.done = kind, dict(rules), done

    def make_rows(self) -> Sequence[Row]:
        return [*(self.rule_row(rule) for rule in house_rules(self.kind)), Row("Done", "", self.action_back, "d")]

    def rule_row(self, rule: HouseRule) -> Row:
        number = self.rules.get(rule.name, rule.default)
        usual = "" if number == rule.default else f"  (usually {shown(rule.default)})"
        detail = words_of(self.kind)["about"].get("rules", {}).get(rule.name, "")
        return Row(rule.name.replace("_", " "), f"{shown(number)}{usual}", lambda: self.ask(rule), detail=detail)

    def ask(self, rule: HouseRule) -> None:
        empty = "; none: no limit" if rule.optional else ""
        number = shown(self.rules.get(rule.name, rule.default))
        question = f"{rule.name.replace('_', ' ').capitalize()}: a whole number{empty}"

        def answered(text: str | None) -> None:
            if text is not None:
                self.change(rule, text)

        self.app.push_screen(EntryScreen(question, number, most=10), answered)

    def change(self, rule: HouseRule, text: str) -> None:
        if text.lower() == "none" and rule.optional:
            number = None
        elif text.isascii() and text.isdigit():
            number = int(text)
        else:
            self.say(f"{text!r} is not a whole number.")
            return
        changed = {**self.rules, rule.name: number}
        try:
            with_rules(self.kind, changed)
        except BadRule as bad:
            self.say(bad.sentence)
            return
        self.rules = {name: value for name, value in changed.items() if value != default_of(self.kind, name)}
        self.refresh_rows()

    def action_back(self) -> None:
        self.done(self.rules)
        self.app.pop_screen()


def counts_from(counts: Sequence[tuple[str, str, str]]) -> int:
    return int(counts[0][0])


def shown(number: int | None) -> str:
    return "none" if number is None else str(number)


def default_of(kind: Any, name: str) -> int | None:
    return next(rule.default for rule in house_rules(kind) if rule.name == name)
