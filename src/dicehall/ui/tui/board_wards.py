"""Dice Wards: one die, the pile, and two scores on their way to the goal."""

from __future__ import annotations

from rich.text import Text

from dicehall.games.wards.rules import View
from dicehall.ui.tui.dice_board import dice_block
from dicehall.ui.tui.score_table import score_lines
from dicehall.ui.tui.stage import Stage
from dicehall.ui.tui.text_graphics import ACCENT, DIE_WIDTH, TALL, beside

LEFT = DIE_WIDTH + 3
PILE = 18


def draw(stage: Stage, width: int, height: int) -> list[Text]:
    view: View = stage.view
    die = dice_block(stage, (view.last_roll,) if view.last_roll else (), height)
    pile = [Text(), Text("On the pile"), Text(str(view.round_score), ACCENT)]
    scores = score_lines(stage, width - LEFT - PILE)
    return beside(die, beside(pile, [Text(), *scores], PILE), LEFT) + [Text()] * (height > TALL)
