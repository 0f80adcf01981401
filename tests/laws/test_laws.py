"""What is true of every game, whatever its rules: tried on random games of each."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest

from dicehall.core.fold import fits, play, replay
from dicehall.core.game import (
    AnyGame,
    Dice,
    Expired,
    Move,
    Over,
    Refusal,
    Refused,
    Roll,
    Seat,
    Turn,
    Unknown,
)
from dicehall.core.house import BadRule, house_rules, with_rules
from dicehall.wire.actions import codec_of
from dicehall.wire.entries import Logged, encode_entry
from dicehall.wire.record import Record, read_record, record_text
from dicehall.wire.sentences import sentence, words_of
from dicehall.wire.shown import show_event, show_view
from tests.laws.playing import GAMES, Walked, log_of, quick, seats_for, thrown, walk

pytestmark = pytest.mark.parametrize("key", GAMES)
GAMES_EACH = 40


@cache
def random_games(key: str) -> tuple[tuple[AnyGame, int, list[Walked]], ...]:
    """Played once for all laws, which look at them and change nothing."""
    return tuple(random_game(key, seed) for seed in range(GAMES_EACH))


def random_game(key: str, seed: int) -> tuple[AnyGame, int, list[Walked]]:
    chance = Random(f"{key} {seed}")
    game = quick(key)
    seats = seats_for(game, chance)
    return game, seats, list(walk(game, seats, chance))


def refusal(game: AnyGame, state: Any, entry: Any) -> str:
    """The code of a refusal that must come; hashing shows that it changed nothing."""
    before = hash(state)
    with pytest.raises(Refused) as caught:
        play(game, state, entry)
    assert hash(state) == before
    assert caught.value.sentence.endswith(".")
    return str(caught.value.code)


def test_random_play_with_time_outs_and_absences_ends(key: str) -> None:
    for game, _, walked in random_games(key):
        assert isinstance(game.awaits(walked[-1].step.state), Over)


def test_the_default_rules_end_too(key: str) -> None:
    game = GAMES[key]()
    walked = list(walk(game, game.seats[0], Random(key), unrest=0.01))
    assert isinstance(game.awaits(walked[-1].step.state), Over)


def test_replaying_the_log_gives_the_same_state(key: str) -> None:
    """C3."""
    for game, seats, walked in random_games(key):
        assert replay(game, seats, log_of(walked)) == walked[-1].step.state


def test_every_place_is_named_once(key: str) -> None:
    """C8."""
    for game, seats, walked in random_games(key):
        over = game.awaits(walked[-1].step.state)
        assert isinstance(over, Over)
        assert sorted(seat for place in over.places for seat in place) in ([], list(range(seats)))


def test_every_listed_choice_is_accepted(key: str) -> None:
    for game, seats, walked in random_games(key):
        for one in walked[:: max(1, len(walked) // 15)]:
            for seat in map(Seat, range(seats)):
                for action in game.choices(one.before, seat):
                    assert play(game, one.before, Move(seat, action)).state is not None


def test_choices_are_listed_for_the_seats_to_act_only(key: str) -> None:
    for game, seats, walked in random_games(key):
        for one in walked:
            awaited = game.awaits(one.before)
            to_act = awaited.seats if isinstance(awaited, Turn) else frozenset()
            listed = {seat for seat in map(Seat, range(seats)) if game.choices(one.before, seat)}
            assert listed == {seat for seat in to_act if game.barred(one.before, seat) is None}


def test_wrong_dice_are_refused(key: str) -> None:
    """C2: too many, none, and faces the dice do not have."""
    for game, _, walked in random_games(key):
        for one in walked:
            awaited = game.awaits(one.before)
            if isinstance(awaited, Dice):
                good = thrown(awaited.sides, Random(1))
                wrong = ((*good, 1), good[:-1], (0, *good[1:]), (awaited.sides[0] + 1, *good[1:]))
                assert not any(fits(faces, awaited.sides) for faces in wrong)
                codes = {refusal(game, one.before, Roll(faces)) for faces in wrong}
                assert codes == {Refusal.WRONG_DICE}


def test_nothing_happens_between_a_roll_and_its_dice(key: str) -> None:
    """C7."""
    for game, _, walked in random_games(key):
        for one in walked:
            if isinstance(game.awaits(one.before), Dice):
                assert refusal(game, one.before, Expired(Seat(0))) == Refusal.AWAITING_DICE
                assert refusal(game, one.before, Move(Seat(0), Unknown("x"))) == Refusal.AWAITING_DICE
            else:
                assert refusal(game, one.before, Roll((1,))) == Refusal.NO_DICE_AWAITED


def test_a_seat_that_is_not_there_cannot_act(key: str) -> None:
    for game, seats, walked in random_games(key):
        for seat in (-1, seats, 10**12):
            assert refusal(game, walked[-1].before, Expired(Seat(seat))) == Refusal.NO_SUCH_SEAT


def test_a_move_no_game_knows_is_refused_as_a_bad_move(key: str) -> None:
    for game, _, walked in random_games(key):
        for one in walked:
            if isinstance(one.entry, Move):
                code = refusal(game, one.before, Move(one.entry.seat, Unknown("sing")))
                assert code == Refusal.BAD_MOVE


def test_a_finished_game_refuses_everything(key: str) -> None:
    """W9, for every game."""
    for game, _, walked in random_games(key):
        for entry in (Roll((1,)), Expired(Seat(0)), Expired(Seat(99)), walked[-1].entry):
            assert refusal(game, walked[-1].step.state, entry) == Refusal.GAME_FINISHED


def test_states_and_views_are_frozen_and_hashable(key: str) -> None:
    for game, _, walked in random_games(key):
        state = walked[-1].step.state
        assert hash(state) == hash(replay(game, game.count(state), log_of(walked)))
        things: tuple[Any, ...] = (state, game, game.view(state, None))
        for thing in things:
            with pytest.raises(FrozenInstanceError):
                setattr(thing, fields(thing)[0].name, None)


def test_a_record_comes_back_as_it_was_written(key: str) -> None:
    for game, seats, walked in random_games(key):
        codec = codec_of(type(game))
        entries = tuple(encode_entry(codec, Logged(one.entry, at=n)) for n, one in enumerate(walked))
        record = Record(game, tuple(f"seat {n}" for n in range(seats)), entries)
        again = read_record(record_text(record), GAMES)
        assert again == record
        assert [logged.entry for logged in again.logged()] == log_of(walked)
        assert record_text(again) == record_text(record)


def test_no_view_tells_what_a_seat_may_not_see(key: str) -> None:
    """What a seat chose shows in nobody else's view or events while others have still to choose."""
    for game, seats, walked in random_games(key):
        for one in walked:
            awaited = game.awaits(one.before)
            if isinstance(one.entry, Move) and isinstance(awaited, Turn) and len(awaited.seats) > 1:
                others = [Seat(s) for s in range(seats) if s != one.entry.seat]
                told = {heard_by(game, one, action, others) for action in game.choices(one.before, one.entry.seat)}
                assert len(told) == 1


