"""Dice 10 000: the dice, what is locked and what the turn has earned, and the scores."""

from __future__ import annotations

from rich.text import Text

from dicehall.games.tenthousand import lines
from dicehall.games.tenthousand.state import DICE, View
from dicehall.ui.tui.dice_board import dice_block, scores_width, two_columns
from dicehall.ui.tui.score_table import score_lines
from dicehall.ui.tui.stage import Stage


def draw(stage: Stage, width: int, height: int) -> list[Text]:
    view: View = stage.view
    dice = dice_block(stage, view.roll or (), height - 3, locked_places(view), view.dice_left or DICE)
    text = [*lines.locked_text(view), *lines.turn_text(view, stage.seat)]
    dice += [Text(line, "bold") for line in text]
    return two_columns(dice, score_lines(stage, scores_width(width, DICE)), width, DICE)


def locked_places(view: View) -> list[int]:
    """Where the locked faces lie in the roll."""
    locked = [face for subset in view.locked for face in subset]
    places = []
    for at, face in enumerate(view.roll or ()):
        if face in locked:
            locked.remove(face)
            places.append(at)
    return places
