"""Mana where every unit fights once: values by the rules alone, by plain recursion, and what M15 claims of them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from dicehall.core.fold import play
from dicehall.core.game import Move, Over, Roll, Seat
from dicehall.games.mana.actions import Pick
from dicehall.games.mana.rules import Mana
from dicehall.games.mana.state import State
from dicehall.games.mana.units import Army, army
from dicehall.solvers.answers import share
from dicehall.solvers.finding import find
from dicehall.solvers.mana import READY_ONCE, ManaSolver
from dicehall.solvers.mana_matrix import GAP, dot, solve_matrix
from dicehall.solvers.mana_once import ALL, MEMBERS, UnitsOnce, needed, result, value_of, without

ME, OTHER = Seat(0), Seat(1)


def deal(seed: str) -> Army:
    drawn = Random(seed)
    return army(drawn.randbytes(32), drawn.randrange(4))


def drawn(game: Mana, seed: str) -> State:
    chance, awaited = Random(seed), game.awaits(game.start(2))
    faces = tuple(chance.randint(1, sides) for sides in awaited.sides)  # type: ignore[union-attr]
    return play(game, game.start(2), Roll(faces)).state


def fought(game: Any, state: State, mine: int, theirs: int) -> State:
    after: State = play(game, state, Move(ME, Pick(mine))).state
    later: State = play(game, after, Move(OTHER, Pick(theirs))).state
    return later


def by_the_rules(game: Any, state: State) -> float:
    """Every pick of both sides through `play` alone, with no position looked at as another one."""
    over = game.awaits(state)
    if isinstance(over, Over):
        return share(over, ME)
    matrix = []
    for mine in game.choices(state, ME):
        after = play(game, state, Move(ME, mine)).state
        others = game.choices(after, OTHER)
        matrix.append([by_the_rules(game, play(game, after, Move(OTHER, other)).state) for other in others])
    return solve_matrix(matrix).value


def plainly(match: UnitsOnce, mine: int, theirs: int, now: int, known: dict[Any, float]) -> float:
    """Neither bounds nor symmetry nor choices left out: every fight of every round."""
    if match.left[mine] == 0:
        return result(now)
    key = mine, theirs, now
    if key not in known:
        matrix = [
            [plainly(match, mine ^ 1 << i, theirs ^ 1 << j, now + match.balance[i][j], known) for j in MEMBERS[theirs]]
            for i in MEMBERS[mine]
        ]
        known[key] = solve_matrix(matrix).value
    return known[key]


def value(match: UnitsOnce) -> float:
    return match.at(ALL, ALL, 0, 0)[1].value


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("same_army", [0, 1])
def test_a_match_is_worth_what_the_rules_themselves_give_when_every_line_is_played(rounds: int, same_army: int) -> None:
    """M15."""
    game = Mana(rounds=rounds, same_army=same_army)
    for number in range(2):
        state = drawn(game, f"rules {number}")
        found = find(game, 2)
        assert found is not None
        chance = found.chance(game.view(state, ME), game.awaits(state), ME).value
        assert chance == pytest.approx(by_the_rules(game, state), abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_every_position_is_worth_what_plain_recursion_gives(seed: int) -> None:
    """Bounds, symmetry and what is left out of matrices change no value."""
    first = deal(f"plain {seed}")
    match = UnitsOnce(first, first if seed % 2 else deal(f"other {seed}"), rounds=5 + seed)
    chance, known = Random(seed), dict[Any, float]()
    for _ in range(12):
        fought = 2 + seed + chance.randint(0, 2)
        mine, theirs = (without(chance.sample(range(8), fought)) for _ in range(2))
        now = chance.choice((-1, 0, 0, 1)) * (1 << 14) + chance.randint(-60, 60)
        assert match.value(mine, theirs, now) == pytest.approx(plainly(match, mine, theirs, now, known), abs=1e-11)


@pytest.mark.parametrize("rounds", [1, 2, 3])
@pytest.mark.parametrize("seed", range(5))
def test_with_one_army_for_both_the_value_is_one_half(rounds: int, seed: int) -> None:
    """M15, without any use of the symmetry that it follows from."""
    one = deal(f"half {seed}")
    assert plainly(UnitsOnce(one, one, rounds), ALL, ALL, 0, {}) == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize("seed", range(2))
def test_a_whole_match_is_worth_one_half_also_where_the_solver_may_not_exchange_the_sides(seed: int) -> None:
    """M15: the usual five rounds, by the bounds and mixes alone."""
    one = deal(f"whole {seed}")
    match = UnitsOnce(one, one, 5)
    match.same = False
    assert value(match) == pytest.approx(0.5, abs=1e-9)


def test_two_armies_are_mostly_decided_by_the_deal() -> None:
    """M15: why `fight_once` alone does not help."""
    values = [value(UnitsOnce(deal(f"two {n}"), deal(f"armies {n}"), 3)) for n in range(12)]
    assert sum(value in (0.0, 1.0) for value in values) >= 6


def test_the_best_first_pick_is_a_mix_of_units() -> None:
    """M15."""
    for number in range(3):
        game, state = Mana(), drawn(Mana(), f"mix {number}")
        found = find(game, 2)
        assert isinstance(found, ManaSolver)
        assert sum(often > 0 for often in found.mix(game.view(state, ME), ME)) >= 2


def test_no_answer_gains_against_the_mix_in_any_round() -> None:
    one, two = deal("gains"), deal("nothing")
    for match in (UnitsOnce(one, one, 3), UnitsOnce(one, two, 3)):
        matrix, solved = match.at(ALL, ALL, 0, 0)
        assert max(dot(row, solved.columns) for row in matrix) <= solved.value + 1e-9
        assert min(dot(solved.rows, column) for column in zip(*matrix, strict=True)) >= solved.value - 1e-9


def test_more_balance_is_never_worse() -> None:
    """The bounds rest on it."""
    match = UnitsOnce(deal("more"), deal("less"), rounds=5)
    mine, theirs = without((0, 3)), without((5, 6))
    values = [match.value(mine, theirs, now) for now in range(-50_000, 50_000, 997)]
    assert values == sorted(values)
    assert (values[0], values[-1]) == (0.0, 1.0)


def test_a_matrix_without_what_nobody_needs_has_the_same_value() -> None:
    chance = Random("needed")
    for number in range(300):
        numbers = [0.0, 0.5, 1.0] if number % 2 else [chance.random() for _ in range(9)]
        high, wide = chance.randint(1, 6), chance.randint(1, 6)
        matrix = [[chance.choice(numbers) for _ in range(wide)] for _ in range(high)]
        assert value_of(matrix) == pytest.approx(solve_matrix(matrix).value, abs=1e-11)
        assert solve_matrix(needed(matrix)).value == pytest.approx(solve_matrix(matrix).value, abs=10 * GAP)


def test_units_that_have_fought_are_neither_mixed_nor_answered() -> None:
    """M15."""
    game = Mana(rounds=3)
    state = drawn(game, "spent")
    state = fought(game, state, 2, 6)
    found = ManaSolver(fight_once=True)
    for seat, spent in ((ME, 2), (OTHER, 6)):
        view, choices = game.view(state, seat), game.choices(state, seat)
        worths = found.worths(view, seat, choices)
        assert [worth.action for worth in worths] == list(choices)
        assert found.mix(view, seat)[spent] == 0
        assert sum(found.mix(view, seat)) == pytest.approx(1)
        best = found.chance(view, game.awaits(state), seat).value
        assert max(worth.chance.value for worth in worths) == pytest.approx(best, abs=1e-9)


def test_five_rounds_are_ready_and_more_are_solved_only_if_asked() -> None:
    assert READY_ONCE == 5
    assert find(Mana(), 2) == find(Mana(rounds=1), 2) == ManaSolver(fight_once=True)
    assert find(Mana(rounds=6), 2) is None
    assert find(Mana(rounds=8), 2, solve=True) == ManaSolver(fight_once=True)
    assert find(Mana(fight_once=0), 2) == ManaSolver()


def lost_position() -> tuple[Mana, State]:
    """A side that is behind and cannot catch up against perfect play, with several units left."""
    game = Mana()
    found = ManaSolver(fight_once=True)
    for number in range(50):
        state, chance = drawn(game, f"lost {number}"), Random(number)
        while not isinstance(game.awaits(state), Over) and len(state.rounds) < 4:
            for seat in (ME, OTHER):
                state = play(game, state, Move(seat, chance.choice(game.choices(state, seat)))).state
            over = isinstance(game.awaits(state), Over)
            if not over and found.chance(game.view(state, ME), game.awaits(state), ME).value == 0:
                return game, state
    raise AssertionError("no lost position was found")


def test_in_a_lost_position_the_unit_is_sent_that_gets_most_from_an_opponent_who_errs() -> None:
    """What perfect play gives is nothing whatever is picked; against a random opponent it is not."""
    game, state = lost_position()
    view, choices = game.view(state, ME), game.choices(state, ME)
    found = ManaSolver(fight_once=True)
    worths = found.worths(view, ME, choices)
    assert {worth.chance.value for worth in worths} == {0.0}
    (advised,) = [worth.action for worth in worths if worth.often]
    hopes = [against_random(game, play(game, state, Move(ME, pick)).state) for pick in choices]
    assert max(hopes) > min(hopes)
    assert hopes[choices.index(advised)] == pytest.approx(max(hopes), abs=1e-9)


def against_random(game: Mana, state: State) -> float:
    """What seat 0 gets on average if the other side picks at random, and it answers as well as it can."""
    awaited = game.awaits(state)
    if isinstance(awaited, Over):
        return share(awaited, ME)
    seat = max(awaited.seats)  # type: ignore[union-attr]
    if seat == OTHER and ME in awaited.seats:  # type: ignore[union-attr]
        return max(against_random(game, play(game, state, Move(ME, pick)).state) for pick in game.choices(state, ME))
    others = game.choices(state, OTHER)
    return sum(against_random(game, play(game, state, Move(OTHER, pick)).state) for pick in others) / len(others)


def test_matches_of_other_lengths_with_the_same_army_are_not_mistaken_for_each_other() -> None:
    """What is remembered belongs to a number of rounds: with the same units left more or fewer are still to play."""
    for rounds in (5, 2, 4):
        game = Mana(rounds=rounds)
        state = drawn(game, "lengths")
        state = fought(game, state, 2, 6)
        mine, theirs = state.armies
        assert mine
        assert theirs
        fresh = UnitsOnce(mine, theirs, rounds)
        view = game.view(state, ME)
        lead, edge = view.wins[0] - view.wins[1], view.damage[0] - view.damage[1]
        _, solved = fresh.at(without((2,)), without((6,)), lead, edge)
        found = ManaSolver(fight_once=True).chance(view, game.awaits(state), ME).value
        assert found == pytest.approx(solved.value, abs=1e-12)
