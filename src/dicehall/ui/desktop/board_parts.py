"""Parts that several boards are made of: the bar with the prompt and the buttons, cards of seats, dice, score rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dicehall.core.game import Seat
from dicehall.ui.desktop import theme
from dicehall.ui.desktop.board import Stage, thrown
from dicehall.ui.desktop.scene import Bar, Button, Die, Intent, Item, Label, Panel, Portrait, Rect
from dicehall.ui.tables.playback import rolling_text
from dicehall.wire.results import final_scores, numbered

NOWHERE = Rect(0, 0, 0, 0)  # of a button that the control bar puts in its place


def control_bar(stage: Stage, area: Rect, prompt: str, buttons: Sequence[Button], wide: float = 206) -> list[Item]:
    """On the left, what the player to act is asked; on the right, what they can do."""
    s = stage.scale
    inside = area.inset(s(26), s(12))
    gap = s(12)
    size = min(s(wide), (inside.w * (0.62 if len(buttons) < 4 else 0.74)) / max(1, len(buttons)) - gap)
    start = inside.right - len(buttons) * (size + gap) + gap
    text = Rect(inside.x, inside.y, max(s(160), start - inside.x - gap), inside.h)
    items: list[Item] = [
        Panel(rect=area.inset(s(10), s(4)), fill=theme.PANEL, border=theme.BORDER, radius=s(12)),
        Label(rect=text, text=prompt, size=s.font(19), bold=True, wrap=True, middle=True),
    ]
    for at, button in enumerate(buttons):
        rect = Rect(start + at * (size + gap), inside.y, size, inside.h)
        items.append(replace(button, rect=rect, size=s.font(19)))
    return items


def sentence_case(text: str) -> str:
    """The first letter large; HP and VP stay as they are."""
    return text[:1].upper() + text[1:]


def waiting_text(stage: Stage, doing: str = "thinking") -> str:
    """What is going on while nobody at this window can act."""
    if stage.over is not None:
        return "The game is over."
    if stage.beat is not None and stage.beat.dice:
        return f"{rolling_text(len(stage.beat.dice))} ..."
    if stage.beat is not None and stage.beat.narrated is not None:
        return " ".join(stage.beat.narrated.lines)
    seat = stage.on_turn
    return "" if seat is None else f"{stage.names[seat]} is {doing} ..."


def score_card(stage: Stage, seat: Seat, rect: Rect, score: int, goal: int, note: str = "") -> list[Item]:
    """A seat with its points on the way to a goal."""
    s = stage.scale
    on_turn = stage.on_turn == seat and stage.over is None
    name = Rect(rect.x + s(12), rect.y + s(6), rect.w - s(24), s(26))
    low = rect.bottom - s(30)
    face = min(low - name.bottom - s(4), rect.w * 0.34)
    border = theme.ACCENT if on_turn else theme.BORDER
    return [
        Panel(rect=rect, fill=theme.PANEL, border=border, radius=s(14), thick=4 if on_turn else 2),
        Label(
            rect=name,
            text=stage.names[seat],
            size=s.font(15),
            bold=True,
            color=theme.GHOST if note else theme.ACCENT if on_turn else theme.TEXT,
        ),
        Portrait(
            rect=Rect(rect.x + s(14), (name.bottom + low - face) / 2, face, face),
            avatar=stage.avatars[seat],
            ghost=bool(note),
        ),
        Label(
            rect=Rect(rect.x + s(24) + face, name.bottom, rect.w - face - s(40), low - name.bottom),
            text=note or str(score),
            size=s.font(18 if note else 27),
            bold=True,
            color=theme.ACCENT,
        ),
        Bar(
            rect=Rect(rect.x + s(14), rect.bottom - s(30), rect.w - s(28), s(17)),
            value=score,
            most=goal,
            color=theme.PRIMARY,
            text=f"{score} of {goal}",
        ),
    ]


def small_score_card(stage: Stage, seat: Seat, rect: Rect, score: int, goal: int) -> list[Item]:
    """A seat with its points, where many sit at the table."""
    s = stage.scale
    on_turn = stage.on_turn == seat and stage.over is None
    inside = rect.inset(s(10), s(5))
    line, bar = inside._replace(h=inside.h - s(13)), Rect(inside.x, inside.bottom - s(9), inside.w, s(8))
    points = line._replace(x=line.x + line.w * 0.58, w=line.w * 0.42)
    color = theme.ACCENT if on_turn else theme.TEXT
    border = theme.ACCENT if on_turn else theme.BORDER
    return [
        Panel(rect=rect, fill=theme.PANEL, border=border, radius=s(12), thick=4 if on_turn else 2),
        Label(rect=line._replace(w=line.w * 0.56), text=stage.names[seat], size=s.font(14), bold=True, color=color),
        Label(rect=points, text=str(score), size=s.font(16), bold=True, align="right", color=theme.ACCENT),
        Bar(rect=bar, value=score, most=goal, color=theme.PRIMARY),
    ]


def dice_items(stage: Stage, area: Rect) -> list[Item]:
    """The dice that are in the air, or that fell last."""
    flying = stage.beat is not None and bool(stage.beat.dice)
    dice = stage.beat.dice if stage.beat and stage.beat.dice else stage.dice
    shown = [face for face in dice if face <= 6][:12]
    places = dice_places(area, len(shown))
    if flying:
        return [
            thrown(rect, face, stage.progress, at) for at, (rect, face) in enumerate(zip(places, shown, strict=True))
        ]
    return [Die(rect=rect, face=face) for rect, face in zip(places, shown, strict=True)]


def dice_places(area: Rect, count: int) -> list[Rect]:
    """Side by side in the middle of an area."""
    size = min(area.h * 0.62, area.w / max(8, count * 1.3))
    start = area.center[0] - (count * size * 1.3 - size * 0.3) / 2
    return [Rect(start + at * size * 1.3, area.center[1] - size / 2, size, size) for at in range(count)]


def score_rows(stage: Stage, area: Rect) -> list[Item]:
    """The ranking by points: names with what they have."""
    s, seats = stage.scale, len(stage.names)
    scores = final_scores(stage.view, seats)
    final = stage.over.places if stage.over else ()
    high = min(s(54), area.h / max(1, seats))
    items: list[Item] = []
    for at, (place, seat) in enumerate(numbered(final or stage.summary.places(stage.view, seats))):
        row = Rect(area.x, area.y + at * high, area.w, high)
        face, left = high * 0.7, row.x + s(32)
        color = theme.ACCENT if seat == stage.on_turn else theme.TEXT
        points = Rect(row.right - s(90), row.y, s(90), high)
        name = Rect(left + face + s(10), row.y, row.right - left - face - s(100), high)
        items += [
            Label(rect=row._replace(w=s(32)), text=f"{place}.", size=s.font(17), bold=True),
            Portrait(rect=Rect(left, row.y + (high - face) / 2, face, face), avatar=stage.avatars[seat]),
            Label(rect=name, text=stage.names[seat], size=s.font(17), bold=True, color=color),
            Label(rect=points, text=str(scores[seat]), size=s.font(18), bold=True, align="right"),
        ]
    return items


def word_button(
    label: str, note: str, key: str, intent: Intent, *, enabled: bool = True, primary: bool = False
) -> Button:
    return Button(
        rect=NOWHERE, label=label, note=note, key=key, intent=intent, enabled=enabled, primary=primary and enabled
    )
