"""Positions in a line: what is written can be read, and what cannot be read is said in a sentence."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicehall.core.game import Seat
from dicehall.lab.phrases import BadPosition
from dicehall.lab.positions import form_of, read, write
from tests.laws.playing import GAMES, quick, seats_for, walk

KEYS = ["wards", "aetharn", "tenthousand", "doordice", "mana"]


@pytest.mark.parametrize("key", KEYS)
@given(seed=st.integers(0, 10**9))
@settings(max_examples=12, deadline=None)
def test_every_position_that_play_reaches_can_be_written_and_read(key: str, seed: int) -> None:
    chance, game = Random(seed), quick(key)
    for at, walked in enumerate(walk(game, seats_for(game, chance), chance, 0.15)):
        state = walked.step.state
        viewers = [None, *map(Seat, range(game.count(state)))]
        viewer = viewers[at % len(viewers)]
        line = write(game, state, viewer)
        again = read(game, line)
        assert "\n" not in line
        assert (game.view(again, viewer), game.awaits(again)) == (game.view(state, viewer), game.awaits(state))
        assert write(game, again, viewer) == line
        assert key == "mana" or again == state


@pytest.mark.parametrize("key", KEYS)
def test_the_examples_of_the_help_can_be_read(key: str) -> None:
    form = form_of(key)
    assert form is not None
    game = GAMES[key]()
    for line in form.EXAMPLES:
        assert read(game, write(game, read(game, line), None)) == read(game, line)


def test_a_hidden_pick_is_not_written_for_the_other_seat() -> None:
    game = GAMES["mana"]()
    form = form_of("mana")
    assert form is not None
    line = f"{form.EXAMPLES[0]} | picked 1:4"
    assert write(game, read(game, line), Seat(0)) == line
    assert write(game, read(game, line), Seat(1)) == f"{form.EXAMPLES[0]} | picked 1"


@pytest.mark.parametrize(
    ("key", "line", "told"),
    [
        ("wards", "", "A score is a whole number"),
        ("wards", "-5-10", "A score cannot be negative."),
        ("wards", "5--10", "A score cannot be negative."),
        ("wards", "99999999999-3", "A score is a whole number from 0 to 1000000000, not"),
        ("wards", "1-0", "This cannot occur: nobody ever has exactly 1 point"),
        ("wards", "41-49 +1", "This cannot occur: nobody ever has exactly 1 point"),
        ("wards", "41-49 +20 last 1", "This cannot occur: a pile of 20 does not follow from a last roll of 1."),
        ("wards", "41-49 +3 last 5", "This cannot occur: a pile of 3 does not follow from a last roll of 5."),
        ("wards", "41", "played by exactly 2 seats"),
        ("wards", "*1-*2", "One seat at most is on turn"),
        ("wards", "41-49 +x", "gathered is a whole number"),
        ("wards", "41-49 last 7", "last is a whole number from 1 to 6"),
        ("wards", "41-49 first 7", "'first' is not understood here"),
        ("wards", "100-100", "Only one seat can have the goal"),
        ("wards", "100-2 +4", "The game is over"),
        ("aetharn", "120-0", "multiples of 50"),
        ("aetharn", "0-0 dice 2346", "scores nothing"),
        ("aetharn", "0-0 +50 dice 5234 held 2", "Each of the dice held has to score"),
        ("aetharn", "0-0 dice 1788", "digits 1 to 6"),
        ("aetharn", "0-0-0 out 2:lost", "2:folded or 2:removed"),
        ("tenthousand", "500-0", "the first points are 1000 at least"),
        ("tenthousand", "0-0 +100 dice 1523 locked 23", "worth nothing as one group"),
        ("tenthousand", "0-0 +50 dice 15 locked 1", "+100 at least"),
        ("doordice", "20/0 20/0", "Five seats are written"),
        ("doordice", "21/0 20/0 20/0 20/0 20/0", "Nobody has more than 20 HP"),
        ("doordice", "20/0 20/0 20/0 20/0 20/0 face 1", "leaves nothing to choose"),
        ("doordice", "20/0 0/0 0/0 0/0 0/0", "give the places"),
        ("mana", "fire 1/2/3", "Two armies stand there"),
        ("mana", "fire 1/2/3 | ice", "An army has 8 units"),
    ],
)
def test_a_line_that_is_no_position_is_refused_in_a_sentence(key: str, line: str, told: str) -> None:
    with pytest.raises(BadPosition, match=told.replace("+", r"\+")) as refused:
        read(GAMES[key](), line)
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize("key", KEYS)
@given(line=st.text(alphabet="0123456789-*+/|:>,xfbsh dicerollngt", max_size=60))
@settings(max_examples=60, deadline=None)
def test_no_line_breaks_the_reader(key: str, line: str) -> None:
    """It is a position, or refused in a sentence."""
    game = GAMES[key]()
    with suppress(BadPosition):
        state = read(game, line)
        assert read(game, write(game, state, None)) == state or key == "mana"
