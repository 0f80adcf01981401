"""The report as a story: positions and choices in words, a headline, and numbers as people say them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from dicehall.core.game import Seat
from dicehall.games import catalogue
from dicehall.games.tenthousand.actions import Lock
from dicehall.lab.coach import SeatReport
from dicehall.lab.descriptions import choice_text, dice_of, round_of, situation
from dicehall.lab.graph import MOST, graph
from dicehall.lab.moments import bot_seats
from dicehall.lab.plain_numbers import chance_text, give_or_take, points_text, two_chances
from dicehall.lab.shown import show_report
from dicehall.lab.story import Narrator, average_luck, costliest, headline, luck, skill
from dicehall.wire.answers import Replay
from dicehall.wire.record import parse_record
from tests.lab.test_coach_reports import RECORDS, moved, report, rolled, wards

YOU, ANN = Narrator("Ann", you=True), Narrator("Ann")
NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve")


def position(key: str, *entries: Any, seats: int = 2, **rules: Any) -> tuple[Any, Any]:
    """A game, and where it stands after these entries."""
    document = {"dicehall": 1, "game": key, "rules": rules, "seats": list(NAMES[:seats]), "entries": list(entries)}
    replay = Replay(parse_record(document, catalogue()))
    for _ in replay.steps():
        pass
    assert replay.refused is None
    return replay.record.game, replay.state


def words(game: Any, state: Any, seat: int) -> str:
    return situation(game, game.view(state, Seat(seat)), Seat(seat), NAMES)


# -- positions and choices in words -------------------------------------------------------------------------


def test_dice_wards_is_told_by_scores_and_pile() -> None:
    game, state = position("wards", *rolled(0, 6), *rolled(0, 5))
    assert words(game, state, 0) == "Level at 0 with 11 on the pile"
    assert words(game, replace(state, scores=(65, 85), round_score=22), 0) == "Behind 65 to 85 with 22 on the pile"
    assert words(game, replace(state, scores=(85, 65), round_score=0), 0) == "Ahead 85 to 65"


def test_aetharn_is_told_by_scores_stake_and_the_roll_to_answer() -> None:
    roll = {"roll": [1, 5, 3, 3, 2, 6]}
    game, state = position("aetharn", {"roll": [1]}, moved(0, "roll"), roll)
    assert words(game, state, 0) == "Level at 0 with a roll of 1 5 3 3 2 6"
    game, state = position("aetharn", {"roll": [1]}, moved(0, "roll"), roll, moved(0, {"hold": [0, 1]}))  # type: ignore[arg-type]
    assert words(game, state, 0) == "Level at 0 with 150 at stake"
    assert [die.kept for die in dice_of(game, game.view(state, Seat(0)))] == [True, True, False, False, False, False]


def test_more_than_two_are_compared_with_the_leader() -> None:
    game, state = position("tenthousand", seats=3)
    state = replace(state, scores=(2500, 1900, 4000))
    assert words(game, state, 0) == "Behind 2500 to the leader’s 4000"
    assert words(game, state, 2) == "Ahead 4000 to the runner-up’s 2500"


def test_a_lock_is_told_by_its_groups() -> None:
    game, state = position("tenthousand", moved(0, "roll"), {"roll": [1, 1, 1, 1, 2, 6]})
    view = game.view(state, Seat(0))
    told = [
        choice_text(game, view, Seat(0), Lock(groups), NAMES).past for groups in (((1, 1, 1), (1,)), ((1, 1, 1, 1),))
    ]
    assert told == ["kept 1 1 1 + 1 for 1100", "kept 1 1 1 1 for 2000"]


def test_do_or_dice_is_told_by_round_points_and_face() -> None:
    game, state = position("doordice", moved(0, "roll"), {"roll": [4]}, seats=5)
    assert words(game, state, 0) == "In round 1 with 20 HP and 0 VP, after rolling a 4"
    fallen = replace(state, hp=(-1, 20, 20, 20, 20), vp=(3, 0, 0, 0, 0), face=None)
    assert words(game, fallen, 0) == "In round 1 as a ghost with 3 VP"


@pytest.mark.parametrize("key", list(catalogue()))
def test_every_position_and_every_choice_of_every_game_has_words(key: str) -> None:
    """Of recorded games, one in ten."""
    for file in [record for record in RECORDS if record.parent.name == key][::10]:
        check_words(json.loads(file.read_bytes()))


def check_words(document: Any) -> None:
    replay = Replay(parse_record(document, catalogue()))
    game: Any = replay.record.game
    if getattr(game, "match", None) is not None:
        return
    for step in replay.steps():
        for seat in range(len(replay.record.names)):
            view = game.view(step.state, Seat(seat))
            for action in game.choices(step.state, Seat(seat)):
                told = choice_text(game, view, Seat(seat), action, replay.record.names)
                assert told.label[0].isupper()
                assert told.past[0].islower()
                assert told.doing.split()[0].endswith("ing")
                assert situation(game, view, Seat(seat), replay.record.names)


def test_rounds_are_numbered_as_on_the_score_sheet() -> None:
    game, state = position("tenthousand")
    assert round_of(game, game.view(state, None)) == 1
    game, state = position("doordice", seats=5)
    assert round_of(game, game.view(state, None)) == 1


# -- costly choices -----------------------------------------------------------------------------------------


def test_a_costly_choice_is_one_sentence_about_the_position_and_one_about_what_was_better() -> None:
    found = report(wards(*rolled(0, 6), *rolled(0, 6), *rolled(0, 6), *rolled(0, 6), *rolled(0, 1), goal=20))
    (choice,) = costliest(found, found.seats[0])
    assert choice.sentence(YOU).startswith("Level at 0 with 24 on the pile, you rolled again: ")
    assert choice.sentence(YOU).endswith(" %. Holding wins for certain.")
    assert choice.sentence(ANN).startswith("Level at 0 with 24 on the pile, Ann rolled again: ")
    (shown,) = show_report(found)["seats"][0]["costliest"]
    assert (shown["move"], shown["best"], shown["chosen"], shown["better"]) == ("roll", "hold", "Roll again", "Hold")
    assert shown["dice"] == [{"face": 6, "kept": False}]
    assert shown["yours"] == choice.sentence(YOU)


def test_a_choice_whose_two_chances_read_the_same_is_not_told() -> None:
    found = report(wards(*rolled(0, 6), *rolled(0, 6), *rolled(0, 6), *rolled(0, 6), *rolled(0, 1), goal=20))
    (line,) = found.seats[0].worst
    assert line.decision is not None
    tiny = replace(line, decision=replace(line.decision, loss=0.004))
    assert costliest(found, replace(found.seats[0], worst=(tiny,))) == ()


def test_an_error_is_told_in_words() -> None:
    found = report(wards(*rolled(0, 6), *rolled(0, 6), *rolled(0, 6), *rolled(0, 6), *rolled(0, 1), goal=20))
    (choice,) = costliest(found, found.seats[0])
    rough = replace(choice, chance=replace(choice.chance, stderr=0.016))
    assert "(give or take 3 points)" in rough.sentence(YOU)


# -- headlines ----------------------------------------------------------------------------------------------


def ended(**numbers: Any) -> tuple[Any, SeatReport]:
    found = report(wards(*rolled(0, 6), moved(0, "hold"), goal=5))
    return found, replace(found.seats[0], **{"luck": 0.0, "given": 0.0, "mistakes_cost": 0.0, **numbers})


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        ({"result": 1.0}, "You won with hardly a mistake."),
        ({"result": 1.0, "given": 0.3}, "You won by playing better."),
        ({"result": 1.0, "given": 0.3, "luck": -0.2}, "You won by playing better, despite bad luck."),
        ({"result": 1.0, "luck": 0.4}, "You won with luck on your side."),
        ({"result": 1.0, "luck": 0.4, "mistakes_cost": 0.2}, "You won despite mistakes, with luck on your side."),
        ({"result": 1.0, "mistakes_cost": 0.05}, "You won; luck was about even."),
        ({"result": 1.0, "mistakes_cost": 0.05, "luck": 0.1}, "You won with a little luck."),
        ({"result": 1.0, "mistakes_cost": 0.05, "luck": -0.1}, "You won; luck was slightly unkind."),
        ({"result": 1.0, "given": 0.5, "decisions": 0}, "You won thanks to the other side’s mistakes."),
        ({"result": 0.0}, "You lost; luck was about even, and there were no mistakes."),
        (
            {"result": 0.0, "luck": -0.1, "mistakes": 1, "mistakes_cost": 0.05},
            "You lost; luck was slightly unkind, and mistakes were small.",
        ),
        ({"result": 0.0, "luck": 0.1}, "You lost despite a little luck; there were no mistakes."),
        ({"result": 0.0, "luck": -0.1, "start": 0.15}, "You lost, mostly due to bad luck."),
        ({"result": 0.0, "luck": -0.56}, "You lost, mostly due to bad luck."),
        (
            {"result": 0.0, "mistakes_cost": 0.2},
            "You lost, mostly due to mistakes: they cost you 20 percentage points of winning chance.",
        ),
        ({"result": 0.0, "mistakes_cost": 1.47}, "You lost, mostly due to mistakes."),
        ({"result": 0.0, "luck": 0.3}, "You lost despite good luck."),
        (
            {"result": 0.0, "luck": -0.3, "mistakes_cost": 0.2},
            "You lost: bad luck and mistakes both played a part.",
        ),
        (
            {"result": 0.0, "luck": -0.3, "luck_stderr": 0.2, "mistakes": 1},
            "You lost; luck was about even, and mistakes were small.",
        ),
    ],
)
def test_a_headline_says_how_it_ended_and_why(numbers: dict[str, Any], told: str) -> None:
    assert headline(*ended(**numbers), YOU) == told


@pytest.mark.parametrize("share", [-0.14, -0.05, 0.0, 0.05, 0.14])
@pytest.mark.parametrize("result", [0.0, 1.0])
def test_a_headline_calls_luck_even_only_where_the_line_on_luck_does(result: float, share: float) -> None:
    found, seat = ended(result=result, luck=share, mistakes_cost=0.05, mistakes=1)
    assert ("luck was about even" in headline(found, seat, YOU)) == (luck(seat, YOU) == "Luck was about even.")


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        (
            {"result": 0.0, "given": -0.22},
            "Ann did not win; the others’ choices cost Ann 22 percentage points of winning chance.",
        ),
        (
            {"result": 0.0, "given": -0.42, "luck": 0.16},
            "Ann did not win despite good luck: the others’ choices cost Ann 42 percentage points of winning chance.",
        ),
        ({"result": 0.0, "given": -0.12, "luck": -0.3}, "Ann did not win, mostly due to bad luck."),
        ({"result": 1.0, "given": 0.75}, "Ann won thanks to the others’ choices."),
        ({"result": 1.0, "given": 0.1, "luck": 0.6}, "Ann won with luck on Ann’s side."),
    ],
)
def test_among_five_the_headline_says_what_the_others_did(numbers: dict[str, Any], told: str) -> None:
    found, _ = ended()
    among_five = replace(found, course=replace(found.course, names=NAMES))
    assert headline(among_five, ended(**numbers)[1], ANN) == told


def test_luck_and_skill_are_told_in_plain_words() -> None:
    _, seat = ended(luck=-0.314, decisions=35, mistakes=7, mistakes_cost=0.35, contested=20, skill=0.7)
    assert luck(seat, YOU) == "You were unlucky: chance took 31 percentage points from your winning chances."
    assert luck(replace(seat, luck=0.02), YOU) == "Luck was about even."
    assert (
        luck(replace(seat, luck=0.3), ANN)
        == "Ann was lucky: chance added 30 percentage points to Ann’s winning chances."
    )
    assert skill(seat) == (
        "7 of 35 decisions could have been better, at a cost of 35 percentage points in total. "
        "Grade for the 20 close calls: decent."
    )
    only = replace(seat, decisions=1, mistakes=1, contested=0)
    assert skill(only).startswith("The only decision could have been better, at a cost of 35 percentage points. ")
    few = replace(seat, mistakes=0, contested=2)
    assert skill(few) == "All 35 decisions were the best possible. Too few of them were close calls for a grade."


@pytest.mark.parametrize(
    ("adjusted", "told"),
    [
        (-0.7, "With average luck, playing like this almost never wins."),
        (0.558, "With average luck, playing like this wins about 56 % of such games."),
        (1.3, "With average luck, playing like this almost always wins."),
    ],
)
def test_a_result_without_luck_stays_within_0_and_100_percent(adjusted: float, told: str) -> None:
    assert average_luck(*ended(adjusted=adjusted), YOU) == told


@pytest.mark.parametrize(
    ("by_leader", "who", "told"),
    [
        (False, ANN, "With average luck, and the others choosing as they did, Ann would almost never have won."),
        (False, YOU, "With average luck, and the others choosing as they did, you would almost never have won."),
        (True, ANN, "With average luck on Ann’s own dice only, Ann would almost never have beaten the leader."),
    ],
)
def test_among_many_a_result_without_luck_is_not_all_ones_own_play(by_leader: bool, who: Narrator, told: str) -> None:
    """Somebody without a mistake was told that playing like this almost never wins."""
    found, seat = ended(adjusted=-0.04)
    many = replace(found, by_leader=by_leader, course=replace(found.course, names=NAMES))
    assert average_luck(many, seat, who) == told


def test_numbers_read_as_people_say_them() -> None:
    assert [chance_text(chance) for chance in (0.0, 0.001, 0.374, 0.999, 1.0)] == [
        *("0 %", "under 1 %", "37 %", "over 99 %", "100 %")
    ]
    assert two_chances(0.372, 0.374) == ("37.2 %", "37.4 %")
    assert [points_text(share) for share in (0.001, 0.01, 0.23)] == [
        "less than a percentage point",
        "1 percentage point",
        "23 percentage points",
    ]
    assert [give_or_take(stderr) for stderr in (0.0, 0.001, 0.016)] == [
        *("", " (give or take 1 point)", " (give or take 3 points)")
    ]


# -- the graph, and what the numbers mean -------------------------------------------------------------------


def test_the_graph_has_everybodys_chance_after_what_changed_it() -> None:
    found = report(wards(*rolled(0, 6), moved(0, "hold"), *rolled(1, 1), *rolled(0, 6), moved(0, "hold"), goal=12))
    points = graph(found)
    assert [point.entry for point in points] == sorted(point.entry for point in points)
    assert all(sum(point.chances) == pytest.approx(1, abs=0.001) for point in points)
    assert points[-1].chances == (1.0, 0.0)
    assert points[-1].sentence.startswith("Ann holds 6")


def test_the_graph_counts_rounds_as_the_score_sheet_does() -> None:
    """The bust that ends the first round is told in the first."""
    entries = [entry for seat in (0, 1, 0) for entry in (moved(seat, "roll"), {"roll": [2, 2, 3, 4, 6, 6]})]
    document = {"dicehall": 1, "game": "tenthousand", "rules": {}, "seats": ["Ann", "Bo"], "entries": entries}
    points = graph(report(document))
    assert [(point.seat, point.round) for point in points] == [(0, 1), (1, 1), (0, 2)]


def test_a_long_game_has_a_graph_of_its_largest_changes() -> None:
    turns = [entry for _ in range(150) for entry in (*rolled(0, 1), *rolled(1, 1))]
    found = report(wards(*turns, *rolled(0, 6), moved(0, "hold"), goal=5))
    assert len(graph(found)) == MOST
    assert graph(found)[-1].chances == (1.0, 0.0)


def test_every_kind_of_number_is_explained() -> None:
    explained = show_report(report(wards(*rolled(0, 6))))["explained"]
    assert {"chance", "cost", "luck", "lost", "average_luck", "grade", "graph"} == explained.keys()
    assert all(sentence.endswith(".") for sentence in explained.values())


@pytest.mark.parametrize("chair", [1, {}, "x"])
def test_bots_are_known_from_the_acts_of_a_hall_table(chair: Any) -> None:
    table = [{"act": "opened", "bots": [{"chair": chair}]}, {"act": "sat", "chair": 0}, {"act": "started"}]
    found = report(wards(*rolled(0, 6), table=table))
    assert bot_seats(found.course) == ({1} if chair == 1 else set())
