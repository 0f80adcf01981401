"""What boards are drawn with: dice, bars and tables, as lines of text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import zip_longest

from rich.cells import cell_len, set_cell_size
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

ACCENT, MUTED, GOOD, BAD, HELD = "bold #ffb454", "dim", "#7fd962", "#f26d78", "bold #7fd962"
PIPS = {
    1: ("     ", "  ●  ", "     "),
    2: ("●    ", "     ", "    ●"),
    3: ("●    ", "  ●  ", "    ●"),
    4: ("●   ●", "     ", "●   ●"),
    5: ("●   ●", "  ●  ", "●   ●"),
    6: ("●   ●", "●   ●", "●   ●"),
}
DIE_WIDTH, TALL = 7, 5  # columns of a die, and rows of one with pips
BLANK = " " * 5


def die_rows(face: int, *, tall: bool = True) -> list[str]:
    """A die with pips; a number where it has none, or where rows are scarce."""
    number = f"{face or '':^5}"
    inside = PIPS.get(face, (BLANK, number, BLANK)) if tall else (number,)
    return ["╭─────╮", *(f"│{row}│" for row in inside), "╰─────╯"]


def dice_lines(
    faces: Sequence[int], *, tall: bool = True, held: Collection[int] = (), faint: bool = False
) -> list[Text]:
    """Dice side by side; those at the places in *held* are set apart by colour."""
    dice = [die_rows(face, tall=tall) for face in faces]
    lines = []
    for row in zip(*dice, strict=True):
        line = Text()
        for at, part in enumerate(row):
            style = MUTED if faint else HELD if at in held else "bold"
            line.append(part, style).append(" ")
        lines.append(line)
    return lines


def styled(text: str, style: str) -> Text:
    """Text that other text is added to: only this part has the style."""
    return Text().append(text, style)


def bar(value: int, most: int, width: int, style: str = GOOD) -> Text:
    full = 0 if most <= 0 else max(0, min(width, round(width * value / most)))
    full = max(full, 1) if value > 0 else full
    return styled("━" * full, style).append("━" * (width - full), "grey37")


def fitted(text: str, width: int, *, right: bool = False) -> str:
    """Text in exactly so many columns."""
    if cell_len(text) > width:
        return set_cell_size(text, max(0, width - 1)).rstrip() + "…" if width else ""
    space = " " * (width - cell_len(text))
    return space + text if right else text + space


def hanging(lines: Sequence[Text]) -> Group:
    """Paragraphs one below the other; the later rows of one that is indented or in a list begin where its words do."""
    return Group(*(hanging_paragraph(line) for line in lines))


def hanging_paragraph(line: Text) -> RenderableType:
    indent = len(line.plain) - len(line.plain.lstrip(" -"))
    if not indent:
        return line
    grid = Table.grid(expand=True)
    grid.add_column(width=indent)
    grid.add_column(ratio=1)
    grid.add_row(line[:indent], line[indent:])
    return grid


def beside(left: Sequence[Text], right: Sequence[Text], width: int) -> list[Text]:
    """Two blocks in columns, the left one so wide."""
    rows = []
    for one, other in zip_longest(left, right):
        line = Text() if one is None else Text().append_text(one)
        line.truncate(width, pad=True)
        rows.append(line.append_text(other) if other is not None else line)
    return rows


def name_style(*, on_turn: bool, out: bool = False) -> str:
    return MUTED if out else ACCENT if on_turn else "bold"