def heard_by(game: AnyGame, one: Walked, action: Any, others: list[Seat]) -> bytes:
    """All that the other seats and a spectator learn from an action."""
    assert isinstance(one.entry, Move)
    step = play(game, one.before, Move(one.entry.seat, action))
    views = [show_view(game, step.state, seat) for seat in (*others, None)]
    heard = [show_event(event) for event in step.events if event.to is None or event.to & set(others)]
    return msgspec.json.encode([views, heard])


def test_a_turn_that_passes_starts_a_clock(key: str) -> None:
    """C4: a deadline belongs to a turn; moves and the dice they draw are one act."""
    for game, _, walked in random_games(key):
        fresh = False
        for one in walked:
            fresh = one.step.fresh_clock or (fresh and isinstance(one.entry, Roll))
            before, after = game.awaits(one.before), game.awaits(one.step.state)
            if isinstance(after, Turn) and after.seats and isinstance(before, Turn | Dice):
                was = before.seats if isinstance(before, Turn) else before.by
                assert fresh or after.seats <= was


def test_every_event_has_a_sentence(key: str) -> None:
    said = set()
    for game, seats, walked in random_games(key):
        names = [f"Name{n}" for n in range(seats)]
        for one in walked:
            for event in one.step.events:
                text = sentence(game, event, names)
                assert text.endswith((".", "!", "?")), text
                assert not any(mark in text for mark in "{}[]"), text
                said.add(type(event).__name__)
    assert said <= words_of(GAMES[key]).keys() - {"about"}


def test_house_rules_out_of_range_are_refused_with_a_sentence(key: str) -> None:
    """C6."""
    for rule in house_rules(GAMES[key]):
        wrong = [rule.least - 1, rule.most + 1, -5, True, 1.5, "7", [1]] + ([] if rule.optional else [None])
        for number in wrong:
            with pytest.raises(BadRule) as caught:
                with_rules(GAMES[key], {rule.name: number})
            assert rule.name in caught.value.sentence
        assert getattr(with_rules(GAMES[key], {rule.name: rule.least}), rule.name) == rule.least
    with pytest.raises(BadRule, match="no house rule"):
        with_rules(GAMES[key], {"colour": 1})


def test_a_number_of_seats_no_game_can_have_is_refused(key: str) -> None:
    game = GAMES[key]()
    for seats in (-1, 0, 1, game.seats[-1] + 1):
        with pytest.raises(BadRule, match="seats"):
            game.start(seats)


def test_times_of_random_games_never_share_a_state_object(key: str) -> None:
    """Every step gives a position of its own: no game keeps a list inside that a later step changes."""
    for _, _, walked in random_games(key):
        for earlier, later in pairwise(walked):
            assert earlier.step.state == later.before
