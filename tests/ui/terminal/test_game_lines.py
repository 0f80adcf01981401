from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any, ClassVar

import pytest

from dicehall.core.fold import replay
from dicehall.core.game import Faces, Move, Roll, Seat, Unknown
from dicehall.games import catalogue
from dicehall.games.aetharn import lines as aetharn
from dicehall.games.aetharn.actions import Hold
from dicehall.games.aetharn.events import TurnEnded
from dicehall.games.aetharn.scoring import TABLE as AETHARN_TABLE
from dicehall.games.doordice.effects import ALIVE, FALLEN, resolves_itself
from dicehall.games.farkle import ScoreTable
from dicehall.games.mana import lines as mana
from dicehall.games.mana.actions import Pick
from dicehall.games.mana.events import RoundFought
from dicehall.games.mana.lines import told as mana_told
from dicehall.games.mana.rules import Mana
from dicehall.games.tenthousand import lines as tenthousand
from dicehall.games.tenthousand.events import Locked, RoundStarted
from dicehall.games.tenthousand.scoring import TABLE as TEN_TABLE
from dicehall.ui.terminal.game_lines import MadeLines, lines_of
from dicehall.ui.terminal.typed import understand
from dicehall.wire.actions import ActionCodec, codec_of
from tests.piglet import GAME as PIGLET
from tests.ui.terminal.positions import AETHARN, DOORDICE, EVERY, MANA, ME, TENTHOUSAND, WARDS, Position

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed")


@pytest.mark.parametrize("at", EVERY, ids=lambda at: at.key)
def test_every_offer_can_be_typed_as_it_stands_and_is_a_choice(at: Position) -> None:
    lines = lines_of(at.game)
    offers = lines.offers(at.view, NAMES[: at.seats], ME, at.choices)
    assert offers
    for typed, worth in offers:
        if not typed.endswith("..."):
            assert understand(typed, lines, at.view, at.likely, codec_of(at.game)) in at.choices
        assert worth


@pytest.mark.parametrize(
    ("at", "wanted"),
    [
        (WARDS, ["Ann has 0, Bo has 0. The goal is 100.", "On the pile: 0."]),
        (
            AETHARN,
            [
                "Ann has 0, Bo has 0. The goal is 5000.",
                "Dice:   [1] [2] [1] [3] [5] [5]",
                "Number:  1   2   3   4   5   -",
                "Points of this turn: 50.",
            ],
        ),
        (
            TENTHOUSAND,
            [
                "Ann has 0, Bo has 0. The goal is 10000.",
                "Dice:   [1] [1] [1] [2] [5] [5]",
                "Points of this turn: 0. You need 1000 to open; 1000 to go.",
            ],
        ),
        (DOORDICE, ["Round 1 of 6.", *(f"{n}. {name}: 20 HP, 0 VP" for n, name in enumerate(NAMES, 1)), "Die: [6]"]),
        (
            MANA,
            [
                "Round 1 of 5.",
                "Ann: 0 rounds won, 0 damage dealt",
                "Bo: 0 rounds won, 0 damage dealt",
                "Both armies (Fire league):",
                "  unit  attack  defense  health  ability  you    Bo",
                *(f"     {n}      20        5      20  -        -      -" for n in range(1, 9)),
            ],
        ),
    ],
    ids=lambda value: getattr(value, "key", ""),
)
def test_a_position_reads(at: Position, wanted: list[str]) -> None:
    lines, names = lines_of(at.game), NAMES[: at.seats]
    assert lines.scores(at.view, names) + lines.table(at.view, names, ME) == wanted


@pytest.mark.parametrize(
    ("at", "typed", "worth"),
    [
        (WARDS, "hold", "keep 0, which makes 0"),
        (AETHARN, "hold 1 3 5", "1 1 5 for 250"),
        (AETHARN, "bank", "keep 50, which makes 50"),
        (AETHARN, "roll", "throw 5 dice; 8 % chance to bust and lose 50"),
        (TENTHOUSAND, "lock 1 1 1, 5 5", "for 1100"),
        (DOORDICE, "power damage 3", "Cy: 20 -> 14 HP, 0 VP"),
        (DOORDICE, "power vp", "+3 VP for yourself, which makes 3 VP"),
        (MANA, "pick 8", "beats 0 of 8 units, loses to 0"),
    ],
)
def test_an_offer_says_what_it_is_worth(at: Position, typed: str, worth: str) -> None:
    offers = dict(lines_of(at.game).offers(at.view, NAMES[: at.seats], ME, at.choices))
    assert offers[typed] == worth


