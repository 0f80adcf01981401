"""A table of a server in plain lines: what spectators hear, and where the game stands."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

import msgspec

from dicehall.client.following import Update
from dicehall.client.hall import HallClient, Shown
from dicehall.core.game import AnyGame, Over, Seat
from dicehall.core.house import with_rules
from dicehall.games import Catalogue
from dicehall.ui.tables.remote_table import view_type
from dicehall.ui.terminal.game_lines import Lines, lines_of
from dicehall.ui.terminal.narration import places, shown_lines
from dicehall.ui.terminal.voice import Voice
from dicehall.wire.sentences import names_of, words_of

LOST = "Connection lost. Reconnecting ..."
BACK = "Connected again."
OVER = ("over", "abandoned")


class ServerTable:
    """One table as it was last seen; `changes` keeps it current."""

    def __init__(self, hall: HallClient, games: Catalogue, shown: Shown) -> None:
        self.hall, self.shown = hall, shown
        kind: Any = games[shown["game"]]
        self.game: AnyGame = with_rules(kind, shown["rules"])
        self.lines: Lines = lines_of(kind)
        self.words = words_of(kind)

    @property
    def id(self) -> str:
        return str(self.shown["id"])

    @property
    def title(self) -> str:
        return str(self.words["about"]["name"])

    @property
    def names(self) -> list[str]:
        return [seat["name"] or "nobody" for seat in self.shown["seats"]]

    @property
    def me(self) -> Seat | None:
        return None if self.shown["me"] is None else Seat(self.shown["me"])

    @property
    def in_lobby(self) -> bool:
        return bool(self.shown["phase"] == "lobby")

    @property
    def ended(self) -> bool:
        return self.shown["phase"] in OVER

    @property
    def view(self) -> Any:
        return msgspec.convert(self.shown["view"], view_type(type(self.game)))

    @property
    def turn(self) -> Sequence[int]:
        view = self.shown["view"]
        return view["turn"] if view and view["awaits"] == "turn" and not self.ended else ()

    async def changes(self) -> AsyncIterator[Update]:
        """Every update to the end of the game, with the table as it is after it."""
        if self.ended:
            return
        async for update in self.hall.updates(self.id):
            self.shown = await self.hall.look(self.id)
            yield update
            if self.ended:
                return

    def told(self, update: Update) -> list[str]:
        """The events of the game in sentences; of the table itself only that it started."""
        began = any(event["event"] == "Started" for event in update.events)
        lines = [f"The game begins: {names_of(range(len(self.names)), self.names)}."] if began else []
        return [*lines, *(line for event in update.events for line in self.narrated(event))]

    def narrated(self, event: Shown) -> list[str]:
        """Sentences for one event; before the first position there is nothing that needs it."""
        return shown_lines(self.game, event, self.view, self.names) if self.shown["view"] else []

    def seated(self) -> str:
        """Who sits at a table that has not started."""
        taken = [seat["name"] for seat in self.shown["seats"] if seat["name"]]
        free = len(self.shown["seats"]) - len(taken)
        seats = "no free seats" if not free else "1 free seat" if free == 1 else f"{free} free seats"
        return f"At the table: {', '.join(taken) or 'nobody yet'}; {seats}."

    def position(self) -> list[str]:
        return self.lines.scores(self.view, self.names)

    def result(self) -> list[str]:
        over = self.shown["over"]
        if over is None:
            return ["The table was closed before the game was over."]
        ranked = Over(tuple(frozenset(map(Seat, place)) for place in over["places"]), over["reason"])
        return [*self.position(), *places(ranked, self.names)]


def say_table(table: ServerTable, voice: Voice) -> None:
    voice.say(f"{table.title} at table {table.id}.", "heading")
    voice.say(f"Seal of the dice:\n{table.shown['seal']}", "exact")


def say_start(table: ServerTable, voice: Voice) -> None:
    """Where a table stands when a spectator comes in."""
    say_table(table, voice)
    if table.in_lobby:
        voice.say(f"{table.seated()} Waiting for the game to start.")
    elif not table.ended:
        for line in table.position():
            voice.say(line, "position")


async def watch_lines(table: ServerTable, voice: Voice) -> None:
    """Tell a game as it goes on, to its end."""
    say_start(table, voice)
    seated = table.seated()
    async for update in table.changes():
        for line in table.told(update):
            voice.say(line)
        if table.in_lobby and table.seated() != seated:
            seated = table.seated()
            voice.say(seated)
    voice.say("")
    for line in table.result():
        voice.say(line, "heading")
