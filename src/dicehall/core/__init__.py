"""The core types that every package shares."""

from dicehall.core.fold import play, replay
from dicehall.core.game import (
    Attend,
    Dice,
    Event,
    Expired,
    Game,
    Move,
    Over,
    Policy,
    Presence,
    Refused,
    Roll,
    Seat,
    Step,
    Turn,
)

__all__ = [
    "Attend",
    "Dice",
    "Event",
    "Expired",
    "Game",
    "Move",
    "Over",
    "Policy",
    "Presence",
    "Refused",
    "Roll",
    "Seat",
    "Step",
    "Turn",
    "play",
    "replay",
]
