"""A screen that is a list to choose from, by arrow keys, number keys, letters or mouse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from dicehall.ui.tui.text_graphics import ACCENT, fitted, hanging, styled


@dataclass(frozen=True, slots=True)
class Row:
    label: str
    note: str
    do: Callable[[], Any]
    key: str = ""  # a letter; numbers come on their own
    change: Callable[[int], Any] | None = None  # what the left and right arrow keys do
    detail: str = ""  # said below the list while the row is highlighted


class ListScreen(Screen[None]):
    heading = ""
    foot = "↑↓ and Enter, a number, or the mouse chooses   Esc goes back"
    numbered = True
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "Back", show=False)]

    def __init__(self) -> None:
        super().__init__()
        self.rows: Sequence[Row] = ()

    def compose(self) -> ComposeResult:
        yield Static(Text(self.heading, "bold"), id="top")
        yield Static(id="intro")
        yield OptionList(id="list", markup=False)
        with Vertical(id="below"):
            yield Static(id="notice")
            yield Static(id="detail")
        yield Static(Text(self.foot), id="keys")

    def on_mount(self) -> None:
        self.refresh_rows()
        self.query_one(OptionList).focus()

    # -- what a screen of this kind says --------------------------------------------------------------------

    def make_rows(self) -> Sequence[Row]:
        raise NotImplementedError

    def intro(self) -> Sequence[Text | str]:
        return ()

    def action_back(self) -> None:
        self.app.pop_screen()

    # -- what is shown ----------------------------------------------------------------------------------------

    def refresh_rows(self) -> None:
        """Make the rows anew, and stay on the one that was highlighted."""
        listed = self.query_one(OptionList)
        at = listed.highlighted or 0
        self.rows = self.make_rows()
        listed.clear_options()
        listed.add_options([Option(line) for line in self.row_lines()])
        listed.highlighted = min(at, len(self.rows) - 1) if self.rows else None
        lines = [line if isinstance(line, Text) else Text(line) for line in self.intro()]
        self.query_one("#intro", Static).update(hanging(lines))
        self.query_one("#intro").display = bool(lines)

    def row_lines(self) -> list[Text]:
        room = self.app.size.width - 4
        label = min(max((cell_len(row.label) for row in self.rows), default=0), room // 2)
        lines = []
        for number, row in enumerate(self.rows, start=1):
            key = row.key or (str(number) if self.numbered and number <= 9 else "")
            line = styled(f" {key:1}  ", ACCENT).append(fitted(row.label, label), "bold")
            line.append(f"  {row.note}", "")
            line.truncate(room, overflow="ellipsis")
            lines.append(line)
        return lines

    def on_resize(self, event: events.Resize) -> None:
        if self.rows:
            self.refresh_rows()

    def say(self, text: str) -> None:
        self.query_one("#notice", Static).update(Text(f" {text}", "bold red"))

    # -- keys and clicks --------------------------------------------------------------------------------------

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        row = self.rows[event.option_index] if event.option_index < len(self.rows) else None
        self.query_one("#detail", Static).update(Text(row.detail if row else ""))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.choose(event.option_index)

    def on_key(self, event: events.Key) -> None:
        if event.key in ("left", "right"):
            row = self.rows[self.query_one(OptionList).highlighted or 0] if self.rows else None
            if row is not None and row.change is not None:
                row.change(1 if event.key == "right" else -1)
                self.refresh_rows()
            return
        for at, row in enumerate(self.rows):
            if event.character and event.character == (row.key or (str(at + 1) if self.numbered and at < 9 else "")):
                event.stop()
                self.query_one(OptionList).highlighted = at
                self.choose(at)
                return

    def choose(self, at: int) -> None:
        self.say("")
        if at < len(self.rows):
            self.rows[at].do()
