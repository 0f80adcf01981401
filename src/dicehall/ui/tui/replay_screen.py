"""Stepping through a recorded game as it looked: forward, back, to any step, or on its own."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from dicehall.ui.tables.playback import dice_of
from dicehall.ui.terminal.narration import places
from dicehall.ui.terminal.recorded_game import RecordedGame
from dicehall.ui.tui.dialogs import EntryScreen, TextScreen
from dicehall.ui.tui.stage import Stage
from dicehall.ui.tui.table_screen import TableScreen

PAUSE_SECONDS = 1.0  # from step to step while it runs on its own
KEYS = [
    ("→", "next"),
    ("←", "back"),
    ("PgUp/PgDn", "turn"),
    ("Home/End", "ends"),
    ("g", "go to"),
    ("Space", "auto-play"),
    ("q", "quit"),
]


class ReplayScreen(TableScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,n,enter,down", "move(1)", "Next", show=False),
        Binding("left,b,up,backspace", "move(-1)", "Back", show=False),
        Binding("pagedown", "turn(1)", "Next turn", show=False, priority=True),
        Binding("pageup", "turn(-1)", "Turn before", show=False, priority=True),
        Binding("home,ctrl+home", "go(0)", "Start", show=False, priority=True),
        Binding("end,ctrl+end", "end", "End", show=False, priority=True),
        Binding("g", "ask", "Go to a step", show=False),
        Binding("space,a", "auto", "Auto-play", show=False),
        Binding("question_mark", "help", "Help", show=False),
        Binding("q,escape", "leave", "Quit", show=False),
    ]

    def __init__(self, record: RecordedGame) -> None:
        super().__init__()
        self.record, self.at = record, 0
        self.on_its_own = False

    @property
    def last(self) -> int:
        return len(self.record.frames) - 1

    def on_mount(self) -> None:
        super().on_mount()
        self.set_interval(PAUSE_SECONDS, self.step_on)
        self.go(0)

    def resized(self) -> None:
        if self.is_mounted:
            self.go(self.at)

    def go(self, to: int) -> None:
        """Show a step as it looked, with everything that was told until then."""
        self.at = min(max(to, 0), self.last)
        record, frame = self.record, self.record.frames[self.at]
        self.set_log([line for before in record.frames[: self.at + 1] for line in before.lines])
        dice = next((faces for event in reversed(frame.events) if (faces := dice_of(event))), ())
        stage = Stage(record.game, record.names, frame.view, frame.turn, frame.over, dice=dice)
        self.show(stage, f"step {self.at} of {self.last}{' ▶' if self.on_its_own else ''}")
        self.say(*self.happening())
        self.set_keys(KEYS)

    def happening(self) -> tuple[str, str]:
        frame = self.record.frames[self.at]
        if self.at == self.last and self.record.refused:
            return self.record.refused, "bold red"
        if frame.over is not None:
            return "  ".join(places(frame.over, self.record.names)), "bold"
        names = [self.record.names[seat] for seat in sorted(frame.turn)]
        return f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} to move." if names else "", "bold"

    # -- keys -----------------------------------------------------------------------------------------------

    def action_move(self, steps: int) -> None:
        self.go(self.at + steps)

    def action_go(self, to: int) -> None:
        self.go(to)

    def action_leave(self) -> None:
        self.app.exit(0)

    def action_end(self) -> None:
        self.go(self.last)

    def action_turn(self, way: int) -> None:
        """To where another seat is to move."""
        at, turn = self.at + way, self.record.frames[self.at].turn
        while 0 < at < self.last and self.record.frames[at].turn in (turn, frozenset()):
            at += way
        self.go(at)

    def action_ask(self) -> None:
        self.app.push_screen(EntryScreen(f"Go to step (0 to {self.last})", most=9), self.answered)

    def answered(self, text: str | None) -> None:
        if text and text.isdecimal():
            self.go(int(text))

    def action_auto(self) -> None:
        self.on_its_own = not self.on_its_own and self.at < self.last
        self.go(self.at)

    def step_on(self) -> None:
        if self.on_its_own:
            self.on_its_own = self.at + 1 < self.last
            self.go(self.at + 1)

    def action_help(self) -> None:
        self.app.push_screen(TextScreen("Replay", [f"{key:12} {what}" for key, what in KEYS]))
