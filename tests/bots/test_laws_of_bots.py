"""What every bot of every level keeps to."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from dicehall.bots.levels import bots_for, levels, plays_as
from dicehall.core.fold import play
from dicehall.core.game import AnyGame, Dice, Move, Over, Roll, Seat
from dicehall.games import catalogue
from dicehall.games.mana.actions import Pick
from dicehall.games.mana.units import UNITS

EVERY = [(key, level) for key in catalogue() for level in levels(key)]
ME, OTHER = Seat(0), Seat(1)


def positions(game: AnyGame, seed: str, most: int) -> list[tuple[Any, Seat]]:
    """Where somebody has to decide, in a game that greedy bots play."""
    chance, state = Random(seed), game.start(game.seats[0])
    found: list[tuple[Any, Seat]] = []
    bot = bots_for(game)["greedy"]
    while len(found) < most and not isinstance(awaited := game.awaits(state), Over):
        if isinstance(awaited, Dice):
            state = play(game, state, Roll(tuple(chance.randint(1, n) for n in awaited.sides))).state
            continue
        seat = min(awaited.seats)
        found.append((state, seat))
        action = bot(game.view(state, seat), seat, game.choices(state, seat), chance)
        state = play(game, state, Move(seat, action)).state
    return found


@pytest.mark.parametrize(("key", "level"), EVERY)
def test_the_same_view_and_seed_give_the_same_move_which_is_one_of_the_choices(key: str, level: str) -> None:
    game = catalogue()[key]()
    for state, seat in positions(game, f"same {key}", 4):
        view, choices = game.view(state, seat), game.choices(state, seat)
        moves = [bots_for(game)[level](view, seat, choices, Random("seed")) for _ in range(2)]
        assert moves[0] == moves[1]
        assert moves[0] in choices


@pytest.mark.parametrize("level", levels("mana"))
def test_a_bot_cannot_know_what_the_other_side_has_picked_in_secret(level: str) -> None:
    """States that differ in nothing but the other seat's hidden pick: the same move for the same seed."""
    game = catalogue()["mana"](rounds=3)
    for number in range(3):
        (state, _), *_ = positions(game, f"secret {number}", 1)
        moves = set()
        for hidden in range(UNITS):
            picked = play(game, state, Move(OTHER, Pick(hidden))).state
            view = game.view(picked, ME)
            moves.add(bots_for(game)[level](view, ME, game.choices(picked, ME), Random(f"{number}")))
        assert len(moves) == 1


def test_games_with_secrets_are_all_looked_at_above() -> None:
    assert [key for key, game in catalogue().items() if getattr(game, "secret", False)] == ["mana"]


HOUSE_RULES = [
    ("wards", {"goal": 77}, "good"),
    ("wards", {"goal": 10**9}, "good"),
    ("aetharn", {"goal": 10**9}, "good"),
    ("tenthousand", {"opening": 10**9}, "good"),
    ("mana", {"rounds": 99, "fight_once": 0}, "greedy"),
    ("mana", {"rounds": 8}, "greedy"),
]


@pytest.mark.parametrize(("key", "rules", "lesser"), HOUSE_RULES)
def test_exact_without_a_ready_table_plays_as_another_level_and_says_so(
    key: str, rules: dict[str, int], lesser: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DICEHALL_CACHE", f"{tmp_path}")
    game = catalogue()[key](**rules)
    assert plays_as(game, "exact", 2) == lesser
    bots = bots_for(game)
    for state, seat in positions(game, "house", 3):
        view, choices = game.view(state, seat), game.choices(state, seat)
        exact, other = (bots[level](view, seat, choices, Random(1)) for level in ("exact", lesser))
        assert exact == other


@pytest.mark.parametrize("key", ["wards", "mana", "aetharn", "tenthousand"])
def test_exact_is_exact_with_the_usual_rules(key: str) -> None:
    game = catalogue()[key]()
    assert plays_as(game, "exact", 2) == "exact"
    assert plays_as(game, "greedy", 2) == "greedy"
