"""The house rules of hall tables: one army for both, and units that fight once (M15)."""

from __future__ import annotations

from typing import Any

import pytest

from dicehall.core.game import Dice, Move, Roll, Seat
from dicehall.core.house import BadRule, check_edition, rules_of, with_rules
from dicehall.games.mana.actions import Code, Pick
from dicehall.games.mana.events import ArmiesDrawn
from dicehall.games.mana.rules import NOSTR, Mana
from dicehall.games.mana.state import Match
from dicehall.games.mana.units import army
from tests.games.mana.playing import TROOP, Table, dice

ANN, BO = Seat(0), Seat(1)
ONE = tuple(number + 1 for number in (*TROOP, 2))  # a troop of the league of Shadow


def usual(**rules: Any) -> Table:
    game = Mana(**rules)
    return Table(game, ONE if game.same_army else dice())


def test_both_rules_are_on_at_a_hall_table() -> None:
    """M15, C6."""
    assert (Mana().same_army, Mana().fight_once) == (1, 1)
    assert list(rules_of(Mana())) == ["rounds", "round_seconds", "match_seconds", "same_army", "fight_once"]


def test_one_army_and_one_league_are_drawn_for_both_seats() -> None:
    """M15."""
    game = Mana()
    assert game.awaits(game.start(2)) == Dice((256,) * 32 + (4,))
    table = usual()
    view = game.view(table.state, None)
    assert view.units == (army(TROOP, 2),) * 2
    assert view.leagues == (2, 2)
    assert table.only(ArmiesDrawn).same_army


def test_without_same_army_two_are_drawn() -> None:
    """M1, M15."""
    game = Mana(same_army=0)
    assert game.awaits(game.start(2)) == Dice((256,) * 64 + (4, 4))
    assert not usual(same_army=0).only(ArmiesDrawn).same_army


@pytest.mark.parametrize("same_army", [0, 1])
def test_a_draw_of_the_other_size_is_refused(same_army: int) -> None:
    """M15."""
    game = Mana(same_army=same_army)
    table = Table.__new__(Table)
    table.game, table.state, table.told, table.fresh = game, game.start(2), [], []
    assert table.code(Roll(dice() if same_army else ONE)) == "wrong_dice"


def test_a_unit_that_has_fought_cannot_be_picked_again() -> None:
    """M15."""
    table = usual().fight((3, 5))
    assert table.code(Move(ANN, Pick(3))) == Code.UNIT_SPENT
    assert table.code(Move(BO, Pick(5))) == Code.UNIT_SPENT
    table.enter(Move(ANN, Pick(5)), Move(BO, Pick(3)))  # what the other side has sent is not spent


def test_a_pick_outside_the_army_is_still_no_such_unit() -> None:
    """M15: judged before what is spent."""
    assert usual().fight((3, 5)).code(Move(ANN, Pick(8))) == Code.NO_SUCH_UNIT


def test_choices_and_views_know_what_is_spent() -> None:
    """M15."""
    table = usual().fight((3, 5), (0, 1))
    assert [pick.unit for pick in table.game.choices(table.state, ANN) if isinstance(pick, Pick)] == [1, 2, 4, 5, 6, 7]
    for viewer in (ANN, BO, None):
        assert table.game.view(table.state, viewer).spent == ((0, 3), (1, 5))


def test_a_unit_of_the_open_round_is_not_spent_before_both_have_picked() -> None:
    """M1, M15: else the view would tell a pick that is hidden."""
    table = usual().enter(Move(ANN, Pick(3)))
    for viewer in (ANN, BO, None):
        assert table.game.view(table.state, viewer).spent == ((), ())


def test_without_fight_once_units_may_be_used_again() -> None:
    """M9, M15."""
    table = usual(fight_once=0).fight((3, 3), (3, 3))
    assert table.game.view(table.state, None).spent == ((), ())
    assert len(table.game.choices(table.state, ANN)) == 8


def test_eight_rounds_are_the_most_where_units_fight_once() -> None:
    """M15."""
    eight = Table(Mana(rounds=8), ONE).fight(*[(unit, unit) for unit in range(8)])
    assert eight.state.over is not None
    assert eight.state.over.reason == "draw"
    with pytest.raises(BadRule, match="from 1 to 8"):
        Mana(rounds=9)
    assert Mana(rounds=9, fight_once=0).rounds == 9


@pytest.mark.parametrize("name", ["same_army", "fight_once"])
@pytest.mark.parametrize("number", [-1, 2, True, None])
def test_both_rules_are_nought_or_one(name: str, number: int) -> None:
    """M15."""
    with pytest.raises(BadRule):
        with_rules(Mana, {name: number})


def test_a_match_over_nostr_has_neither() -> None:
    """M15."""
    match = Match("duel", ("ann", "bo"))
    assert Mana(match=match, **NOSTR).match == match
    for name in NOSTR:
        with pytest.raises(BadRule, match="a match over Nostr cannot have it"):
            Mana(match=match, **{**NOSTR, name: 1})


def test_what_the_first_edition_did_not_name_it_did_not_have() -> None:
    """M15."""
    old = with_rules(Mana, {"rounds": 11}, edition=1)
    assert (old.same_army, old.fight_once, old.rounds) == (0, 0, 11)
    assert with_rules(Mana, {"same_army": 1}, edition=1).same_army == 1
    assert with_rules(Mana, {}, edition=2) == with_rules(Mana, {}) == Mana()
    for edition in (0, 3):
        with pytest.raises(BadRule, match="edition 1 and 2"):
            check_edition(Mana, edition)


def test_the_same_picks_on_both_sides_are_a_draw() -> None:
    """M6, M15."""
    table = usual().fight(*[(unit, unit) for unit in range(5)])
    assert table.state.over is not None
    assert table.state.over.reason == "draw"
