"""Armies: the eight units that the 32 bytes of a digest stand for (M2, M3)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from typing import TypeAlias

U8 = 255  # no number of a unit goes above


class Ability(StrEnum):
    NONE = "None"
    BOOST = "Boost"
    SHIELD = "Shield"
    HEAL = "Heal"


@dataclass(frozen=True, slots=True)
class Unit:
    attack: int
    defense: int
    health: int
    max_health: int
    ability: Ability


Army: TypeAlias = tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class League:
    name: str
    attack: int = 0
    defense: int = 0
    health: int = 0  # to the maximum too


ABILITIES = (Ability.NONE, Ability.BOOST, Ability.SHIELD, Ability.HEAL)
LEAGUES = (
    League("Fire", attack=10),
    League("Ice", health=20),
    League("Shadow", attack=5, defense=5),
    League("Nature", health=15, defense=5),
)
ATTACK, DEFENSE, HEALTH = range(10, 30), range(5, 20), range(20, 50)  # of a unit, before the bonus of its league
UNITS = 8  # in an army
BYTES = 4  # of a digest for a unit
DIGEST = UNITS * BYTES


def token_digest(secret: bytes, signature: bytes) -> bytes:
    """The digest of a mana token: its secret (32 bytes) and C, the mint's signature on it (33 bytes)."""
    return sha256(secret + signature).digest()


def league_of(number: int) -> int:
    """Every keyset belongs to one of the four leagues."""
    return number % len(LEAGUES)


@lru_cache(maxsize=1024)
def army(digest: bytes, league: int) -> Army:
    """The eight units of a digest, with the bonus of their league."""
    bonus = LEAGUES[league_of(league)]
    return tuple(unit(digest[at : at + BYTES], bonus) for at in range(0, DIGEST, BYTES))


def unit(four: bytes, league: League) -> Unit:
    attack, defense, health, ability = four
    strength = capped(within(HEALTH, health) + league.health)
    return Unit(
        attack=capped(within(ATTACK, attack) + league.attack),
        defense=capped(within(DEFENSE, defense) + league.defense),
        health=strength,
        max_health=strength,
        ability=ABILITIES[ability % len(ABILITIES)],
    )


def within(numbers: range, byte: int) -> int:
    return numbers[byte % len(numbers)]


def capped(number: int) -> int:
    return min(number, U8)
