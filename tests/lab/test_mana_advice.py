"""Hints at Mana: drawn from the mix, and in words where the position is lost."""

from __future__ import annotations

from dicehall.core.game import Seat
from dicehall.games.mana.rules import Mana
from dicehall.lab.advice import advise
from dicehall.solvers.mana import ManaSolver
from tests.solvers.test_mana_once import drawn, lost_position

ME = Seat(0)


def test_a_hint_in_a_lost_position_says_so_and_hopes_for_a_mistake() -> None:
    """It used to be the first unit of the army, however weak."""
    game, state = lost_position()
    view, choices = game.view(state, ME), game.choices(state, ME)
    advice = advise(game, 2, view, ME, choices, "seed")
    assert advice.note == "exact; the position is lost against perfect play, so this hopes for a mistake"
    worths = ManaSolver(fight_once=True).worths(view, ME, choices)
    assert [worth.action for worth in worths if worth.often] == [advice.best]
    assert advice.worths[0].action == advice.best


def test_hints_are_drawn_from_the_mix_by_their_seed() -> None:
    game = Mana(rounds=2)
    for number in range(20):
        state = drawn(game, f"drawn {number}")
        view, choices = game.view(state, ME), game.choices(state, ME)
        used = {w.action for w in ManaSolver(fight_once=True).worths(view, ME, choices) if w.often}
        given = {advise(game, 2, view, ME, choices, f"{seed}").best for seed in range(60)}
        assert given <= used
        if len(used) > 1:
            assert len(given) > 1
            assert advise(game, 2, view, ME, choices, "a").best == advise(game, 2, view, ME, choices, "a").best
            return
    raise AssertionError("no mixed position was drawn")
