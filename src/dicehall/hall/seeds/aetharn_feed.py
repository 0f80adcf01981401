"""What a table tells, as the seed's events.

Events of the rules, warnings and spectators are passed on as they come. What the seed calls a lobby is read off
who sits there before and after; a table that is destroyed is a lobby cleared, or a game abandoned. GameSlept comes
after the time-out that put the table to sleep, GameWoke before whatever woke it (W8).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from dicehall.core.game import Event
from dicehall.games.aetharn import events
from dicehall.games.aetharn.rules import Aetharn
from dicehall.hall.seeds.aetharn_events import Subscribers
from dicehall.table.listening import Listener
from dicehall.table.live import LiveTable
from dicehall.table.state import TableState

OF_THE_RULES = {name for name, kind in vars(events).items() if isinstance(kind, type) and issubclass(kind, Event)}
PASSED_ON = OF_THE_RULES | {"GraceWarning", "SpectatorJoined", "SpectatorLeft"}


@dataclass(slots=True, eq=False)
class Feed:
    """A listener at a table that is nobody's: it is no spectator."""

    id: str
    live: LiveTable
    subscribers: Subscribers
    after: Callable[[], None]  # called when an update was told
    closed: Callable[[], None]  # called when the table was destroyed
    sitting: dict[int, str | None] = field(default_factory=dict)  # accounts in the lobby, by chair, as last told
    asleep: bool = False  # as last told

    def open(self) -> None:
        self.sitting = sitting(self.live.state)
        self.asleep = self.live.state.phase == "asleep"
        self.live.listeners.add(Listener(self, None, own=True), self.live.state)

    def close(self) -> None:
        self.live.unlisten(self.id)

    def push(self, message: bytes) -> None:
        update = msgspec.json.decode(message)
        before, self.asleep = self.asleep, self.live.state.phase == "asleep"
        if before and self.live.state.phase == "playing":
            self.subscribers.tell("GameWoke")
        for event in update.get("events", [update]):
            self.tell(event)
        if self.asleep and not before:
            self.subscribers.tell("GameSlept")
        self.after()

    def offer(self, message: bytes) -> None:
        """Aetharn's own subscriptions know no reactions."""

    def tell(self, event: dict[str, Any]) -> None:
        match event:
            case {"event": "Sat" | "Stood"}:
                self.tell_lobby()
            case {"event": "Destroyed", "why": why}:
                self.tell_destroyed(why)
            case {"event": name} if name in PASSED_ON:  # what else a table tells, the seed has no event for
                fields = {key: value for key, value in event.items() if key not in ("event", "to", "table")}
                self.subscribers.tell(name, **fields)

    def tell_lobby(self) -> None:
        """Report who has left and joined since; changing chairs counts as both."""
        before, now = self.sitting, sitting(self.live.state)
        self.sitting = now
        total = len(before)
        for chair in sorted(chair for chair, account in before.items() if (chair, account) not in now.items()):
            total -= 1
            self.subscribers.tell("LobbyPlayerLeft", player=chair, total_players=total)
        for chair in sorted(chair for chair, account in now.items() if (chair, account) not in before.items()):
            total += 1
            can_start = total >= Aetharn.seats[0]
            self.subscribers.tell("LobbyPlayerJoined", player=chair, total_players=total, can_start=can_start)

    def tell_destroyed(self, why: str) -> None:
        state = self.live.state
        if state.sitting:
            self.subscribers.tell("GameAbandoned", players=list(state.position.order))
        else:
            self.subscribers.tell("LobbyCleared", reason=why)
        self.closed()


def sitting(state: TableState) -> dict[int, str | None]:
    return {chair.number: chair.account for chair in state.chairs}
