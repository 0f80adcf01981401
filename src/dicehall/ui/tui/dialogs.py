"""Small screens over another one: a question, and text to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from dicehall.ui.tui.text_graphics import ACCENT, hanging


class QuestionScreen(ModalScreen[str]):
    """Asks something with a few answers; Esc is the last of them."""

    def __init__(self, question: str, answers: Sequence[tuple[str, str, str]], default: int = 0) -> None:
        """*answers*: what is answered, the key for it, and its words."""
        super().__init__()
        self.question, self.answers, self.default = question, answers, default

    def compose(self) -> ComposeResult:
        options = [
            Option(Text.assemble((f" {key} ", ACCENT), f" {text}"), id=answer) for answer, key, text in self.answers
        ]
        with Vertical(classes="box"):
            yield Static(Text(self.question, "bold"))
            yield OptionList(*options)

    def on_mount(self) -> None:
        self.query_one(OptionList).highlighted = self.default

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(str(event.option.id))

    def on_key(self, event: events.Key) -> None:
        by_key = {key: answer for answer, key, _ in self.answers}
        if event.key == "escape":
            self.dismiss(self.answers[-1][0])
        elif event.character in by_key:
            self.dismiss(by_key[event.character])


def confirmation(question: str, yes: str) -> QuestionScreen:
    """Asks before something that cannot be undone; no is what Enter does."""
    return QuestionScreen(question, [("yes", "y", yes), ("no", "n", "No, go back")], default=1)


class TextScreen(ModalScreen[None]):
    """Text to scroll through."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,enter,space", "dismiss", "Close", show=False)]

    def __init__(self, title: str, lines: Sequence[Text | str]) -> None:
        super().__init__()
        self.heading, self.lines = title, lines

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box") as box:
            box.border_title = self.heading
            box.border_subtitle = "arrow keys scroll, Esc closes"
            yield Static(hanging([line if isinstance(line, Text) else Text(line) for line in self.lines]))

    async def action_dismiss(self, result: None = None) -> None:
        self.dismiss()


class EntryScreen(ModalScreen[str | None]):
    """Asks for a line of text, such as a name or a password."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Cancel", show=False)]

    def __init__(self, question: str, value: str = "", *, password: bool = False, most: int = 256) -> None:
        super().__init__()
        self.question, self.value, self.password, self.most = question, value, password, most

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static(Text(self.question, "bold"))
            yield Input(self.value, password=self.password, max_length=self.most, compact=True)
            yield Static(Text("Enter accepts, Esc cancels", "dim"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())

    def action_cancel(self) -> None:
        self.dismiss(None)
