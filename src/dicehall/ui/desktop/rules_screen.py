"""The house rules of a game: a number for each, and what it means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dicehall.core.house import HouseRule
from dicehall.ui.desktop import theme
from dicehall.ui.desktop.panels import TypedText, corner_button, notice_items, panel_area, titled_panel
from dicehall.ui.desktop.scene import Button, Intent, Item, Label, Rect, Scene, TextField
from dicehall.ui.desktop.screen import Screen, StillScreen
from dicehall.ui.desktop.theme import Scale
from dicehall.ui.tables.house_rules import NUMBER_MOST, Rules, RulesChoice, is_switch, number_text, rule_name
from dicehall.wire.sentences import words_of


@dataclass(slots=True)
class RulesScreen(StillScreen):
    choice: RulesChoice
    done: Callable[[Rules], Screen]
    editing: HouseRule | None = None
    entry: TypedText = field(default_factory=lambda: TypedText(most=NUMBER_MOST))
    notice: str = ""

    # -- what is wanted -----------------------------------------------------------------------------------

    def handle(self, intent: Intent) -> Screen | None:
        was, self.notice = self.editing, ""
        self.settle()
        match intent:
            case Intent("number", rule) if rule != was:
                self.editing, self.entry.text = rule, ""
            case Intent("set", (rule, text)):
                self.notice = self.choice.change(rule, text)
            case Intent("usual"):
                self.choice.changed = {}
            case Intent("back") if not self.notice:
                return self.done(self.choice.changed)
        return None

    def settle(self) -> None:
        """What was typed counts as soon as something else is done; nothing typed changes nothing."""
        rule, text = self.editing, self.entry.text.strip()
        self.editing = None
        if rule is not None and text:
            self.notice = self.choice.change(rule, text)

    def typed(self, text: str) -> None:
        if self.editing is not None:
            self.entry.typed(text)

    # -- what is shown ------------------------------------------------------------------------------------

    def scene(self, scale: Scale) -> Scene:
        s, area = scale, panel_area(scale)
        name = words_of(self.choice.kind)["about"]["name"]
        hint = "Click a number to change it."
        items = titled_panel(s, f"{name}: house rules", hint, corner_button(s, "Done", Intent("back")))
        inside = area.inset(s(28), s(20))
        high = min(s(64), (inside.h - s(70)) / max(1, len(self.choice.rules)))
        for at, rule in enumerate(self.choice.rules):
            items += self.rule_items(s, rule, Rect(inside.x, inside.y + at * high, inside.w, high - s(8)))
        items += self.foot_items(s, Rect(inside.x, area.bottom - s(64), inside.w, s(48)))
        if self.editing is not None:
            stop = Intent("number", self.editing)
            return Scene(tuple(items), {"return": stop, "escape": stop}, typing=True)
        return Scene(tuple(items), {"escape": Intent("back"), "return": Intent("back"), "u": Intent("usual")})

    def foot_items(self, s: Scale, foot: Rect) -> list[Item]:
        return [
            Button(
                rect=foot._replace(w=s(200)),
                label="Reset all",
                key="U",
                intent=Intent("usual"),
                enabled=bool(self.choice.changed),
                size=s.font(17),
            ),
            *notice_items(s, Rect(foot.x + s(214), foot.y, foot.w - s(214), foot.h), self.notice),
        ]

    def rule_items(self, s: Scale, rule: HouseRule, row: Rect) -> list[Item]:
        number, usual = self.choice.number(rule), number_text(rule.default)
        changed = number != usual
        name = Rect(row.x, row.y, row.w * 0.2, row.h)
        box = Rect(name.right, row.y + (row.h - s(40)) / 2, s(120), s(40))
        meaning = Rect(box.right + s(110), row.y, row.right - box.right - s(110), row.h)
        detail = self.choice.detail(rule) + (f" Usually {usual}." if changed else "")
        return [
            Label(rect=name, text=rule_name(rule), size=s.font(17), bold=True),
            *self.value_items(s, rule, box),
            Label(rect=meaning, text=detail, size=s.font(14), color=theme.MUTED, wrap=True, middle=True),
        ]

    def value_items(self, s: Scale, rule: HouseRule, box: Rect) -> list[Item]:
        """A switch is turned on and off; a number is typed, or none where that is allowed."""
        number = self.choice.number(rule)
        if is_switch(rule):
            turned = Intent("set", (rule, "0" if number == "1" else "1"))
            label = "On" if number == "1" else "Off"
            return [Button(rect=box, label=label, intent=turned, selected=number == "1", size=s.font(17))]
        active = self.editing == rule
        text = self.entry.text if active else number
        items: list[Item] = [
            TextField(rect=box, text=text, active=active, intent=Intent("number", rule), size=s.font(17))
        ]
        if rule.optional:
            none = Rect(box.right + s(8), box.y, s(90), box.h)
            set_none = Intent("set", (rule, "none"))
            items.append(Button(rect=none, label="None", intent=set_none, selected=number == "none", size=s.font(15)))
        return items
