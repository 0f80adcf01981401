"""One game of Aetharn as the seed's AetharnGame: a table of the hall, seen and used under the seed's names.

Everything it shows is read off the table; everything it does is asked of it, and refused with a code and a sentence.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Hashable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from dicehall.core.game import Refusal, Refused
from dicehall.hall.hall import Hall
from dicehall.hall.seeds.aetharn_events import LAST, Callback, Happened, Stop, Subscribers, heard
from dicehall.hall.seeds.aetharn_feed import Feed
from dicehall.hall.seeds.aetharn_shapes import (
    PHASES,
    AetharnPlayer,
    GameEndReason,
    GamePhase,
    Spectator,
    TurnState,
    end_reason_of,
    on_turn,
    players_of,
    turn_of,
    winner_of,
)
from dicehall.hall.seeds.aetharn_timers import AbsenceTracker, TurnTimer
from dicehall.table import requests
from dicehall.table.chairs import Chair, chair_of
from dicehall.table.clocks import grace_ms
from dicehall.table.live import LiveTable
from dicehall.table.requests import Code
from dicehall.table.sitting import out_for_good
from dicehall.table.state import TableState

numbers = count(1)  # of connections


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """The window of a spectator: what it shows comes from a subscription."""

    id: str
    player: str

    def push(self, message: bytes) -> None:
        return

    def offer(self, message: bytes) -> None:
        return


@dataclass(slots=True, eq=False)
class AetharnGame:
    hall: Hall
    table: Hashable  # the venue's
    chairs: tuple[Hashable, ...]  # the venue's, by number
    live: LiveTable
    closed: Callable[[AetharnGame], None]  # called when the table was destroyed
    subscribers: Subscribers = field(default_factory=Subscribers)
    conns: dict[str, str] = field(default_factory=dict)  # the connections of seated players that are not lost
    windows: dict[str, Window] = field(default_factory=dict)  # of spectators
    feed: Feed = field(init=False)
    turn_timer: TurnTimer = field(init=False)
    absence_tracker: AbsenceTracker = field(init=False)

    def __post_init__(self) -> None:
        self.turn_timer = TurnTimer(lambda: self.state, self.now, self.subscribers)
        self.feed = Feed(self.new_conn(), self.live, self.subscribers, self.turn_timer.reset, lambda: self.closed(self))
        self.absence_tracker = AbsenceTracker(self)
        self.feed.open()
        self.turn_timer.start()

    def dispose(self) -> None:
        """Tell nothing more."""
        self.turn_timer.stop()
        self.feed.close()
        for window in self.windows.values():
            self.live.unlisten(window.id)

    # -- events -----------------------------------------------------------------------------------------

    def subscribe(self, callback: Callback, *names: str) -> Stop:
        """Call back for every event, or for those named; what is returned ends it."""
        return self.subscribers.subscribe(callback, *names)

    def events(self) -> AsyncGenerator[Happened, None]:
        """Every event from the first look on, until the game is destroyed."""
        return heard(self.subscribe, LAST)

    # -- state --------------------------------------------------------------------------------------------

    @property
    def state(self) -> TableState:
        """With every time-out and removal from its deadline on; they are told a second later (C4)."""
        return self.hall.host.settled(self.live)

    @property
    def game_id(self) -> str:
        return self.state.id

    @property
    def phase(self) -> GamePhase:
        return PHASES[self.state.phase]

    @property
    def is_asleep(self) -> bool:
        """Whether nobody plays any more: no turn's clock runs, but graces do (W8)."""
        return self.state.phase == "asleep"

    @property
    def players(self) -> tuple[AetharnPlayer, ...]:
        return players_of(self.state, self.chairs)

    @property
    def spectators(self) -> tuple[Spectator, ...]:
        watching = [one for one in self.live.listeners.by_id.values() if one.watches(self.state)]
        return tuple(
            Spectator(one.conn.player if isinstance(one.conn, Window) else one.account, one.name) for one in watching
        )

    @property
    def current_player(self) -> AetharnPlayer | None:
        seat = on_turn(self.state)
        return None if seat is None else self.players[seat]

    @property
    def current_turn(self) -> TurnState | None:
        return turn_of(self.state, self.chairs)

    @property
    def winner(self) -> AetharnPlayer | None:
        seat = winner_of(self.state)
        return None if seat is None else self.players[seat]

    @property
    def end_reason(self) -> GameEndReason | None:
        return end_reason_of(self.state)

    @property
    def turn_start_time(self) -> int | None:
        """Since when the turn's clock runs, in ms; hot dice start it afresh (A8)."""
        return self.state.clocks.turn if self.state.to_act() else None

    @property
    def turn_time_remaining(self) -> int | None:
        return self.turn_timer.remaining

    @property
    def winning_score(self) -> int:
        goal: int = self.state.opened.rules["goal"]  # type: ignore[assignment]  # a goal is never null
        return goal

    @property
    def turn_time_limit(self) -> int | None:
        return self.turn_timer.time_limit

    @property
    def absence_grace_period(self) -> int:
        return grace_ms(self.state)

    def now(self) -> int:
        return self.hall.host.parts.clock.now()

    # -- actions --------------------------------------------------------------------------------------------

    async def start(self, player: str | None = None) -> None:
        """Anyone seated can start; without a name, it is the player in the first chair."""
        seated = [one.player for one in self.players if one.player is not None]
        await self.ask(player or next(iter(seated), None), requests.Start())

    async def roll(self, player: str | None = None) -> None:
        await self.do("roll", player)

    async def hold_dice(self, indices: Sequence[int], player: str | None = None) -> None:
        await self.do({"hold": list(indices)}, player)

    async def bank(self, player: str | None = None) -> None:
        await self.do("bank", player)

    async def fold(self, player: AetharnPlayer | str) -> None:
        await self.do("fold", player.player if isinstance(player, AetharnPlayer) else player)

    async def player_sat_down(self, player: str, chair: Hashable) -> None:
        """Join the lobby, change chairs, or come back to the game."""
        if chair not in self.chairs:
            raise Refused(Code.BAD_REQUEST, "This chair does not belong to this table.")
        number = self.chairs.index(chair)
        conn = self.conns.get(player) or self.new_conn()
        mine = self.chair(player)
        lost = mine is not None and mine.number == number and player not in self.conns
        if lost and self.phase is GamePhase.LOBBY:
            await self.ask(player, requests.Carry(conn))
        else:
            await self.hall.sit(player, self.game_id, seat=number, conn=conn)
        self.conns[player] = conn
        await self.remove_spectator(player)

    async def player_stood_up(self, player: str) -> None:
        await self.ask(player, requests.Stand())
        self.conns.pop(player, None)

    def player_disconnected(self, player: str) -> None:
        """The connection of somebody seated is lost: if they are not back soon, that is an absence (A12)."""
        conn = self.conns.pop(player, None)
        if conn is not None:
            self.hall.host.disconnect(self.game_id, conn)

    async def add_spectator(self, player: str) -> None:
        """Let somebody watch who does not sit here, or is out of the game (A16, A17)."""
        chair = self.chair(player)
        if chair is not None and not out_for_good(self.state, chair):
            raise Refused(Code.ALREADY_SEATED, "You are already seated at this table.")
        if player not in self.windows:
            window = self.windows[player] = Window(self.new_conn(), player)
            self.live.listen(window, None, await self.hall.parts.name(player))

    async def remove_spectator(self, player: str) -> None:
        window = self.windows.pop(player, None)
        if window is not None:
            self.live.unlisten(window.id)

    # -- how it is done -----------------------------------------------------------------------------------

    async def ask(self, player: str | None, request: requests.Request) -> None:
        await self.hall.ask(player, self.game_id, request)

    async def do(self, move: Any, player: str | None) -> None:
        await self.ask(player or self.on_turn(), requests.Do(move))

    def on_turn(self) -> str | None:
        current = self.current_player
        if current is not None:
            return current.player
        if self.phase is GamePhase.LOBBY:
            raise Refused(Code.TOO_FEW_SEATS, "The game has not started yet.")
        if self.phase is GamePhase.IN_PROGRESS:
            raise Refused(Refusal.NOT_YOUR_TURN, "The game is waiting for a player to return.")
        raise Refused(Refusal.GAME_FINISHED, "The game is over.")

    def chair(self, player: str) -> Chair | None:
        return chair_of(self.state.chairs, player)

    def new_conn(self) -> str:
        return f"{self.hall.host.parts.process}:aetharn:{next(numbers)}"
