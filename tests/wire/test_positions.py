"""Fields of the state at the moments the protocol speaks of."""

from __future__ import annotations

from typing import Any

import pytest

from tests.launch.running import record, replayed
from tests.wire.samples import ARMIES, dice, move


def state_of(game: str, seats: int, *entries: Any, **header: Any) -> Any:
    ran = replayed(record(game, seats, entries, **header))
    assert ran.code == 0, ran.last
    return ran.last["state"]


def seen(state: Any, *names: str) -> list[Any]:
    return [state[name] for name in names]


@pytest.mark.parametrize(
    ("game", "seats", "opening", "sides"),
    [
        ("wards", 2, [], [6]),
        ("tenthousand", 2, [], [6] * 6),
        ("doordice", 5, [], [6]),
        ("aetharn", 2, [dice(2)], [6] * 6),
    ],
)
def test_the_seat_whose_dice_are_in_the_air_is_on_turn(game: str, seats: int, opening: list[Any], sides: Any) -> None:
    first = 1 if game == "aetharn" else 0
    state = state_of(game, seats, *opening, move(first, "roll"))
    assert seen(state, "awaits", "dice", "turn") == ["dice", sides, [first]]


def test_nobody_is_on_turn_while_ties_are_rolled_for() -> None:
    turns = [entry for seat in range(5) for entry in (move(seat, "roll"), dice(5))]
    state = state_of("doordice", 5, *turns, rules={"rounds": 1})
    assert seen(state, "awaits", "dice", "turn", "round", "face") == ["dice", [6] * 5, [], 1, None]
    over = state_of("doordice", 5, *turns, dice(5, 4, 3, 2, 1), rules={"rounds": 1})
    assert seen(over, "awaits", "dice", "turn", "winner", "round") == ["over", None, [], 0, 1]


def test_both_seats_are_on_turn_where_both_act_at_once() -> None:
    assert state_of("mana", 2, ARMIES)["turn"] == [0, 1]
    assert seen(state_of("mana", 2, ARMIES, move(0, {"pick": 3})), "turn", "picked") == [[1], [0]]


def test_a_last_roll_stays_until_the_next() -> None:
    one = [move(0, "roll"), dice(4)]
    assert state_of("wards", 2)["last_roll"] is None
    assert seen(state_of("wards", 2, *one, move(0, "hold")), "last_roll", "round_score", "turn") == [4, 0, [1]]
    assert state_of("wards", 2, *one, move(0, "roll"))["last_roll"] == 4
    assert seen(state_of("wards", 2, *one, move(0, "hold"), rules={"goal": 4}), "last_roll", "winner") == [4, 0]


def test_an_aetharn_turn_field_by_field() -> None:
    fields = ("order", "roll", "held", "dice_left", "must_hold", "hot_dice_used", "turn_points")
    told = [dice(1), move(0, "roll"), dice(1, 5, 2, 2, 3, 4), move(0, {"hold": [1]}), move(0, {"hold": [0]})]
    told += [move(0, "roll"), dice(5, 5, 5, 1), move(0, {"hold": [3, 0, 1, 2]}), move(0, "roll")]
    first = [1, 5, 2, 2, 3, 4]
    expected = [
        [None, None, [], 6, False, 0, 0],
        [[0, 1], None, [], 6, False, 0, 0],
        [[0, 1], None, [], 6, False, 0, 0],
        [[0, 1], first, [], 6, True, 0, 0],
        [[0, 1], first, [1], 5, False, 0, 50],
        [[0, 1], first, [0, 1], 4, False, 0, 150],
        [[0, 1], None, [], 4, False, 0, 150],
        [[0, 1], [5, 5, 5, 1], [], 4, True, 0, 150],
        [[0, 1], [5, 5, 5, 1], [0, 1, 2, 3], 0, False, 0, 750],
        [[0, 1], None, [], 6, False, 1, 750],
    ]
    assert [seen(state_of("aetharn", 2, *told[:n]), *fields) for n in range(len(told) + 1)] == expected


def test_aetharn_s_absent_and_departed() -> None:
    entries = [dice(1, 1), {"seat": 2, "attend": "away"}, move(1, "fold")]
    assert seen(state_of("aetharn", 3, *entries), "away", "out", "turn") == [[2], {"1": "folded"}, [0]]
    waiting = [*entries, {"seat": 0, "attend": "away"}, {"seat": 0, "expired": True}]
    assert seen(state_of("aetharn", 3, *waiting), "awaits", "turn", "away") == ["turn", [], [0, 2]]
    gone = [*waiting, {"seat": 0, "attend": "gone"}]
    assert seen(state_of("aetharn", 3, *gone), "awaits", "out") == ["turn", {"0": "removed", "1": "folded"}]
    ran = replayed(record("aetharn", 3, [*gone, {"seat": 2, "attend": "gone"}]))
    assert ran.last["over"] == {"places": [], "reason": "AllPlayersLeft"}
    assert seen(ran.last["state"], "winner", "turn", "away") == [None, [], []]


