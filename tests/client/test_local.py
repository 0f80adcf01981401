from __future__ import annotations

from random import Random
from typing import Any

import pytest

from dicehall.client.local import BadRecord, LocalGame, continued
from dicehall.client.playing import Playing, ended, to_act
from dicehall.core.game import Faces, Refused, Seat, Turn
from dicehall.dice.sources import BadScript, Scripted, Seeded
from dicehall.games import catalogue
from dicehall.games.wards.rules import Action, Held, Rolled, Wards
from dicehall.wire.record import Record, Seal, parse_record, record_text
from tests.laws.playing import GAMES, quick

WARDS = Record(Wards(goal=10), ("Ann", "Bo"))
ANN, BO = Seat(0), Seat(1)


def never(sides: Faces) -> Faces:
    raise AssertionError("no dice are due")


def test_a_roll_is_one_act_with_its_dice() -> None:
    local = LocalGame(WARDS, Scripted([(6,)]).roll)
    assert local.act(ANN, Action.ROLL) == (Rolled(ANN, 6, 6),)
    assert local.record().entries == ({"seat": 0, "move": "roll"}, {"roll": [6]})
    assert (local.view(ANN).round_score, to_act(local), ended(local)) == (6, frozenset({ANN}), None)


def test_a_move_whose_dice_do_not_come_leaves_no_half_behind() -> None:
    local = LocalGame(WARDS, Scripted([]).roll)
    with pytest.raises(BadScript):
        local.act(ANN, Action.ROLL)
    assert (local.record(), local.awaited()) == (WARDS, Turn(frozenset({ANN})))


def test_a_refused_move_changes_nothing_and_asks_for_no_dice() -> None:
    local = LocalGame(WARDS, never)
    with pytest.raises(Refused, match="not_your_turn"):
        local.act(BO, Action.ROLL)
    assert local.record() == WARDS


def test_choices_and_views_are_those_of_the_rules() -> None:
    local = LocalGame(WARDS, never)
    assert (local.choices(ANN), local.choices(BO)) == (tuple(Action), ())
    assert local.view(None).goal == 10


def test_a_game_that_starts_with_a_draw_draws_when_it_begins() -> None:
    local = LocalGame(Record(catalogue()["aetharn"](), ("Ann", "Bo", "Cy")), Scripted([(3, 1)]).roll)
    assert [type(event).__name__ for event in local.begin()] == ["GameStarted", "TurnStarted"]
    assert local.record().entries == ({"roll": [3, 1]},)
    assert local.begin() == ()  # everybody is here, nothing is due


def test_dice_that_are_pending_in_a_record_fall_when_it_goes_on() -> None:
    waiting = Record(WARDS.game, WARDS.names, ({"seat": 0, "move": "roll"},))
    local = LocalGame(waiting, Scripted([(5,)]).roll)
    assert local.begin() == (Rolled(ANN, 5, 5),)
    assert local.act(ANN, Action.HOLD) == (Held(ANN, 5, 5, True),)


def test_who_was_away_in_a_record_is_here_again() -> None:
    entries = (
        {"roll": [1]},
        {"seat": 0, "attend": "away"},
        {"seat": 1, "attend": "away"},
        {"seat": 0, "expired": True},
    )
    local = LocalGame(Record(catalogue()["aetharn"](), ("Ann", "Bo"), entries), never)
    assert not to_act(local)
    assert [type(event).__name__ for event in local.begin()] == ["PlayerReturned", "TurnStarted", "PlayerReturned"]
    assert to_act(local) == {ANN}


def test_a_record_that_the_rules_refuse_says_where() -> None:
    with pytest.raises(BadRecord, match="Entry 1 of this record is refused: No roll is pending") as bad:
        LocalGame(Record(WARDS.game, WARDS.names, ({"seat": 0, "move": "hold"}, {"roll": [1]})), never)
    assert bad.value.index == 1


def test_the_seal_of_a_hall_does_not_cover_dice_thrown_here() -> None:
    sealed = Record(WARDS.game, WARDS.names, seal=Seal("t", "00", ("", "")))
    assert continued(sealed).seal is None


@pytest.mark.parametrize("key", list(GAMES))
def test_a_game_resumed_at_every_point_goes_on_as_if_it_had_never_stopped(key: str) -> None:
    """C3."""
    seats = GAMES[key].seats[0]
    record = Record(quick(key), tuple(f"Player {seat + 1}" for seat in range(seats)))
    whole = played(LocalGame(record, Seeded("dice").roll))
    assert ended(whole)
    for cut in range(len(whole.record().entries)):
        part = parse_record(as_document(record, whole.record().entries[:cut]), GAMES)
        rest = Seeded("dice")
        for entry in part.entries:
            if "roll" in entry:
                rest.roll(())
        assert played(LocalGame(part, rest.roll)).record().entries == whole.record().entries


def played(local: Playing) -> Playing:
    """To the end, each choice made by how far the game is."""
    local.begin()
    while seats := to_act(local):
        seat, done = min(seats), len(local.record().entries)
        choices = [choice for choice in local.choices(seat) if choice != "fold"]
        local.act(seat, Random(done).choice(choices))
    return local


def as_document(record: Record, entries: tuple[Any, ...]) -> Any:
    import msgspec

    return msgspec.json.decode(record_text(Record(record.game, record.names, entries)))
