"""The NUI windows that are open: each is created once, then only binds that have changed are sent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from dicehall.hall.seeds.aetharn_game import AetharnGame
from dicehall.venue.command_log import Command, CommandLog
from dicehall.venue.nui import Json
from dicehall.venue.player_view import player_binds, spectator_binds
from dicehall.venue.table_view import Shown
from dicehall.venue.window_layout import PLAYER, SPECTATOR, WATCHED, player_window, spectator_window


@dataclass(slots=True, eq=False)
class Window:
    """One window of one player."""

    key: str  # the player's
    account: str
    id: str
    nui: Json
    game: AetharnGame
    binds: dict[str, Any]  # as they were last sent
    ticks: frozenset[int] = frozenset()
    asking: bool = False  # whether the player really wants to fold
    closed: bool = False  # by the player; it is not sent to until it is opened again

    @property
    def watched(self) -> list[str]:
        return list(WATCHED) if self.id == PLAYER else []

    def binds_for(self, shown: Shown) -> dict[str, Any]:
        if self.id == SPECTATOR:
            return spectator_binds(shown, self.account)
        return player_binds(shown, self.account, self.ticks, self.asking)

    @property
    def creation(self) -> Command:
        return {"window": self.id, "nui": self.nui, "binds": dict(self.binds), "watch": self.watched}


@dataclass(slots=True, eq=False)
class Windows:
    log: CommandLog
    open: dict[tuple[str, str], Window] = field(default_factory=dict)  # by the player's key and the window's id

    def show(self, key: str, account: str, id: str, title: str, shown: Shown) -> None:
        """Create a window, or create it anew where the player closed it or has moved to another table."""
        known = self.open.get((key, id))
        if known is not None and known.game is shown.game and not known.closed:
            return self.update(known, shown)
        nui = player_window(title) if id == PLAYER else spectator_window(title)
        window = self.open[key, id] = Window(key, account, id, nui, shown.game, {})
        window.binds = window.binds_for(shown)
        self.log.add("create", key, **window.creation)

    def update(self, window: Window, shown: Shown) -> None:
        """Send what has changed."""
        if window.closed:
            return
        binds = window.binds_for(shown)
        changed = {name: value for name, value in binds.items() if window.binds.get(name) != value}
        window.binds = binds
        if changed:
            self.log.add("bind", window.key, window=window.id, binds=changed)

    def destroy(self, key: str, id: str) -> None:
        """Close a window, if it is open."""
        window = self.open.pop((key, id), None)
        if window is not None and not window.closed:
            self.log.add("destroy", key, window=id)

    def forget(self, key: str) -> None:
        """The player has left the world, and took the windows along."""
        for id in (PLAYER, SPECTATOR):
            self.open.pop((key, id), None)

    def get(self, key: str, id: str) -> Window | None:
        return self.open.get((key, id))

    def of_game(self, game: AetharnGame) -> list[Window]:
        return [window for window in self.open.values() if window.game is game]

    def creations(self) -> Iterator[Command]:
        """Commands that make every open window anew."""
        for window in self.open.values():
            if not window.closed:
                yield {"seq": self.log.last, "op": "create", "player": window.key, **window.creation}
