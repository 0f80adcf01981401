"""The ranking of DO or DICE on the seed's own interface, and what decided each place."""

from __future__ import annotations

import pytest

from dicehall.games.doordice.rules import View
from dicehall.games.doordice.standings import TieBreak, ranking
from tests.hall.seeds.keyboard import always, keyboard, play_out

VP, HP, FALLEN, DIE = TieBreak.VP, TieBreak.HP, TieBreak.FALLEN_ROUNDS, TieBreak.DIE
IN_ORDER = [[0], [1], [2], [3], [4]]


def view(vp: list[int], hp: list[int], fallen: list[int], places: list[list[int]]) -> View:
    order = tuple(tuple(place) for place in places)
    none = (None,) * 5
    return View(tuple(hp), tuple(vp), 6, tuple(fallen), none, None, (), (), order, 6)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("vp", "hp", "fallen", "places", "decided"),
    [
        ([5, 4, 3, 2, 1], [20] * 5, [0] * 5, IN_ORDER, [VP, VP, VP, VP, VP]),
        ([5, 5, 3, 3, 1], [9, 8, 7, 6, 5], [0] * 5, IN_ORDER, [HP, VP, HP, VP, VP]),
        ([5, 5, 5, 3, 3], [0, 0, 0, -2, -2], [1, 2, 2, 4, 5], IN_ORDER, [FALLEN, DIE, VP, FALLEN, FALLEN]),
        ([5] * 5, [20] * 5, [0] * 5, [[4], [3], [2], [1], [0]], [DIE] * 5),
    ],
)
def test_each_place_says_what_parts_it_from_the_next(
    vp: list[int], hp: list[int], fallen: list[int], places: list[list[int]], decided: list[TieBreak]
) -> None:
    """D9: VP, then HP, then fewer fallen rounds, then a die."""
    ranked = ranking(view(vp, hp, fallen, places))
    assert [one.decided_by for one in ranked] == decided
    assert [one.place for one in ranked] == [1, 2, 3, 4, 5]
    for one in ranked:
        seat = one.player_id
        assert (one.vp, one.hp, one.fallen_rounds_count) == (vp[seat], hp[seat], fallen[seat])


def test_while_the_game_runs_equals_share_a_place() -> None:
    """D9."""
    with keyboard() as controller:
        controller.start([1])
        assert [(one.place, one.decided_by) for one in controller.get_ranking()] == [(1, None)] * 5
        controller.roll_dice()
        ranked = controller.get_state().ranking
        assert [(one.place, one.player_id) for one in ranked] == [(1, 1), (1, 2), (1, 3), (1, 4), (5, 0)]
        assert {one.decided_by for one in ranked} == {TieBreak.HP}


def test_a_tie_that_only_dice_can_part_is_rolled_for_and_logged() -> None:
    """D9."""
    with keyboard() as controller:
        controller.start([5] * 5, rules={"rounds": 1})
        controller.box.named[6] = (2, 6, 4, 1, 3)
        play_out(controller)
        ranked = controller.get_ranking()
        assert [one.player_id for one in ranked] == [1, 2, 4, 0, 3]
        assert {one.decided_by for one in ranked} == {TieBreak.DIE}
        rolled = [line for line in controller.get_history() if line.what == "tie_die"]
        assert [(line.who, line.face) for line in rolled] == [(0, 2), (1, 6), (2, 4), (3, 1), (4, 3)]
        assert controller.get_state().logs[-1] == "Round 1: Ed rolled for the place (3)"


def test_a_stolen_point_is_a_line_of_its_own() -> None:
    """D2, D9: who took it has it, and leads by it."""
    with keyboard() as controller:
        controller.start([6, 3], rules={"survival_vp": 0})
        controller.play_turn(always(effect="power_vp"))
        lines = controller.play_turn(always(0))
        told = [(line.who, line.what, line.whom, line.vp_change) for line in lines]
        assert told == [(1, "pickpocket", 0, -1), (1, "stolen", None, 1)]
        assert controller.get_state().logs[1:] == (
            "Round 1: Bo picked the pocket of Ann (-1 VP)",
            "Round 1: Bo kept the loot (+1 VP)",
        )
        assert [(one.player_id, one.vp) for one in controller.get_ranking()][:2] == [(0, 2), (1, 1)]
