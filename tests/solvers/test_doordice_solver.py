from __future__ import annotations

from random import Random

import pytest

from dicehall.core.fold import play
from dicehall.core.game import AnyGame, Dice, Move, Over, Roll, Seat
from dicehall.games.doordice.rules import Choose, DoOrDice, Word
from dicehall.games.doordice.state import SEATS, State, standing
from dicehall.solvers.answers import Estimate, blended, difference_stderr, sampled
from dicehall.solvers.doordice import BATCH, DoOrDiceSolver, futures
from dicehall.solvers.doordice_greedy import glance
from dicehall.solvers.doordice_playouts import Playouts
from dicehall.solvers.finding import find

HOUSES = [
    DoOrDice(),
    DoOrDice(hp=7, rounds=9, elimination_vp=5, survival_vp=0),
    DoOrDice(hp=3, rounds=3, survival_vp=4),
]


@pytest.mark.parametrize("game", HOUSES, ids=["usual", "short lives", "shorter"])
def test_a_quick_playout_ends_as_the_rules_end_it(game: DoOrDice) -> None:
    quick, chance = Playouts(game), Random("agree")
    for _ in range(60):
        future = [chance.random() * 6 for _ in range(game.rounds * len(SEATS))]
        ended = quick.play(game.start(5), future)
        slow = by_the_rules(game, quick, future)
        assert (ended.hp, ended.vp, ended.fallen_rounds) == (slow.hp, slow.vp, slow.fallen_rounds)


def by_the_rules(game: AnyGame, quick: Playouts, future: list[float]) -> State:
    """The same dice and the same choices, entry by entry."""
    state: State = game.start(5)
    for chance in future:
        if state.places:
            break
        seat, face = state.seat, int(chance)
        state = play(game, play(game, state, Move(seat, Word.ROLL)).state, Roll((face + 1,))).state
        if state.face is not None:
            choices = [action for action in game.choices(state, seat) if isinstance(action, Choose)]
            state = play(game, state, Move(seat, greediest(quick, state, choices, chance - face))).state
    return state


def greediest(quick: Playouts, state: State, choices: list[Choose], chance: float) -> Choose:
    def worth(choice: Choose) -> int:
        at, alive = choice.target, state.hp[state.seat] > 0
        return glance(choice.effect, at is not None, state.hp[at or 0], state.vp[at or 0], alive)

    best = max(map(worth, choices))
    equal = [choice for choice in choices if worth(choice) == best]
    return equal[int(chance * len(equal))]


def rolled(game: AnyGame, state: State, face: int) -> State:
    after: State = play(game, play(game, state, Move(state.seat, Word.ROLL)).state, Roll((face,))).state
    return after


def test_the_last_choice_of_a_game_is_known_without_doubt() -> None:
    """The last seat in the last round: stealing from the leader wins, stealing from anybody else does not."""
    game = DoOrDice()
    before = State((20,) * 5, (5, 0, 0, 2, 5), round=6, seat=Seat(4))
    state = rolled(game, before, 3)
    worths = DoOrDiceSolver(game, 24).worths(game.view(state, Seat(4)), Seat(4), game.choices(state, Seat(4)))
    found = {worth.action.target: (worth.chance.value, worth.chance.stderr) for worth in worths}
    assert found[Seat(0)] == (1.0, 0.0)
    assert found[Seat(3)] == (1.0, 0.0)
    assert found[Seat(1)] == (0.5, 0.0)


def test_the_same_view_gets_the_same_answer_and_chances_are_shared_out() -> None:
    game = DoOrDice()
    state = rolled(game, game.start(5), 6)
    one, two = DoOrDiceSolver(game, 96), DoOrDiceSolver(game, 96)
    view, turn = game.view(state, None), game.awaits(state)
    assert one.worths(view, Seat(0), game.choices(state, Seat(0))) == two.worths(
        view, Seat(0), game.choices(state, Seat(0))
    )
    assert sum(one.chance(view, turn, seat).value for seat in SEATS) == pytest.approx(1)
    assert all(0 < one.chance(view, turn, seat).stderr < 0.2 for seat in SEATS)


def test_the_mover_is_worth_about_what_its_best_choice_is() -> None:
    game = DoOrDice()
    state = rolled(game, game.start(5), 6)
    found = DoOrDiceSolver(game, 96)
    worths = found.worths(game.view(state, Seat(0)), Seat(0), game.choices(state, Seat(0)))
    best = max(worth.chance.value for worth in worths)
    assert best - 0.02 < found.chance(game.view(state, None), game.awaits(state), Seat(0)).value <= best


