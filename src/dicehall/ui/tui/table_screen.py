"""A table on the screen: title and clock, the board, what can be done, the log.

Screens that show a position derive from this one; `show` draws a stage, `add_log` tells what happened.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.screen import Screen
from textual.widgets import OptionList, Static

from dicehall.ui.tui.command_line import CommandLine
from dicehall.ui.tui.stage import Stage, board_lines
from dicehall.ui.tui.text_graphics import ACCENT, styled
from dicehall.wire.sentences import words_of

WIDE = 112  # columns from which the log has its place beside the board
LOG_WIDTH = 42
FIXED_ROWS = 4  # title, prompt, typed line, keys
LEAST_LOG = 3  # rows, with its rule
MOST_LOGGED = 400


class TableScreen(Screen[None]):
    read_only = True  # nobody moves here: no choices, and no line to type moves

    def __init__(self) -> None:
        super().__init__()
        self.stage: Stage | None = None
        self.note = ""  # at the right end of the title, such as the clock
        self.logged: list[str] = []

    def compose(self) -> ComposeResult:
        yield Static(id="top")
        with Container(id="middle"):
            with Container(id="main"):
                yield Static(id="board")
                yield Static(id="prompt")
                yield OptionList(id="choices", markup=False)
            with VerticalScroll(id="log", can_focus=False) as log:
                log.border_title = "Game log"
                yield Static(id="log-text")
        yield CommandLine(id="typed")
        yield Static(id="keys")

    def on_mount(self) -> None:
        self.query_one("#log").anchor()  # shows the end, unless somebody scrolls
        self.query_one("#choices").display = not self.read_only
        self.query_one("#typed").display = not self.read_only

    # -- what is shown ------------------------------------------------------------------------------------

    def show(self, stage: Stage, note: str = "") -> None:
        """Draw a position."""
        self.stage, self.note = stage, note
        self.draw()

    def draw(self) -> None:
        if self.stage is None or not self.is_mounted:
            return
        self.query_one("#top", Static).update(self.title_line(self.stage))
        lines = board_lines(self.stage, self.board_width, self.board_rows)
        self.query_one("#board", Static).update(Text("\n").join(lines))
        self.query_one("#board").styles.height = len(lines)
        self.share_rows(len(lines))

    def title_line(self, stage: Stage) -> Text:
        name = str(words_of(type(stage.game))["about"]["name"])
        left = styled(f"{name}  ", "bold").append(stage.summary.progress(stage.view))
        space = self.size.width - 2 - cell_len(left.plain) - cell_len(self.note)
        return left.append(" " * max(1, space)).append(self.note, "bold")

    def say(self, text: str, style: str = "bold") -> None:
        """The line under the board: what is asked, or what is wrong."""
        self.query_one("#prompt", Static).update(Text(text, style))

    def add_log(self, lines: Sequence[str]) -> None:
        self.set_log([*self.logged, *lines])

    def set_log(self, lines: Sequence[str]) -> None:
        self.logged = list(lines)[-MOST_LOGGED:]
        text = Text("\n").join(log_line(line, last=at == len(self.logged)) for at, line in enumerate(self.logged, 1))
        self.query_one("#log-text", Static).update(text)

    def set_keys(self, keys: Sequence[tuple[str, str]]) -> None:
        """What keys do, at the foot of the screen; as many as fit."""
        text = Text()
        for key, label in keys:
            if cell_len(text.plain) + cell_len(key) + cell_len(label) + 3 > self.size.width:
                break
            text.append(f"{key} ", ACCENT).append(f"{label}  ")
        self.query_one("#keys", Static).update(text)

    # -- room -----------------------------------------------------------------------------------------------

    @property
    def is_wide(self) -> bool:
        return self.size.width >= WIDE

    @property
    def board_width(self) -> int:
        return self.size.width - 2 - (LOG_WIDTH if self.is_wide else 0)

    @property
    def board_rows(self) -> int:
        """Rows that a board may take, so that choices and log keep some."""
        log = 0 if self.is_wide else LEAST_LOG
        return max(3, self.size.height - FIXED_ROWS - log - min(self.choice_rows, 6))

    @property
    def choice_rows(self) -> int:
        return 0 if self.read_only else self.query_one(OptionList).option_count

    def share_rows(self, board: int) -> None:
        """The choices take what the board leaves, and the log what they leave, but for a few rows."""
        log = 0 if self.is_wide else LEAST_LOG
        room = self.size.height - FIXED_ROWS + self.read_only - board - log
        self.query_one("#choices").styles.height = max(1, min(self.choice_rows, room)) if self.choice_rows else 0
        self.query_one("#log").display = self.is_wide or room - min(self.choice_rows, room) + log >= 2

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width >= WIDE, "wide")
        self.resized()

    def resized(self) -> None:
        self.draw()


def log_line(line: str, *, last: bool) -> Text:
    return Text(line, "bold" if last else "")
