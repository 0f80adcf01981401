"""From 32 bytes to eight units, and what leagues add."""

from __future__ import annotations

import pytest

from dicehall.games.mana.units import LEAGUES, Ability, League, Unit, army, token_digest, unit

NO_LEAGUE = League("none")


@pytest.mark.parametrize(
    ("four", "attack", "defense", "health", "ability"),
    [
        ((0, 0, 0, 0), 10, 5, 20, Ability.NONE),
        ((19, 14, 29, 1), 29, 19, 49, Ability.BOOST),
        ((20, 15, 30, 2), 10, 5, 20, Ability.SHIELD),
        ((39, 29, 59, 3), 29, 19, 49, Ability.HEAL),
        ((255, 255, 255, 255), 25, 5, 35, Ability.HEAL),
        ((128, 128, 128, 128), 18, 13, 28, Ability.NONE),
    ],
)
def test_four_bytes_make_a_unit(
    four: tuple[int, ...], attack: int, defense: int, health: int, ability: Ability
) -> None:
    """M2."""
    assert unit(bytes(four), NO_LEAGUE) == Unit(attack, defense, health, health, ability)


@pytest.mark.parametrize(
    ("league", "attack", "defense", "health"), [(0, 20, 5, 20), (1, 10, 5, 40), (2, 15, 10, 20), (3, 10, 10, 35)]
)
def test_what_a_league_adds(league: int, attack: int, defense: int, health: int) -> None:
    """M3: health bonuses go to the maximum too."""
    (first, *_) = army(bytes(32), league)
    assert first == Unit(attack, defense, health, health, Ability.NONE)


def test_the_leagues_have_names() -> None:
    """M3."""
    assert [league.name for league in LEAGUES] == ["Fire", "Ice", "Shadow", "Nature"]


@pytest.mark.parametrize(("number", "same_as"), [(4, 0), (7, 3), (1002, 2)])
def test_a_league_is_its_number_modulo_four(number: int, same_as: int) -> None:
    """M3."""
    assert army(bytes(32), number) == army(bytes(32), same_as)


def test_unit_i_uses_the_bytes_from_4i() -> None:
    """M2."""
    units = army(bytes(range(32)), 1)
    assert [one.attack for one in units] == [10 + 4 * i % 20 for i in range(8)]
    assert [one.defense for one in units] == [5 + (4 * i + 1) % 15 for i in range(8)]
    assert [one.health for one in units] == [40 + (4 * i + 2) % 30 for i in range(8)]
    assert {one.ability for one in units} == {Ability.HEAL}


def test_numbers_of_a_unit_stop_at_255() -> None:
    """M4."""
    assert unit(bytes(4), League("huge", 300, 300, 300)) == Unit(255, 255, 255, 255, Ability.NONE)


def test_the_digest_of_a_token_is_the_hash_of_secret_and_signature() -> None:
    """M2: worked out with sha256sum for a secret of 32 times 00 and a C of 02 and 32 times 11."""
    digest = token_digest(bytes(32), b"\x02" + b"\x11" * 32)
    assert digest.hex() == "0ab4c30ac34139ff402b36eee871aa948fb4609b1713ffc400d8682428c3b12e"
