"""A board for any game: the dice that fell last, and the position as the game tells it in lines."""

from __future__ import annotations

from rich.text import Text

from dicehall.ui.terminal.game_lines import lines_of
from dicehall.ui.tui.dice_board import dice_block
from dicehall.ui.tui.stage import Stage
from dicehall.ui.tui.text_graphics import DIE_WIDTH, TALL


def draw(stage: Stage, width: int, height: int) -> list[Text]:
    lines = lines_of(type(stage.game))
    text = [Text(line) for line in lines.scores(stage.view, stage.names)]
    text += [Text(line, "bold") for line in lines.table(stage.view, stage.names, stage.seat)]
    room, most = height - len(text), width // (DIE_WIDTH + 1)
    if not (stage.dice or stage.rolling) or room < TALL - 2:
        return text
    return [*dice_block(stage, stage.dice[-most:], room), *text]
