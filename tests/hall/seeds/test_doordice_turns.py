"""Whole turns, rounds and games of DO or DICE through its GameController."""

from __future__ import annotations

import pytest

from dicehall.hall.seeds.doordice_shapes import Choice, Question, ValidationError
from tests.hall.seeds.keyboard import always, first_choice, keyboard, play_out, wrong


def test_play_turn_asks_again_until_the_answer_is_allowed() -> None:
    """D4: the error of the last answer is shown with the question."""
    asked: list[Question] = []
    answers = [Choice(0), Choice(1, "jab"), Choice(1)]

    def ask(question: Question) -> Choice:
        asked.append(question)
        return answers[len(asked) - 1]

    with keyboard() as controller:
        controller.start([4])
        (line,) = controller.play_turn(ask)
        assert (line.what, line.whom) == ("strike", 1)
    assert [question.error.code if question.error else None for question in asked] == [
        None,
        "bad_target",
        "wrong_effect",
    ]
    assert {(question.player.name, question.value, question.effects) for question in asked} == {("Ann", 4, ("strike",))}
    assert asked[0].targets == (1, 2, 3, 4)


def test_play_turn_goes_on_where_a_roll_was_left() -> None:
    """D2."""
    with keyboard() as controller:
        controller.start([4, 5])
        controller.roll_dice()
        assert [line.what for line in controller.play_turn(first_choice)] == ["strike"]
        assert [line.what for line in controller.play_turn(first_choice)] == ["recover"]


def test_bots_move_by_themselves_and_nobody_moves_for_them() -> None:
    """D1."""
    with keyboard() as controller:
        controller.start([5, 4], ["Ann"])
        bot = controller.get_state().players[1].name
        controller.roll_dice()
        for act in (controller.roll_dice, controller.execute_action):
            with pytest.raises(ValidationError, match=bot) as raised:
                act()
            assert raised.value.code == "not_your_turn"
        lines = controller.play_turn(first_choice)
        assert [(line.who, line.what) for line in lines] == [(1, "strike")]
        assert controller.get_state().turn_index == 2
        controller.pass_time(20)
        assert controller.get_state().turn_index == 0  # the other bots needed no call


def test_a_round_ends_by_itself_and_end_round_says_whether_one_did() -> None:
    """D8."""
    with keyboard() as controller:
        controller.start([5] * 10)
        ended = []
        for _ in range(10):
            controller.play_turn(first_choice)
            ended.append(controller.end_round())
        assert ended == [False, False, False, False, True] * 2
        assert not controller.end_round()
        state = controller.get_state()
        assert (state.current_round, [player.vp for player in state.players]) == (3, [2] * 5)
        assert state.logs[5] == "Round 1: Ann survived the round (+1 VP)"


def test_a_fallen_player_haunts_and_not_the_same_twice() -> None:
    """D3, D4, D5, D6."""
    with keyboard() as controller:
        controller.start([4, 4, 5, 5, 5, 5, 3], rules={"hp": 4})
        controller.roll_dice()
        lines = controller.execute_action(1)
        assert [(line.who, line.what, line.vp_change) for line in lines] == [
            (0, "strike", 0),
            (1, "fell", 0),
            (0, "elimination", 2),
        ]
        rolled = controller.roll_dice()
        assert (rolled.player_id, rolled.alive, rolled.effects, rolled.targets) == (
            1,
            False,
            ("give_hp", "give_vp"),
            (0, 2, 3, 4),
        )
        controller.execute_action(2, "give_vp")
        for _ in range(4):
            controller.roll_dice()
        fallen = controller.get_state().players[1]
        assert (fallen.is_alive, fallen.hp, fallen.last_targeted_id, fallen.fallen_rounds_count) == (False, 0, 2, 1)
        assert controller.roll_dice().targets == (0, 3, 4)
        wrong("bad_target", controller, 2, "give_hp")


def test_the_game_stops_when_one_is_left_alive() -> None:
    """D8: at once, whatever the round."""
    with keyboard() as controller:
        controller.start([6, 1, 1, 1, 1], rules={"hp": 3})
        for _ in range(5):
            if not controller.get_state().game_over:
                controller.play_turn(always(1, "power_damage"))
        state = controller.get_state()
        assert state.game_over
        assert state.current_round == 1
        assert not controller.end_round()
        with pytest.raises(ValidationError) as raised:
            controller.roll_dice()
        assert raised.value.code == "game_finished"
        with pytest.raises(ValidationError, match="over"):
            controller.play_turn(first_choice)


def test_a_choice_that_comes_too_late_is_forgone() -> None:
    """D10: a table may have a clock, and it runs while somebody thinks."""
    with keyboard() as controller:
        controller.start([4, 4], rules={"turn_seconds": 10})
        controller.roll_dice()

        def ponder(question: Question) -> Choice:
            controller.pass_time(12)
            return Choice(1)

        lines = controller.play_turn(ponder)
        assert [(line.who, line.what) for line in lines] == [(0, "forgone")]
        assert controller.get_state().turn_index == 1


def test_nobody_is_asked_about_the_die_of_the_next_player() -> None:
    """D10: a bot has rolled already when the late answer comes."""
    asked: list[Question] = []

    def ponder(question: Question) -> Choice:
        asked.append(question)
        controller.pass_time(11.4)
        return Choice(1)

    with keyboard() as controller:
        controller.start([4, 4], ["Ann"], rules={"turn_seconds": 10})
        assert [line.what for line in controller.play_turn(ponder)] == ["forgone"]
        state = controller.get_state()
        assert (state.turn_index, state.effects) == (1, ("strike",))
    assert [question.player.name for question in asked] == ["Ann"]


def test_hp_and_vp_of_all_are_the_sum_of_the_history() -> None:
    """D2, D3, D6, D8: every change has its line."""
    with keyboard() as controller:
        controller.start(players=["Ann", "Bo", "Cy"])
        play_out(controller)
        hp, vp = [20] * 5, [0] * 5
        for line in controller.get_history():
            whom = line.who if line.whom is None else line.whom
            hp[whom] += line.hp_change
            vp[whom] += line.vp_change
        state = controller.get_state()
        assert ([player.hp for player in state.players], [player.vp for player in state.players]) == (hp, vp)
        assert len(state.logs) == len(controller.get_history()) > 30
        assert {line.round for line in controller.get_history()} == set(range(1, state.current_round + 1))


def test_a_second_game_begins_afresh_on_the_same_hall() -> None:
    """D1, D11."""
    with keyboard() as controller:
        controller.start([5] * 5, rules={"rounds": 1})
        play_out(controller)
        assert controller.end_round()
        controller.start([5] * 5)
        assert controller.get_state().logs == ()
        assert len(controller.get_game_sessions()) == 1
        for _ in range(5):
            controller.play_turn(first_choice)
        assert controller.end_round()


def test_the_state_is_read_again_only_when_something_happened() -> None:
    """D1: a loop that draws may ask sixty times a second."""
    with keyboard() as controller:
        controller.start([5])
        first = controller._look()
        assert controller._look() is first
        controller.roll_dice()
        assert controller._look() is not first
