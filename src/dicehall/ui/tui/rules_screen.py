"""The house rules of a game, to be changed one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dicehall.core.house import HouseRule
from dicehall.ui.tables.house_rules import NUMBER_MOST, Rules, RulesChoice, number_text, rule_name
from dicehall.ui.tui.dialogs import EntryScreen
from dicehall.ui.tui.list_screen import ListScreen, Row


class RulesScreen(ListScreen):
    heading = "House rules"

    def __init__(self, kind: Any, rules: Rules, done: Callable[[Rules], None]) -> None:
        super().__init__()
        self.choice, self.done = RulesChoice(kind, dict(rules)), done

    def make_rows(self) -> Sequence[Row]:
        return [*map(self.rule_row, self.choice.rules), Row("Done", "", self.action_back, "d")]

    def rule_row(self, rule: HouseRule) -> Row:
        number, usual = self.choice.number(rule), number_text(rule.default)
        note = number if number == usual else f"{number}  (usually {usual})"
        return Row(rule_name(rule), note, lambda: self.ask(rule), detail=self.choice.detail(rule))

    def ask(self, rule: HouseRule) -> None:
        empty = "; none: no limit" if rule.optional else ""
        question = f"{rule_name(rule)}: a whole number{empty}"

        def answered(text: str | None) -> None:
            if text is not None:
                self.change(rule, text)

        self.app.push_screen(EntryScreen(question, self.choice.number(rule), most=NUMBER_MOST), answered)

    def change(self, rule: HouseRule, text: str) -> None:
        problem = self.choice.change(rule, text)
        if problem:
            self.say(problem)
        else:
            self.refresh_rows()

    def action_back(self) -> None:
        self.done(self.choice.changed)
        self.app.pop_screen()
