"""DO or DICE: the die, five seats with HP and VP, and what each face does to the living or the fallen."""

from __future__ import annotations

from rich.cells import cell_len
from rich.text import Text

from dicehall.core.game import Seat
from dicehall.games.doordice import lines
from dicehall.games.doordice.rules import DoOrDice, View
from dicehall.ui.tui.dice_board import dice_block
from dicehall.ui.tui.stage import Stage
from dicehall.ui.tui.text_graphics import (
    ACCENT,
    BAD,
    DIE_WIDTH,
    GOOD,
    MUTED,
    TALL,
    bar,
    beside,
    fitted,
    name_style,
    styled,
)

DIE = DIE_WIDTH + 2
LEGEND = 31
BAR = 6
NUMBERS = 9  # columns of HP and VP


def draw(stage: Stage, width: int, height: int) -> list[Text]:
    view: View = stage.view
    die = dice_block(stage, (view.face,) if view.face else stage.dice[-1:], height - 1)
    room = width - DIE
    with_legend = room - LEGEND >= 30
    seats = seat_lines(stage, room - LEGEND - 1 if with_legend else room)
    rows = beside([Text(), *die], seats, DIE)
    return beside(rows, legend_lines(stage), width - LEGEND) if with_legend else rows


def seat_lines(stage: Stage, width: int) -> list[Text]:
    name = min(width - BAR - NUMBERS - 6, max(map(cell_len, stage.names)))
    heading = Text(f"{'':{name + 5}}{'HP':>3}{'':{BAR + 2}}{'VP':>3}", MUTED)
    return [heading, *(seat_line(stage, Seat(at), name) for at in range(len(stage.names)))]


def seat_line(stage: Stage, seat: Seat, name: int) -> Text:
    view: View = stage.view
    hp, most = view.hp[seat], max(stage.game.hp, *view.hp) if isinstance(stage.game, DoOrDice) else max(view.hp)
    mine, fallen = seat in stage.turn and stage.over is None, hp <= 0
    line = styled("▶ " if mine else "  ", ACCENT).append(f"{seat + 1} ", MUTED)
    line.append(fitted(stage.names[seat], name + 1), name_style(on_turn=mine, out=fallen))
    line.append(f"{hp:>3} ", "bold")
    style = GOOD if 2 * hp > most else BAD
    line.append_text(Text(fitted("fallen", BAR), MUTED) if fallen else bar(hp, most, BAR, style))
    return line.append(f" {view.vp[seat]:>4}", ACCENT)


def legend_lines(stage: Stage) -> list[Text]:
    """What the faces do for the seat on turn; the one that was rolled stands out."""
    view: View = stage.view
    assert isinstance(stage.game, DoOrDice)
    seat = stage.on_turn if stage.on_turn is not None else stage.seat
    living = view.hp[seat] > 0
    rows = [Text("Living players:" if living else "Ghosts:", MUTED)]
    for face, _, does in lines.legend(stage.game, living=living):
        rolled = face == view.face and not stage.rolling
        rows.append(Text(fitted(f"{face} {does}", LEGEND), ACCENT if rolled else MUTED))
    return rows[: TALL + 2]
