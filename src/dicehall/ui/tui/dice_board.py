"""The board of games with several dice and points: the dice on the left, the scores on the right."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich.text import Text

from dicehall.ui.tui.stage import Stage
from dicehall.ui.tui.text_graphics import DIE_WIDTH, TALL, beside, dice_lines

GAP = 2
SCORES = 26  # columns that a scoreboard needs at least


def dice_block(
    stage: Stage, faces: Sequence[int], height: int, held: Collection[int] = (), count: int = 1
) -> list[Text]:
    """The dice in the air, else those on the table, else as many blank ones; as high as there is room."""
    shown = stage.rolling or faces or (0,) * count
    return dice_lines(shown, tall=height >= TALL, held=held, faint=bool(stage.rolling) or not faces)


def two_columns(dice: Sequence[Text], scores: Sequence[Text], width: int, count: int) -> list[Text]:
    """Side by side where both fit, else one below the other."""
    left = count * (DIE_WIDTH + 1) + GAP
    if width - left < SCORES:
        return [*dice, *scores]
    return beside(dice, scores, left)


def scores_width(width: int, count: int) -> int:
    left = count * (DIE_WIDTH + 1) + GAP
    return width - left if width - left >= SCORES else width