def test_a_hold_that_wins_says_so() -> None:
    view = WARDS.seen(scores=(90, 0), round_score=10)
    assert (
        dict(lines_of(WARDS.game).offers(view, NAMES[:2], ME, WARDS.choices))["hold"]
        == "keep 10, which makes 100 and wins"
    )


@pytest.mark.parametrize(
    ("hp", "vp", "effect", "worth"),
    [
        (6, 0, "power_damage", "Bo: 6 -> 0 HP: falls"),
        (7, 1, "power_damage", "Bo: 7 -> 1 HP, 1 VP"),
        (9, 0, "pickpocket", "Bo: has no VP to lose"),
        (9, 2, "pickpocket", "Bo: -1 VP (now 9 HP, 2 VP)"),
        (9, 2, "give_hp", "Bo: +2 HP (now 9 HP, 2 VP)"),
    ],
)
def test_an_effect_tells_what_becomes_of_its_target(hp: int, vp: int, effect: str, worth: str) -> None:
    from dicehall.games.doordice.rules import Choose

    view = DOORDICE.seen(hp=(20, hp, 20, 20, 20), vp=(0, vp, 0, 0, 0))
    offers = lines_of(DOORDICE.game).offers(view, NAMES, ME, [Choose(effect, Seat(1))])
    assert offers == [(f"{effect.replace('_', ' ')} 2", worth)]


def test_every_effect_that_is_chosen_has_a_verb() -> None:
    chosen = {e.name for table in (ALIVE, FALLEN) for effects in table if not resolves_itself(effects) for e in effects}
    assert {"roll", *chosen} == set(lines_of(DOORDICE.game).VERBS)


def test_many_holds_are_cut_short_with_a_word_on_the_rest() -> None:
    view = AETHARN.seen(roll=(1, 1, 1, 5, 5, 5), held=())
    holds = [Hold(dice) for dice, _ in AETHARN_TABLE.holds[view.roll]]
    offers = lines_of(AETHARN.game).offers(view, NAMES[:2], ME, holds)
    assert offers[0] == ("hold 1 2 3 4 5 6", "1 1 1 5 5 5 for 1500")
    assert offers[-1] == ("hold ...", "7 more ways")


@pytest.mark.parametrize(
    ("told", "table"), [(aetharn, AETHARN_TABLE), (tenthousand, TEN_TABLE)], ids=["aetharn", "ten"]
)
def test_the_odds_of_a_bust_are_counted_right(told: Any, table: ScoreTable) -> None:
    assert told.BUST_PERCENT[1:] == tuple(round(100 * bust_chance(table, dice)) for dice in range(1, 7))


def bust_chance(table: ScoreTable, dice: int) -> float:
    rolls = combinations_with_replacement(range(1, 7), dice)
    busts: int = sum(orders(roll) for roll in rolls if table.busts(roll))
    return busts / float(6**dice)


def orders(roll: Faces) -> int:
    return factorial(len(roll)) // prod(factorial(n) for n in Counter(roll).values())


def test_a_lock_is_told_with_its_faces_and_rounds_from_one() -> None:
    told = tenthousand.told
    view, names = TENTHOUSAND.view, NAMES[:2]
    locked = Locked(Seat(1), ((1, 1, 1), (5,)), 1050, 1250, 2)
    assert told(locked, view, names) == ["Bo locks 1 1 1, 5 for 1050: 1250 at stake, 2 dice left."]
    assert told(RoundStarted(1), view, names) == ["Round 2 begins."]


def test_the_end_of_a_turn_is_told_only_where_no_turn_follows() -> None:
    assert aetharn.told(TurnEnded(ME, Seat(1), False, 50), AETHARN.view, NAMES) == []
    assert aetharn.told(TurnEnded(ME, None, False, 50), AETHARN.view, NAMES) is None


def test_a_fight_is_told_by_the_numbers_on_the_cards() -> None:
    fought = RoundFought(1, (0, 7), (15, 15), (5, 5), None, (0, 0), (15, 15))
    assert mana_told(fought, MANA.view, NAMES[:2]) == [
        "Ann: unit 1 (attack 20, defense 5, health 20) deals 15 and is left with 5 health.",
        "Bo: unit 8 (attack 20, defense 5, health 20) deals 15 and is left with 5 health.",
        "Nobody takes round 1.",
    ]


