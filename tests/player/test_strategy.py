"""Bots in a match over Nostr, before and after they know the other army."""

from __future__ import annotations

import asyncio
from collections import Counter
from random import Random

import pytest

from dicehall.bots.levels import levels
from dicehall.bots.mana import prospect
from dicehall.games.mana.state import damage, wins
from dicehall.games.mana.units import UNITS, Ability, Unit
from dicehall.player.strategy import Position, best_on_average, bot_chooser
from tests.player.scripted import KEYSET, LEAGUES, Scripted, token_army

WEAK = Unit(10, 5, 20, 20, Ability.NONE)
STRONG = Unit(40, 24, 69, 69, Ability.SHIELD)


def position(match: Scripted, seat: int) -> Position:
    mine, theirs = (token_army(match.tokens[at]) for at in (seat, 1 - seat))
    known = theirs if all(match.state.armies) else None
    number, score = len(match.state.rounds) + 1, (wins(match.state), damage(match.state))
    return Position(match.game, match.state, seat, number, mine, LEAGUES[KEYSET], known, *score)


def pick(level: str, at: Position, seed: int = 1) -> int | None:
    async def chosen() -> int | None:
        return await bot_chooser(level, Random(seed))(at)

    return asyncio.run(chosen())


@pytest.mark.parametrize("level", levels("mana"))
@pytest.mark.parametrize("seat", [0, 1])
def test_every_level_picks_a_unit_in_every_round(level: str, seat: int) -> None:
    match = Scripted()
    match.begin()
    while match.state.over is None:
        assert pick(level, position(match, seat)) in range(UNITS)
        match.round(*match.units_with_winner(0))


@pytest.mark.parametrize("level", ["greedy", "exact"])
def test_against_an_unknown_army_the_clearly_best_unit_is_sent(level: str) -> None:
    match = Scripted()
    match.begin()
    assert best_on_average((WEAK, WEAK, STRONG, WEAK, WEAK, WEAK, WEAK, WEAK), Random(1)) == 2
    unknown = position(match, 0)
    assert pick(level, unknown) == best_on_average(unknown.mine, Random(1))


def test_against_a_known_army_greedy_sends_what_does_best_against_it() -> None:
    match = Scripted()
    match.begin()
    match.round(0, 0)
    for seat in (0, 1):
        at = position(match, seat)
        assert at.theirs is not None
        unit = pick("greedy", at)
        assert unit is not None
        worth = [prospect(one, at.theirs) for one in at.mine]
        assert worth[unit] == max(worth)


def test_random_sends_every_unit_now_and_then() -> None:
    match = Scripted()
    match.begin()
    seen = Counter(pick("random", position(match, 0), seed) for seed in range(200))
    assert set(seen) == set(range(UNITS))
