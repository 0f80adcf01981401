from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from random import Random

import pytest

from dicehall.core.fold import play
from dicehall.core.game import AnyGame, Move, Over, Roll, Seat
from dicehall.games.mana.actions import Pick
from dicehall.games.mana.rules import NOSTR, Mana
from dicehall.games.mana.state import State
from dicehall.games.mana.units import Ability, Army, Unit, army
from dicehall.solvers.answers import share
from dicehall.solvers.finding import find
from dicehall.solvers.mana import READY, ManaSolver, solver
from dicehall.solvers.mana_matrix import GAP, certified, dot, simplex, solve_matrix
from dicehall.solvers.mana_rounds import Rounds, Stand, ended, open_still
from dicehall.solvers.mana_values import Alike, undominated

ME, OTHER = Seat(0), Seat(1)
THREE = (Unit(20, 8, 20, 20, Ability.NONE), Unit(12, 5, 30, 30, Ability.SHIELD), Unit(30, 6, 22, 22, Ability.NONE))


def armies(seed: str) -> tuple[Army, Army]:
    drawn = Random(seed)
    return army(drawn.randbytes(32), drawn.randrange(4)), army(drawn.randbytes(32), drawn.randrange(4))


def drawn(game: Mana, seed: str) -> State:
    chance = Random(seed)
    faces = tuple(chance.randint(1, 256) for _ in range(64)) + (chance.randint(1, 4), chance.randint(1, 4))
    return play(game, game.start(2), Roll(faces)).state


@pytest.mark.parametrize(
    ("matrix", "value"),
    [
        ([[3.0]], 3.0),
        ([[1.0, 2.0], [0.0, 5.0]], 1.0),  # a saddle point
        ([[1.0, -1.0], [-1.0, 1.0]], 0.0),  # matching pennies
        ([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]], 0.0),  # stone, paper, scissors
        ([[3.0, 0.0], [1.0, 2.0]], 1.5),
        ([[0.0, 0.5, 1.0], [1.0, 0.5, 0.0]], 0.5),
    ],
)
def test_small_matrix_games_have_the_values_that_are_known(matrix: list[list[float]], value: float) -> None:
    assert solve_matrix(matrix).value == pytest.approx(value, abs=1e-12)


def test_no_answer_gains_against_either_mix() -> None:
    chance = Random("matrices")
    for number in range(300):
        numbers = [0.0, 0.5, 1.0] if number % 2 else [chance.random() for _ in range(64)]
        wide, high = chance.randint(1, 8), chance.randint(1, 8)
        matrix = [[chance.choice(numbers) for _ in range(wide)] for _ in range(high)]
        solved = solve_matrix(matrix)
        assert max(dot(row, solved.columns) for row in matrix) <= solved.value + 1e-12
        assert min(dot(solved.rows, column) for column in zip(*matrix, strict=True)) >= solved.value - 1e-12
        assert solved.gap <= GAP


def test_floats_and_fractions_find_the_same_value() -> None:
    chance = Random("fractions")
    for _ in range(40):
        matrix = [[chance.choice((0.0, 0.25, 0.5, 1.0)) for _ in range(5)] for _ in range(5)]
        exact = certified(matrix, simplex([[*map(Fraction, row)] for row in matrix], 0.0))
        assert solve_matrix(matrix).value == pytest.approx(exact.value, abs=1e-12)


def test_the_value_of_two_by_two_is_what_trying_all_mixes_gives() -> None:
    chance = Random("grid")
    for _ in range(30):
        a, b, c, d = (chance.random() for _ in range(4))
        mixes = [part / 2000 for part in range(2001)]
        tried = max(min(p * a + (1 - p) * c, p * b + (1 - p) * d) for p in mixes)
        assert solve_matrix([[a, b], [c, d]]).value == pytest.approx(tried, abs=1e-3)


