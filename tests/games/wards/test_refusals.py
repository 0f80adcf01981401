"""Every refusal, and which comes first."""

from __future__ import annotations

import pytest

from dicehall.core.game import Attend, Expired, Move, Presence, Roll, Seat, Unknown
from dicehall.games.wards.rules import Action
from tests.games.wards.playing import P1, P2, Table

ROLL = Move(P1, Action.ROLL)
NOBODY = Seat(2)


@pytest.mark.parametrize(
    ("entries", "code"),
    [
        ([Roll((3,))], "no_dice_awaited"),
        ([Roll((7,))], "no_dice_awaited"),
        ([ROLL, Roll((0,))], "wrong_dice"),
        ([ROLL, Roll((7,))], "wrong_dice"),
        ([ROLL, Roll(())], "wrong_dice"),
        ([ROLL, Roll((3, 3))], "wrong_dice"),
        ([Move(NOBODY, Action.ROLL)], "no_such_seat"),
        ([Move(Seat(-1), Action.ROLL)], "no_such_seat"),
        ([Expired(NOBODY)], "no_such_seat"),
        ([Attend(NOBODY, Presence.AWAY)], "no_such_seat"),
        ([ROLL, Move(NOBODY, Action.ROLL)], "no_such_seat"),
        ([ROLL, ROLL], "awaiting_dice"),
        ([ROLL, Move(P1, Action.HOLD)], "awaiting_dice"),
        ([ROLL, Move(P2, Action.ROLL)], "awaiting_dice"),
        ([ROLL, Expired(P1)], "awaiting_dice"),
        ([ROLL, Attend(P1, Presence.AWAY)], "awaiting_dice"),
        ([Move(P2, Action.ROLL)], "not_your_turn"),
        ([Move(P2, Action.HOLD)], "not_your_turn"),
        ([Expired(P2)], "not_your_turn"),
        ([Move(P2, Unknown("bank"))], "not_your_turn"),
        ([Move(P1, Unknown("bank"))], "bad_move"),
    ],
)
def test_what_is_refused_and_why(entries: list[object], code: str) -> None:
    """C2, C7, W9."""
    assert Table().code(*entries) == code


def test_a_finished_game_comes_before_every_other_reason() -> None:
    """W9."""
    table = Table(scores=(100, 0), seat=P2)
    for entry in (ROLL, Move(NOBODY, Action.ROLL), Roll((9,)), Expired(P1), Move(P1, Unknown("bank"))):
        assert table.code(entry) == "game_finished"


def test_a_refused_action_asks_for_no_deadline() -> None:
    """W5, C2."""
    table = Table()
    assert table.code(Move(P2, Action.HOLD)) == "not_your_turn"
    assert (table.fresh, table.told) == ([], [])
