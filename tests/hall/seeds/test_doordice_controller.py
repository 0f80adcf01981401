"""The GameController of DO or DICE: one keyboard, through a table of the hall."""

from __future__ import annotations

import pytest

from dicehall.core.game import Seat
from dicehall.games.doordice.events import EffectDone
from dicehall.hall.seeds.doordice_history import history
from dicehall.hall.seeds.doordice_shapes import Bot, Person, RollResult, ValidationError
from dicehall.wire.bot_names import NAMES
from dicehall.wire.shown import show_event
from tests.hall.seeds.keyboard import FIVE, keyboard, wrong


def test_init_game_sets_up_five_players() -> None:
    """D1."""
    with keyboard() as controller:
        state = controller.init_game([Person("Ann", "owl"), *FIVE[1:]], drawn=False)
        assert (state.current_round, state.turn_index, state.game_over) == (1, 0, False)
        assert (state.logs, state.last_roll, state.effects, state.targets) == ((), None, (), ())
        assert [player.id for player in state.players_list] == [0, 1, 2, 3, 4]
        assert [player.name for player in state.players] == list(FIVE)
        assert {(player.hp, player.vp, player.is_alive) for player in state.players} == {(20, 0, True)}
        assert {(player.fallen_rounds_count, player.last_targeted_id) for player in state.players} == {(0, None)}
        assert {player.kind for player in state.players} == {"hot_seat"}
        assert state.players[0].avatar == "owl"
        assert len({player.avatar for player in state.players}) == 5
        assert state.current_player.name == "Ann"
        assert controller.get_state_for_ui() == controller.get_state() == state


def test_seats_are_drawn_unless_somebody_says_otherwise() -> None:
    """D1."""
    with keyboard() as controller:
        controller.box.named = {1: (5, 4, 3, 2)}
        assert [player.name for player in controller.init_game(FIVE).players] == list(reversed(FIVE))


def test_bots_take_the_seats_that_nobody_takes() -> None:
    """D1."""
    with keyboard() as controller:
        players = controller.init_game(["Ann", Bot("random"), "Bo"], bots="greedy", drawn=False).players
        assert [player.kind for player in players] == ["hot_seat", "bot", "hot_seat", "bot", "bot"]
        assert all(player.name in NAMES for player in players if player.kind == "bot")
        assert len({player.name for player in players}) == 5
        assert [player.avatar == "bot" for player in players] == [False, True, False, True, True]


@pytest.mark.parametrize(
    "players",
    [
        [],
        [Bot()] * 5,
        [*FIVE, "Flo"],
        ["Ann", "ann"],
        ["Ann", "  "],
        [Person("Ann", "unicorn")],
        ["Ann", Bot("cunning")],
    ],
    ids=["nobody", "bots only", "six", "same name", "no name", "no such avatar", "no such level"],
)
def test_a_game_that_cannot_be_set_up_is_refused_with_a_sentence(players: list[str | Person | Bot]) -> None:
    """D1, C2."""
    with keyboard() as controller:
        with pytest.raises(ValidationError, match=r"\."):
            controller.init_game(players)
        with pytest.raises(ValidationError, match="no game yet"):
            controller.get_state()


def test_a_bad_house_rule_is_refused() -> None:
    """C6."""
    with keyboard() as controller, pytest.raises(ValidationError, match="rounds"):
        controller.init_game(FIVE, rules={"rounds": 0})


def test_a_roll_that_asks_for_a_target_waits_for_it() -> None:
    """D2: a 4 is a Strike."""
    with keyboard() as controller:
        controller.start([4])
        assert controller.roll_dice() == RollResult(0, 4, True, ("strike",), (1, 2, 3, 4), ())
        state = controller.get_state()
        assert (state.last_roll, state.turn_index, state.effects, state.targets) == (4, 0, ("strike",), (1, 2, 3, 4))
        (line,) = controller.execute_action(2)
        assert (line.round, line.who, line.what, line.whom) == (1, 0, "strike", 2)
        assert (line.hp_change, line.vp_change) == (-4, 0)
        state = controller.get_state()
        assert (state.players[2].hp, state.players[0].last_targeted_id, state.turn_index) == (16, 2, 1)
        assert state.logs == ("Round 1: Ann struck Cy (-4 HP)",)
        assert state.last_roll == 4  # until the next


