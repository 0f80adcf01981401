"""What the screens around a game share: the title, a panel below it, a notice, and a line of typed text."""

from __future__ import annotations

from dataclasses import dataclass

from dicehall.ui.desktop import theme
from dicehall.ui.desktop.scene import Button, Intent, Item, Label, Panel, Rect
from dicehall.ui.desktop.theme import Scale


@dataclass(slots=True)
class TypedText:
    """A line of text as somebody types it."""

    text: str = ""
    most: int = 24
    marked: bool = False  # as a whole: the next letter replaces it, a backspace deletes it

    def begin(self, text: str) -> None:
        self.text, self.marked = text, bool(text)

    def typed(self, text: str) -> None:
        """Letters, or a backspace."""
        before = "" if self.marked else self.text
        self.marked = False
        if text == "\b":
            self.text = before[:-1]
        else:
            self.text = (before + "".join(letter for letter in text if letter.isprintable()))[: self.most]

    @property
    def masked(self) -> str:
        return "*" * len(self.text)


def panel_area(s: Scale) -> Rect:
    return Rect(s(40), s(118), s.width - s(80), s.height - s(158))


def titled_panel(s: Scale, title: str, subtitle: str, way_out: Button) -> list[Item]:
    """The frame of a screen; *way_out* gets its place in the corner."""
    return [
        Label(rect=Rect(s(40), s(22), s(800), s(52)), text=title, size=s.font(38), bold=True, color=theme.ACCENT),
        Label(rect=Rect(s(44), s(72), s.width - s(80), s(28)), text=subtitle, size=s.font(18), color=theme.MUTED),
        way_out,
        Panel(rect=panel_area(s), fill=theme.PANEL, border=theme.BORDER, radius=s(16)),
    ]


def corner_button(s: Scale, label: str, intent: Intent) -> Button:
    return Button(
        rect=Rect(s.width - s(200), s(26), s(160), s(48)), label=label, key="Esc", intent=intent, size=s.font(18)
    )


def notice_items(s: Scale, box: Rect, text: str) -> list[Item]:
    if not text:
        return []
    return [
        Panel(rect=box, fill=(92, 28, 30), border=theme.BAD, radius=s(10)),
        Label(rect=box.inset(s(12), 0), text=text, size=s.font(17), bold=True),
    ]


def heading(s: Scale, area: Rect, text: str) -> Label:
    return Label(rect=area._replace(h=s(36)), text=text, size=s.font(22), bold=True)
