"""A new table at a server: seats, bots or friends, house rules and a password."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dicehall.ui.desktop import theme
from dicehall.ui.desktop.panels import TypedText, corner_button, panel_area, titled_panel
from dicehall.ui.desktop.rules_screen import RulesScreen
from dicehall.ui.desktop.scene import Button, Intent, Item, Label, Rect, Scene, TextField
from dicehall.ui.desktop.screen import Program, Screen, StillScreen
from dicehall.ui.desktop.theme import Scale
from dicehall.ui.tables.house_rules import Rules, RulesChoice, rules_text
from dicehall.ui.tables.new_table import PASSWORD_MOST, NewTable
from dicehall.wire.bot_levels import level_name
from dicehall.wire.sentences import words_of


@dataclass(slots=True)
class NewTableScreen(StillScreen):
    program: Program
    wanted: NewTable
    open: Callable[[NewTable], Screen]
    back: Callable[[], Screen]
    editing: bool = False
    entry: TypedText = field(default_factory=lambda: TypedText(most=PASSWORD_MOST))

    @property
    def kind(self) -> Any:
        return self.program.games[self.wanted.game]

    # -- what is wanted -----------------------------------------------------------------------------------

    def handle(self, intent: Intent) -> Screen | None:
        self.editing = intent.name == "password" and not self.editing
        match intent:
            case Intent("level", level):
                self.wanted.level = level
            case Intent("seats", step):
                self.wanted.change_seats(list(self.kind.seats), step)
            case Intent("rules"):
                return RulesScreen(RulesChoice(self.kind, dict(self.wanted.rules)), self.ruled)
            case Intent("open_table"):
                self.wanted.password = self.entry.text
                return self.open(self.wanted)
            case Intent("back"):
                return self.back()
        return None

    def ruled(self, rules: Rules) -> Screen:
        self.wanted.rules = rules
        return self

    def typed(self, text: str) -> None:
        if self.editing:
            self.entry.typed(text)

    # -- what is shown ------------------------------------------------------------------------------------

    def scene(self, scale: Scale) -> Scene:
        s, about = scale, words_of(self.kind)["about"]
        items = titled_panel(
            s, f"{about['name']}: a new table", about["line"], corner_button(s, "Back", Intent("back"))
        )
        inside = panel_area(s).inset(s(28), s(24))
        rows = [self.company_items, self.rule_items, self.password_items]
        if len(self.kind.seats) > 1:
            rows.insert(1, self.seat_items)
        for at, row in enumerate(rows):
            items += row(s, Rect(inside.x, inside.y + at * s(84), inside.w, s(56)))
        items.append(
            Button(
                rect=Rect(inside.x, inside.bottom - s(60), s(300), s(58)),
                label="Open the table",
                key="Enter",
                intent=Intent("open_table"),
                primary=True,
                size=s.font(22),
            )
        )
        if self.editing:
            stop = Intent("password")
            return Scene(tuple(items), {"return": stop, "escape": stop}, typing=True)
        keys = {"return": Intent("open_table"), "escape": Intent("back"), "h": Intent("rules"), "p": Intent("password")}
        return Scene(tuple(items), keys)

    def company_items(self, s: Scale, row: Rect) -> list[Item]:
        levels = self.program.levels(self.wanted.game)
        choices = [("Friends", None), *((f"{level_name(level)} bots", level) for level in levels)]
        return [
            row_label(s, row, "Other seats"),
            *(
                Button(
                    rect=Rect(beside(s, row).x + at * s(150), row.y, s(142), row.h),
                    label=label,
                    intent=Intent("level", level),
                    selected=self.wanted.level == level,
                    size=s.font(16),
                )
                for at, (label, level) in enumerate(choices)
            ),
        ]

    def seat_items(self, s: Scale, row: Rect) -> list[Item]:
        few, many = self.kind.seats[0], self.kind.seats[-1]
        left = beside(s, row)._replace(w=s(56))
        count = f"{self.wanted.seats} ({few} to {many})"
        return [
            row_label(s, row, "Seats"),
            Button(rect=left, label="-", intent=Intent("seats", -1), enabled=self.wanted.seats > few, size=s.font(22)),
            Label(rect=left.moved(s(56), 0)._replace(w=s(130)), text=count, size=s.font(18), align="center"),
            Button(
                rect=left.moved(s(186), 0),
                label="+",
                intent=Intent("seats", 1),
                enabled=self.wanted.seats < many,
                size=s.font(22),
            ),
        ]

    def rule_items(self, s: Scale, row: Rect) -> list[Item]:
        return [
            row_label(s, row, "House rules"),
            Button(
                rect=beside(s, row)._replace(w=s(442)),
                label=rules_text(self.wanted.rules),
                key="H",
                intent=Intent("rules"),
                selected=bool(self.wanted.rules),
                size=s.font(16),
            ),
        ]

    def password_items(self, s: Scale, row: Rect) -> list[Item]:
        box = beside(s, row)._replace(w=s(442))
        note = "Only people who know it can join." if self.entry.text else "None: anyone with the link can join."
        return [
            row_label(s, row, "Password"),
            TextField(
                rect=box, text=self.entry.masked, active=self.editing, intent=Intent("password"), size=s.font(18)
            ),
            Label(
                rect=Rect(box.right + s(20), row.y, row.right - box.right - s(20), row.h),
                text=note,
                size=s.font(16),
                color=theme.MUTED,
                wrap=True,
                middle=True,
            ),
        ]


def row_label(s: Scale, row: Rect, text: str) -> Label:
    return Label(rect=row._replace(w=s(170)), text=text, size=s.font(19), bold=True)


def beside(s: Scale, row: Rect) -> Rect:
    return Rect(row.x + s(180), row.y, row.w - s(180), row.h)
