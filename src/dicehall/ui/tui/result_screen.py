"""The end of a game: the standings, why they are so, and the coach's short report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.console import Group
from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static
from textual.worker import get_current_worker

from dicehall.core.game import Over
from dicehall.lab.coach import Report
from dicehall.lab.story import Narrator, seat_story
from dicehall.lab.telling import Said, told
from dicehall.ui.tables.game_table import GameTable, Problem
from dicehall.ui.tables.summary import outcome
from dicehall.ui.tui.dialogs import TextScreen
from dicehall.ui.tui.program import Program
from dicehall.ui.tui.stage import Stage
from dicehall.ui.tui.text_graphics import ACCENT, fitted, hanging

STYLES = {"title": "bold", "headline": "bold", "heading": ACCENT, "line": "", "note": "dim"}
NAME = 26  # columns


class ResultScreen(ModalScreen[str]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "answer('again')", "Play again"),
        Binding("c", "report", "Full report"),
        Binding("v", "answer('view')", "View the table"),
        Binding("m", "answer('menu')", "Menu"),
        Binding("q", "answer('quit')", "Quit"),
        Binding("escape", "answer('view')", "View the table", show=False),
    ]

    def __init__(self, program: Program, table: GameTable, stage: Stage) -> None:
        super().__init__()
        self.program, self.table, self.stage = program, table, stage
        self.report: Report | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="box") as box:
            box.border_title = "The game is over"
            yield Static(Text("\n").join(standing_lines(self.stage)))
            yield Static(Text("The coach is analysing the game ...", "dim"), id="coach")
            yield Static(KEYS)

    def on_mount(self) -> None:
        self.coach()

    @work(thread=True, exclusive=True)
    def coach(self) -> None:
        """Look at every move, away from the screen; it says how far it is."""
        worker = get_current_worker()

        def progress(done: float) -> None:
            if worker.is_cancelled:
                raise Problem("stopped")
            self.app.call_from_thread(self.say, Text(f"The coach is analysing the game: {100 * done:.0f} %", "dim"))

        try:
            report = self.program.report(self.table.record().result(), progress)
        except Exception as problem:
            if not worker.is_cancelled:
                self.app.call_from_thread(self.say, Text(f"No coach's report: {problem}", "dim"))
            return
        self.app.call_from_thread(self.reported, report)

    def say(self, text: Text | Group) -> None:
        if self.is_mounted:
            self.query_one("#coach", Static).update(text)

    def reported(self, report: Report) -> None:
        self.report = report
        self.say(hanging(brief(report, self.table.people)))

    def action_answer(self, answer: str) -> None:
        self.dismiss(answer)

    def action_report(self) -> None:
        if self.report is not None:
            lines = [Text(said.text, STYLES[said.kind]) for said in told(self.report)]
            self.app.push_screen(TextScreen("The coach's report", lines))


def key_line() -> Text:
    text = Text("\n")
    for key, label in (
        ("Enter", "play again"),
        ("c", "full report"),
        ("v", "view table"),
        ("m", "menu"),
        ("q", "quit"),
    ):
        text.append(f"{key} ", ACCENT).append(f"{label}   ")
    return text


KEYS = key_line()


def standing_lines(stage: Stage) -> list[Text]:
    over = stage.over or Over((), "")
    rows = stage.summary.standings(stage.view, over, len(stage.names))
    lines = [Text(outcome(over, stage.names), ACCENT)]
    lines += [Text(note) for note in stage.summary.notes(stage.view, over) if note]
    widths = [max(len(heading), 6) + 2 for heading in stage.summary.headings]
    lines.append(Text("    " + " " * NAME + right_aligned(stage.summary.headings, widths), "dim"))
    for row in rows:
        line = Text(f"{row.place:>2}. ").append(fitted(stage.names[row.seat], NAME), "bold" if row.place == 1 else "")
        line.append(right_aligned(row.columns, widths), "bold").append(f"  {row.note}", "dim")
        lines.append(line)
    return [*lines, Text()]


def right_aligned(texts: Sequence[str], widths: Sequence[int]) -> str:
    return "".join(f"{text:>{width}}" for text, width in zip(texts, widths, strict=True))


def brief(report: Report, people: frozenset[int]) -> list[Text]:
    """The report of the people at this screen: result, luck and play in three lines each."""
    lines = [Text("Luck or skill?", "bold")]
    for seat in report.seats:
        if seat.seat in people or not people:
            story = seat_story(report, seat, Narrator(seat.name))
            said = [Said(story.headline, "headline"), Said(f"  {story.luck}"), Said(f"  {story.skill}")]
            lines += [Text(one.text, STYLES[one.kind]) for one in said]
    return lines
