"""What the choices of a turn cost: a word for a mistake, none for a close call."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dicehall.core.game import Seat
from dicehall.games.wards.rules import Action
from dicehall.lab.plain_numbers import chance_text
from dicehall.lab.review import Made, review
from dicehall.lab.story import Narrator
from tests.lab.test_coach_reports import rolled
from tests.lab.test_coach_story import position


@pytest.mark.parametrize(
    ("mine", "theirs", "pile", "told"),
    [
        (16, 40, 16, None),  # 39 % or 40 %
        (32, 87, 23, "Behind 32 to 87 with 23 on the pile, you held: 10 %. Rolling again wins 16 %."),
    ],
)
def test_a_choice_that_cost_a_point_is_not_called_a_mistake(
    mine: int, theirs: int, pile: int, told: str | None
) -> None:
    game, state = position("wards", *rolled(0, 6))
    view = game.view(replace(state, scores=(mine, theirs), round_score=pile), Seat(0))
    found = review(game, ("Ann", "Bo"), Seat(0), [Made(view, (Action.ROLL, Action.HOLD), Action.HOLD)])
    assert found.judged == 1
    assert told == (found.mistake and found.mistake.sentence(Narrator("Ann", you=True)))


def test_half_a_percent_is_rounded_as_on_the_page() -> None:
    assert [chance_text(chance) for chance in (0.125, 0.375, 0.625)] == ["13 %", "38 %", "63 %"]
