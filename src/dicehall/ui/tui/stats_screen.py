"""Statistics of the games that ended on this machine: a leaderboard and the latest games."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from dicehall.client.results import GameResult, leaders
from dicehall.ui.terminal.game_lines import lines_of
from dicehall.ui.tui.program import Program
from dicehall.ui.tui.text_graphics import ACCENT, fitted
from dicehall.wire.sentences import words_of

NAME, LATEST = 26, 8


class StatsScreen(Screen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", "Back"),
        Binding("left", "turn(-1)", "Previous game"),
        Binding("right", "turn(1)", "Next game"),
    ]

    def __init__(self, program: Program) -> None:
        super().__init__()
        self.program = program
        keys = list(program.games)
        played = [result.game for result in program.results(None)]
        self.at = keys.index(played[0]) if played and played[0] in keys else 0

    def compose(self) -> ComposeResult:
        yield Static(id="top")
        with VerticalScroll():
            yield Static(id="text")
        yield Static(Text("←→ another game   Esc goes back"), id="keys")

    def on_mount(self) -> None:
        self.draw()

    def draw(self) -> None:
        key, kind = list(self.program.games.items())[self.at]
        name = words_of(kind)["about"]["name"]
        self.query_one("#top", Static).update(
            Text(f"Statistics  {name}  ({self.at + 1} of {len(self.program.games)})", "bold")
        )
        self.query_one("#text", Static).update(Text("\n").join(statistics_lines(kind, self.program.results(key))))

    def action_turn(self, step: int) -> None:
        self.at = (self.at + step) % len(self.program.games)
        self.draw()

    def action_back(self) -> None:
        self.app.pop_screen()


def statistics_lines(kind: Any, results: Sequence[GameResult]) -> list[Text]:
    if not results:
        return [Text(), Text("  No games yet. Play one to its end and it will appear here.", "dim")]
    points = getattr(lines_of(kind), "POINTS", "points")
    lines = [
        Text(),
        Text(f"  {fitted('Leaderboard', NAME + 4)}{'games':>7}{'wins':>7}{'win rate':>10}{points:>13}", ACCENT),
    ]
    for place, one in leaders(results):
        row = f"{one.games_played:>7}{one.wins:>7}{one.win_rate:>9.0%} {one.total_score:>13}"
        lines.append(Text(f"  {place:>2}. {fitted(one.shown_name, NAME)}{row}"))
    lines += [Text(), Text(f"  {fitted('Latest games', NAME + 4)}{'rounds':>7}  winner", ACCENT)]
    for result in results[:LATEST]:
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(result.at / 1000))
        rounds = "" if result.rounds is None else str(result.rounds)
        lines.append(Text(f"  {fitted(day, NAME + 4)}{rounds:>7}  {result.shown_winner}"))
    return lines
