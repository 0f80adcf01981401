"""How a bot picks a unit in a match over Nostr, where the other army is unknown until its first reveal."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from dicehall.bots.levels import bots_for
from dicehall.bots.mana import prospect
from dicehall.core.game import Seat
from dicehall.games.mana.actions import Pick
from dicehall.games.mana.rules import Mana
from dicehall.games.mana.state import Pair, State
from dicehall.games.mana.units import DIGEST, LEAGUES, UNITS, Army, army

SAMPLES = 50  # armies that an unknown opponent may have


@dataclass(frozen=True, slots=True)
class Position:
    """A round in which a unit is to be picked."""

    game: Mana
    state: State  # as the reveals so far make it
    seat: int
    round: int
    mine: Army
    league: int
    theirs: Army | None  # None before their first reveal
    score: Pair[int]
    total_damage: Pair[int]


Chooser: TypeAlias = Callable[[Position], Awaitable[int | None]]  # a unit from 0; None to leave the match for now


def bot_chooser(level: str, chance: Random) -> Chooser:
    async def choose(position: Position) -> int:
        return bot_pick(position, level, chance)

    return choose


def bot_pick(position: Position, level: str, chance: Random) -> int:
    if level == "random":
        return chance.randrange(UNITS)
    if position.theirs is None:
        return best_on_average(position.mine, chance)
    view = position.game.view(position.state, None)
    choices = [Pick(unit) for unit in range(UNITS)]
    picked = bots_for(position.game)[level](view, Seat(position.seat), choices, chance)
    assert isinstance(picked, Pick)
    return picked.unit


def best_on_average(mine: Army, chance: Random) -> int:
    """The unit that does best against armies as mints give them out."""
    sampled = [
        other for _ in range(SAMPLES) for other in army(chance.randbytes(DIGEST), chance.randrange(len(LEAGUES)))
    ]
    return max(range(UNITS), key=lambda at: prospect(mine[at], sampled))