def test_choices_that_are_equal_to_the_mover_share_what_they_do_to_the_others() -> None:
    """The first seat has won already, and steals from one of two who would share the second place."""
    game = DoOrDice()
    before = State((20,) * 5, (9, 3, 3, 0, 0), round=6, seat=Seat(4), last_targets=(None,) * 5)
    state = rolled(game, before, 3)
    solver, turn = DoOrDiceSolver(game, 24), game.awaits(state)
    assert [solver.chance(game.view(state, None), turn, seat).value for seat in SEATS] == [1, 0, 0, 0, 0]
    before = State((20,) * 5, (3, 3, 0, 0, 0), round=6, seat=Seat(4), last_targets=(None,) * 5)
    state = rolled(game, before, 3)
    chances = [solver.chance(game.view(state, None), turn, seat).value for seat in SEATS]
    assert chances == pytest.approx([0.5, 0.5, 0, 0, 0])  # whichever of the two is robbed


def test_a_rougher_solver_answers_from_the_first_of_the_same_playouts() -> None:
    game = DoOrDice()
    state = game.start(5)
    fine = DoOrDiceSolver(game, 96, rough_games=48)
    rough = fine.rougher()
    assert rough is not None
    assert rough.rougher() is None
    coarse, finer = (one.chance(game.view(state, None), game.awaits(state), Seat(4)) for one in (rough, fine))
    assert coarse.sample is not None
    assert finer.sample is not None
    assert coarse.sample.means == finer.sample.means[: 48 // BATCH]
    assert len(finer.sample.means) == 2 * len(coarse.sample.means)


def test_each_die_of_a_batch_of_games_shows_each_face_equally_often() -> None:
    for die in zip(*futures(3, Seat(1), 19, 7), strict=True):
        assert sorted(int(face) for face in die) == sorted(game % 6 for game in range(BATCH))


def test_who_are_equal_when_dice_must_part_them_have_equal_chances() -> None:
    game = DoOrDice()
    state = State((20,) * 5, (3, 3, 1, 0, 2), round=6, seat=Seat(4), places=())
    tied = State(state.hp, state.vp, round=6, places=standing(state))
    found, dice = DoOrDiceSolver(game, 24), game.awaits(tied)
    assert isinstance(dice, Dice)
    assert [found.chance(game.view(tied, None), dice, seat).value for seat in SEATS] == [0.5, 0.5, 0, 0, 0]
    over = Over(tuple(frozenset({seat}) for seat in SEATS), "rounds")
    assert [found.chance(game.view(tied, None), over, seat).value for seat in SEATS] == [1, 0, 0, 0, 0]


def test_house_rules_that_hardly_end_are_played_out_to_a_horizon() -> None:
    game = DoOrDice(hp=10**9, rounds=10**9)
    state = rolled(game, game.start(5), 4)
    worths = DoOrDiceSolver(game, 96).worths(game.view(state, Seat(0)), Seat(0), game.choices(state, Seat(0)))
    assert len(worths) == 4
    assert find(game, 5) is find(game, 5)


def test_the_standard_error_of_a_mean_is_that_of_the_textbook() -> None:
    estimate = sampled("dice", [1.0, 0.0, 1.0, 0.0])
    assert (estimate.value, estimate.stderr) == pytest.approx((0.5, (1 / 3 / 4) ** 0.5))
    assert sampled("dice", [2.0]) == Estimate(2.0, 0.0)


def test_what_met_the_same_dice_is_compared_game_by_game() -> None:
    one, same = sampled("dice", [0.5, 0.25, 0.75, 0.0]), sampled("dice", [0.625, 0.375, 0.875, 0.125])
    assert difference_stderr(one, same) == pytest.approx(0)  # always an eighth more
    other = sampled("other dice", same.sample.means if same.sample else ())
    assert difference_stderr(one, other) == pytest.approx((one.stderr**2 + other.stderr**2) ** 0.5)
    fewer = sampled("dice", [0.625, 0.375])
    assert 0 < difference_stderr(one, fewer) < (one.stderr**2 + fewer.stderr**2) ** 0.5
    assert difference_stderr(one, Estimate(1.0)) == one.stderr


def test_estimates_are_blended_on_their_own_dice() -> None:
    one, other = sampled("dice", [0.5, 0.0]), sampled("dice", [0.0, 0.5])
    blend = blended([one, other, Estimate(1.0)], [1, 1, 2])
    assert (blend.value, blend.stderr) == (0.625, 0.0)
    assert blended([one, other], [0, 3]) is other
    assert blended([Estimate(1.0), Estimate(0.0)], [1, 3]) == Estimate(0.25)
