"""Two units, one exchange of blows."""

from __future__ import annotations

import pytest

from dicehall.games.mana.combat import fight
from dicehall.games.mana.units import Ability, Unit

NONE, BOOST, SHIELD, HEAL = Ability


def soldier(attack: int, defense: int, health: int, ability: Ability = NONE, most: int | None = None) -> Unit:
    return Unit(attack, defense, health, most or health, ability)


FIGHTS = [  # first, second, damage by each, health after, winner
    (soldier(20, 5, 30), soldier(15, 8, 30), (12, 10), (20, 18), 0),
    (soldier(15, 8, 30), soldier(20, 5, 30), (10, 12), (18, 20), 1),
    (soldier(20, 5, 30), soldier(20, 5, 30), (15, 15), (15, 15), None),
    (soldier(5, 5, 30), soldier(20, 9, 30), (0, 15), (15, 30), 1),  # not below 0
    (soldier(50, 5, 30), soldier(10, 5, 20), (45, 5), (25, 0), 0),  # not capped by the health left
    (soldier(50, 5, 10), soldier(50, 5, 20), (45, 45), (0, 0), None),  # both fall
    (soldier(15, 5, 30, BOOST), soldier(10, 5, 30), (25, 5), (25, 5), 0),
    (soldier(200, 5, 30, BOOST), soldier(10, 5, 255), (250, 5), (25, 5), 0),  # doubled attack stops at 255
    (soldier(10, 5, 30, SHIELD), soldier(100, 5, 30), (5, 0), (30, 25), 0),
    (soldier(10, 5, 30, SHIELD), soldier(100, 5, 30, BOOST), (5, 0), (30, 25), 0),
    (soldier(10, 5, 30, SHIELD), soldier(10, 5, 30, SHIELD), (0, 0), (30, 30), None),
    (soldier(10, 5, 40, HEAL), soldier(30, 5, 40), (5, 25), (35, 35), None),  # 15 and half of 40
    (soldier(10, 5, 40, HEAL), soldier(10, 5, 40), (5, 5), (40, 35), 0),  # up to its maximum
    (soldier(10, 5, 41, HEAL), soldier(45, 5, 40), (5, 40), (21, 35), 1),  # 1 and half of 41, rounded down
    (soldier(10, 5, 40, HEAL), soldier(45, 5, 40), (5, 40), (0, 35), 1),  # the dead do not heal
    (soldier(9, 5, 1, HEAL, most=1), soldier(5, 5, 9), (4, 0), (1, 5), 1),  # never past the maximum
    (soldier(9, 5, 200, HEAL, most=255), soldier(5, 5, 9), (4, 0), (255, 5), 0),
]


@pytest.mark.parametrize(("first", "second", "damage", "health", "winner"), FIGHTS)
def test_how_a_fight_ends(
    first: Unit, second: Unit, damage: tuple[int, int], health: tuple[int, int], winner: int | None
) -> None:
    """M4, M5."""
    fought = fight(first, second)
    assert (fought.damage, fought.health, fought.winner) == (damage, health, winner)


@pytest.mark.parametrize(("first", "second", "damage", "health", "winner"), FIGHTS)
def test_a_fight_is_the_same_from_the_other_side(
    first: Unit, second: Unit, damage: tuple[int, int], health: tuple[int, int], winner: int | None
) -> None:
    """M4: both at once."""
    fought = fight(second, first)
    assert (fought.damage, fought.health) == (damage[::-1], health[::-1])
    assert fought.winner == (None if winner is None else 1 - winner)


def test_after_a_fight_the_boost_shows_and_abilities_stay() -> None:
    """M4."""
    fought = fight(soldier(15, 5, 30, BOOST), soldier(10, 5, 30, HEAL))
    assert fought.units == (Unit(30, 5, 25, 30, BOOST), Unit(10, 5, 20, 30, HEAL))


def test_one_alive_wins_however_little_is_left() -> None:
    """M5."""
    assert fight(soldier(50, 0, 1, SHIELD), soldier(50, 0, 40)).winner == 0