def test_of_equal_guarantees_the_one_that_profits_from_errors_is_chosen() -> None:
    assert solve_matrix([[0.0, 0.0], [0.0, 1.0]]).rows == (0.0, 1.0)
    assert solve_matrix([[0.0, 0.0], [0.0, 0.0]], ((1, 2), (4, 3))).rows == (0.0, 1.0)
    assert solve_matrix([[0.0, 0.0], [0.0, 0.0]], ((1, 2), (4, 3))).columns == (1.0, 0.0)


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_tiny_armies_are_worth_what_the_rules_themselves_give_when_every_line_is_played(rounds: int) -> None:
    game = Mana(rounds=rounds, **NOSTR)
    mine, theirs = THREE, THREE[::-1][:2] + (Unit(25, 12, 24, 24, Ability.HEAL),)
    value = by_the_rules(game, State(armies=(mine, theirs), leagues=(0, 0)), 3)
    assert Rounds(mine, theirs).at(Stand(rounds, 0, 0)).value == pytest.approx(value, abs=1e-12)


def by_the_rules(game: AnyGame, state: State, units: int) -> float:
    """Every pick of both sides, through `play` alone, with no position looked at as another one."""
    over = game.awaits(state)
    if isinstance(over, Over):
        return share(over, ME)
    matrix = [[0.0] * units for _ in range(units)]
    for first, second in product(range(units), repeat=2):
        after = play(game, state, Move(ME, Pick(first))).state
        matrix[first][second] = by_the_rules(game, play(game, after, Move(OTHER, Pick(second))).state, units)
    return solve_matrix(matrix).value


def test_no_best_answer_gains_in_a_whole_match() -> None:
    """Seat 0 keeps to its mixes everywhere; seat 1 answers as well as it can, in every round."""
    match = Rounds(*armies("best answer"))
    start = Stand(4, 0, 0)
    value = match.at(start).value
    assert best_answer(match, start, {}) == pytest.approx(value, abs=1e-9)


def best_answer(match: Rounds, stand: Stand, known: dict[Stand, float]) -> float:
    if stand not in known:
        after = [
            best_answer(match, later, known) if open_still(later) else ended(later) for later in following(match, stand)
        ]
        mix = match.at(stand).rows
        columns = zip(*match.places, strict=True)
        known[stand] = min(sum(often * after[at] for often, at in zip(mix, column, strict=True)) for column in columns)
    return known[stand]


def following(match: Rounds, stand: Stand) -> list[Stand]:
    left, lead, edge = stand
    return [match.plain(left - 1, lead + won, edge + dealt) for won, dealt in match.outcomes]


def reachable(match: Rounds, start: Stand) -> set[Stand]:
    """Every open position that some picks lead to."""
    found, layer = {start}, {start}
    while layer := {after for stand in layer for after in following(match, stand) if open_still(after)}:
        found |= layer
    return found


@pytest.mark.parametrize("seed", range(6))
def test_every_position_is_worth_what_solving_all_fights_of_all_rounds_gives(seed: int) -> None:
    """Nothing is left out here: neither units that are never needed nor positions that nobody would go for."""
    match = Rounds(*armies(f"whole {seed}"))
    known: dict[Stand, float] = {}
    for stand in sorted(reachable(match, Stand(4, 0, 0))):  # by rounds left
        gets = [known[after] if open_still(after) else ended(after) for after in following(match, stand)]
        known[stand] = solve_matrix([[gets[at] for at in row] for row in match.places]).value
        assert match.value(stand) == pytest.approx(known[stand], abs=1e-11)


def test_the_better_outcome_of_a_fight_is_better_in_every_position() -> None:
    """What units are needed is settled by the order of outcomes alone."""
    match = Rounds(*armies("order"))
    for stand in reachable(match, Stand(4, 0, 0)):
        gets = [match.value(after) for after in following(match, stand)]
        assert all(worse <= better + 1e-12 for worse, better in pairwise(gets))


