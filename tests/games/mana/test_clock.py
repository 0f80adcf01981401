"""Time-outs: who has not acted in the open phase loses to who has."""

from __future__ import annotations

import pytest

from dicehall.core.game import Expired, Move, Over, Seat
from dicehall.games.mana.actions import Pick
from dicehall.games.mana.events import GameEnded, TimeRanOut
from dicehall.games.mana.rules import Mana
from tests.games.mana.playing import ANNS, BOS, GAME, MATCH, Table

ANN, BO = Seat(0), Seat(1)
ANN_WINS = Over((frozenset({ANN}), frozenset({BO})), "forfeit")
BO_WINS = Over((frozenset({BO}), frozenset({ANN})), "forfeit")
NOBODY = Over((), "abandoned")
BOTH_COMMITTED = (ANNS.commit(0, 2), BOS.commit(1, 5))


@pytest.mark.parametrize(
    ("game", "entries", "late", "over", "phase"),
    [
        (GAME, (), ANN, NOBODY, "pick"),
        (GAME, (), BO, NOBODY, "pick"),
        (GAME, (Move(ANN, Pick(0)),), BO, ANN_WINS, "pick"),
        (GAME, (Move(BO, Pick(0)),), ANN, BO_WINS, "pick"),
        (MATCH, (), ANN, NOBODY, "commit"),
        (MATCH, (ANNS.commit(0, 2),), BO, ANN_WINS, "commit"),
        (MATCH, (BOS.commit(1, 5),), ANN, BO_WINS, "commit"),
        (MATCH, BOTH_COMMITTED, BO, NOBODY, "reveal"),
        (MATCH, (*BOTH_COMMITTED, ANNS.reveal(0, 2)), BO, ANN_WINS, "reveal"),
        (MATCH, (*BOTH_COMMITTED, BOS.reveal(1, 5)), ANN, BO_WINS, "reveal"),
    ],
)
def test_one_expiry_judges_the_open_phase_for_both(
    game: Mana, entries: tuple[Move[object], ...], late: Seat, over: Over, phase: str
) -> None:
    """M10."""
    table = Table(game).enter(*entries, Expired(late))
    assert game.awaits(table.state) == over
    ran_out = table.only(TimeRanOut)
    assert (ran_out.phase, ran_out.seats) == (phase, (0, 1) if over == NOBODY else (late,))
    ended = table.only(GameEnded)
    assert (ended.reason, ended.winner) == (over.reason, over.winner)
    assert not table.fresh[-1]


def test_a_forfeit_places_the_winner_first_whatever_the_rounds() -> None:
    """M10."""
    table = Table().fight((3, 0), (3, 0)).enter(Move(BO, Pick(0)), Expired(ANN))
    assert GAME.awaits(table.state) == BO_WINS
    view = GAME.view(table.state, None)
    assert (view.wins, view.round, len(view.rounds)) == ((2, 0), 3, 2)
    assert (view.picked, view.picks, view.phase) == ((), (None, None), "over")


def test_who_has_acted_does_not_expire() -> None:
    """M10."""
    assert Table().code(Move(ANN, Pick(0)), Expired(ANN)) == "not_your_turn"


def test_the_armies_stay_visible_after_the_end() -> None:
    table = Table().enter(Expired(ANN))
    assert GAME.view(table.state, None).units is not None
