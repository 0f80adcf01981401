"""Somebody at a server, on the way to a table: signing in, the open tables, and the lobby of the one that was joined.

A screen calls `advance` from time to time and shows what it finds here. Nothing waits.
"""

from __future__ import annotations

from collections.abc import Coroutine
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from dicehall.client.errors import Refused
from dicehall.client.hall import Shown
from dicehall.core.house import with_rules
from dicehall.games import Catalogue
from dicehall.ui.tables.new_table import NewTable
from dicehall.ui.tables.remote_table import RemoteTable
from dicehall.ui.tables.server_link import ServerLink, sentence_of
from dicehall.wire.bot_levels import USUAL
from dicehall.wire.sentences import words_of

REFRESH_MS = 1200.0
SILENCE_MS = 5000.0  # until a server that does not answer is named
WRONG_PASSWORD = "wrong_password"


class LockedTable(NamedTuple):
    """A table whose password is asked for, and why."""

    id: str
    sentence: str


@dataclass(slots=True)
class ServerVisit:
    games: Catalogue
    link: ServerLink
    wanted: str | None = None  # a table that a link named, until it is joined
    password: str | None = None  # of that table
    notice: str = ""
    locked: LockedTable | None = None
    tables: list[Shown] = field(default_factory=list)
    lobby: Shown | None = None  # the table that was joined
    pending: Future[Any] | None = None  # signing in, or something asked of the lobby
    joining: tuple[str, Future[Shown]] | None = None
    listing: Future[Any] | None = None
    waited: float = REFRESH_MS
    silent: float = 0.0  # how long nobody has answered

    # -- what happens -------------------------------------------------------------------------------------

    def advance(self, ms: float) -> RemoteTable | None:
        """Let time pass: the table, once its game has begun."""
        self.waited += ms
        self.listen(ms)
        self.settle_pending()
        self.settle_joining()
        if self.lobby is not None and self.lobby["phase"] != "lobby":
            return self.begun(self.lobby)
        self.refresh()
        return None

    def listen(self, ms: float) -> None:
        if self.link.connected:
            self.notice = "" if self.silent >= SILENCE_MS else self.notice
            self.silent = 0.0
            return
        self.silent += ms
        if self.silent >= SILENCE_MS:
            self.notice = f"No Dicehall server answers at {self.link.url}. Still trying."

    def settle_pending(self) -> None:
        if self.pending is not None and self.pending.done():
            self.result(self.pending)
            self.pending = None
        if self.wanted and self.link.signed_in:
            self.join(self.wanted, self.password)
            self.wanted = None

    def settle_joining(self) -> None:
        if self.link.joining is not None and self.joining is None:  # a rematch that the table asked for
            self.joining = "", self.link.joining
        if self.joining is None or not self.joining[1].done():
            return
        table, joined = self.joining
        self.joining = self.link.joining = None
        error = joined.exception()
        if isinstance(error, Refused) and error.code == WRONG_PASSWORD:
            self.locked = LockedTable(table, error.sentence)
        else:
            self.lobby = self.result(joined)

    def refresh(self) -> None:
        """The lobby, or the list of tables, as it is now."""
        if self.listing is not None and self.listing.done():
            found = self.result(self.listing)
            self.listing = None
            if isinstance(found, dict) and self.lobby is not None:
                self.lobby = found
            elif isinstance(found, list):
                self.tables = [table for table in found if table["game"] in self.games]
        if self.listing is None and self.waited >= REFRESH_MS and self.link.signed_in:
            self.waited = 0.0
            hall = self.link.hall
            self.listing = self.link.submit(hall.look(self.lobby["id"]) if self.lobby else hall.find(phase="lobby"))

    def result(self, done: Future[Any]) -> Any:
        """What came of a request; a refusal is noted instead."""
        error = done.exception()
        if error is None:
            return done.result()
        self.notice = sentence_of(error)
        return None

    def begun(self, shown: Shown) -> RemoteTable:
        self.lobby = None
        return RemoteTable(self.link, with_rules(self.games[shown["game"]], shown["rules"]), shown)

    # -- what somebody wants ------------------------------------------------------------------------------

    def sign_in(self, name: str) -> None:
        if not name.strip():
            self.notice = "Type your name first."
        elif self.pending is None:
            self.pending = self.link.submit(self.link.hall.guest(name.strip()))

    def join(self, table: str, password: str | None = None) -> None:
        self.locked = None
        self.joining = table, self.link.join(table, password)

    def open(self, wanted: NewTable) -> None:
        """With bots alone there are hints: nobody is wronged by them."""
        more = {"hints": bool(wanted.bots), "rules": wanted.rules, "password": wanted.password or None}
        self.joining = "", self.link.open(wanted.game, wanted.seats, wanted.bots, **more)

    def start(self) -> None:
        if self.lobby is not None:
            self.ask(self.link.hall.start(self.lobby["id"]))

    def add_bot(self) -> None:
        if self.lobby is not None:
            self.ask(self.link.hall.bots(self.lobby["id"], USUAL))

    def leave(self) -> None:
        if self.lobby is not None:
            self.ask(self.link.hall.stand(self.lobby["id"]))
            self.lobby, self.waited = None, REFRESH_MS

    def ask(self, request: Coroutine[Any, Any, Any]) -> None:
        self.pending = self.link.submit(request)

    # -- what is shown ------------------------------------------------------------------------------------

    def table_note(self, table: Shown) -> str:
        name = words_of(self.games[table["game"]])["about"]["name"]
        locked = ", password" if table.get("locked") else ""
        return f"{name}, {len(table['names'])} of {table['seats']} seats taken{locked}"

    def seat_lines(self) -> list[str]:
        """Who sits in the lobby, seat by seat."""
        return [f"{at}. {seat_text(seat)}" for at, seat in enumerate(self.lobby["seats"], 1)] if self.lobby else []

    @property
    def has_free_seat(self) -> bool:
        return self.lobby is not None and any(not seat["name"] for seat in self.lobby["seats"])

    @property
    def is_started_by_hand(self) -> bool:
        """Whether somebody has to start the game, rather than the last person who sits down."""
        return self.lobby is not None and self.games[self.lobby["game"]]().policy.starts == "asked"

    @property
    def can_start(self) -> bool:
        return self.lobby is not None and sum(bool(seat["name"]) for seat in self.lobby["seats"]) > 1


def seat_text(seat: Shown) -> str:
    if not seat["name"]:
        return "free"
    return f"{seat['name']} ({seat['level']} bot)" if seat.get("level") else str(seat["name"])
