"""What is told is enough: a whole match can be followed by its events alone."""

from __future__ import annotations

from random import Random

import pytest

from dicehall.core.game import Move, Over, Seat, Turn
from dicehall.games.mana.actions import Pick
from dicehall.games.mana.combat import fight
from dicehall.games.mana.events import ArmiesDrawn, GameEnded, RoundFought
from tests.games.mana.playing import GAME, Table, dice


@pytest.mark.parametrize("seed", range(20))
def test_rounds_and_places_can_be_rebuilt_from_events(seed: int) -> None:
    """C3, M4-M6."""
    chance = Random(seed)
    draw = dice(chance.randbytes(32), chance.randbytes(32), (chance.randrange(4), chance.randrange(4)))
    table = Table(draw=draw)
    while isinstance(awaited := GAME.awaits(table.state), Turn):
        table.enter(Move(chance.choice(sorted(awaited.seats)), Pick(chance.randrange(8))))
    first, second = table.only(ArmiesDrawn).units
    wins, damage = [0, 0], [0, 0]
    for number, told in enumerate(table.all(RoundFought), 1):
        fought = fight(first[told.picks[0]], second[told.picks[1]])
        assert (told.damage, told.health, told.winner) == (fought.damage, fought.health, fought.winner)
        damage = [damage[seat] + told.damage[seat] for seat in (0, 1)]
        wins = [wins[seat] + (told.winner == seat) for seat in (0, 1)]
        assert (told.round, list(told.wins), list(told.total_damage)) == (number, wins, damage)
    ended = table.only(GameEnded)
    scores = [(wins[seat], damage[seat]) for seat in (0, 1)]
    assert ended.winner == (None if scores[0] == scores[1] else Seat(scores.index(max(scores))))
    assert isinstance(awaited, Over)
    assert awaited.places == tuple(frozenset(place) for place in ended.places)
