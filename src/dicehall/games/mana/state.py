"""Where a game of Mana stands, and what can be asked of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias, TypeVar

from dicehall.core.game import Over, Seat, Seats
from dicehall.core.house import BadRule
from dicehall.games.mana.units import Army

T = TypeVar("T")
Pair: TypeAlias = tuple[T, T]  # one for each seat

SEATS = (Seat(0), Seat(1))
MATCH_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class Phase(StrEnum):
    DRAW = "draw"
    PICK = "pick"
    COMMIT = "commit"
    REVEAL = "reveal"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Match:
    """A match refereed over Nostr: its id is part of every commitment (M7, M8)."""

    id: str
    players: tuple[str, str]

    def __post_init__(self) -> None:
        if not MATCH_ID.fullmatch(self.id):
            raise BadRule("bad_match", "match", "A match id has 1 to 64 of the characters A-Z a-z 0-9 . _ -")
        if len(self.players) != len(SEATS) or self.players[0] == self.players[1]:
            raise BadRule("bad_match", "match", "A match needs two different players.")


@dataclass(frozen=True, slots=True)
class Round:
    picks: Pair[int]
    damage: Pair[int]  # by seat 0, by seat 1
    health: Pair[int]  # after combat
    winner: Seat | None


@dataclass(frozen=True, slots=True)
class State:
    armies: Pair[Army | None] = (None, None)
    leagues: Pair[int | None] = (None, None)
    tokens: Pair[bytes | None] = (None, None)  # digests of the tokens bound to a match (M9)
    commitments: Pair[str | None] = (None, None)
    picks: Pair[int | None] = (None, None)
    rounds: tuple[Round, ...] = ()
    over: Over | None = None


def wins(state: State) -> Pair[int]:
    won = [played.winner for played in state.rounds]
    return won.count(SEATS[0]), won.count(SEATS[1])


def damage(state: State) -> Pair[int]:
    return sum(played.damage[0] for played in state.rounds), sum(played.damage[1] for played in state.rounds)


def spent(state: State, seat: Seat) -> tuple[int, ...]:
    """The units of a seat that have fought."""
    return tuple(sorted({played.picks[seat] for played in state.rounds}))


def lacking(done: Pair[T | None]) -> Seats:
    return frozenset(seat for seat in SEATS if done[seat] is None)


def put(pair: Pair[T], seat: Seat, value: T) -> Pair[T]:
    return (value, pair[1]) if seat == 0 else (pair[0], value)


def other(seat: Seat) -> Seat:
    return Seat(1 - seat)
