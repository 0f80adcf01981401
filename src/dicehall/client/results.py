"""The results of games that ended on this machine: sessions, player statistics and a leaderboard (D11).

One line of JSON per game. A line that cannot be read, such as one that was cut short by a full disk, is skipped.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias

import msgspec

from dicehall.client.playing import Playing, ended
from dicehall.wire.bot_levels import level_name
from dicehall.wire.results import final_scores, numbered_places, rounds_played

BOT = re.compile(r"Bot \((.+)\)")

Kind: TypeAlias = Literal["person", "bot"]


class SeatResult(msgspec.Struct, frozen=True):
    name: str  # of bots "Bot (level)", with the key of the level
    kind: Kind
    place: int
    won: bool  # alone in first place (C8)
    score: int  # points, victory points, or rounds won


class GameResult(msgspec.Struct, frozen=True):
    id: str
    at: int  # ms since the epoch
    game: str
    reason: str
    rounds: int | None
    seats: tuple[SeatResult, ...]

    @property
    def winner(self) -> str | None:
        return next((seat.name for seat in self.seats if seat.won), None)

    @property
    def shown_winner(self) -> str:
        """As people read it."""
        return next((shown_name(seat.name, seat.kind, "bot") for seat in self.seats if seat.won), "shared")


@dataclass(frozen=True, slots=True)
class PlayerStats:
    name: str
    kind: Kind
    games_played: int = 0
    wins: int = 0
    total_score: int = 0  # in DO or DICE the VP they had when games ended

    @property
    def shown_name(self) -> str:
        return shown_name(self.name, self.kind)

    @property
    def win_rate(self) -> float:
        return self.wins / self.games_played if self.games_played else 0.0


def shown_name(name: str, kind: Kind, bots: str = "bots") -> str:
    """A name as people read it: bots of one level are one player."""
    found = BOT.fullmatch(name)
    return f"{level_name(found[1])} {bots}" if found and kind == "bot" else name


def result_of(playing: Playing, bots: dict[int, str], id: str, at: int) -> GameResult | None:
    """How a game ended; None while it runs, and where it was abandoned. Bots of one level count as one player."""
    over = ended(playing)
    if over is None or not over.places:
        return None
    view = playing.view(None)
    scores = final_scores(view, len(playing.names))
    seats: dict[int, SeatResult] = {}
    for place, seat in numbered_places(over):
        name = f"Bot ({bots[seat]})" if seat in bots else playing.names[seat]
        kind: Kind = "bot" if seat in bots else "person"
        seats[seat] = SeatResult(name, kind, place, over.winner == seat, scores[seat])
    in_order = tuple(seats[seat] for seat in sorted(seats))
    return GameResult(id, at, playing.game.key, str(over.reason), rounds_played(view), in_order)


@dataclass(frozen=True, slots=True)
class ResultsFile:
    path: Path

    def add(self, result: GameResult) -> bool:
        """Add a result; returns whether it was written. A failure does not affect the game."""
        line = msgspec.json.encode(result) + b"\n"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a+b") as file:
                file.write(line if ends_a_line(file) else b"\n" + line)
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            return False
        return True

    def all(self, game: str | None = None) -> list[GameResult]:
        """The latest first; each game once."""
        try:
            lines = self.path.read_bytes().splitlines()
        except OSError:
            return []
        found: dict[str, GameResult] = {}
        for line in lines:
            try:
                result = msgspec.json.decode(line, type=GameResult)
            except (msgspec.DecodeError, UnicodeDecodeError):
                continue
            found[result.id] = result
        return [result for result in reversed(found.values()) if game in (None, result.game)]


def ends_a_line(file: BinaryIO) -> bool:
    """Whether the last line is whole, so that another can follow it."""
    if file.seek(0, os.SEEK_END) == 0:
        return True
    file.seek(-1, os.SEEK_END)
    return file.read(1) == b"\n"


def player_stats(results: Iterable[GameResult]) -> list[PlayerStats]:
    """Players by wins, then win rate, then points; people and bots are listed separately."""
    stats: dict[tuple[str, Kind], PlayerStats] = {}
    for result in results:
        for seat in result.seats:
            one = stats.get((seat.name, seat.kind)) or PlayerStats(seat.name, seat.kind)
            stats[seat.name, seat.kind] = counted(one, seat)
    return sorted(stats.values(), key=lambda one: (*worth(one), one.name))


def worth(one: PlayerStats) -> tuple[float, ...]:
    """What the order of players depends on, the best first."""
    return -one.wins, -one.win_rate, -one.total_score


def counted(one: PlayerStats, seat: SeatResult) -> PlayerStats:
    played, won = one.games_played + 1, one.wins + seat.won
    return replace(one, games_played=played, wins=won, total_score=one.total_score + seat.score)


def leaderboard(results: Sequence[GameResult], most: int = 10) -> list[PlayerStats]:
    return player_stats(results)[:most]


def leaders(results: Sequence[GameResult], most: int = 10) -> list[tuple[int, PlayerStats]]:
    """The leaderboard with places from 1; equals share one (C8)."""
    placed: list[tuple[int, PlayerStats]] = []
    for at, one in enumerate(leaderboard(results, most), start=1):
        equal = bool(placed) and worth(placed[-1][1]) == worth(one)
        placed.append((placed[-1][0] if equal else at, one))
    return placed
