"""What happens at an Aetharn table: the seed's events under their own names, with their own fields (A19).

What needs a clock or a count (turn_number, grace_period, time_remaining, the reason of a removal) the table fills in.
"""

from __future__ import annotations

from dataclasses import dataclass

from dicehall.core.game import Event, Faces, Seat
from dicehall.games.aetharn.scoring import ScoringResult


@dataclass(frozen=True, slots=True)
class GameStarted(Event):
    players: tuple[Seat, ...]  # in the order of play
    first_player: Seat


@dataclass(frozen=True, slots=True)
class TurnStarted(Event):
    player: Seat


@dataclass(frozen=True, slots=True)
class DiceRolled(Event):
    dice_values: Faces
    scoring_result: ScoringResult


@dataclass(frozen=True, slots=True)
class DiceHeld(Event):
    held_dice_values: Faces
    points_from_held: int
    remaining_dice_count: int


@dataclass(frozen=True, slots=True)
class HotDice(Event):
    player: Seat
    accumulated_points: int


@dataclass(frozen=True, slots=True)
class PointsScored(Event):
    player: Seat
    points_this_turn: int
    total_score: int


@dataclass(frozen=True, slots=True)
class PlayerBusted(Event):
    player: Seat
    lost_points: int


@dataclass(frozen=True, slots=True)
class TurnTimedOut(Event):
    player: Seat
    lost_points: int


@dataclass(frozen=True, slots=True)
class TurnEnded(Event):
    player: Seat
    next_player: Seat | None  # None where the game is over or waits
    was_bust: bool
    points_banked: int


@dataclass(frozen=True, slots=True)
class TurnSkipped(Event):
    player: Seat


@dataclass(frozen=True, slots=True)
class PlayerFolded(Event):
    player: Seat
    remaining_player_count: int


@dataclass(frozen=True, slots=True)
class PlayerAbsent(Event):
    player: Seat


@dataclass(frozen=True, slots=True)
class PlayerReturned(Event):
    player: Seat


@dataclass(frozen=True, slots=True)
class PlayerRemoved(Event):
    player: Seat
    remaining_player_count: int


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    winner: Seat
    final_standings: tuple[Seat, ...]  # best first; of equals the lower seat first


@dataclass(frozen=True, slots=True)
class GameAbandoned(Event):
    players: tuple[Seat, ...]