def test_a_matrix_without_what_is_never_needed_has_the_same_value() -> None:
    chance, alike = Random("needed"), Alike()
    for _ in range(300):
        ranks = [[chance.randrange(12) for _ in range(5)] for _ in range(5)]
        numbers = sorted(chance.random() for _ in range(12))
        whole, needed = ([[numbers[rank] for rank in row] for row in rows] for rows in (ranks, undominated(ranks)))
        assert solve_matrix(needed).value == pytest.approx(solve_matrix(whole).value, abs=1e-12)
        assert alike.value(whole) == pytest.approx(solve_matrix(whole).value, abs=1e-12)
    assert undominated([[1, 2], [1, 2], [0, 2]]) == [[1]]


def test_most_positions_have_a_pure_saddle_point() -> None:
    solved = [position for seed in range(4) for position in played_through(f"pure {seed}").solved.values()]
    assert 0.8 < sum(position.pure for position in solved) / len(solved) <= 1
    assert max(position.gap for position in solved) < 1e-9


def played_through(seed: str) -> Rounds:
    match = Rounds(*armies(seed))
    for stand in reachable(match, Stand(4, 0, 0)):
        match.at(stand)
    return match


def test_both_seats_have_one_match_between_them() -> None:
    game = Mana(rounds=3, **NOSTR)
    state, found = drawn(game, "between"), ManaSolver()
    turn = game.awaits(state)
    one, two = (found.chance(game.view(state, seat), turn, seat).value for seat in (ME, OTHER))
    assert one + two == pytest.approx(1)
    mirrored = Rounds(*reversed([units for units in state.armies if units])).at(Stand(3, 0, 0))
    assert mirrored.value == pytest.approx(two)


def test_picks_of_the_mix_are_worth_what_the_position_is_and_no_pick_is_worth_more() -> None:
    game, found = Mana(rounds=3, **NOSTR), ManaSolver()
    state = drawn(game, "worths")
    for seat in (ME, OTHER):
        view = game.view(state, seat)
        value = found.chance(view, game.awaits(state), seat).value
        for worth, often in zip(
            found.worths(view, seat, game.choices(state, seat)), found.mix(view, seat), strict=True
        ):
            assert worth.chance.value <= value + 1e-9
            assert not often or worth.chance.value == pytest.approx(value, abs=1e-9)


def test_a_pick_that_one_sees_is_reckoned_with_and_one_that_is_hidden_is_not() -> None:
    game, found = Mana(rounds=2, **NOSTR), ManaSolver()
    state = drawn(game, "hidden")
    worst = min(found.worths(game.view(state, ME), ME, game.choices(state, ME)), key=lambda worth: worth.chance.value)
    picked = play(game, state, Move(ME, worst.action)).state
    turn = game.awaits(picked)
    assert found.chance(game.view(picked, ME), turn, ME).value == pytest.approx(worst.chance.value)
    before = found.chance(game.view(state, OTHER), turn, OTHER)
    assert found.chance(game.view(picked, OTHER), turn, OTHER) == before


def test_before_the_armies_are_drawn_both_have_the_same_chance_and_after_the_end_their_share() -> None:
    game, found = Mana(**NOSTR), ManaSolver()
    state = game.start(2)
    assert found.chance(game.view(state, ME), game.awaits(state), ME).value == 0.5
    draw = Over((frozenset({ME, OTHER}),), "draw")
    assert [found.chance(game.view(state, ME), draw, seat).value for seat in (ME, OTHER)] == [0.5, 0.5]
    assert found.chance(game.view(state, ME), Over((), "abandoned"), ME).value == 0


def test_long_matches_are_solved_only_if_asked_and_endless_ones_never() -> None:
    assert isinstance(find(Mana(**NOSTR), 2), ManaSolver)
    assert find(Mana(rounds=READY + 1, **NOSTR), 2) is None
    assert find(Mana(rounds=READY + 1, **NOSTR), 2, solve=True) is not None
    assert solver(Mana(rounds=10**6, **NOSTR), 2, solve=True) is None
