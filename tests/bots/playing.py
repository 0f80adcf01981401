"""Whole games between bots, with dice and chance from one seed."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from dicehall.bots.levels import Bot
from dicehall.core.fold import play
from dicehall.core.game import AnyGame, Dice, Move, Over, Roll

LIMIT = 50_000  # entries; no game between bots comes near it


def bots_play(game: AnyGame, bots: Sequence[Bot], seed: str) -> Over:
    """Every move a bot makes must be one of its choices and good for the rules."""
    chance = Random(seed)
    state = game.start(len(bots))
    for _ in range(LIMIT):
        awaited = game.awaits(state)
        if isinstance(awaited, Over):
            return awaited
        if isinstance(awaited, Dice):
            state = play(game, state, Roll(tuple(chance.randint(1, n) for n in awaited.sides))).state
            continue
        seat = min(awaited.seats)
        choices = game.choices(state, seat)
        action = bots[seat](game.view(state, seat), seat, choices, chance)
        assert action in choices
        state = play(game, state, Move(seat, action)).state
    raise AssertionError("the game did not end")
