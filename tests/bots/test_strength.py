"""Each level beats the one below: by sequential tests with errors of at most one in a hundred on either side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random

import pytest

from dicehall.bots.levels import bots_for
from dicehall.bots.mana import prospect
from dicehall.core.game import Seat
from dicehall.games import catalogue
from dicehall.games.doordice.rules import Action, DoOrDice, View
from dicehall.games.mana.units import Army, army
from dicehall.solvers.doordice import DoOrDiceSolver, state_of
from dicehall.solvers.finding import find
from dicehall.solvers.mana_matrix import dot
from dicehall.solvers.mana_rounds import Rounds, Stand, ended, open_still
from tests.bots.sequential import BETTER, NOT_BETTER, SEEDS, by_coin, by_gain, guests, losses, pairs, watched

FIGHT = DoOrDice()
JUDGE = DoOrDiceSolver(FIGHT)
PLAYOUTS = 300  # with fresh dice, for each of the two choices that are compared


def test_the_tests_themselves_tell_a_loaded_coin_from_a_fair_one() -> None:
    chance = Random(1)
    assert by_coin((chance.choice((1, 1, 0, -1)) for _ in range(5000)), 0.6) == BETTER
    assert by_coin((chance.choice((1, 0, -1)) for _ in range(5000)), 0.6) == NOT_BETTER
    assert by_gain((chance.gauss(0.1, 1) for _ in range(9000)), 0.1, 1) == BETTER
    assert by_gain((chance.gauss(0, 1) for _ in range(9000)), 0.1, 1) == NOT_BETTER


def test_a_test_that_runs_out_of_games_is_no_proof() -> None:
    with pytest.raises(AssertionError, match="undecided"):
        by_coin([1, -1, 1], 0.6)


@pytest.mark.parametrize(("key", "chance"), [("wards", 0.9), ("aetharn", 0.9), ("tenthousand", 0.9), ("mana", 0.8)])
def test_greedy_beats_random(key: str, chance: float) -> None:
    game = catalogue()[key]()
    bots = bots_for(game)
    assert by_coin(pairs(game, bots["greedy"], bots["random"], 200), chance) == BETTER


def test_a_greedy_fighter_beats_random_ones() -> None:
    bots = bots_for(FIGHT)
    assert by_coin(guests(FIGHT, bots["greedy"], bots["random"], 5, 400), 0.7) == BETTER


@pytest.mark.proof
@pytest.mark.parametrize(
    ("key", "chance", "most"), [("wards", 0.54, 8000), ("aetharn", 0.6, 1500), ("tenthousand", 0.62, 1000)]
)
def test_good_beats_greedy(key: str, chance: float, most: int) -> None:
    game = catalogue()[key]()
    bots = bots_for(game)
    assert by_coin(pairs(game, bots["good"], bots["greedy"], most), chance) == BETTER


def test_exact_beats_good_at_wards() -> None:
    assert by_gain(cost_of_good("wards", 400), 0.004, 0.01) == BETTER


@pytest.mark.proof
@pytest.mark.parametrize(("key", "least", "spread"), [("aetharn", 0.02, 0.12), ("tenthousand", 0.01, 0.06)])
def test_exact_beats_good(key: str, least: float, spread: float) -> None:
    assert by_gain(cost_of_good(key, 600), least, spread) == BETTER


def cost_of_good(key: str, most: int) -> Iterator[float]:
    game = catalogue()[key]()
    bots, solver = bots_for(game), find(game, 2)
    assert solver is not None
    return losses(game, solver, bots["good"], bots["exact"], most)


@pytest.mark.proof
def test_a_fighter_who_plays_out_beats_a_greedy_one() -> None:
    assert by_gain(fighter_gains(600), 0.015, 0.08) == BETTER


def fighter_gains(most: int) -> Iterator[float]:
    """What a good fighter among four greedy ones gains in chance by not being greedy, game by game.

    Its games are judged by playouts with dice that it has not seen; summed up over the decisions of a game they are, on
    average, exactly what it wins more often than a greedy fighter in its seat.
    """
    bots = bots_for(FIGHT)
    for number in range(most):
        seat, fresh = Seat(number % 5), Random(f"{SEEDS} judge {number}")

        fighters = [bots["good" if at == seat else "greedy"] for at in range(5)]
        yield sum(watched(FIGHT, fighters, seat, f"{SEEDS} {number}", partial(gained_by, seat, fresh)))


def gained_by(seat: Seat, fresh: Random, view: View, choices: Sequence[Action], chosen: Action) -> float:
    usual = bots_for(FIGHT)["greedy"](view, seat, choices, fresh)
    if usual == chosen:
        return 0.0
    gained = []
    one, two = (JUDGE.chosen(state_of(view, seat), seat, action) for action in (chosen, usual))
    for _ in range(PLAYOUTS):
        future = [fresh.random() * 6 for _ in range(JUDGE.ahead(state_of(view, seat)))]
        gained.append(JUDGE.outcome(one, future)[seat] - JUDGE.outcome(two, future)[seat])
    return sum(gained) / len(gained)


@pytest.mark.parametrize("rounds", [1, pytest.param(5, marks=pytest.mark.proof)])
def test_exact_beats_greedy_at_mana(rounds: int) -> None:
    gains = (gain_of_exact(rounds, f"{SEEDS} {number}") for number in range(800))
    assert by_coin(((gain > 1e-9) - (gain < -1e-9) for gain in gains), 0.9) == BETTER


def gain_of_exact(rounds: int, seed: str) -> float:
    """Both seats of one match added up: what the exact commander gets against the greedy one beyond one half each."""
    drawn = Random(seed)
    mine, theirs = (army(drawn.randbytes(32), drawn.randrange(4)) for _ in range(2))
    return against_greedy(mine, theirs, rounds) + against_greedy(theirs, mine, rounds) - 1


def against_greedy(mine: Army, theirs: Army, rounds: int) -> float:
    """What an exact seat 0 gets from a greedy seat 1, whose pick never changes."""
    pick = max(range(len(theirs)), key=lambda unit: prospect(theirs[unit], mine))
    return with_pick(Rounds(mine, theirs), Stand(rounds, 0, 0), pick, {})


def with_pick(match: Rounds, stand: Stand, pick: int, known: dict[Stand, float]) -> float:
    if not open_still(stand):
        return ended(stand)
    if stand not in known:
        met = [match.outcomes[row[pick]] for row in match.places]
        after = [match.plain(stand.left - 1, stand.lead + won, stand.edge + dealt) for won, dealt in met]
        known[stand] = dot(match.at(stand).rows, [with_pick(match, later, pick, known) for later in after])
    return known[stand]
