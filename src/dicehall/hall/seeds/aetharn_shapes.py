"""Aetharn in the seed's own shapes, read off a table; nothing here is kept."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from dicehall.core.game import Over, Presence, Seat
from dicehall.games.aetharn.rules import Reason
from dicehall.games.aetharn.state import State, View
from dicehall.table.chairs import Chair
from dicehall.table.clocks import Kind, dues
from dicehall.table.state import TableState

GameEndReason = Reason  # its values are the seed's


class GamePhase(StrEnum):
    LOBBY = "Lobby"
    IN_PROGRESS = "InProgress"
    ENDED = "Ended"
    ABANDONED = "Abandoned"


PHASES = {
    "lobby": GamePhase.LOBBY,
    "playing": GamePhase.IN_PROGRESS,
    "asleep": GamePhase.IN_PROGRESS,
    "over": GamePhase.ENDED,
    "abandoned": GamePhase.ABANDONED,
}


class PlayerPresence(StrEnum):
    PRESENT = "Present"
    ABSENT = "Absent"
    GONE = "Gone"


PRESENCES = {
    Presence.HERE: PlayerPresence.PRESENT,
    Presence.AWAY: PlayerPresence.ABSENT,
    Presence.GONE: PlayerPresence.GONE,
}


@dataclass(frozen=True, slots=True)
class AetharnPlayer:
    player: str | None  # the account; None for a bot
    seat: int  # as events name it: in the lobby the number of the chair
    name: str
    score: int
    has_folded: bool  # also who was removed: that is a fold nobody asked for
    presence: PlayerPresence
    absent_since: int | None  # ms
    assigned_chair: Hashable  # the venue's


@dataclass(frozen=True, slots=True)
class TurnState:
    player: AetharnPlayer
    accumulated_points: int
    current_dice: tuple[int, ...]  # faces; empty before the first roll
    held_dice: tuple[int, ...]  # positions in the current roll, as holds name them
    remaining_dice: int
    has_used_hot_dice: bool


@dataclass(frozen=True, slots=True)
class Spectator:
    player: str | None  # the account, where it is known
    name: str | None


def players_of(state: TableState, chairs: Sequence[Hashable]) -> tuple[AetharnPlayer, ...]:
    """In the lobby by chair, in a game by seat."""
    if not state.sitting:
        return tuple(player_of(chair, chair.number, 0, False, chairs) for chair in state.chairs)
    position: State = state.position
    out = {seat for seat, _ in position.out}
    return tuple(
        player_of(chair, seat, position.scores[seat], Seat(seat) in out, chairs)
        for seat, chair in enumerate(state.chairs)
    )


def player_of(chair: Chair, seat: int, score: int, out: bool, chairs: Sequence[Hashable]) -> AetharnPlayer:
    presence = PRESENCES[chair.presence]
    since = chair.since if presence is PlayerPresence.ABSENT else None
    return AetharnPlayer(chair.account, seat, chair.name, score, out, presence, since, chairs[chair.number])


def on_turn(state: TableState) -> Seat | None:
    return min(state.to_act(), default=None)


def turn_of(state: TableState, chairs: Sequence[Hashable]) -> TurnState | None:
    seat = on_turn(state)
    if seat is None:
        return None
    view: View = state.game.view(state.position, None)
    return TurnState(
        player=players_of(state, chairs)[seat],
        accumulated_points=view.turn_points,
        current_dice=view.roll or (),
        held_dice=view.held,
        remaining_dice=view.dice_left,
        has_used_hot_dice=view.hot_dice_used > 0,
    )


def turn_deadline(state: TableState) -> int | None:
    """When the turn's time is out, in ms; None where no clock runs."""
    return next((due.at for due in dues(state) if due.kind is Kind.TURN), None)


def grace_deadline(state: TableState, account: str | None) -> int | None:
    """When the grace of somebody absent ends, in ms."""
    for due in dues(state):
        if due.kind in (Kind.GRACE, Kind.LOBBY):
            chair = state.chairs[due.seat] if due.kind is Kind.GRACE else state.chair(due.seat)
            if chair.account == account:
                return due.at
    return None


def over_of(state: TableState) -> Over | None:
    over = state.awaited
    return over if isinstance(over, Over) else None


def winner_of(state: TableState) -> Seat | None:
    over = over_of(state)
    return None if over is None else over.winner


def end_reason_of(state: TableState) -> GameEndReason | None:
    """A table that was destroyed, or whose lobby everybody left, is abandoned like a game everybody left."""
    if not state.ended:
        return None
    over = over_of(state)
    return GameEndReason.LEFT if over is None else GameEndReason(over.reason)
