"""The way to a server's table: a name, the list of tables, and the lobby of the one that was joined."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from dicehall.client.errors import Refused
from dicehall.client.hall import Shown
from dicehall.core.house import with_rules
from dicehall.ui.desktop import theme
from dicehall.ui.desktop.game_screen import GameScreen
from dicehall.ui.desktop.scene import Button, Intent, Item, Label, Panel, Rect, Scene, TextField
from dicehall.ui.desktop.screen import Program, Screen
from dicehall.ui.desktop.theme import Scale
from dicehall.ui.tables.remote_table import RemoteTable
from dicehall.ui.tables.server_link import ServerLink
from dicehall.wire.sentences import words_of

REFRESH_MS = 1200.0
SHOWN = 8  # tables in the list
NAME_MOST = 24
USUAL = "greedy"


@dataclass(slots=True)
class ServerScreen:
    program: Program
    link: ServerLink
    name: str = "Guest"
    wanted: str | None = None  # a table that the link named
    editing: bool = False
    notice: str = ""
    pending: Future[Any] | None = None  # signing in, or something asked of the lobby
    listing: Future[Any] | None = None
    tables: list[Shown] = field(default_factory=list)
    lobby: Shown | None = None  # the table that was joined and has not started
    waited: float = REFRESH_MS

    # -- what happens -------------------------------------------------------------------------------------

    def advance(self, ms: float) -> Screen | None:
        self.waited += ms
        self.settle_pending()
        if self.link.joining is not None and self.link.joining.done():
            joined, self.link.joining = self.link.joining, None
            self.lobby = self.result(joined)
        if self.lobby is not None and self.lobby["phase"] != "lobby":
            return self.play(self.lobby)
        self.refresh()
        return None

    def settle_pending(self) -> None:
        if self.pending is not None and self.pending.done():
            self.result(self.pending)
            self.pending = None
            if self.wanted and self.link.signed_in:
                self.link.join(self.wanted)
                self.wanted = None

    def refresh(self) -> None:
        """The lobby, or the list of tables, as it is now."""
        if self.listing is not None and self.listing.done():
            found = self.result(self.listing)
            self.listing = None
            if found is not None and self.lobby is not None and isinstance(found, dict):
                self.lobby = found
            elif isinstance(found, list):
                self.tables = [table for table in found if table["game"] in self.program.games]
        if self.listing is None and self.waited >= REFRESH_MS and self.link.signed_in:
            self.waited = 0.0
            hall = self.link.hall
            self.listing = self.link.submit(hall.look(self.lobby["id"]) if self.lobby else hall.find(phase="lobby"))

    def result(self, done: Future[Any]) -> Any:
        """What came of a request; a refusal is shown instead."""
        error = done.exception()
        if error is None:
            return done.result()
        self.notice = error.sentence if isinstance(error, Refused) else str(error)
        return None

    def play(self, shown: Shown) -> Screen:
        game = with_rules(self.program.games[shown["game"]], shown["rules"])
        return GameScreen(self.program, RemoteTable(self.link, game, shown))

    # -- what is wanted -----------------------------------------------------------------------------------

    def handle(self, intent: Intent) -> Screen | None:
        self.notice = ""
        if intent.name != "name":
            self.editing = False
        hall = self.link.hall
        match intent:
            case Intent("name"):
                self.editing = not self.editing
            case Intent("sign_in"):
                self.sign_in()
            case Intent("join", table):
                self.link.join(table)
            case Intent("open", (game, bots)):
                self.open(game, bots)
            case Intent("bot") if self.lobby:
                self.pending = self.link.submit(hall.bots(self.lobby["id"], USUAL))
            case Intent("begin") if self.lobby:
                self.pending = self.link.submit(hall.start(self.lobby["id"]))
            case Intent("leave") if self.lobby:
                self.pending = self.link.submit(hall.stand(self.lobby["id"]))
                self.lobby, self.waited = None, 0.0
        return None

    def sign_in(self) -> None:
        if not self.name.strip():
            self.notice = "Type your name first."
        elif self.pending is None:
            self.pending = self.link.submit(self.link.hall.guest(self.name.strip()))

    def open(self, game: str, bots: bool) -> None:
        seats = self.program.games[game].seats[0]
        wanted = [{"seat": seat, "level": USUAL} for seat in range(1, seats)] if bots else []
        self.link.open(game, seats, wanted)

    def typed(self, text: str) -> None:
        if text == "\b":
            self.name = self.name[:-1]
        else:
            self.name = (self.name + "".join(letter for letter in text if letter.isprintable()))[:NAME_MOST]

    def close(self) -> None:
        pass

    # -- what is shown ------------------------------------------------------------------------------------

    def scene(self, scale: Scale) -> Scene:
        s = scale
        state = self.link.url if self.link.connected else f"Connecting to {self.link.url} ..."
        items: list[Item] = [
            Label(
                rect=Rect(s(40), s(22), s(500), s(52)), text="Dicehall", size=s.font(40), bold=True, color=theme.ACCENT
            ),
            Label(rect=Rect(s(44), s(72), s.width - s(80), s(28)), text=state, size=s.font(18), color=theme.MUTED),
            Button(
                rect=Rect(s.width - s(200), s(26), s(160), s(48)),
                label="Quit",
                key="Esc",
                intent=Intent("quit"),
                size=s.font(18),
            ),
        ]
        area = Rect(s(40), s(118), s.width - s(80), s.height - s(158))
        items.append(Panel(rect=area, fill=theme.PANEL, border=theme.BORDER, radius=s(16)))
        inside = area.inset(s(28), s(22))
        keys = {"escape": Intent("quit")}
        if not self.link.signed_in:
            items += self.sign_in_items(s, inside)
            keys["return"] = Intent("sign_in")
        elif self.lobby is not None:
            items += self.lobby_items(s, inside, self.lobby)
        else:
            items += self.list_items(s, inside)
        if self.notice:
            box = Rect(inside.x, area.bottom - s(56), inside.w, s(44))
            items += [
                Panel(rect=box, fill=(92, 28, 30), border=theme.BAD, radius=s(10)),
                Label(rect=box.inset(s(12), 0), text=self.notice, size=s.font(17), bold=True),
            ]
        return Scene(tuple(items), keys, typing=self.editing)

    def sign_in_items(self, s: Scale, area: Rect) -> list[Item]:
        field = Rect(area.x, area.y + s(50), s(360), s(50))
        waiting = self.pending is not None
        return [
            heading(s, area, "What is your name?"),
            TextField(rect=field, text=self.name, active=self.editing, intent=Intent("name"), size=s.font(19)),
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
        for at, table in enumerate(self.tables[:SHOWN]):
            about = words_of(self.program.games[table["game"]])["about"]
            rect = Rect(left.x, left.y + s(48) + at * (high + s(8)), left.w, high)
            note = f"{about['name']}, {len(table['names'])} of {table['seats']} seats taken"
            join = Intent("join", table["id"])
            items.append(Button(rect=rect, label=table["name"], note=note, intent=join, size=s.font(18)))
        if not self.tables:
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

    def lobby_items(self, s: Scale, area: Rect, lobby: Shown) -> list[Item]:
        """Who sits there, how others can come, and what starts the game."""
        link = f"Invite friends: {self.link.url}/t/{lobby['id']}"
        items: list[Item] = [
            heading(s, area, f"{lobby['name']}: waiting for players"),
            Label(rect=Rect(area.x, area.y + s(40), area.w, s(28)), text=link, size=s.font(17), color=theme.ACCENT),
        ]
        for at, seat in enumerate(lobby["seats"]):
            text = f"{at + 1}. {seat['name'] or 'free'}"
            rect = Rect(area.x, area.y + s(84) + at * s(34), area.w, s(32))
            color = theme.TEXT if seat["name"] else theme.MUTED
            items.append(Label(rect=rect, text=text, size=s.font(19), color=color))
        policy = self.program.games[lobby["game"]]().policy
        free = any(not seat["name"] for seat in lobby["seats"])
        taken = sum(bool(seat["name"]) for seat in lobby["seats"])
        buttons = [("Add a bot", Intent("bot"), free), ("Leave", Intent("leave"), True)]
        if policy.starts == "asked":
            buttons.insert(0, ("Start the game", Intent("begin"), taken > 1))
        for at, (label, intent, enabled) in enumerate(buttons):
            rect = Rect(area.x + at * s(232), area.bottom - s(110), s(220), s(50))
            items.append(
                Button(rect=rect, label=label, intent=intent, enabled=enabled, primary=at == 0, size=s.font(18))
            )
        return items


def heading(s: Scale, area: Rect, text: str) -> Label:
    return Label(rect=area._replace(h=s(36)), text=text, size=s.font(22), bold=True)
