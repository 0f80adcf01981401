from __future__ import annotations

from random import Random
from typing import Any

import pytest

from dicehall.bots.levels import at_random, bots_for, levels
from dicehall.core.game import Seat
from dicehall.games import catalogue
from dicehall.games.aetharn.actions import Hold, Word
from dicehall.games.aetharn.state import View as AetharnView
from dicehall.games.doordice.rules import Choose
from dicehall.games.doordice.rules import View as DoOrDiceView
from dicehall.games.mana.actions import Pick
from dicehall.games.mana.rules import View as ManaView
from dicehall.games.mana.state import Phase
from dicehall.games.mana.units import Ability, Unit
from dicehall.games.tenthousand.actions import Lock
from dicehall.games.tenthousand.actions import Word as TenWord
from dicehall.games.tenthousand.state import View as TenView
from dicehall.games.wards.rules import Action, View
from tests.bots.playing import bots_play
from tests.piglet import GAME as PIGLET

ME = Seat(0)

SERIES: list[tuple[str, dict[str, int], int, int, float]] = [  # key, rules, seats, games, share that greedy must win
    ("wards", {}, 2, 60, 0.9),
    ("aetharn", {"goal": 2000}, 2, 60, 0.8),
    ("tenthousand", {"goal": 3000}, 2, 40, 0.75),
    ("doordice", {}, 5, 200, 0.4),  # one greedy seat among four random ones: a fair share would be 0.2
    ("mana", {}, 2, 150, 0.75),
]


LEVELS = {
    "aetharn": ("random", "greedy", "good", "exact"),
    "doordice": ("random", "greedy", "good"),
    "mana": ("random", "greedy", "exact"),
    "tenthousand": ("random", "greedy", "good", "exact"),
    "wards": ("random", "greedy", "good", "exact"),
}


def test_every_game_of_the_hall_has_the_levels_that_really_differ() -> None:
    assert {key: levels(key) for key in catalogue()} == LEVELS
    assert {key: tuple(bots_for(game())) for key, game in catalogue().items()} == LEVELS


def test_a_game_without_bots_of_its_own_has_the_random_one() -> None:
    assert dict(bots_for(PIGLET())) == {"random": at_random}
    assert bots_play(PIGLET(), [at_random] * 3, "x").reason == "goal"


@pytest.mark.parametrize("key", ["levels", "not a module", "os.path", ""])
def test_a_strange_key_is_no_way_to_other_modules(key: str) -> None:
    assert levels(key) == ("random",)


@pytest.mark.parametrize(("key", "rules", "seats", "games", "share"), SERIES, ids=[row[0] for row in SERIES])
def test_greedy_beats_random_clearly(key: str, rules: dict[str, int], seats: int, games: int, share: float) -> None:
    game = catalogue()[key](**rules)
    bots = bots_for(game)
    won = 0
    for number in range(games):
        mine = Seat(number % seats)
        over = bots_play(game, [bots["greedy" if seat == mine else "random"] for seat in range(seats)], f"{number}")
        won += over.winner == mine
    assert won >= share * games, f"{won} of {games}"


@pytest.mark.parametrize(("key", "level"), [(key, level) for key, known in LEVELS.items() for level in known])
def test_bots_of_one_level_finish_a_game_among_themselves_for_any_number_of_seats(key: str, level: str) -> None:
    quick = {"aetharn": {"goal": 600}, "tenthousand": {"goal": 1500}, "wards": {"goal": 40}, "doordice": {"rounds": 2}}
    game = catalogue()[key](**quick.get(key, {}))
    for seats in game.seats:
        assert bots_play(game, [bots_for(game)[level]] * seats, f"{key} {seats}").places


@pytest.mark.parametrize(
    ("score", "pile", "wanted"),
    [(0, 0, Action.ROLL), (0, 19, Action.ROLL), (0, 20, Action.HOLD), (95, 4, Action.ROLL), (95, 5, Action.HOLD)],
)
def test_a_greedy_ward_holds_twenty_or_what_wins(score: int, pile: int, wanted: Action) -> None:
    assert greedy("wards", View((score, 0), pile, None, 100), tuple(Action)) is wanted


AETHARN: dict[str, Any] = {
    "order": None,
    "held": (),
    "away": (),
    "out": {},
    "hot_dice_used": 0,
    "goal": 5000,
    "hot_dice": 1,
}


