"""DO or DICE's GameSessions and PlayerStats, counted from the endings that the hall keeps (D11).

Accounts, guests at one keyboard and bots are told apart: by *kind*, and by ids that never meet.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

from dicehall.hall.cards import Ending, Result
from dicehall.hall.register import LAST_PAGE, Register, Tally
from dicehall.hall.seeds.doordice_shapes import PlayerKind, kind_of


@dataclass(frozen=True, slots=True)
class GameSession:
    id: str  # of the table
    date: int  # ms: when it ended
    winner_id: str | None
    total_rounds: int  # one that was broken off counts


@dataclass(frozen=True, slots=True)
class PlayerStats:
    player_id: str
    player_name: str  # as they were called the last time
    kind: PlayerKind
    games_played: int = 0
    wins: int = 0
    total_vp_earned: int = 0  # what they had when games ended


async def game_sessions(register: Register) -> list[GameSession]:
    """The latest first; abandoned games are none."""
    return [session(ending) async for ending in endings(register)]


async def player_stats(register: Register) -> list[PlayerStats]:
    """Players by wins; bots of one level count as one."""
    stats: dict[str, PlayerStats] = {}
    page = 0
    while page <= LAST_PAGE and (found := await stats_page(register, page)):
        stats |= {one.player_id: one for one in found}
        page += 1
    return list(stats.values())


async def stats_page(register: Register, page: int) -> list[PlayerStats]:
    return [stats_of(tally) for tally in await register.tallies("doordice", page)]


def stats_of(tally: Tally) -> PlayerStats:
    bot = tally.account is None
    return PlayerStats(
        player_id=player_id(tally),
        player_name=f"Bot ({tally.bot})" if bot else tally.name,
        kind=kind_of(tally.account),
        games_played=tally.played,
        wins=tally.won,
        total_vp_earned=tally.score,
    )


async def endings(register: Register) -> AsyncIterator[Ending]:
    """Games of DO or DICE that ended, for who runs the hall, as far as lists go; each once, also where one ends now."""
    seen: set[str] = set()
    page = 0
    while page <= LAST_PAGE and (found := await register.endings("doordice", None, page, private=True)):
        for ending in found:
            if ending.table not in seen:
                seen.add(ending.table)
                yield ending
        page += 1


def session(ending: Ending) -> GameSession:
    winner = next((player_id(result) for result in ending.results if result.won), None)
    return GameSession(ending.table, ending.at, winner, ending.rounds or 0)


def player_id(played: Result | Tally) -> str:
    return played.account or f"bot:{played.bot}"
