"""Combat: two units strike at once (M4), and one may have won (M5)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dicehall.games.mana.units import Ability, Unit, capped


@dataclass(frozen=True, slots=True)
class Fight:
    units: tuple[Unit, Unit]  # as they are after it: attack boosted, health healed
    damage: tuple[int, int]  # dealt by each, also beyond the health that was left

    @property
    def health(self) -> tuple[int, int]:
        return self.units[0].health, self.units[1].health

    @property
    def winner(self) -> int | None:
        """More health left wins; no health at all is a unit that died, so equal health is always a tie."""
        mine, other = self.health
        return None if mine == other else 0 if mine > other else 1


def fight(first: Unit, second: Unit) -> Fight:
    first, second = boosted(first), boosted(second)
    damage = blow(first, second), blow(second, first)
    return Fight((healed(wounded(first, damage[1])), healed(wounded(second, damage[0]))), damage)


def boosted(unit: Unit) -> Unit:
    return replace(unit, attack=capped(unit.attack * 2)) if unit.ability is Ability.BOOST else unit


def blow(attacker: Unit, defender: Unit) -> int:
    return 0 if defender.ability is Ability.SHIELD else max(0, attacker.attack - defender.defense)


def wounded(unit: Unit, damage: int) -> Unit:
    return replace(unit, health=max(0, unit.health - damage))


def healed(unit: Unit) -> Unit:
    """Half of its best health comes back to a healer that is still alive."""
    if unit.ability is not Ability.HEAL or unit.health == 0:
        return unit
    return replace(unit, health=min(unit.max_health, unit.health + max(1, unit.max_health // 2)))
