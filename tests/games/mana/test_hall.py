"""A game at a hall table: armies drawn, picks hidden."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest

from dicehall.core.fold import replay
from dicehall.core.game import Attend, Dice, Event, Move, Over, Presence, Roll, Seat, Turn, Unknown
from dicehall.core.house import BadRule, with_rules
from dicehall.games.mana import events
from dicehall.games.mana.actions import Commit, Pick, Reveal
from dicehall.games.mana.events import ArmiesDrawn, GameEnded, Picked, RoundFought
from dicehall.games.mana.rules import NOSTR, Mana
from dicehall.games.mana.units import army
from tests.games.mana.playing import EDGY, GAME, PLAIN, TROOP, Table, dice

ANN, BO = Seat(0), Seat(1)
FIRST = frozenset({ANN})
SECOND = frozenset({BO})
WIN, LOSE, TIE = (3, 0), (0, 3), (0, 0)  # what seat 0 and seat 1 pick of a TROOP


def test_the_first_entry_draws_the_armies() -> None:
    """M1: 32 bytes each, and two leagues."""
    assert GAME.awaits(GAME.start(2)) == Dice((256,) * 64 + (4, 4))


def test_before_the_draw_no_unit_is_known() -> None:
    view = GAME.view(GAME.start(2), ANN)
    assert (view.units, view.leagues, view.round, view.picked) == (None, None, 1, ())
    assert GAME.choices(GAME.start(2), ANN) == ()


def test_a_face_is_one_more_than_its_byte() -> None:
    """M1."""
    first, second = bytes(range(224, 256)), bytes(range(32))
    table = Table(draw=dice(first, second, (3, 1)))
    view = GAME.view(table.state, None)
    assert view.units == (army(first, 3), army(second, 1))
    assert view.leagues == (3, 1)
    assert table.only(ArmiesDrawn).units == view.units
    assert table.only(ArmiesDrawn).league_names == ("Nature", "Ice")


def test_both_armies_are_open_to_all() -> None:
    """M1."""
    table = Table()
    assert GAME.view(table.state, ANN).units == GAME.view(table.state, None).units == GAME.view(table.state, BO).units


@pytest.mark.parametrize("seats", [0, 1, 3])
def test_only_two_can_play(seats: int) -> None:
    """M1."""
    with pytest.raises(BadRule, match="exactly 2"):
        GAME.start(seats)


def test_both_act_at_once_in_any_order() -> None:
    """M1."""
    table = Table()
    assert GAME.awaits(table.state) == Turn(FIRST | SECOND)
    assert GAME.awaits(table.enter(Move(BO, Pick(2))).state) == Turn(FIRST)
    assert GAME.awaits(table.enter(Move(ANN, Pick(2))).state) == Turn(FIRST | SECOND)


def test_a_pick_is_hidden_until_both_have_picked() -> None:
    """M1."""
    table = Table().enter(Move(ANN, Pick(3)))
    assert GAME.view(table.state, ANN).picks == (3, None)
    assert GAME.view(table.state, BO).picks == (None, None)
    assert GAME.view(table.state, None).picks == (None, None)
    assert GAME.view(table.state, BO).picked == (0,)
    assert table.only(Picked) == Picked(ANN, 1)


def test_what_the_others_see_does_not_depend_on_the_pick() -> None:
    """M1."""
    tables = [Table().enter(Move(BO, Pick(unit))) for unit in range(8)]
    for viewer in (ANN, None):
        assert len({GAME.view(table.state, viewer) for table in tables}) == 1
    assert len({tuple(table.told) for table in tables}) == 1


def test_when_both_have_picked_the_round_is_told() -> None:
    """M1, M5."""
    table = Table().fight(WIN)
    view = GAME.view(table.state, None)
    (played,) = view.rounds
    assert (played.picks, played.damage, played.health, played.winner) == ((3, 0), (16, 15), (6, 4), 0)
    assert (view.round, view.wins, view.damage, view.picked) == (2, (1, 0), (16, 15), ())
    assert table.only(RoundFought) == RoundFought(1, (3, 0), (16, 15), (6, 4), ANN, (1, 0), (16, 15))


def test_units_are_fresh_every_round_and_may_be_used_again() -> None:
    """M9."""
    table = Table().fight(TIE, TIE)
    first, second = GAME.view(table.state, None).rounds
    assert first == second
    assert GAME.view(table.state, None).units == (army(TROOP, 0), army(TROOP, 0))


ENDINGS = [  # the rounds, the places, the reason
    ((WIN, WIN, WIN), (FIRST, SECOND), "rounds"),
    ((LOSE, LOSE, LOSE), (SECOND, FIRST), "rounds"),
    ((WIN, TIE, TIE, TIE, TIE), (FIRST, SECOND), "rounds"),
    ((WIN, WIN, TIE, TIE), (FIRST, SECOND), "rounds"),  # two ahead with one to play
    ((WIN, LOSE, WIN, WIN, LOSE), (FIRST, SECOND), "rounds"),  # two ahead with one to play is over at four
    ((WIN, LOSE, TIE, LOSE, TIE), (SECOND, FIRST), "rounds"),
    ((TIE, TIE, TIE, TIE, TIE), (FIRST | SECOND,), "draw"),
    ((WIN, LOSE, TIE, TIE, TIE), (FIRST | SECOND,), "draw"),  # the same damage both ways
]


@pytest.mark.parametrize(("rounds", "places", "reason"), ENDINGS)
def test_more_rounds_win_the_match(
    rounds: tuple[tuple[int, int], ...], places: tuple[frozenset[Seat], ...], reason: str
) -> None:
    """M6."""
    table = Table()
    for played in rounds:
        if isinstance(GAME.awaits(table.state), Over):
            break
        table.fight(played)
    assert GAME.awaits(table.state) == Over(places, reason)
    ended = table.only(GameEnded)
    assert (ended.reason, ended.places) == (reason, tuple(tuple(sorted(place)) for place in places))


@pytest.mark.parametrize(
    ("rounds", "played"),
    [
        ([WIN] * 5, 3),
        ([TIE, WIN, WIN, TIE, TIE], 4),
        ([WIN, LOSE, WIN, WIN, TIE], 4),
        ([WIN, TIE, TIE, TIE, TIE], 5),  # one ahead with one to play is not enough
        ([TIE, TIE, TIE, TIE, TIE], 5),
    ],
)
def test_it_ends_early_when_the_lead_is_larger_than_what_is_left(rounds: list[tuple[int, int]], played: int) -> None:
    """M6."""
    table = Table()
    for picks in rounds[:played]:
        assert not isinstance(GAME.awaits(table.state), Over)
        table.fight(picks)
    assert isinstance(GAME.awaits(table.state), Over)
    view = GAME.view(table.state, ANN)
    assert (view.round, len(view.rounds), view.picked, view.picks) == (played, played, (), (None, None))


def test_with_rounds_level_more_damage_wins() -> None:
    """M6: damage counts all rounds. Seat 0 wins by a blow of 30, seat 1 by one of 16."""
    table = Table().fight((1, 0), LOSE, TIE, TIE, TIE)
    view = GAME.view(table.state, None)
    assert (view.wins, view.damage) == ((1, 1), (90, 76))
    assert GAME.awaits(table.state) == Over((FIRST, SECOND), "rounds")


def test_a_draw_has_no_winner() -> None:
    """M6, C8."""
    over = GAME.awaits(Table().fight(*[TIE] * 5).state)
    assert isinstance(over, Over)
    assert over.winner is None


def test_the_end_is_told() -> None:
    """M6."""
    ended = Table().fight(WIN, WIN, WIN).only(GameEnded)
    assert ended == GameEnded("rounds", ANN, ((ANN,), (BO,)), (3, 0), (48, 45), 3)


def test_a_rounds_start_asks_for_a_new_deadline() -> None:
    """M10."""
    table = Table().fight(TIE, WIN, WIN, WIN)
    assert table.fresh == [True, False, True, False, True, False, True, False, False]


def test_the_number_of_rounds_is_a_house_rule() -> None:
    """C6."""
    table = Table(Mana(rounds=1, **NOSTR)).fight(WIN)
    assert table.game.awaits(table.state) == Over((FIRST, SECOND), "rounds")


@pytest.mark.parametrize("name", ["rounds", "round_seconds", "match_seconds"])
@pytest.mark.parametrize("number", [0, -1, None, True, 2.0])
def test_house_rules_are_whole_numbers_from_one(name: str, number: Any) -> None:
    """C6."""
    with pytest.raises(BadRule, match=name):
        with_rules(Mana, {name: number})


def test_a_hall_knows_both_clocks() -> None:
    """M10, C12."""
    policy = Mana(round_seconds=7, match_seconds=70).policy
    assert (policy.starts, policy.clock, policy.clock_seconds, policy.game_seconds) == ("full", "round", 7, 70)
    assert (GAME.policy.clock_seconds, GAME.policy.game_seconds) == (300, 1800)


PICKED = Move(ANN, Pick(0))
A_REVEAL = Reveal("00" * 32, "02" * 33, 0)


@pytest.mark.parametrize(
    ("entries", "code"),
    [
        ([Roll(dice())], "no_dice_awaited"),
        ([Move(Seat(2), Pick(0))], "no_such_seat"),
        ([PICKED, Move(ANN, Pick(1))], "not_your_turn"),  # not taken back
        ([PICKED, Move(ANN, Unknown("That"))], "not_your_turn"),
        ([Move(ANN, Unknown("That"))], "bad_move"),
        ([Move(ANN, Commit("0" * 64))], "bad_move"),
        ([Move(ANN, Commit("short"))], "bad_move"),
        ([Move(ANN, A_REVEAL)], "bad_move"),
        ([Move(ANN, Pick(8))], "no_such_unit"),
        ([Move(ANN, Pick(-1))], "no_such_unit"),
    ],
)
def test_what_is_refused_and_why(entries: list[object], code: str) -> None:
    """C2, M1."""
    assert Table().code(*entries) == code


def test_before_the_draw_only_the_right_dice_are_accepted() -> None:
    """M1."""
    for faces in ((), (1,) * 65, (257,) + (1,) * 65, (1,) * 65 + (5,)):
        table = Table(draw=dice())
        table.state = GAME.start(2)
        assert table.code(Roll(faces)) == "wrong_dice"
        assert table.code(PICKED) == "awaiting_dice"


def test_a_finished_match_answers_nothing_else() -> None:
    """C2."""
    table = Table().fight(WIN, WIN, WIN)
    for entry in (PICKED, Roll(dice()), Move(Seat(9), Pick(0))):
        assert table.code(entry) == "game_finished"


def test_choices_are_the_eight_units_of_who_has_not_picked() -> None:
    table = Table().enter(PICKED)
    assert GAME.choices(table.state, ANN) == ()
    assert GAME.choices(table.state, BO) == tuple(Pick(unit) for unit in range(8))


def test_absence_changes_nothing() -> None:
    """C9."""
    table = Table()
    before = table.state
    for presence in Presence:
        table.enter(Attend(BO, presence))
    assert (table.state, table.fresh[1:], len(table.told)) == (before, [False] * 3, 1)


def test_replaying_a_log_gives_the_same_state() -> None:
    """C3."""
    log: list[Any] = [Roll(dice(EDGY * 8, PLAIN * 8)), PICKED, Move(BO, Pick(5))]
    assert replay(GAME, 2, log) == Table(draw=dice(EDGY * 8, PLAIN * 8)).fight((0, 5)).state


def test_every_event_has_a_sentence() -> None:
    told = {name for name, kind in vars(events).items() if isinstance(kind, type) and issubclass(kind, Event)}
    words = json.loads(files("dicehall.games.mana").joinpath("words/en.json").read_text("utf-8"))
    assert set(words) - {"about"} == told - {"Event"}
