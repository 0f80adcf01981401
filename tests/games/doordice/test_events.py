"""What is told is enough: a whole game can be followed by its events alone."""

from __future__ import annotations

from random import Random

import pytest

from dicehall.core.game import Dice, Event, Expired, Move, Over, Roll
from dicehall.games.doordice.events import (
    EffectDone,
    EliminationScored,
    Fell,
    GameEnded,
    RoundEnded,
    RoundStarted,
)
from dicehall.games.doordice.rules import DoOrDice
from tests.games.doordice.playing import Table


class Listener:
    """Knows the house rules and hears the events, nothing else."""

    def __init__(self, game: DoOrDice) -> None:
        self.hp = [game.hp] * 5
        self.vp = [0] * 5
        self.fallen_rounds = [0] * 5
        self.fallen: set[int] = set()
        self.round = 0
        self.places: tuple[tuple[int, ...], ...] = ()

    def hear(self, event: Event) -> None:
        match event:
            case RoundStarted(round=number):
                self.round = number
            case EffectDone(seat=seat, target=target, hp_change=hp, vp_change=vp, stolen=stolen):
                whom = seat if target is None else target
                self.hp[whom] += hp
                self.vp[whom] += vp
                self.vp[seat] += stolen
                assert (event.hp, event.vp) == (self.hp[whom], self.vp[whom])
                assert event.without_effect == (hp == vp == 0)
            case EliminationScored(seat=seat, points=points):
                self.vp[seat] += points
                assert event.vp == self.vp[seat]
            case Fell(seat=seat):
                self.fallen.add(seat)
            case RoundEnded(alive=alive, points=points):
                for each in range(5):
                    self.vp[each] += points * (each in alive)
                    self.fallen_rounds[each] += each in self.fallen
            case GameEnded(places=places):
                self.places = places


def play_at_random(game: DoOrDice, seed: int) -> Table:
    chance = Random(seed)
    table = Table(game)
    while not isinstance(awaited := game.awaits(table.state), Over):
        if isinstance(awaited, Dice):
            table.enter(Roll(tuple(chance.randint(1, sides) for sides in awaited.sides)))
        elif chance.random() < 0.1:
            table.enter(Expired(table.seat))
        else:
            table.enter(Move(table.seat, chance.choice(game.choices(table.state, table.seat))))
    return table


@pytest.mark.parametrize("seed", range(30))
def test_points_and_places_can_be_rebuilt_from_events(seed: int) -> None:
    """C3, D5-D9."""
    game = (DoOrDice(), DoOrDice(hp=5, rounds=8), DoOrDice(elimination_vp=0, survival_vp=0, rounds=2))[seed % 3]
    table = play_at_random(game, seed)
    listener = Listener(game)
    for event in table.told:
        listener.hear(event)
    state = table.state
    assert tuple(listener.hp) == state.hp
    assert tuple(listener.vp) == state.vp
    assert tuple(listener.fallen_rounds) == state.fallen_rounds
    assert listener.fallen == {seat for seat in range(5) if state.hp[seat] <= 0}
    assert listener.round == state.round
    over = game.awaits(state)
    assert isinstance(over, Over)
    assert [frozenset(place) for place in listener.places] == list(over.places)
    assert len(over.places) == 5  # D9: at the end nobody shares a place
