"""What a solver answers at a table agrees with what the rules do next, whoever asks and however odd the position."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import fsum
from random import Random
from typing import Any

import pytest

from dicehall.core.game import AnyGame, Dice, Move, Over, Roll, Seat
from dicehall.games.aetharn.actions import Hold, Word
from dicehall.games.aetharn.rules import Aetharn
from dicehall.games.tenthousand.rules import TenThousand
from dicehall.games.wards.rules import Wards
from dicehall.solvers.answers import Solver
from dicehall.solvers.duel import Duel
from dicehall.solvers.finding import find
from dicehall.solvers.race import Unsolvable

NEAR = 1e-13
GAMES = [
    (Wards(), 2),
    (Wards(goal=1), 2),
    (Aetharn(), 2),
    (Aetharn(), 4),
    (Aetharn(goal=600, hot_dice=0), 2),
    (Aetharn(goal=600, hot_dice=10**9), 3),
    (Aetharn(goal=1), 2),
    (TenThousand(), 2),
    (TenThousand(), 3),
    (TenThousand(goal=600, opening=0), 2),
    (TenThousand(goal=300, opening=1000), 2),  # T7: the opening applies where the goal is lower
]


def solver_of(game: AnyGame, seats: int) -> Solver:
    solver = find(game, seats, solve=True)
    assert solver is not None
    return solver


def chance(solver: Solver, game: AnyGame, state: Any, seat: Seat) -> float:
    return solver.chance(game.view(state, seat), game.awaits(state), seat).value


def check_dice(solver: Solver, game: AnyGame, state: Any, awaited: Dice, seat: Seat) -> None:
    """What dice in the air are worth is the average over how they fall."""
    if len(awaited.sides) > 3:
        return
    falls = list(product(*(range(1, sides + 1) for sides in awaited.sides)))
    after = [chance(solver, game, game.step(state, Roll(faces)).state, seat) for faces in falls]
    assert chance(solver, game, state, seat) == pytest.approx(fsum(after) / len(falls), abs=NEAR)


def check_choices(solver: Solver, game: AnyGame, state: Any, seat: Seat) -> None:
    """A choice is worth what follows it is worth, and a position what its best choice is."""
    worths = solver.worths(game.view(state, seat), seat, game.choices(state, seat))
    assert [worth.action for worth in worths] == list(game.choices(state, seat))
    for worth in worths:
        after = game.step(state, Move(seat, worth.action)).state
        assert worth.chance.value == pytest.approx(chance(solver, game, after, seat), abs=NEAR)
        assert worth.chance.stderr == 0
    assert chance(solver, game, state, seat) == pytest.approx(max(w.chance.value for w in worths), abs=NEAR)


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_answers_agree_with_the_rules_all_along_a_random_game(game: AnyGame, seats: int) -> None:
    solver, dice, state = solver_of(game, seats), Random(7), game.start(seats)
    for _ in range(60):
        awaited = game.awaits(state)
        if isinstance(awaited, Over):
            assert chance(solver, game, state, min(awaited.places[0])) == 1
            state = game.start(seats)
        elif isinstance(awaited, Dice):
            for seat in awaited.by or map(Seat, range(seats)):
                check_dice(solver, game, state, awaited, seat)
            state = game.step(state, Roll(tuple(dice.randint(1, sides) for sides in awaited.sides))).state
        else:
            (seat,) = awaited.seats
            check_choices(solver, game, state, seat)
            staying = [action for action in game.choices(state, seat) if action is not Word.FOLD]
            state = game.step(state, Move(seat, dice.choice(staying))).state


@pytest.mark.parametrize("game", [Wards(), Aetharn(), TenThousand()])
def test_the_chances_of_two_seats_add_up_to_one(game: AnyGame) -> None:
    solver, dice, state = solver_of(game, 2), Random(3), game.start(2)
    assert solver.note == "exact"
    for _ in range(40):
        awaited = game.awaits(state)
        assert chance(solver, game, state, Seat(0)) + chance(solver, game, state, Seat(1)) == pytest.approx(1)
        if isinstance(awaited, Dice):
            state = game.step(state, Roll(tuple(dice.randint(1, sides) for sides in awaited.sides))).state
        elif not isinstance(awaited, Over):
            (seat,) = awaited.seats
            state = game.step(state, Move(seat, game.choices(state, seat)[0])).state


def test_more_than_two_seats_are_answered_against_the_leader() -> None:
    game = TenThousand()
    three, two = solver_of(game, 3), solver_of(game, 2)
    assert three.note == "against the leader"
    state = game.start(3)
    among_three = replace(state, scores=(2000, 1500, 4000))
    alone = replace(game.start(2), scores=(2000, 4000))
    assert chance(three, game, among_three, Seat(0)) == chance(two, game, alone, Seat(0))


def test_folding_loses_and_who_folded_has_no_chance() -> None:
    game, me = Aetharn(), Seat(0)
    solver, state = solver_of(game, 3), game.step(game.start(3), Roll((1, 1))).state
    worths = solver.worths(game.view(state, me), me, game.choices(state, me))
    assert {worth.action: worth.chance.value for worth in worths}[Word.FOLD] == 0
    folded = game.step(state, Move(Seat(2), Word.FOLD)).state
    assert chance(solver, game, folded, Seat(2)) == 0
    assert chance(solver, game, folded, me) > 0.5


def test_what_a_seat_could_hold_but_better_not_is_valued_too() -> None:
    """Three ones held one by one are worth 300 (A5): far less than the thousand they are together."""
    game, me = Aetharn(), Seat(0)
    solver, state = solver_of(game, 2), game.step(game.start(2), Roll((1,))).state
    state = game.step(state, Move(me, Word.ROLL)).state
    state = game.step(state, Roll((1, 1, 1, 2, 3, 4))).state
    worths = solver.worths(game.view(state, me), me, [Hold((0, 1, 2)), Hold((0, 1)), Hold((0,))])
    together, two, one = (worth.chance.value for worth in worths)
    assert together > two + 0.04
    assert together > one + 0.04


def test_a_turn_is_worked_out_once() -> None:
    game = Aetharn()
    solver = solver_of(game, 2)
    assert isinstance(solver, Duel)
    turn = solver.turn(5, 7)
    assert solver.turn(5, 7) is turn
    assert find(Aetharn(), 2) is solver


def test_a_score_that_no_game_comes_to_is_refused_in_a_sentence() -> None:
    game = TenThousand()
    solver, state = solver_of(game, 2), replace(game.start(2), scores=(50, 0))
    with pytest.raises(Unsolvable, match="No turn of this game begins with a score of 50"):
        chance(solver, game, state, Seat(0))
    with pytest.raises(Unsolvable, match="multiples of 50"):
        chance(solver, game, replace(state, scores=(1001, 0)), Seat(0))
