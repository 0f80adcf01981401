"""Round every board: the header, the ranking and history beside it, the help and the final standings over it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dicehall.core.game import Over
from dicehall.ui.desktop import theme
from dicehall.ui.desktop.board import Stage
from dicehall.ui.desktop.scene import Button, Intent, Item, Label, Log, Panel, Portrait, Rect, centered
from dicehall.ui.desktop.theme import Scale
from dicehall.ui.tables.house_rules import table_rules
from dicehall.ui.tables.summary import outcome
from dicehall.wire.sentences import words_of

if TYPE_CHECKING:
    from dicehall.ui.desktop.game_screen import GameScreen

KEYS = (
    "Mouse or keyboard: every button shows its key in the corner, and numbers choose targets, dice or moves.",
    "Tab and Enter reach every button. Space skips an animation. P pauses the bots, F makes everything faster.",
    "F1 shows this help, M turns sound on or off, F11 is full screen, Page Up and Down scroll the log, Esc goes back.",
)
ROW = 72  # of the final standings, where there is room


def about_of(game: Any) -> dict[str, Any]:
    about: dict[str, Any] = words_of(type(game))["about"]
    return about


def frame_items(screen: GameScreen, stage: Stage, head: float, beside: Rect) -> list[Item]:
    return [*header_items(screen, stage, head), *side_items(screen, stage, beside)]


def header_items(screen: GameScreen, stage: Stage, head: float) -> list[Item]:
    s = stage.scale
    title = Rect(s(18), 0, s(186), head)
    items: list[Item] = [
        Panel(rect=Rect(0, 0, s.width, head), fill=(22, 27, 42), radius=0),
        Label(rect=title, text=about_of(stage.game)["name"], size=s.font(24), bold=True, color=theme.ACCENT),
        Label(
            rect=Rect(title.right, 0, s.width - title.right - 6 * max(s(112), 92.0) - s(50), head),
            text=stage.summary.progress(stage.view) + clock_text(screen),
            size=s.font(20),
            bold=True,
        ),
    ]
    buttons = [
        ("Menu", "Esc", Intent("ask_home"), False),
        ("Help", "F1", Intent("overlay", "help"), False),
        ("Sound on" if screen.program.sound_on else "Sound off", "M", Intent("sound"), screen.program.sound_on),
        (f"Speed: {screen.playback.speed:.0f}x", "F", Intent("speed"), screen.playback.speed > 1),
    ]
    if screen.table.has_bots:
        buttons.append(("Resume" if screen.paused else "Pause", "P", Intent("pause"), screen.paused))
    if stage.over:
        buttons.append(("Result", "", Intent("result"), False))
    wide, gap = max(s(112), 92.0), s(8)
    for at, (label, key, intent, on) in enumerate(buttons):
        rect = Rect(s.width - (at + 1) * (wide + gap), s(8), wide, head - s(16))
        items.append(Button(rect=rect, label=label, key=key, intent=intent, selected=on, size=s.font(15)))
    return items


def clock_text(screen: GameScreen) -> str:
    """The seconds that are left, at a table with a clock."""
    deadline = screen.position.deadline
    if deadline is None or screen.over:
        return ""
    return f"   {max(0, (deadline - screen.table.now) // 1000)} s"


def side_items(screen: GameScreen, stage: Stage, area: Rect) -> list[Item]:
    s = stage.scale
    panel = Rect(area.x, area.y + s(8), area.w - s(10), min(area.h * 0.46, s(54) + s(58) * max(4, len(stage.names))))
    below = Rect(panel.x, panel.bottom + s(10), panel.w, area.bottom - panel.bottom - s(20))
    inside = Rect(panel.x + s(14), panel.y + s(44), panel.w - s(28), panel.h - s(52))
    log = Rect(below.x + s(14), below.y + s(42), below.w - s(28), below.h - s(52))
    return [
        Panel(rect=panel, fill=theme.PANEL, border=theme.BORDER, radius=s(14)),
        Label(rect=Rect(inside.x, panel.y + s(8), inside.w, s(32)), text="Ranking", size=s.font(19), bold=True),
        *screen.board.side(stage, inside),
        Panel(rect=below, fill=theme.PANEL, border=theme.BORDER, radius=s(14)),
        Label(rect=Rect(log.x, below.y + s(8), log.w, s(30)), text="History", size=s.font(19), bold=True),
        Log(rect=log, lines=tuple(screen.lines), size=s.font(14.5), back=screen.back, intent=None),
    ]


def help_items(stage: Stage, scale: Scale) -> list[Item]:
    about = about_of(stage.game)
    box = centered(
        scale.width / 2, scale.height / 2, min(scale.width - 40, scale(880)), min(scale.height - 40, scale(640))
    )
    house = table_rules(stage.game)
    text = "\n".join([*(f"- {line}" for line in about["how"]), *([f"- {house}"] if house else []), "", *KEYS])
    inside = box.inset(scale(34), scale(26))
    return [
        Panel(rect=Rect(0, 0, scale.width, scale.height), fill=(0, 0, 0), alpha=170, radius=0),
        Panel(rect=box, fill=theme.PANEL, border=theme.ACCENT, radius=scale(18)),
        Label(
            rect=inside._replace(h=scale(40)),
            text=f"How to play {about['name']}",
            size=scale.font(27),
            bold=True,
            color=theme.ACCENT,
        ),
        Label(
            rect=Rect(inside.x, inside.y + scale(54), inside.w, inside.h - scale(130)),
            text=text,
            size=scale.font(17),
            wrap=True,
        ),
        Button(
            rect=Rect(box.center[0] - scale(100), box.bottom - scale(70), scale(200), scale(48)),
            label="Close",
            key="Esc",
            intent=Intent("close"),
            primary=True,
            size=scale.font(18),
        ),
    ]


def result_items(stage: Stage, scale: Scale) -> list[Item]:
    s = scale
    notes = [] if stage.over is None else stage.summary.notes(stage.view, stage.over)
    high = s(200) + s(26) * len(notes) + s(ROW) * len(stage.names)
    box = centered(s.width / 2, s.height / 2, min(s.width - 30, s(860)), min(s.height - 30, s(690), high))
    inside = box.inset(s(30), s(20))
    title = outcome(stage.over, stage.names) if stage.over else ""
    items: list[Item] = [
        Panel(rect=Rect(0, 0, s.width, s.height), fill=(0, 0, 0), alpha=170, radius=0),
        Panel(rect=box, fill=theme.PANEL, border=theme.ACCENT, radius=s(18)),
        Label(
            rect=inside._replace(h=s(44)), text=title, size=s.font(32), bold=True, align="center", color=theme.ACCENT
        ),
    ]
    y = inside.y + s(48)
    for note in notes:
        items.append(
            Label(
                rect=Rect(inside.x, y, inside.w, s(26)), text=note, size=s.font(15), align="center", color=theme.MUTED
            )
        )
        y += s(26)
    items += standing_items(stage, Rect(inside.x, y + s(6), inside.w, box.bottom - s(84) - y - s(6)))
    buttons = [
        ("Play again", "Enter", Intent("again"), True),
        ("New game", "N", Intent("home"), False),
        ("Statistics", "T", Intent("stats"), False),
        ("Show table", "Esc", Intent("close"), False),
    ]
    wide = (inside.w - s(36)) / len(buttons)
    for at, (label, key, intent, primary) in enumerate(buttons):
        rect = Rect(inside.x + at * (wide + s(12)), box.bottom - s(72), wide, s(52))
        items.append(Button(rect=rect, label=label, key=key, intent=intent, primary=primary, size=s.font(18)))
    return items


def standing_items(stage: Stage, area: Rect) -> list[Item]:
    s = stage.scale
    over, headings = stage.over or Over((), ""), stage.summary.headings
    rows = stage.summary.standings(stage.view, over, len(stage.names))
    column = s(84)
    first = area.right - column * len(headings)
    items: list[Item] = [
        Label(
            rect=Rect(first + at * column, area.y, column, s(26)),
            text=heading,
            size=s.font(15),
            align="right",
            color=theme.MUTED,
        )
        for at, heading in enumerate(headings)
    ]
    high = min(s(ROW), (area.h - s(28)) / max(1, len(rows)))
    for at, row in enumerate(rows):
        line = Rect(area.x, area.y + s(28) + at * high, area.w, high - s(6))
        face = min(line.h * 0.86, s(52))
        text = line.x + s(58) + face + s(12)
        won = row.place == 1
        items += [
            Panel(rect=line, fill=(58, 50, 26) if won else theme.PANEL_LIGHT, radius=s(10)),
            Label(rect=Rect(line.x + s(16), line.y, s(40), line.h), text=f"{row.place}.", size=s.font(22), bold=True),
            Portrait(
                rect=Rect(line.x + s(54), line.y + (line.h - face) / 2, face, face),
                avatar=stage.avatars[row.seat],
                ghost=row.is_out,
            ),
            Label(
                rect=Rect(text, line.y + line.h * 0.06, first - text, line.h * (0.55 if row.note else 0.9)),
                text=stage.names[row.seat],
                size=s.font(20),
                bold=True,
            ),
            Label(
                rect=Rect(text, line.y + line.h * 0.58, first - text, line.h * 0.36),
                text=row.note,
                size=s.font(13),
                color=theme.MUTED,
            ),
        ]
        items += [
            Label(
                rect=Rect(first + column * n - s(14), line.y, column, line.h),
                text=value,
                size=s.font(20),
                bold=n == 0,
                align="right",
                color=theme.ACCENT if n == 0 else theme.TEXT,
            )
            for n, value in enumerate(row.columns)
        ]
    return items
