"""The rules of a match as the judge knows them, written from the clauses M2-M7 alone."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

ABILITIES = ("None", "Boost", "Shield", "Heal")
BONUS = ({"attack": 10}, {"health": 20}, {"attack": 5, "defense": 5}, {"health": 15, "defense": 5})
ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Fought:
    units: tuple[dict[str, Any], dict[str, Any]]
    damage: tuple[int, int]
    winner: int | None


def unit_of(secret: str, C: str, league: int, index: int) -> dict[str, Any]:
    """M2, M3."""
    digest = sha256(bytes.fromhex(secret) + bytes.fromhex(C)).digest()
    a, d, h, ability = digest[4 * index : 4 * index + 4]
    bonus = BONUS[league % 4]
    health = min(255, 20 + h % 30 + bonus.get("health", 0))
    return {
        "attack": min(255, 10 + a % 20 + bonus.get("attack", 0)),
        "defense": min(255, 5 + d % 15 + bonus.get("defense", 0)),
        "health": health,
        "max_health": health,
        "ability": ABILITIES[ability % 4],
    }


def fought(first: dict[str, Any], second: dict[str, Any]) -> Fought:
    """M4, M5."""
    units = [dict(first), dict(second)]
    for one in units:
        if one["ability"] == "Boost":
            one["attack"] = min(255, one["attack"] * 2)
    damage = [
        0 if units[1 - at]["ability"] == "Shield" else max(0, units[at]["attack"] - units[1 - at]["defense"])
        for at in (0, 1)
    ]
    for at, one in enumerate(units):
        one["health"] = max(0, one["health"] - damage[1 - at])
        if one["health"] and one["ability"] == "Heal":
            one["health"] = min(one["max_health"], one["health"] + max(1, one["max_health"] // 2))
    health = units[0]["health"], units[1]["health"]
    winner = None if health[0] == health[1] else int(health[1] > health[0])
    return Fought((units[0], units[1]), (damage[0], damage[1]), winner)


def standing(rounds: list[Fought]) -> tuple[list[int], list[int]]:
    score = [sum(one.winner == at for one in rounds) for at in (0, 1)]
    return score, [sum(one.damage[at] for one in rounds) for at in (0, 1)]


def verdict(rounds: list[Fought]) -> tuple[int | None, str] | None:
    """The winner and the reason where the match is over (M6)."""
    score, damage = standing(rounds)
    if abs(score[0] - score[1]) <= ROUNDS - len(rounds) and len(rounds) < ROUNDS:
        return None
    first, second = (score[0], damage[0]), (score[1], damage[1])
    return (None, "draw") if first == second else (int(second > first), "rounds")


def hashed(secret: str, C: str, unit: int, number: int, match_id: str, nonce: str) -> str:
    """M7."""
    data = bytes.fromhex(secret) + bytes.fromhex(C) + bytes((unit, number)) + match_id.encode() + bytes.fromhex(nonce)
    return sha256(data).hexdigest()