def test_a_ten_thousand_turn_field_by_field() -> None:
    fields = ("roll", "locked", "dice_left", "must_lock", "turn_points", "round")
    told = [move(0, "roll"), dice(5, 2, 1, 2, 2, 1), move(0, {"lock": [[5], [2, 2, 2]]}), move(0, {"lock": [[1, 1]]})]
    told += [move(0, "roll")]
    roll = [5, 2, 1, 2, 2, 1]
    expected = [
        [None, [], 6, False, 0, 0],
        [None, [], 6, False, 0, 0],
        [roll, [], 6, True, 0, 0],
        [roll, [[5], [2, 2, 2]], 2, False, 250, 0],
        [roll, [[5], [2, 2, 2], [1, 1]], 0, False, 450, 0],
        [None, [], 6, False, 450, 0],
    ]
    assert [seen(state_of("tenthousand", 2, *told[:n]), *fields) for n in range(len(told) + 1)] == expected


def test_locked_faces_are_sorted_in_the_order_of_locking() -> None:
    entries = [move(0, "roll"), dice(1, 1, 1, 5, 2, 2), move(0, {"lock": [[5]]}), move(0, {"lock": [[1], [1, 1]]})]
    assert state_of("tenthousand", 2, *entries)["locked"] == [[5], [1], [1, 1]]


def test_rounds_count_from_0_in_ten_thousand_and_from_1_elsewhere() -> None:
    assert [state_of(game, n)["round"] for game, n in (("tenthousand", 2), ("doordice", 5), ("mana", 2))] == [0, 1, 1]


def test_a_doordice_choice_field_by_field() -> None:
    fields = ("face", "effects", "targets", "last_targets")
    nobody = [None] * 5
    assert seen(state_of("doordice", 5), *fields) == [None, [], [], nobody]
    six = [move(0, "roll"), dice(6)]
    assert seen(state_of("doordice", 5, *six), *fields) == [6, ["power_damage", "power_vp"], [1, 2, 3, 4], nobody]
    done = [*six, move(0, {"choose": {"effect": "power_damage", "target": 3}})]
    assert seen(state_of("doordice", 5, *done), *fields) == [None, [], [], [3, None, None, None, None]]
    own = [*six, move(0, {"choose": {"effect": "power_vp"}})]
    assert seen(state_of("doordice", 5, *own), "vp", "last_targets") == [[3, 0, 0, 0, 0], nobody]


def test_mana_hides_a_pick_from_all_but_its_seat() -> None:
    entries = [ARMIES, move(1, {"pick": 5})]
    other = [ARMIES, move(1, {"pick": 2})]
    ran, again = (replayed(record("mana", 2, told)).last for told in (entries, other))
    assert ran["views"]["1"] != again["views"]["1"]
    assert ran["state"] == again["state"]
    assert [ran["views"][who] for who in ("0", "spectator")] == [again["views"][who] for who in ("0", "spectator")]


def test_nobody_has_picked_after_the_end() -> None:
    forfeit = state_of("mana", 2, ARMIES, move(1, {"pick": 5}), {"seat": 0, "expired": True})
    assert seen(forfeit, "awaits", "picked", "turn", "winner", "round") == ["over", [], [], 1, 1]


def test_a_unit_has_the_bonus_of_its_league_in() -> None:
    """Fire for seat 0, Nature for seat 1; bytes of 0 are the weakest unit (M2, M3)."""
    state = replayed(record("mana", 2, [dice(*[1] * 64, 1, 4)], rules={"same_army": 0})).last["state"]
    weakest = {"attack": 10, "defense": 5, "health": 20, "max_health": 20, "ability": "None"}
    assert state["units"][0] == [{**weakest, "attack": 20}] * 8
    assert state["units"][1] == [{**weakest, "defense": 10, "health": 35, "max_health": 35}] * 8
    assert state["leagues"] == [0, 3]
    assert seen(state_of("mana", 2), "units", "leagues", "rounds") == [None, None, []]


def test_a_round_of_mana_is_written_down() -> None:
    entries = [dice(*[1] * 64, 1, 4), move(0, {"pick": 0}), move(1, {"pick": 7})]
    state = replayed(record("mana", 2, entries, rules={"same_army": 0})).last["state"]
    assert state["rounds"] == [{"picks": [0, 7], "damage": [10, 5], "health": [15, 25], "winner": 1}]
    assert seen(state, "round", "wins", "damage", "picked") == [2, [0, 1], [10, 5], []]


def test_choices_are_the_moves_of_the_protocol() -> None:
    def choices(game: str, seats: int, *entries: Any) -> Any:
        return replayed(record(game, seats, entries)).last["choices"]

    assert choices("wards", 2) == {"0": ["roll", "hold"]}
    assert choices("wards", 2, move(0, "roll")) == {}
    assert choices("mana", 2, ARMIES) == {seat: [{"pick": unit} for unit in range(8)] for seat in ("0", "1")}
    assert {"hold": [0, 1]} in choices("aetharn", 2, dice(1), move(0, "roll"), dice(1, 5, 2, 2, 3, 4))["0"]
    assert {"lock": [[1], [5]]} in choices("tenthousand", 2, move(0, "roll"), dice(1, 5, 2, 2, 3, 4))["0"]
    listed = choices("doordice", 5, move(0, "roll"), dice(6))["0"]
    assert {"choose": {"effect": "power_vp"}} in listed
    assert {"choose": {"effect": "power_damage", "target": 4}} in listed
    assert len(listed) == 5
