"""Five hundred changes to honest sealed records, always the same ones, each with what checkers must say of it."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import cycle
from random import Random

from tests.dice.changes import CHANGES, Change, Record, Wanted
from tests.launch.sealing import continued, sealed

COUNT = 500


@dataclass(frozen=True, slots=True)
class Mutation:
    record: str  # which honest record
    change: str
    wanted: Wanted
    text: str


@cache
def honest() -> dict[str, Record]:
    """One sealed record of each game, Piglet among them, two whose seats were drawn, and two that were continued."""
    return {
        "wards": sealed("wards", 2),
        "aetharn": sealed("aetharn", 3, seed="aetharn 268"),
        "tenthousand": sealed("tenthousand", 3),
        "doordice": sealed("doordice", 5),
        "mana": sealed("mana", 2),
        "piglet": sealed("piglet", 3),
        "drawn doordice": sealed("doordice", 5, drawn=True),
        "drawn piglet": sealed("piglet", 3, drawn=True),
        "continued wards": continued("wards", 2, 8),
        "continued doordice": continued("doordice", 5, 12, drawn=True),
    }


@cache
def mutations() -> tuple[Mutation, ...]:
    """The changes in turn, each on the records in turn, until there are enough."""
    made: list[Mutation] = []
    tried = attempts()
    while len(made) < COUNT:
        mutation = next(tried)
        if mutation is not None:
            made.append(mutation)
    return tuple(made)


def attempts() -> Iterator[Mutation | None]:
    chance = Random("five hundred mutations")
    records = list(honest())
    for round_ in cycle(range(len(records))):
        for at, (wanted, function) in enumerate(CHANGES):
            name = records[(round_ + at) % len(records)]
            yield attempt(name, wanted, function, chance)


def attempt(name: str, wanted: Wanted, function: Change, chance: Random) -> Mutation | None:
    record = copy.deepcopy(honest()[name])
    text = function(record, chance)
    if text is False:
        return None
    text = text if isinstance(text, str) else json.dumps(record)
    assert text != json.dumps(honest()[name]), f"{function.__name__} changes nothing of {name}"
    return Mutation(name, function.__name__, wanted, text)
