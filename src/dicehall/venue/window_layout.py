"""The two windows of a table: the player's, with tick boxes and buttons, and the spectator's, which only shows.

All that changes is a bind; ``player_view`` and ``table_view`` say their values.
"""

from __future__ import annotations

from functools import cache

from dicehall.venue.dice_picture import DICE, SIZE, die
from dicehall.venue.nui import (
    CENTER,
    Json,
    bind,
    button,
    check,
    col,
    group,
    label,
    progress,
    row,
    spacer,
    table,
    text,
    window,
)

PLAYER, SPECTATOR = "aetharn", "aetharnwatch"  # ids of windows; one of each for a player

WIDTH = 480.0
LINE = 24.0
BUTTON = 36.0
NEWS = 86.0  # four lines
BOARD = 176.0  # six lines and a border
PLAYER_HEIGHT, SPECTATOR_HEIGHT = 650.0, 520.0


@cache
def player_window(title: str) -> Json:
    root = col(board(), turn(ticked_dice(), line("held"), line("selected")), question(), buttons(), *lines())
    return window(title, root, WIDTH, PLAYER_HEIGHT)


@cache
def spectator_window(title: str) -> Json:
    root = col(board(), turn(shown_dice(), line("held")), *lines())
    return window(title, root, WIDTH, SPECTATOR_HEIGHT)


def line(name: str) -> Json:
    return label(bind(name), height=LINE)


def lines() -> tuple[Json, Json]:
    """What to do now, and what happened last."""
    return line("status"), text(bind("news"), height=NEWS)


def board() -> Json:
    """A line for each player: who is on turn, name, points, and what else there is to say."""
    hue = bind("board_color")
    mark = label(bind("board_mark"), CENTER, foreground_color=hue)
    name = label(bind("board_name"), foreground_color=hue)
    score = label(bind("board_score"), CENTER, foreground_color=hue)
    note = label(bind("board_note"), foreground_color=hue)
    columns = [(mark, 24.0, False), (name, 0.0, True), (score, 76.0, False), (note, 124.0, False)]
    return table(columns, bind("board_rows"), LINE, height=BOARD)


def turn(*content: Json) -> Json:
    points = row(line("points"), label(bind("timer"), CENTER, width=70.0, height=LINE))
    clock = progress(bind("timer_left"), tooltip="Time left", height=10.0, visible=bind("timer_shown"))
    return group(col(line("turn"), points, clock, *content))


def shown_dice() -> Json:
    return row(spacer(), *(die(number) for number in range(DICE)), spacer())


def ticked_dice() -> Json:
    """Dice with a tick box under each; ``tick0`` is watched."""
    return row(spacer(), *(col(die(number), tick(number), width=SIZE + 8) for number in range(DICE)), spacer())


def tick(number: int) -> Json:
    name = f"tick{number}"
    size = {"tooltip": bind(f"die{number}_name"), "width": SIZE, "height": LINE}
    return check(name, "", bind(name), enabled=bind(f"{name}_on"), visible=bind(f"die{number}_shown"), **size)


def buttons() -> Json:
    acts = (button(id, id.upper(), enabled=bind(f"{id}_on"), height=BUTTON) for id in ("roll", "bank", "fold"))
    start = button("start", bind("start_label"), enabled=bind("start_on"), visible=bind("start_shown"), height=BUTTON)
    return row(*acts, start)


def question() -> Json:
    """Asked back before somebody folds."""
    shown = bind("asking")
    asked = label("Fold? You will be out of the game.", visible=shown, height=LINE)
    yes, no = (button(id, id.upper(), visible=shown, width=80.0, height=LINE + 4) for id in ("yes", "no"))
    return row(asked, yes, no)


WATCHED = tuple(f"tick{number}" for number in range(DICE))  # binds whose change by the player is an event
BUTTONS = ("roll", "bank", "fold", "start", "yes", "no")
