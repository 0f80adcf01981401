"""Aetharn: six dice with their places, what the turn has earned, and the scores in the order of play."""

from __future__ import annotations

from rich.text import Text

from dicehall.core.game import Seat
from dicehall.games.aetharn import lines
from dicehall.games.aetharn.state import View
from dicehall.games.aetharn.turn import DICE
from dicehall.ui.tui.dice_board import dice_block, scores_width, two_columns
from dicehall.ui.tui.score_table import score_lines
from dicehall.ui.tui.stage import Stage
from dicehall.ui.tui.text_graphics import DIE_WIDTH, MUTED


def draw(stage: Stage, width: int, height: int) -> list[Text]:
    view: View = stage.view
    dice = dice_block(stage, view.roll or (), height - 2, view.held, view.dice_left or DICE)
    dice += [places(stage), Text(lines.turn_text(view), "bold")]
    order = [Seat(seat) for seat in view.order or ()]
    out = {Seat(int(seat)): fate for seat, fate in view.out.items()}
    scores = score_lines(stage, scores_width(width, DICE), order, out)
    return two_columns(dice, scores, width, DICE)


def places(stage: Stage) -> Text:
    """The numbers by which dice are held, under the dice."""
    view: View = stage.view
    if stage.rolling or not view.roll:
        return Text()
    marks = ["held" if at in view.held else str(at + 1) for at in range(len(view.roll))]
    return Text(" ".join(f"{mark:^{DIE_WIDTH}}" for mark in marks), MUTED)
