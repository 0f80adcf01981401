"""Random play of any game: legal moves mostly, with time-outs and absences between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from dicehall.core.fold import play
from dicehall.core.game import (
    AnyGame,
    Attend,
    Dice,
    Entry,
    Expired,
    Faces,
    Move,
    Over,
    Presence,
    Refused,
    Roll,
    Seat,
    Step,
    Turn,
)
from dicehall.games import catalogue
from tests.piglet import GAME as PIGLET

GAMES: dict[str, type[Any]] = {**catalogue(), "piglet": PIGLET}
LIMIT = 20_000  # entries; no game of random play comes near it

QUICK: dict[str, dict[str, int]] = {  # house rules under which random play ends soon
    "wards": {"goal": 30},
    "aetharn": {"goal": 1500},
    "tenthousand": {"goal": 2000, "opening": 300},
}


@dataclass(frozen=True, slots=True)
class Walked:
    """One entry of a random game: the position before it, and what it did."""

    before: Any
    entry: Entry[Any]
    step: Step[Any]


def quick(key: str) -> AnyGame:
    game: AnyGame = GAMES[key](**QUICK.get(key, {}))
    return game


def seats_for(game: AnyGame, chance: Random) -> int:
    return chance.choice(list(type(game).seats))


def walk(game: AnyGame, seats: int, chance: Random, unrest: float = 0.1) -> Iterator[Walked]:
    """Play to the end; *unrest* is how often something other than a move happens."""
    state = game.start(seats)
    for _ in range(LIMIT):
        awaited = game.awaits(state)
        if isinstance(awaited, Over):
            return
        entry = entry_for(game, state, awaited, chance, unrest)
        try:
            step = play(game, state, entry)
        except Refused:
            assert isinstance(entry, Attend), "only a presence is tried that the rules may refuse"
            continue
        yield Walked(state, entry, step)
        state = step.state
    raise AssertionError(f"{game.key} did not end within {LIMIT} entries")


def entry_for(game: AnyGame, state: Any, awaited: Dice | Turn, chance: Random, unrest: float) -> Entry[Any]:
    if isinstance(awaited, Dice):
        return Roll(thrown(awaited.sides, chance))
    if not awaited.seats or chance.random() < unrest:
        if awaited.seats and chance.random() < 0.3:
            return Expired(chance.choice(sorted(awaited.seats)))
        return Attend(Seat(chance.randrange(game.count(state))), chance.choice(list(Presence)))
    movers = [seat for seat in sorted(awaited.seats) if game.barred(state, seat) is None]
    if not movers:
        return Expired(min(awaited.seats))
    seat = chance.choice(movers)
    return Move(seat, chance.choice(game.choices(state, seat)))


def thrown(sides: Faces, chance: Random) -> Faces:
    return tuple(chance.randint(1, n) for n in sides)


def log_of(walked: list[Walked]) -> list[Entry[Any]]:
    return [one.entry for one in walked]