def test_a_roll_that_leaves_nothing_to_choose_resolves_itself() -> None:
    """D2, C7: a 1 is a Backfire."""
    with keyboard() as controller:
        controller.start([1])
        rolled = controller.roll_dice()
        assert (rolled.value, rolled.effects, rolled.targets) == (1, (), ())
        assert [(line.who, line.what, line.whom, line.hp_change) for line in rolled.happened] == [
            (0, "backfire", None, -3)
        ]
        assert controller.get_state().turn_index == 1


def test_two_possible_effects_and_none_named_are_listed() -> None:
    """D2: a 6 is a choice."""
    with keyboard() as controller:
        controller.start([6, 6])
        controller.roll_dice()
        error = wrong("wrong_effect", controller, target=1)
        assert error.options == ("power_damage", "power_vp")
        assert all(option in error.sentence for option in error.options)
        assert [line.vp_change for line in controller.execute_action(effect="power_vp")] == [3]
        controller.roll_dice()
        assert [line.hp_change for line in controller.execute_action(0, "power_damage")] == [-6]


@pytest.mark.parametrize("target", [0, 9, -1, None], ids=["oneself", "nobody", "less than nobody", "none"])
def test_an_invalid_target_is_refused_with_the_sentence(target: int | None) -> None:
    """D4."""
    with keyboard() as controller:
        controller.start([2])
        controller.roll_dice()
        assert "1, 2, 3, 4" in wrong("bad_target", controller, target).sentence


def test_what_does_not_fit_the_moment_is_refused() -> None:
    """D2."""
    with keyboard() as controller:
        controller.start([2])
        wrong("must_roll", controller, 1)
        controller.roll_dice()
        wrong("wrong_effect", controller, 1, "strike")
        wrong("bad_move", controller, 1, "tickle")
        with pytest.raises(ValidationError) as raised:
            controller.roll_dice()
        assert raised.value.code == "must_choose"


def test_picking_an_empty_pocket_is_allowed_and_gains_nothing() -> None:
    """D7."""
    with keyboard() as controller:
        controller.start([3])
        controller.roll_dice()
        (line,) = controller.execute_action(1)
        assert (line.what, line.vp_change, line.without_effect) == ("pickpocket", 0, True)
        assert controller.get_state().logs[-1].endswith(" (no effect)")


def test_what_changes_something_is_not_called_without_effect() -> None:
    """D7."""
    with keyboard() as controller:
        controller.start([2])
        controller.roll_dice()
        (line,) = controller.execute_action(1)
        assert (line.what, line.hp_change, line.without_effect) == ("jab", -2, False)
        assert controller.get_state().logs[-1].endswith(" (-2 HP)")


def test_recovering_at_the_cap_is_logged_as_without_effect() -> None:
    """D7, D10: like an empty pocket, nothing changes."""
    with keyboard() as controller:
        controller.start([5])
        (line,) = controller.roll_dice().happened
        assert (line.what, line.hp_change, line.without_effect) == ("recover", 0, True)
        assert controller.get_state().logs[-1].endswith("recovered (no effect)")


@pytest.mark.parametrize(
    ("effect", "hp", "vp", "nothing"),
    [("take_vp", 0, 0, True), ("take_vp", 0, -1, False), ("give_hp", 0, 0, True), ("give_hp", 2, 0, False)],
)
def test_a_haunt_that_changes_nothing_is_logged_as_without_effect(effect: str, hp: int, vp: int, nothing: bool) -> None:
    """D7, D10: a bad haunt at 0 VP, a good one at the cap."""
    done = EffectDone(Seat(0), effect, Seat(1), hp, vp, 20, 0, 0, nothing)
    (line,) = history([{"n": 7, "events": [show_event(done)]}])
    assert line.without_effect is nothing
    assert line.text("AB").endswith(" (no effect)") is nothing
