"""Positions in a line: what is written can be read, and what cannot be read is said in a sentence."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicehall.core.game import Over, Seat
from dicehall.games.tenthousand.events import RoundStarted
from dicehall.lab.phrases import BadPosition
from dicehall.lab.positions import form_of, read, write
from dicehall.wire.sentences import sentence
from tests.laws.playing import GAMES, quick, seats_for, walk

ARMY = "fire 30/10/30 20/10/30b 20/10/30s 20/10/30h 25/12/40 25/12/40b 25/12/40s 25/12/40h"
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


HOUSE: dict[str, list[dict[str, int]]] = {
    "wards": [{}],
    "aetharn": [{}, {"hot_dice": 0}, {"hot_dice": 3, "goal": 20_000}],
    "tenthousand": [{}, {"opening": 0}, {"opening": 75, "goal": 4000}],
    "doordice": [{}, {"hp": 5}, {"hp": 7, "elimination_vp": 0, "survival_vp": 3, "rounds": 9}, {"survival_vp": 0}],
    "mana": [{}, {"same_army": 0, "fight_once": 0}, {"rounds": 8}],
}


@pytest.mark.parametrize(("key", "rules"), [(key, rules) for key in KEYS for rules in HOUSE[key]], ids=str)
def test_no_position_that_play_reaches_is_called_impossible(key: str, rules: dict[str, int]) -> None:
    """Random games with time-outs and absences, until 1500 positions were read."""
    chance, game, positions = Random(key), GAMES[key](**rules), 0
    while positions < 1500:
        for walked in islice(walk(game, seats_for(game, chance), chance, 0.05), 1500):
            read(game, write(game, walked.step.state, None))
            positions += 1


@pytest.mark.parametrize("key", KEYS)
def test_the_examples_of_the_help_can_be_read(key: str) -> None:
    form = form_of(key)
    assert form is not None
    game = GAMES[key]()
    for line in form.EXAMPLES:
        assert read(game, write(game, read(game, line), None)) == read(game, line)


def test_rounds_of_dice_10_000_count_from_1_as_on_the_score_sheet() -> None:
    """The rules count them from 0 (T10); sentences and the page say one more, and so do positions."""
    game = GAMES["tenthousand"]()
    state = replace(game.start(2), round=3)
    assert write(game, state) == "0-0 round 4"
    assert read(game, "0-0 round 4") == state
    assert sentence(game, RoundStarted(3), ["ann", "bo"]) == "Round 4 begins."


@pytest.mark.parametrize(("key", "line"), [("wards", "0-100 last 6"), ("tenthousand", "0-10000"), ("wards", "100-0")])
def test_a_game_that_is_won_is_written_without_a_star(key: str, line: str) -> None:
    game = GAMES[key]()
    assert isinstance(game.awaits(read(game, line)), Over)
    assert write(game, read(game, line)) == line


def test_the_second_seat_can_win_dice_10_000_in_the_first_round() -> None:
    game = GAMES["tenthousand"]()
    assert read(game, "0-10000 round 1").seat == 1


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
        ("wards", "", "A score must be a whole number"),
        ("wards", "-5-10", "A score cannot be negative."),
        ("wards", "5--10", "A score cannot be negative."),
        ("wards", "99999999999-3", "A score must be a whole number from 0 to 1000000000, not"),
        ("wards", "1-0", "This cannot occur: nobody ever has exactly 1 point"),
        ("wards", "41-49 +1", "This cannot occur: nobody ever has exactly 1 point"),
        ("wards", "41-49 +20 last 1", "This cannot occur: a pile of 20 does not follow from a last roll of 1."),
        ("wards", "0-0 last 6", "This cannot occur: nobody can have banked a last roll of 6 here."),
        ("wards", "7-*0 last 6", "This cannot occur: nobody can have banked a last roll of 6 here."),
        ("wards", "100-50 last 1", "This cannot occur: nobody can have banked a last roll of 1 here."),
        ("wards", "*100-0", "The game is over, so nobody can act"),
        ("wards", "100-*0", "The game is over, so nobody can act"),
        ("tenthousand", "10000-*0", "The game is over, so nobody can act"),
        ("wards", "41-49 +3 last 5", "This cannot occur: a pile of 3 does not follow from a last roll of 5."),
        ("wards", "41", "needs exactly 2 seats"),
        ("wards", "*1-*2", "Only one seat can have a star"),
        ("wards", "41-49 +x", "The points of a turn must be a whole number"),
        ("wards", "41-49 last 7", "last must be a whole number from 1 to 6"),
        ("wards", "41-49 first 7", "'first' is not understood here"),
        ("wards", "100-100", "Only one seat can have the goal"),
        ("wards", "100-2 +4", "The game is over"),
        ("aetharn", "120-0", "multiples of 50"),
        ("aetharn", "0-0 dice 2346", "scores nothing"),
        ("aetharn", "0-0 +50 dice 5234 held 2", "Every die you hold must score"),
        ("aetharn", "0-0 dice 1788", "digits from 1 to 6"),
        ("aetharn", "0-0-0 out 2:lost", "2:folded or 2:removed"),
        (
            "aetharn",
            "1250-900 +350 dice 153326",
            "This cannot occur: no turn without hot dice has 350 points when 6 dice",
        ),
        (
            "aetharn",
            "1250-900 +350 dice 1533",
            "This cannot occur: no turn without hot dice has 350 points when 4 dice",
        ),
        (
            "aetharn",
            "0-0 +100 dice 153326 held 12",
            "Held dice count towards the points of the turn: write at least +150.",
        ),
        ("aetharn", "0-0 +200 dice 153326 held 12", "This cannot occur: no turn without hot dice has 50 points"),
        ("aetharn", "0-0 left 4", "This cannot occur: no turn without hot dice has 0 points when 4 dice are rolled."),
        ("aetharn", "0-0 hot 1", "This cannot occur: no turn with hot dice used once has 0 points"),
        ("aetharn", "0-0 +50 left 6 rolling", "This cannot occur: no turn without hot dice has 50 points"),
        ("aetharn", "50-0 undrawn", "This cannot occur: nobody has points before the order"),
        ("aetharn", "50-0 idle", "This cannot occur: a turn is in progress unless every"),
        ("aetharn", "90000-0", "This cannot occur: the game ends at 5000, and no turn earns so much more."),
        ("aetharn", "5000-0-0 out 1:folded", "This cannot occur: the game ends when a seat reaches the goal"),
        ("tenthousand", "0-0 +350 dice 1533", "This cannot occur: no turn has 350 points when 4 dice are rolled."),
        ("tenthousand", "0-0 +250 dice 153326", "This cannot occur: no turn has 250 points when 6 dice are rolled."),
        ("tenthousand", "0-0 +350 dice 153326 locked 1 5", "This cannot occur: no turn has 200 points when 6 dice"),
        ("tenthousand", "0-0 left 1", "This cannot occur: no turn has 0 points when one die is rolled."),
        ("tenthousand", "0-0 round 0", "round must be a whole number from 1"),
        ("tenthousand", "0-*0-1000 round 1", "This cannot occur: nobody has points before their first turn"),
        ("tenthousand", "500-0", "the first bank must be at least 1000"),
        ("tenthousand", "0-0 +100 dice 1523 locked 23", "does not score as one group"),
        ("tenthousand", "0-0 +50 dice 15 locked 1", "at least +100"),
        (
            "doordice",
            "20/0 20/0",
            "A position starts with five seats as HP/VP, such as 20/0 20/0 20/0 20/0 20/0, not 2.",
        ),
        ("doordice", "21/0 20/0 20/0 20/0 20/0", "Nobody can have more than 20 HP"),
        ("doordice", "20/0 20/0 20/0 20/0 20/0 face 1", "leaves nothing to choose"),
        ("doordice", "20/0 0/0 0/0 0/0 0/0", "give the places"),
        (
            "doordice",
            "20/0 20/1 20/0 20/0 20/0",
            "This cannot occur: 0 acts so far cannot have led to these HP and VP.",
        ),
        ("doordice", "20/0 *10/0 20/0 20/0 20/0", "This cannot occur: 1 act so far"),
        ("doordice", "20/0 20/0 20/0 20/0 20/0 round 3", "This cannot occur: the seats have 0 VP in all"),
        ("doordice", "20/0 *17/3 9/1 5/0 8/4 round 3 face 4", "This cannot occur: 11 acts so far"),
        ("doordice", "-6/0f1 20/4 20/4 20/4 20/4 round 5", "This cannot occur: a seat falls at 0 HP, and no blow"),
        ("doordice", "20/4f1 20/4 20/4 20/4 20/4 round 5", "This cannot occur: seat 1 is alive"),
        ("doordice", "0/0f9 20/4 20/4 20/4 20/4 round 5", "This cannot occur: seat 1 cannot have ended 9 rounds"),
        ("doordice", "0/4 20/4 20/4 20/4 20/4 round 5", "This cannot occur: seat 1 fell in an earlier round"),
        ("doordice", "20/1>1 20/1 20/1 20/1 20/1 round 2", "This cannot occur: seat 1 cannot target itself."),
        ("doordice", "20/0 20/0>1 20/0 20/0 20/0", "This cannot occur: seat 2 has not acted yet"),
        ("doordice", "20/0 20/0 20/0 20/0 20/0 places 1,2,3,4,5", "This cannot occur: the game ends after round 6"),
        (
            "doordice",
            "20/6 20/6 20/6 20/6 20/7 round 6 places 1,2 3,4 5",
            "This cannot occur: the places do not follow",
        ),
        ("mana", ARMY.replace("fire", "ice"), "This cannot occur: attack in the league Ice is 10 to 29, not 30."),
        ("mana", ARMY.replace("/10/", "/20/"), "This cannot occur: defense in the league Fire is 5 to 19, not 20."),
        ("mana", ARMY.replace("/30b", "/50b"), "This cannot occur: health in the league Fire is 20 to 49, not 50."),
        ("mana", f"{ARMY} | rounds 1x2 1x3", "has already fought"),
        ("mana", f"{ARMY} | rounds 1x2 2x1 3x3 4x4 5x5 6x6", "more rounds than the match can have"),
        ("mana", "fire 1/2/3 | rounds | picked 1", "Write the army that both seats share"),
        ("mana", "fire 1/2/3 | rounds", "An army has 8 units"),
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
