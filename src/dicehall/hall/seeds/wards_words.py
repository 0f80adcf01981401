"""The words of Dice Wards' own interface: its error names, its callers, and the shapes of its answers (W10-W13).

Times are whole milliseconds, null where there is none (C11). Names are the seed's, letter for letter.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final, TypeAlias

from dicehall.core.game import Refused


class Operator(Enum):
    """A caller that is not a person: the hall itself, or a client with the operator's service token."""

    OPERATOR = "operator"


OPERATOR: Final = Operator.OPERATOR
Caller: TypeAlias = str | Operator | None  # an account; None for somebody who is not signed in


class Wrong(StrEnum):
    NOT_YOUR_TURN = "NotYourTurn"
    GAME_FINISHED = "GameFinished"
    UNAUTHORIZED = "Unauthorized"
    ROOM_FULL = "RoomFull"
    ROOM_NOT_FOUND = "RoomNotFound"
    ALREADY_IN_ROOM = "AlreadyInRoom"
    INVALID_STATE = "InvalidState"


class WardsError(Exception):
    def __init__(self, name: Wrong, detail: str) -> None:
        super().__init__(f"{name}: {detail}")
        self.name = name
        self.detail = detail


# What each of the hall's codes is called here; those of an outage stay what they are.
NAMES = {
    "not_your_turn": Wrong.NOT_YOUR_TURN,
    "game_finished": Wrong.GAME_FINISHED,
    "not_signed_in": Wrong.UNAUTHORIZED,
    "not_seated": Wrong.UNAUTHORIZED,
    "not_allowed": Wrong.UNAUTHORIZED,
    "wrong_password": Wrong.UNAUTHORIZED,
    "table_full": Wrong.ROOM_FULL,
    "seat_taken": Wrong.ROOM_FULL,
    "already_started": Wrong.ROOM_FULL,
    "no_such_table": Wrong.ROOM_NOT_FOUND,
    "already_seated": Wrong.ALREADY_IN_ROOM,
    "too_few_seats": Wrong.INVALID_STATE,
    "no_such_account": Wrong.INVALID_STATE,
    "name_taken": Wrong.INVALID_STATE,
    "bad_request": Wrong.INVALID_STATE,
}


@contextmanager
def seeds_names(always: Wrong | None = None) -> Iterator[None]:
    """What the hall refuses in here is told under the seed's name for it, or always under the same."""
    try:
        yield
    except Refused as refused:
        name = NAMES.get(refused.code.value)
        if name is None:
            raise
        raise WardsError(always or name, refused.sentence) from refused


class RoomStatus(StrEnum):
    WAITING = "WaitingForPlayers"
    IN_GAME = "InGame"
    FINISHED = "Finished"


class GameStatus(StrEnum):
    WAITING = "WaitingForPlayers"
    IN_PROGRESS = "InProgress"
    FINISHED = "Finished"


class Role(StrEnum):
    P1 = "P1"
    P2 = "P2"


@dataclass(frozen=True, slots=True)
class Profile:
    playerId: str
    username: str
    createdAt: int
    gamesPlayed: int  # of Dice Wards
    gamesWon: int


@dataclass(frozen=True, slots=True)
class Room:
    id: str
    name: str
    owner: str
    player1: str | None
    player2: str | None
    status: RoomStatus
    gameId: str
    createdAt: int


@dataclass(frozen=True, slots=True)
class Scores:
    player1: int
    player2: int


@dataclass(frozen=True, slots=True)
class GameView:
    roomId: str
    player1: str | None
    player2: str | None
    status: GameStatus
    scores: Scores
    roundScore: int
    activePlayer: Role
    turnId: int  # turns are counted from 1
    turnStartedAt: int | None
    turnExpiresAt: int | None  # when the running 30 seconds end
    lastRoll: int | None
    winner: Role | None
    createdAt: int | None
    me: Role | None  # None for the operator alone
    remainingMs: int | None
