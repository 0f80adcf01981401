"""The scoreboard of games that are won by points."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text

from dicehall.core.game import Seat
from dicehall.ui.tui.stage import Stage
from dicehall.ui.tui.text_graphics import ACCENT, bar, fitted, name_style, styled

LEAST_BAR = 4  # columns; without room for that there is none


def score_lines(
    stage: Stage, width: int, order: Sequence[Seat] = (), notes: dict[Seat, str] | None = None
) -> list[Text]:
    """Each seat with its points, and how far it is on the way to the goal."""
    scores = stage.view.scores
    seats = list(order) or [Seat(at) for at in range(len(stage.names))]
    digits = max(len(str(score)) for score in (*scores, stage.view.goal))
    name = min(max(cell_len(stage.names[seat]) for seat in seats), max(8, width - digits - 4))
    room = width - name - digits - 4
    lines = []
    for seat in seats:
        note = (notes or {}).get(seat, "")
        mine = seat in stage.turn and stage.over is None
        line = styled("▶ " if mine else "  ", ACCENT)
        line.append(fitted(stage.names[seat], name), name_style(on_turn=mine, out=bool(note)))
        line.append(f" {scores[seat]:>{digits}} ", "bold")
        if note:
            line.append(fitted(note, max(0, room)), "dim")
        elif room >= LEAST_BAR:
            line.append_text(bar(scores[seat], stage.view.goal, room))
        lines.append(line)
    return lines
