"""How the first screen looks: the games, who sits at the table, and what can be done before a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dicehall.ui.desktop import theme
from dicehall.ui.desktop.panels import notice_items
from dicehall.ui.desktop.scene import Button, Intent, Item, Label, Panel, Portrait, Rect, TextField
from dicehall.ui.desktop.theme import Scale
from dicehall.ui.tables.home_seats import home_names
from dicehall.ui.tables.house_rules import rules_text
from dicehall.wire.bot_levels import level_name
from dicehall.wire.bot_names import first_name
from dicehall.wire.sentences import words_of

if TYPE_CHECKING:
    from dicehall.ui.desktop.start_screen import StartScreen

NARROW_BUTTON = 62.0  # pixels: below, the words for who plays do not fit
NARROW_FOOT = 520.0


def start_items(screen: StartScreen, s: Scale) -> list[Item]:
    items: list[Item] = [
        Label(rect=Rect(s(40), s(22), s(500), s(52)), text="Dicehall", size=s.font(40), bold=True, color=theme.ACCENT),
        Label(
            rect=Rect(s(44), s(72), s.width - s(80), s(28)),
            text="Choose a game, say who plays, and start.",
            size=s.font(18),
            color=theme.MUTED,
        ),
    ]
    left = Rect(s(40), s(118), s(360), s.height - s(150))
    right = Rect(left.right + s(28), left.y, s.width - left.right - s(68), left.h)
    items += game_items(screen, s, left)
    return items + seat_items(screen, s, right)


def game_items(screen: StartScreen, s: Scale, area: Rect) -> list[Item]:
    items: list[Item] = []
    high = min(s(84), (area.h - s(190)) / len(screen.program.games) - s(10))
    for at, (key, game) in enumerate(screen.program.games.items()):
        few, many = game.seats[0], game.seats[-1]
        items.append(
            Button(
                rect=Rect(area.x, area.y + at * (high + s(10)), area.w, high),
                label=words_of(game)["about"]["name"],
                note=f"{few} seats" if few == many else f"{few} to {many} seats",
                intent=Intent("game", key),
                selected=key == screen.game,
                size=s.font(21),
            )
        )
    low = Rect(area.x, area.bottom - s(50), area.w, s(50))
    half = (area.w - s(10)) / 2
    sound = "Sound on" if screen.program.sound_on else "Sound off"
    last = screen.last_game
    resume = Button(
        rect=low.moved(0, -s(124))._replace(h=s(54)),
        label="Resume last game",
        note=last,
        key="R",
        intent=Intent("resume"),
        size=s.font(17),
    )
    return [
        *items,
        *([resume] if last else []),
        Button(rect=low.moved(0, -s(60)), label="Statistics", key="T", intent=Intent("stats"), size=s.font(18)),
        Button(
            rect=low._replace(w=half),
            label=sound,
            key="M",
            intent=Intent("sound"),
            selected=screen.program.sound_on,
            size=s.font(17),
        ),
        Button(
            rect=Rect(area.x + half + s(10), low.y, half, low.h),
            label="Quit",
            key="Esc",
            intent=Intent("quit"),
            size=s.font(17),
        ),
    ]


def seat_items(screen: StartScreen, s: Scale, area: Rect) -> list[Item]:
    about = words_of(screen.kind)["about"]
    items: list[Item] = [
        Panel(rect=area, fill=theme.PANEL, border=theme.BORDER, radius=s(16)),
        Label(
            rect=Rect(area.x + s(24), area.y + s(14), area.w - s(48), s(52)),
            text=about["line"],
            size=s.font(18),
            wrap=True,
        ),
    ]
    top = area.y + s(72)
    low = area.bottom - s(78)
    high = min(s(74), (low - top) / max(len(screen.seats), 5))
    for seat in range(len(screen.seats)):
        row = Rect(area.x + s(20), top + seat * high, area.w - s(40), high - s(8))
        items += row_items(screen, s, seat, row)
    items += foot_items(screen, s, Rect(area.x + s(20), low + s(8), area.w - s(40), s(58)))
    return items + notice_items(s, Rect(area.x + s(20), low - s(42), area.w - s(40), s(40)), screen.notice)


def foot_items(screen: StartScreen, s: Scale, foot: Rect) -> list[Item]:
    """More or fewer seats, the house rules, and the start; in a narrow window they share what room there is."""
    few, many = screen.kind.seats[0], screen.kind.seats[-1]
    room, narrow = foot.w - s(30), foot.w < NARROW_FOOT
    seat, rules, start = min(s(130), room * 0.19), min(s(200), room * 0.24), min(s(280), room * 0.38)
    low = Rect(foot.x, foot.y + s(6), seat, s(48))
    sizes: list[Item] = [
        Button(
            rect=low,
            label="+" if narrow else "Add seat",
            intent=Intent("more"),
            enabled=len(screen.seats) < many,
            size=s.font(16),
        ),
        Button(
            rect=low.moved(seat + s(10), 0),
            label="-" if narrow else "Remove seat",
            intent=Intent("fewer"),
            enabled=len(screen.seats) > few,
            size=s.font(16),
        ),
    ]
    return [
        *(sizes if few != many else []),
        Button(
            rect=low.moved(2 * (seat + s(10)) if few != many else 0, 0)._replace(w=rules),
            label="Rules" if narrow else "House rules",
            note=rules_text(screen.rules),
            key="H",
            intent=Intent("rules"),
            selected=bool(screen.rules),
            size=s.font(16),
        ),
        Button(
            rect=Rect(foot.right - start, foot.y, start, foot.h),
            label="Start" if narrow else "Start the game",
            key="Enter",
            intent=Intent("start"),
            primary=True,
            size=s.font(22),
        ),
    ]


def row_items(screen: StartScreen, s: Scale, seat: int, row: Rect) -> list[Item]:
    plan = screen.seats[seat]
    face = min(row.h * 0.9, s(54))
    person = plan.level is None
    name = Rect(row.x + s(34) + face + s(14), row.y + (row.h - s(44)) / 2, row.w * 0.30, s(44))
    portrait = Rect(row.x + s(34), row.y + (row.h - face) / 2, face, face)
    items: list[Item] = [
        Label(rect=Rect(row.x, row.y, s(30), row.h), text=f"{seat + 1}.", size=s.font(18), color=theme.MUTED),
        Portrait(rect=portrait, avatar=plan.avatar, intent=Intent("avatar", seat) if person else None),
    ]
    if person:
        active = screen.editing == seat
        marked = active and screen.entry.marked
        intent = Intent("name", seat)
        items.append(TextField(rect=name, text=plan.name, active=active, marked=marked, intent=intent, size=s.font(18)))
    else:
        bot = first_name(home_names(screen.kind(), screen.seats)[seat])
        items.append(Label(rect=name, text=bot, size=s.font(18), color=theme.MUTED))
    right = Rect(name.right + s(14), name.y, row.right - name.right - s(14), name.h)
    return items + kind_items(screen, s, seat, right)


def kind_items(screen: StartScreen, s: Scale, seat: int, area: Rect) -> list[Item]:
    """A person, or a bot of a level; in a narrow window one button goes through all of them."""
    level = screen.seats[seat].level
    choices = [("Person", Intent("person", seat), level is None)]
    choices += [
        (level_name(known), Intent("level", (seat, known)), level == known)
        for known in screen.program.levels(screen.game)
    ]
    wide = min(s(118), area.w / len(choices) - s(6))
    if wide < NARROW_BUTTON:
        at = next(at for at, (_, _, on) in enumerate(choices) if on)
        following = choices[(at + 1) % len(choices)][1]
        return [Button(rect=area, label=choices[at][0], intent=following, selected=True, size=s.font(15))]
    return [
        Button(
            rect=Rect(area.x + at * (wide + s(6)), area.y, wide, area.h),
            label=label,
            intent=intent,
            selected=on,
            size=s.font(15),
        )
        for at, (label, intent, on) in enumerate(choices)
    ]
