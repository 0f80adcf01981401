"""The stronger bot gets the higher rating: by more than both errors, from games that were really played."""

from __future__ import annotations

from random import Random

import pytest

from dicehall.bots.levels import bots_for
from dicehall.core.fold import play
from dicehall.core.game import Dice, Move, Over, Roll, Seat
from dicehall.games.wards.rules import Wards
from dicehall.hall.ratings import Skill, after_game, error, points

GAMES = 600


def winner(levels: tuple[str, str], chance: Random) -> Seat | None:
    game = Wards()
    bots, state = bots_for(game), game.start(2)
    while not isinstance(awaited := game.awaits(state), Over):
        if isinstance(awaited, Dice):
            state = play(game, state, Roll(tuple(chance.randint(1, sides) for sides in awaited.sides))).state
            continue
        seat = min(awaited.seats)
        view, choices = game.view(state, seat), game.choices(state, seat)
        state = play(game, state, Move(seat, bots[levels[seat]](view, seat, choices, chance))).state
    return awaited.winner


@pytest.mark.proof
def test_the_exact_bot_is_rated_above_the_easy_one_by_more_than_the_stated_errors() -> None:
    chance, skills = Random("rated bots"), {"random": Skill(), "exact": Skill()}
    for number in range(GAMES):
        levels = ("random", "exact") if number % 2 else ("exact", "random")
        first = winner(levels, chance)
        places = [1 if seat == first else 2 for seat in range(2)]
        after = after_game([skills[level] for level in levels], places)
        skills = dict(zip(levels, after, strict=True))
    assert points(skills["exact"]) - error(skills["exact"]) > points(skills["random"]) + error(skills["random"])
