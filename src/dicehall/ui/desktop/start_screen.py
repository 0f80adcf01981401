"""The first screen: which game, and who sits at the table."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from dicehall.ui.desktop import theme
from dicehall.ui.desktop.game_screen import GameScreen
from dicehall.ui.desktop.scene import Button, Intent, Item, Label, Panel, Portrait, Rect, Scene, TextField
from dicehall.ui.desktop.screen import Program, Screen
from dicehall.ui.desktop.theme import Scale
from dicehall.ui.tables.avatars import AVATARS, BOT
from dicehall.ui.tables.local_table import SeatPlan
from dicehall.wire.sentences import words_of

FIRST = "doordice"
USUAL = "greedy"
NAME_MOST = 24
PEOPLE = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo", "Kim", "Lou")


@dataclass(slots=True)
class StartScreen:
    program: Program
    game: str = ""
    seats: list[SeatPlan] = field(default_factory=list)
    editing: int | None = None  # the seat whose name is typed
    notice: str = ""

    def __post_init__(self) -> None:
        games = self.program.games
        self.game = self.game or (FIRST if FIRST in games else next(iter(games)))
        self.seats = self.seats or self.usual_seats()

    @property
    def kind(self) -> Any:
        return self.program.games[self.game]

    def usual_seats(self) -> list[SeatPlan]:
        """One person against bots."""
        few = self.kind.seats[0]
        return [self.person(0), *(self.bot(seat) for seat in range(1, few))]

    def person(self, seat: int) -> SeatPlan:
        taken = {plan.name for plan in self.seats}
        name = next(name for name in (PEOPLE[seat], *PEOPLE) if name not in taken)
        return SeatPlan(name, AVATARS[(seat * 5 + 8) % len(AVATARS)])

    def bot(self, seat: int, level: str = "") -> SeatPlan:
        levels = self.program.levels(self.game)
        return SeatPlan("", BOT, level or (USUAL if USUAL in levels else levels[-1]))

    # -- what is wanted -----------------------------------------------------------------------------------

    def handle(self, intent: Intent) -> Screen | None:
        self.notice = ""
        if intent.name not in ("name", "type"):
            self.editing = None
        match intent:
            case Intent("game", key):
                self.game, self.seats = key, []
                self.seats = self.usual_seats()
            case Intent("name", seat):
                self.editing = None if self.editing == seat else seat
            case Intent("avatar", seat):
                self.change_avatar(seat)
            case Intent("person", seat):
                if self.seats[seat].level is not None:
                    self.seats[seat] = self.person(seat)
            case Intent("level", (seat, level)):
                self.seats[seat] = self.bot(seat, level)
            case Intent("more"):
                if len(self.seats) < self.kind.seats[-1]:
                    self.seats.append(self.bot(len(self.seats)))
            case Intent("fewer"):
                if len(self.seats) > self.kind.seats[0]:
                    self.seats.pop()
            case Intent("stats"):
                from dicehall.ui.desktop.stats_screen import StatsScreen

                return StatsScreen(self.program, self.game, lambda: self)
            case Intent("start"):
                return self.start()
        return None

    def change_avatar(self, seat: int) -> None:
        """The next animal that nobody else is."""
        plan = self.seats[seat]
        if plan.level is not None:
            return
        taken = {other.avatar for at, other in enumerate(self.seats) if at != seat}
        at = AVATARS.index(plan.avatar)
        order = AVATARS[at + 1 :] + AVATARS[: at + 1]
        self.seats[seat] = replace(plan, avatar=next(avatar for avatar in order if avatar not in taken))

    def start(self) -> Screen | None:
        people = [plan.name.strip() for plan in self.seats if plan.level is None]
        if not all(people):
            self.notice = "Every person needs a name."
        elif len({name.casefold() for name in people}) < len(people):
            self.notice = "Two people have the same name: names must be unique."
        elif any(name.startswith("Bot ") for name in people):
            self.notice = "Names that begin with 'Bot' belong to the bots."
        else:
            plans = [replace(plan, name=plan.name.strip()) for plan in self.seats]
            return GameScreen(self.program, self.program.open_table(self.game, plans))
        self.program.sound("error")
        return None

    def typed(self, text: str) -> None:
        if self.editing is None:
            return
        plan = self.seats[self.editing]
        if text == "\b":
            name = plan.name[:-1]
        else:
            name = (plan.name + "".join(letter for letter in text if letter.isprintable()))[:NAME_MOST]
        self.seats[self.editing] = replace(plan, name=name)

    def advance(self, ms: float) -> Screen | None:
        return None

    def close(self) -> None:
        pass

    # -- what is shown ------------------------------------------------------------------------------------

    def scene(self, scale: Scale) -> Scene:
        s = scale
        items: list[Item] = [
            Label(
                rect=Rect(s(40), s(22), s(500), s(52)), text="Dicehall", size=s.font(40), bold=True, color=theme.ACCENT
            ),
            Label(
                rect=Rect(s(44), s(72), s.width - s(80), s(28)),
                text="Choose a game, say who plays, and start.",
                size=s.font(18),
                color=theme.MUTED,
            ),
        ]
        left = Rect(s(40), s(118), s(360), s.height - s(150))
        right = Rect(left.right + s(28), left.y, s.width - left.right - s(68), left.h)
        items += self.game_items(s, left)
        items += self.seat_items(s, right)
        keys = {"return": Intent("start"), "m": Intent("sound"), "t": Intent("stats"), "escape": Intent("quit")}
        if self.editing is not None:
            stop = Intent("name", self.editing)
            return Scene(tuple(items), {"return": stop, "escape": stop}, typing=True)
        return Scene(tuple(items), keys)

    def game_items(self, s: Scale, area: Rect) -> list[Item]:
        items: list[Item] = []
        high = min(s(84), (area.h - s(140)) / len(self.program.games) - s(10))
        for at, (key, game) in enumerate(self.program.games.items()):
            few, many = game.seats[0], game.seats[-1]
            items.append(
                Button(
                    rect=Rect(area.x, area.y + at * (high + s(10)), area.w, high),
                    label=words_of(game)["about"]["name"],
                    note=f"{few} seats" if few == many else f"{few} to {many} seats",
                    intent=Intent("game", key),
                    selected=key == self.game,
                    size=s.font(21),
                )
            )
        low = Rect(area.x, area.bottom - s(50), area.w, s(50))
        half = (area.w - s(10)) / 2
        sound = "Sound on" if self.program.sound_on else "Sound off"
        return [
            *items,
            Button(rect=low.moved(0, -s(60)), label="Statistics", key="T", intent=Intent("stats"), size=s.font(18)),
            Button(
                rect=low._replace(w=half),
                label=sound,
                key="M",
                intent=Intent("sound"),
                selected=self.program.sound_on,
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

    def seat_items(self, s: Scale, area: Rect) -> list[Item]:
        few, many = self.kind.seats[0], self.kind.seats[-1]
        about = words_of(self.kind)["about"]
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
        high = min(s(74), (low - top) / max(len(self.seats), 5))
        for seat in range(len(self.seats)):
            row = Rect(area.x + s(20), top + seat * high, area.w - s(40), high - s(8))
            items += self.row_items(s, seat, row)
        if few != many:
            size = Rect(area.x + s(20), low + s(14), s(130), s(48))
            items += [
                Button(
                    rect=size,
                    label="Add seat",
                    intent=Intent("more"),
                    enabled=len(self.seats) < many,
                    size=s.font(16),
                ),
                Button(
                    rect=size.moved(s(140), 0),
                    label="Remove seat",
                    intent=Intent("fewer"),
                    enabled=len(self.seats) > few,
                    size=s.font(16),
                ),
            ]
        start = Rect(area.right - s(300), low + s(8), s(280), s(58))
        items.append(
            Button(
                rect=start, label="Start the game", key="Enter", intent=Intent("start"), primary=True, size=s.font(22)
            )
        )
        if self.notice:
            box = Rect(area.x + s(20), low - s(42), area.w - s(40), s(40))
            items += [
                Panel(rect=box, fill=(92, 28, 30), border=theme.BAD, radius=s(10)),
                Label(rect=box.inset(s(12), 0), text=self.notice, size=s.font(17), bold=True),
            ]
        return items

    def row_items(self, s: Scale, seat: int, row: Rect) -> list[Item]:
        plan = self.seats[seat]
        face = min(row.h * 0.9, s(54))
        person = plan.level is None
        levels = self.program.levels(self.game)
        name = Rect(row.x + s(34) + face + s(14), row.y + (row.h - s(44)) / 2, row.w * 0.30, s(44))
        portrait = Rect(row.x + s(34), row.y + (row.h - face) / 2, face, face)
        items: list[Item] = [
            Label(rect=Rect(row.x, row.y, s(30), row.h), text=f"{seat + 1}.", size=s.font(18), color=theme.MUTED),
            Portrait(rect=portrait, avatar=plan.avatar, intent=Intent("avatar", seat) if person else None),
        ]
        if person:
            active = self.editing == seat
            items.append(
                TextField(rect=name, text=plan.name, active=active, intent=Intent("name", seat), size=s.font(18))
            )
        else:
            items.append(Label(rect=name, text=f"Bot {seat + 1} ({plan.level})", size=s.font(18), color=theme.MUTED))
        choices = [("Person", Intent("person", seat), person)]
        choices += [(level.capitalize(), Intent("level", (seat, level)), plan.level == level) for level in levels]
        x = name.right + s(14)
        wide = min(s(118), (row.right - x) / len(choices) - s(6))
        for at, (label, intent, on) in enumerate(choices):
            rect = Rect(x + at * (wide + s(6)), name.y, wide, name.h)
            items.append(Button(rect=rect, label=label, intent=intent, selected=on, size=s.font(15)))
        return items
