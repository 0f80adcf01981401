"""The way to a server's table: a name, the list of tables, and the lobby of the one that was joined."""

from __future__ import annotations

from dataclasses import dataclass, field

from dicehall.ui.desktop import theme
from dicehall.ui.desktop.game_screen import GameScreen
from dicehall.ui.desktop.new_table_screen import NewTableScreen
from dicehall.ui.desktop.panels import TypedText, corner_button, heading, notice_items, panel_area, titled_panel
from dicehall.ui.desktop.scene import Button, Intent, Item, Label, Panel, Rect, Scene, TextField, centered
from dicehall.ui.desktop.screen import Program, Screen
from dicehall.ui.desktop.theme import Scale
from dicehall.ui.tables.home_seats import NAME_MOST
from dicehall.ui.tables.new_table import PASSWORD_MOST, NewTable, usual_table
from dicehall.ui.tables.server_visit import LockedTable, ServerVisit
from dicehall.wire.sentences import words_of

SHOWN = 8  # tables in the list
NAME, PASSWORD = "name", "password"  # what is typed


@dataclass(slots=True)
class ServerScreen:
    program: Program
    visit: ServerVisit
    name: TypedText = field(default_factory=lambda: TypedText("Guest", NAME_MOST))
    password: TypedText = field(default_factory=lambda: TypedText(most=PASSWORD_MOST))
    editing: str = NAME

    def __post_init__(self) -> None:
        self.name.begin(self.name.text)

    def advance(self, ms: float) -> Screen | None:
        table = self.visit.advance(ms)
        if self.visit.locked is not None:
            self.editing = PASSWORD
        return None if table is None else GameScreen(self.program, table)

    # -- what is wanted -----------------------------------------------------------------------------------

    def handle(self, intent: Intent) -> Screen | None:
        visit = self.visit
        visit.notice = ""
        self.editing = NAME if intent.name == NAME else ""
        match intent:
            case Intent("name"):
                self.name.begin(self.name.text)
            case Intent("sign_in"):
                visit.sign_in(self.name.text)
            case Intent("join", table):
                visit.join(table)
            case Intent("unlock") if visit.locked:
                visit.join(visit.locked.id, self.password.text)
                self.password.text = ""
            case Intent("cancel"):
                visit.locked, self.password.text = None, ""
            case Intent("open", (game, bots)):
                wanted = usual_table(self.program.games[game], self.program.levels(game), bots=bots)
                return NewTableScreen(self.program, wanted, self.open, lambda: self)
            case Intent("bot"):
                visit.add_bot()
            case Intent("begin"):
                visit.start()
            case Intent("leave"):
                visit.leave()
        return None

    def open(self, wanted: NewTable) -> Screen:
        self.visit.open(wanted)
        return self

    def typed(self, text: str) -> None:
        (self.password if self.editing == PASSWORD else self.name).typed(text)

    def close(self) -> None:
        pass

    # -- what is shown ------------------------------------------------------------------------------------

    def scene(self, scale: Scale) -> Scene:
        s, area, link = scale, panel_area(scale), self.visit.link
        state = link.url if link.connected else f"Connecting to {link.url} ..."
        items = titled_panel(s, "Dicehall", state, corner_button(s, "Quit", Intent("quit")))
        items += self.content_items(s, area.inset(s(28), s(22)))
        items += notice_items(s, Rect(area.x + s(28), area.bottom - s(56), area.w - s(56), s(44)), self.visit.notice)
        keys = {"escape": Intent("quit"), **({} if link.signed_in else {"return": Intent("sign_in")})}
        if self.visit.locked is not None:
            under = len(items)
            items += self.password_items(s, self.visit.locked)
            keys = {"return": Intent("unlock"), "escape": Intent("cancel")}
            return Scene(tuple(items), keys, typing=True, modal=under)
        return Scene(tuple(items), keys, typing=bool(self.editing))

    def content_items(self, s: Scale, area: Rect) -> list[Item]:
        if not self.visit.link.signed_in:
            return self.sign_in_items(s, area)
        return self.list_items(s, area) if self.visit.lobby is None else self.lobby_items(s, area)

    def sign_in_items(self, s: Scale, area: Rect) -> list[Item]:
        field = Rect(area.x, area.y + s(50), s(360), s(50))
        waiting = self.visit.pending is not None
        return [
            heading(s, area, "What is your name?"),
            TextField(
                rect=field,
                text=self.name.text,
                active=bool(self.editing),
                marked=bool(self.editing) and self.name.marked,
                intent=Intent("name"),
                size=s.font(19),
            ),
            Button(
                rect=field.moved(s(380), 0)._replace(w=s(220)),
                label="Signing in ..." if waiting else "Play as a guest",
                key="Enter",
                intent=Intent("sign_in"),
                enabled=not waiting,
                primary=True,
                size=s.font(18),
            ),
        ]

    def list_items(self, s: Scale, area: Rect) -> list[Item]:
        left = area._replace(w=area.w * 0.48)
        right = Rect(left.right + s(30), area.y, area.w - left.w - s(30), area.h)
        items: list[Item] = [heading(s, left, "Open tables"), heading(s, right, "New table")]
        high = s(58)
        for at, table in enumerate(self.visit.tables[:SHOWN]):
            rect = Rect(left.x, left.y + s(48) + at * (high + s(8)), left.w, high)
            note = self.visit.table_note(table)
            join = Intent("join", table["id"])
            items.append(Button(rect=rect, label=table["name"], note=note, intent=join, size=s.font(18)))
        if not self.visit.tables:
            text = "No open tables yet. Create one and it will appear here."
            items.append(
                Label(
                    rect=Rect(left.x, left.y + s(48), left.w, s(60)),
                    text=text,
                    size=s.font(17),
                    color=theme.MUTED,
                    wrap=True,
                )
            )
        for at, (key, game) in enumerate(self.program.games.items()):
            y = right.y + s(48) + at * (high + s(8))
            wide = (right.w - s(10)) / 2
            name = words_of(game)["about"]["name"]
            items += [
                Button(
                    rect=Rect(right.x, y, wide, high),
                    label=name,
                    note="against bots",
                    intent=Intent("open", (key, True)),
                    size=s.font(17),
                ),
                Button(
                    rect=Rect(right.x + wide + s(10), y, wide, high),
                    label=name,
                    note="with friends",
                    intent=Intent("open", (key, False)),
                    size=s.font(17),
                ),
            ]
        return items

    def lobby_items(self, s: Scale, area: Rect) -> list[Item]:
        """Who sits there, how others can come, and what starts the game."""
        visit = self.visit
        assert visit.lobby is not None
        link = f"Invite friends: {visit.link.url}/t/{visit.lobby['id']}"
        items: list[Item] = [
            heading(s, area, f"{visit.lobby['name']}: waiting for players"),
            Label(rect=Rect(area.x, area.y + s(40), area.w, s(28)), text=link, size=s.font(17), color=theme.ACCENT),
        ]
        for at, (text, seat) in enumerate(zip(visit.seat_lines(), visit.lobby["seats"], strict=True)):
            rect = Rect(area.x, area.y + s(84) + at * s(34), area.w, s(32))
            color = theme.TEXT if seat["name"] else theme.MUTED
            items.append(Label(rect=rect, text=text, size=s.font(19), color=color))
        buttons = [("Add a bot", Intent("bot"), visit.has_free_seat), ("Leave", Intent("leave"), True)]
        if visit.is_started_by_hand:
            buttons.insert(0, ("Start the game", Intent("begin"), visit.can_start))
        for at, (label, intent, enabled) in enumerate(buttons):
            rect = Rect(area.x + at * s(232), area.bottom - s(110), s(220), s(50))
            items.append(
                Button(rect=rect, label=label, intent=intent, enabled=enabled, primary=at == 0, size=s.font(18))
            )
        return items

    def password_items(self, s: Scale, locked: LockedTable) -> list[Item]:
        """Asks for the password of a table, over everything else."""
        box = centered(s.width / 2, s.height / 2, s(560), s(230))
        inside = box.inset(s(30), s(24))
        low = Rect(inside.x, inside.bottom - s(50), (inside.w - s(14)) / 2, s(50))
        return [
            Panel(rect=Rect(0, 0, s.width, s.height), fill=(0, 0, 0), alpha=150, radius=0),
            Panel(rect=box, fill=theme.PANEL, border=theme.ACCENT, radius=s(16)),
            heading(s, inside, locked.sentence),
            TextField(
                rect=Rect(inside.x, inside.y + s(52), inside.w, s(50)),
                text=self.password.masked,
                active=True,
                size=s.font(19),
            ),
            Button(rect=low, label="Join", key="Enter", intent=Intent("unlock"), primary=True, size=s.font(18)),
            Button(
                rect=low.moved(low.w + s(14), 0), label="Cancel", key="Esc", intent=Intent("cancel"), size=s.font(18)
            ),
        ]
