"""The program on a whole terminal: one screen at a time, Ctrl-Z to the shell and back, Ctrl-C to leave."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen

INTERRUPTED = 130  # what shells expect after Ctrl-C


class DicehallApp(App[int]):
    CSS_PATH = "styles.tcss"
    TITLE = "Dicehall"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+z", "suspend_process", "Suspend", show=False, priority=True),
        Binding("ctrl+c", "interrupt", "Quit", show=False, priority=True),
    ]

    def __init__(self, first: Screen[Any]) -> None:
        super().__init__()
        self.first = first

    def on_mount(self) -> None:
        self.push_screen(self.first)

    def action_interrupt(self) -> None:
        self.exit(INTERRUPTED)