@pytest.mark.parametrize(
    ("score", "points", "left", "wanted"),
    [(0, 200, 5, Word.ROLL), (0, 300, 3, Word.BANK), (0, 800, 0, Word.ROLL), (4900, 100, 5, Word.BANK)],
)
def test_greedy_banks_at_a_threshold_or_what_wins(score: int, points: int, left: int, wanted: Word) -> None:
    view = AetharnView(
        scores=(score, 0),
        turn_points=points,
        roll=(1,),
        dice_left=left,
        must_hold=False,
        **AETHARN,
    )
    assert greedy("aetharn", view, (Word.ROLL, Word.BANK, Word.FOLD)) is wanted


def test_greedy_holds_the_dearest_dice() -> None:
    view = AetharnView(
        scores=(0, 0),
        turn_points=0,
        roll=(3, 1, 3, 3, 5, 2),
        dice_left=6,
        must_hold=True,
        **AETHARN,
    )
    game = catalogue()["aetharn"]()
    choices = [Hold(dice) for dice, _ in game.readings(view.roll)]
    assert greedy("aetharn", view, (*reversed(choices), Word.FOLD)) == Hold((0, 1, 2, 3, 4))


def test_a_greedy_hand_obeys_the_opening() -> None:
    def view(score: int, points: int) -> TenView:
        return TenView((score, 0), 0, points, (1, 2), ((1,),), 1, False, 10_000, 1000)

    assert greedy("tenthousand", view(0, 900), (TenWord.ROLL, Lock(((5,),)))) is TenWord.ROLL
    assert greedy("tenthousand", view(0, 1000), (TenWord.ROLL, TenWord.YIELD)) is TenWord.YIELD
    assert greedy("tenthousand", view(9950, 50), (TenWord.ROLL, TenWord.YIELD)) is TenWord.YIELD


@pytest.mark.parametrize(
    ("hp", "vp", "effects", "wanted"),
    [
        ((20, 20, 4, 20, 20), (0, 9, 0, 0, 0), ("strike",), Choose("strike", Seat(2))),  # fells one
        ((20, 20, 20, 20, 20), (0, 1, 5, 0, 0), ("strike",), Choose("strike", Seat(2))),  # else who leads
        ((20, 20, 20, 20, 20), (0, 0, 0, 3, 0), ("pickpocket",), Choose("pickpocket", Seat(3))),
        ((20, 20, 20, 20, 20), (0, 0, 0, 0, 0), ("power_damage", "power_vp"), Choose("power_vp")),
        ((20, 20, 20, 6, 20), (0, 0, 0, 0, 0), ("power_damage", "power_vp"), Choose("power_damage", Seat(3))),
        ((0, 20, 20, 20, 20), (3, 4, 2, 3, 3), ("give_hp", "give_vp"), Choose("give_hp", Seat(2))),
        ((0, 20, 20, 20, 20), (3, 4, 2, 3, 3), ("take_hp", "take_vp"), Choose("take_vp", Seat(1))),
    ],
)
def test_a_greedy_fighter_fells_then_gains_then_hits_the_leader(
    hp: tuple[int, ...], vp: tuple[int, ...], effects: tuple[str, ...], wanted: Choose
) -> None:
    aims: dict[str, tuple[Seat | None, ...]] = {"power_vp": (None,)}
    targets = tuple(map(Seat, range(1, 5)))
    choices = tuple(Choose(effect, aim) for effect in effects for aim in aims.get(effect, targets))
    view = DoOrDiceView(hp, vp, 1, (0,) * 5, (None,) * 5, 6, effects, targets, (), 6)
    assert greedy("doordice", view, choices) == wanted


def test_a_greedy_commander_sends_the_unit_that_does_best_against_all_it_may_meet() -> None:
    weak, strong = Unit(10, 5, 20, 20, Ability.NONE), Unit(29, 19, 49, 49, Ability.BOOST)
    mine, theirs = (weak,) * 5 + (strong,) + (weak,) * 2, (weak,) * 8
    pair = (None, None)
    view = ManaView(1, (0, 0), (0, 0), (0, 0), (mine, theirs), (), (), Phase.PICK, pair, pair, 5, ((), ()))
    assert greedy("mana", view, tuple(map(Pick, range(8)))) == Pick(5)


def greedy(key: str, view: Any, choices: tuple[Any, ...]) -> Any:
    return bots_for(catalogue()[key]())["greedy"](view, ME, choices, Random(1))
