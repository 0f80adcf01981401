"""The tables of a run: which games, with house rules that end soon, and who comes to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from dicehall.core.house import with_rules
from dicehall.games import catalogue

GAMES = catalogue()
TRAITS = {
    "slow": 0.25,  # thinks longer than the clock now and then
    "edge": 0.3,  # acts in the very millisecond of the deadline
    "drops": 0.25,  # loses connections
    "second": 0.2,  # opens a second connection beside the first
    "leaves": 0.2,  # gets up and comes back
    "sleeps": 0.1,  # stops until the table sleeps, and wakes it
    "deserts": 0.12,  # goes for good
    "deputes": 0.1,  # lets a bot play for a while
    "rude": 0.15,  # asks for what cannot be
    "words": 0.4,  # commits to words
    "silent": 0.05,  # and does not open them
    "nosy": 0.3,  # looks at everything
}

RULES: dict[str, Callable[[Random], dict[str, int | None]]] = {
    "wards": lambda chance: {"goal": chance.randint(6, 20)},
    "aetharn": lambda chance: {"goal": chance.randint(200, 600), "grace_seconds": chance.randint(5, 12)},
    "tenthousand": lambda chance: {"goal": chance.randint(200, 700), "opening": chance.choice((0, 0, 200))},
    "doordice": lambda chance: {"rounds": chance.randint(1, 2), "hp": chance.randint(4, 12)},
    "mana": lambda chance: {"rounds": chance.randint(1, 3), "match_seconds": chance.randint(15, 40)},
}


@dataclass(frozen=True, slots=True)
class Setup:
    table: str
    game: Any
    seats: int
    drawn: bool
    bot_ms: int
    people: tuple[frozenset[str], ...]  # the traits of each who sits down; the first looks after the lobby
    spectators: tuple[frozenset[str], ...]


def setups(chance: Random, graces: Random) -> list[Setup]:
    return [setup(f"t{number}", chance, graces) for number in range(chance.choice((1, 1, 1, 2, 2, 3)))]


def setup(table: str, chance: Random, graces: Random) -> Setup:
    key = chance.choice(tuple(GAMES))
    clock = None if chance.random() < 0.04 and key != "mana" else chance.randint(5, 9)
    rules = RULES[key](chance) | {"round_seconds" if key == "mana" else "turn_seconds": clock}
    if key == "aetharn" and graces.random() < 0.4:  # so long that the table sleeps before anybody is removed
        rules["grace_seconds"] = graces.randint(30, 45)
    game = with_rules(GAMES[key], rules)
    few = game.seats[0]
    seats = few if game.policy.starts == "full" else chance.randint(few, min(game.seats[-1], 3))
    siesta = chance.random() < 0.15 and seats < 4  # everybody stops at once, and no bot plays on
    people = seats if siesta else chance.randint(1, min(seats, 3))
    return Setup(
        table,
        game,
        seats,
        chance.random() < 0.3,
        chance.choice((50, 200, 700)),
        tuple(traits(chance) | ({"siesta"} if siesta else set()) for _ in range(people)),
        tuple(traits(chance) for _ in range(chance.choice((0, 0, 1)))),
    )


def traits(chance: Random) -> frozenset[str]:
    return frozenset(trait for trait, share in TRAITS.items() if chance.random() < share)
