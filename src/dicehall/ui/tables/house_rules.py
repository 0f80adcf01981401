"""The house rules of a game as somebody changes them: what each is now, and whether a new number is allowed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dicehall.core.game import AnyGame
from dicehall.core.house import BadRule, HouseRule, changed_rules, house_rules, with_rules, written
from dicehall.wire.sentences import words_of

Rules = dict[str, int | None]  # those that are not as usual, by name
NUMBER_MOST = 10  # characters
SHORT = ("hp", "vp")  # written in capitals


@dataclass(slots=True)
class RulesChoice:
    kind: Any  # the game's class
    changed: Rules = field(default_factory=dict)

    @property
    def rules(self) -> tuple[HouseRule, ...]:
        return house_rules(self.kind)

    def number(self, rule: HouseRule) -> str:
        return number_text(self.changed.get(rule.name, rule.default))

    def detail(self, rule: HouseRule) -> str:
        """What the rule means, in a sentence."""
        return str(words_of(self.kind)["about"].get("rules", {}).get(rule.name, ""))

    def change(self, rule: HouseRule, text: str) -> str:
        """Why this is not possible, in a sentence; nothing where it was done."""
        if text.lower() == "none" and rule.optional:
            number = None
        elif text.isascii() and text.isdigit():
            number = int(text)
        else:
            return f"{text!r} is not a whole number."
        wanted = {**self.changed, rule.name: number}
        try:
            with_rules(self.kind, wanted)
        except BadRule as bad:
            return bad.sentence
        usual = {known.name: known.default for known in self.rules}
        self.changed = {name: value for name, value in wanted.items() if value != usual[name]}
        return ""


def rule_name(rule: HouseRule) -> str:
    """As people read it: ``Survival VP``."""
    words = " ".join(word.upper() if word in SHORT else word for word in rule.name.split("_"))
    return words[:1].upper() + words[1:]


def is_switch(rule: HouseRule) -> bool:
    return (rule.least, rule.most) == (0, 1)


def number_text(number: int | None) -> str:
    return "none" if number is None else str(number)


def table_rules(game: AnyGame) -> str:
    """The house rules of a table that are not as usual, in a sentence; nothing where there are none."""
    changed = changed_rules(game)
    rules = [rule for rule in house_rules(game) if rule.name in changed]
    named = [f"{rule_name(rule)} {value_text(rule, changed[rule.name])}" for rule in rules]
    return f"House rules of this table: {', '.join(named)}." if named else ""


def value_text(rule: HouseRule, value: int | None) -> str:
    return ("on" if value else "off") if is_switch(rule) else number_text(value)


def rules_text(changed: Rules) -> str:
    return ", ".join(written(changed)) or "as usual"
