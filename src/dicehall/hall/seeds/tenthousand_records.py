"""The records of Dice 10 000 in the seed's shapes, folded from the story of a table (T10).

Where a record names another it holds its id. Ids follow from the table's: "t/r3/t1/x0" is the first roll in the turn
of seat 1 in round 3. Times are ms, null while something is open (C11); when a game ends, nothing stays open.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import TypeVar

from dicehall.core.game import Event
from dicehall.games.tenthousand.events import (
    Busted,
    Locked,
    Rolled,
    RoundEnded,
    RoundStarted,
    TimedOut,
    Yielded,
)
from dicehall.games.tenthousand.rules import TenThousand
from dicehall.hall.seeds.tales import Sitter, Tale
from dicehall.table.slices import ACTS


class DieFace(IntEnum):
    One = 1
    Two = 2
    Three = 3
    Four = 4
    Five = 5
    Six = 6


@dataclass(frozen=True, slots=True)
class DiceSubset:
    die_faces: tuple[DieFace, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Player:
    id: str
    created_at: int
    name: str
    games: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Game:
    id: str
    created_at: int
    name: str
    players: tuple[str, ...]
    rounds: tuple[str, ...] = ()
    ended_at: int | None = None


@dataclass(frozen=True, slots=True)
class Round:
    id: str
    created_at: int
    index: int
    game: str
    turn_queue: tuple[str, ...]  # all players of the round, in the order in which they play
    completed_turns: tuple[str, ...]
    remaining_turns: tuple[str, ...]  # the running one first
    ended_at: int | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    id: str
    created_at: int  # with its round
    player: str
    round: str
    game: str
    ended_at: int | None = None
    rolls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Roll:
    id: str
    created_at: int
    index: int
    player: str
    turn: str
    round: str
    game: str
    ended_at: int | None
    outcome: tuple[DieFace, ...]
    locked_dices: tuple[DiceSubset, ...] = ()


@dataclass(slots=True)
class Records:
    """All records of one game, by their ids."""

    game: Game
    rounds: dict[str, Round] = field(default_factory=dict)
    turns: dict[str, Turn] = field(default_factory=dict)
    rolls: dict[str, Roll] = field(default_factory=dict)

    # -- one event after the other ---------------------------------------------------------------

    def begin_round(self, index: int, at: int) -> None:
        game = self.game  # its rounds are written down at the end, all at once
        id = f"{game.id}/r{index}"
        turns = tuple(f"{id}/t{seat}" for seat in range(len(game.players)))
        self.rounds[id] = Round(id, at, index, game.id, game.players, (), turns)
        for turn, player in zip(turns, game.players, strict=True):
            self.turns[turn] = Turn(turn, at, player, id, game.id)

    def add(self, at: int, event: Event, rules: TenThousand) -> None:
        match event:
            case Rolled(faces=faces):
                self.begin_roll(at, faces)
            case Locked(subsets=subsets):
                self.lock(tuple(DiceSubset(die_faces(subset), rules.table.worth[subset]) for subset in subsets))
            case Busted() | Yielded() | TimedOut():
                self.complete_turn(at)
            case RoundEnded():
                self.change_round(ended_at=at)
            case RoundStarted(round=index):
                self.begin_round(index, at)
            case _:
                pass  # TurnStarted and Won say nothing that the others have not said

    def begin_roll(self, at: int, faces: tuple[int, ...]) -> None:
        self.end_roll(at)
        turn = self.turn
        index = len(turn.rolls)
        id = f"{turn.id}/x{index}"
        self.turns[turn.id] = replace(turn, rolls=(*turn.rolls, id))
        self.rolls[id] = Roll(id, at, index, turn.player, turn.id, turn.round, turn.game, None, die_faces(faces))

    def lock(self, subsets: tuple[DiceSubset, ...]) -> None:
        roll = self.rolls[self.turn.rolls[-1]]
        self.rolls[roll.id] = replace(roll, locked_dices=roll.locked_dices + subsets)

    def end_roll(self, at: int) -> None:
        """The roll that was played is over: another one falls, or the turn ends."""
        if self.turn.rolls:
            last = self.rolls[self.turn.rolls[-1]]
            self.rolls[last.id] = replace(last, ended_at=at)

    def complete_turn(self, at: int) -> None:
        self.end_roll(at)
        turn, round = self.turn, self.round
        self.turns[turn.id] = replace(turn, ended_at=at)
        self.change_round(completed_turns=(*round.completed_turns, turn.id), remaining_turns=round.remaining_turns[1:])

    def end(self, at: int) -> None:
        """The game is over: what was still open, and what will never be played, ends with it."""
        self.game = replace(self.game, ended_at=at)
        self.rounds = {id: closed(one, at) for id, one in self.rounds.items()}
        self.turns = {id: closed(one, at) for id, one in self.turns.items()}
        self.rolls = {id: closed(one, at) for id, one in self.rolls.items()}

    # -- what is going on ------------------------------------------------------------------------

    @property
    def round(self) -> Round:
        return self.rounds[next(reversed(self.rounds))]

    @property
    def turn(self) -> Turn:
        return self.turns[self.round.remaining_turns[0]]

    def change_round(self, **changed: object) -> None:
        self.rounds[self.round.id] = replace(self.round, **changed)  # type: ignore[arg-type]


R = TypeVar("R", Round, Turn, Roll)


def closed(record: R, at: int) -> R:
    return replace(record, ended_at=at) if record.ended_at is None else record


def die_faces(faces: tuple[int, ...]) -> tuple[DieFace, ...]:
    return tuple(DieFace(face) for face in faces)


def no_records(tale: Tale) -> Records:
    """Those of a game in which nothing has happened yet."""
    card = tale.card
    players = tuple(player_id(card.table, sitter) for sitter in tale.sitters)
    return Records(Game(card.table, card.opened_at, card.name, players))


def fold(records: Records, tale: Tale) -> Iterator[None]:
    """Add what happened, in steps of a fraction of a millisecond: a game may be long."""
    assert isinstance(tale.game, TenThousand)
    if tale.started_at is not None:
        records.begin_round(0, tale.started_at)
    for number, (at, events) in enumerate(tale.happened, 1):
        for event in events:
            records.add(at, event, tale.game)
        if number % ACTS == 0:
            yield
    records.game = replace(records.game, rounds=tuple(records.rounds))
    if tale.ended_at is not None:
        records.end(tale.ended_at)


def player_id(table: str, sitter: Sitter) -> str:
    """An account; a bot is a player of its table only."""
    return f"{table}/b{sitter.chair}" if sitter.account is None else sitter.account