def test_units_that_have_fought_are_marked_and_not_offered() -> None:
    """M15."""
    fought = (*MANA.log, Move(Seat(0), Pick(2)), Move(Seat(1), Pick(7)))
    at = Position("mana", 2, fought, ("pick",))
    lines = lines_of(at.game).table(at.view, NAMES[:2], ME)
    assert lines[4] == "     3      20        5      20  -        spent  -"
    assert lines[9] == "     8      20        5      20  -        -      spent"
    offers = dict(lines_of(at.game).offers(at.view, NAMES[:2], ME, at.choices))
    assert "pick 3" not in offers
    assert len(offers) == 7


def test_two_armies_are_told_apart() -> None:
    """M15."""
    game = Mana(same_army=0)
    view = game.view(replay(game, 2, [Roll((1,) * 64 + (1, 2))]), Seat(0))
    lines = lines_of(MANA.game).table(view, NAMES[:2], ME)
    assert lines[0] == "Yours (Fire league):                      Bo (Ice league):"
    assert lines[2] == "1      20        5      20  -             1      10        5      40  -"
    assert max(map(len, lines)) <= 80


def test_a_window_is_told_of_units_in_sentences() -> None:
    fought = (*MANA.log, Move(Seat(0), Pick(2)), Move(Seat(1), Pick(2)))
    same = mana.described(Position("mana", 2, fought, ("pick",)).view, NAMES[:2], ME)
    assert same[0] == "Both armies (Fire league):"
    assert same[3] == "  3. attack 20, defense 5, health 20 (sent by you and Bo)"
    game = Mana(same_army=0)
    other = mana.described(game.view(replay(game, 2, [Roll((1,) * 64 + (1, 2))]), Seat(0)), NAMES[:2], ME)
    assert (other[0], other[9]) == ("Your army (Fire league):", "Bo (Ice league):")


@pytest.mark.parametrize("key", list(catalogue()))
def test_every_game_of_the_hall_brings_its_own_lines(key: str) -> None:
    game: Any = catalogue()[key]
    assert not isinstance(lines_of(game), MadeLines)


class Plain(StrEnum):
    PASS = "pass"


@dataclass(frozen=True, slots=True)
class Take:
    count: int


@dataclass(frozen=True, slots=True)
class Keep:
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Group:
    sets: tuple[tuple[int, ...], ...]

    unreadable: ClassVar[Any]


Group.unreadable = Group(())


@dataclass(frozen=True, slots=True)
class Aim:
    what: str
    whom: int


MADE = MadeLines(ActionCodec({"pass": Plain.PASS}, {"take": Take, "keep": Keep, "group": Group, "aim": Aim}))


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("pass", Plain.PASS),
        ("take 3", Take(3)),
        ("keep 0 2", Keep((0, 2))),
        ("keep 4", Keep((4,))),
        ("group 1 1, 5", Group(((1, 1), (5,)))),
        ("group 5", Group(((5,),))),
        ('{"aim":{"what":"up","whom":1}}', Aim("up", 1)),
    ],
)
def test_lines_are_made_from_the_actions_of_a_game_that_has_none(typed: str, action: Any) -> None:
    assert understand(typed, MADE, None, [], MADE.codec) == action
    assert MADE.offers(None, NAMES, ME, [action]) == [(typed, "")]


@pytest.mark.parametrize("typed", ["take", "take 1 2", "pass 3", "aim 1"])
def test_made_lines_leave_what_does_not_fit_to_the_rules(typed: str) -> None:
    assert isinstance(understand(typed, MADE, None, [], MADE.codec), Unknown)


def test_a_view_without_lines_is_told_field_by_field() -> None:
    view = PIGLET().view(PIGLET().start(3), None)
    lines: Any = lines_of(PIGLET)
    names: Sequence[str] = NAMES[:3]
    assert isinstance(lines, MadeLines)
    assert lines.scores(view, names) == ["scores: 0 0 0", "stake: 0"]


def test_an_event_from_a_server_reads_as_it_does_at_home() -> None:
    from dicehall.games.mana.events import RoundFought
    from dicehall.ui.terminal.narration import shown_lines, told_lines
    from dicehall.wire.shown import show_event

    fought = RoundFought(1, (0, 1), (5, 6), (20, 30), None, (0, 0), (5, 6))
    game = MANA.game()
    at_home = told_lines(game, fought, MANA.view, NAMES[:2])
    assert shown_lines(game, show_event(fought), MANA.view, NAMES[:2]) == at_home
    assert shown_lines(game, {"event": "Started"}, MANA.view, NAMES[:2]) == []
