"""The second reading held against sums done by hand; clause numbers are those of the rules."""

import hashlib
from typing import Any

import pytest

from .aetharn import whole_value
from .generate import records
from .mana import army, commitment, damage_of, health_after
from .record import GAMES, replay
from .tenthousand import row_value


def run(game: str, seats: int, *entries: Any, **rules: Any) -> dict[str, Any]:
    names = [f"p{seat}" for seat in range(seats)]
    return replay({"dicehall": 1, "game": game, "seats": names, "rules": rules, "entries": list(entries)})


def did(seat: int, move: Any) -> dict[str, Any]:
    return {"seat": seat, "move": move}


def dice(*faces: int) -> dict[str, Any]:
    return {"roll": list(faces)}


def late(seat: int) -> dict[str, Any]:
    return {"seat": seat, "expired": True}


def now(seat: int, presence: str) -> dict[str, Any]:
    return {"seat": seat, "attend": presence}


def code(answer: dict[str, Any]) -> Any:
    return answer["refused"]["code"]


# Records


@pytest.mark.parametrize("document", [None, [], 1, "x", {}, {"dicehall": 1, "game": "wards", "seats": ["a", "b"]}])
def test_a_document_without_a_whole_header_is_invalid(document: object) -> None:
    assert "invalid" in replay(document)


@pytest.mark.parametrize("rules", [{"goal": 0}, {"goal": True}, {"gaol": 5}, {"goal": 1_000_000_001}, {"goal": None}])
def test_a_house_rule_out_of_bounds_makes_the_document_invalid(rules: dict[str, Any]) -> None:
    assert "invalid" in run("wards", 2, **rules)  # C6


def test_only_the_turn_clock_may_be_null() -> None:
    assert run("wards", 2, turn_seconds=None)["over"] is None  # C6
    assert "invalid" in run("aetharn", 2, grace_seconds=None)


def test_a_time_that_goes_back_is_malformed() -> None:
    answer = run("wards", 2, did(0, "roll") | {"at": 5}, dice(4) | {"at": 4})
    assert answer["refused"] == {"index": 1, "code": "malformed"}


def test_nothing_but_dice_may_follow_a_roll() -> None:
    for entry in (did(0, "hold"), late(0), now(1, "away")):
        assert code(run("wards", 2, did(0, "roll"), entry)) == "awaiting_dice"  # C7


# Dice Wards


def test_a_one_takes_the_round_score_and_the_turn() -> None:
    state = run("wards", 2, did(0, "roll"), dice(6), did(0, "roll"), dice(1))["state"]
    assert (state["scores"], state["round_score"], state["turn"], state["last_roll"]) == ([0, 0], 0, [1], 1)  # W2


def test_rolling_past_the_goal_wins_only_with_the_hold_of_a_time_out() -> None:
    past = [did(0, "roll"), dice(6)]
    assert run("wards", 2, *past, goal=5)["over"] is None  # W4
    assert run("wards", 2, *past, late(0), goal=5)["over"] == {"places": [[0], [1]], "reason": "goal"}  # W6


# Aetharn


@pytest.mark.parametrize(
    ("faces", "points"),
    [
        ([1, 1, 1, 1, 5, 5], 2100),
        ([2, 2, 2, 2, 3, 3], 1500),
        ([1] * 6, 8000),
        ([2] * 6, 1600),
        ([2, 2, 2, 3, 3, 3], 500),
        ([1, 1, 1, 1, 2, 2], 1500),
        ([1, 1, 1, 1], 2000),
        ([6, 5, 4, 3, 2, 1], 1500),
        ([1, 2], 0),
        ([2, 2], 0),
        ([5, 5], 100),
        ([4, 4, 4, 4, 4], 1600),
    ],
)
def test_a_hold_is_worth_its_best_whole_reading(faces: list[int], points: int) -> None:
    assert whole_value(faces) == points  # A2, A3, A4


def test_three_fives_held_one_by_one_are_worth_150() -> None:
    holds = [did(0, {"hold": [place]}) for place in (0, 1, 2)]
    state = run("aetharn", 2, dice(1), did(0, "roll"), dice(5, 5, 5, 2, 3, 3), *holds)["state"]
    assert (state["turn_points"], state["held"], state["dice_left"]) == (150, [0, 1, 2], 3)  # A5


def test_hot_dice_may_be_rolled_once_and_then_only_banked() -> None:
    all_six = [did(0, "roll"), dice(1, 2, 3, 4, 5, 6), did(0, {"hold": [0, 1, 2, 3, 4, 5]})]
    state = run("aetharn", 2, dice(1), *all_six, *all_six)["state"]
    assert (state["turn_points"], state["hot_dice_used"], state["dice_left"]) == (3000, 1, 0)
    assert code(run("aetharn", 2, dice(1), *all_six, *all_six, did(0, "roll"))) == "only_bank_left"  # A8


def test_an_order_is_drawn_from_the_seats_not_yet_placed() -> None:
    state = run("aetharn", 4, dice(3, 3, 1))["state"]
    assert (state["order"], state["turn"]) == ([2, 3, 0, 1], [2])  # A1


def test_an_absent_seat_is_skipped_and_a_table_of_absent_seats_waits() -> None:
    skipped = run("aetharn", 3, dice(1, 1), now(1, "away"), late(0))["state"]
    assert skipped["turn"] == [2]  # A13
    away = [now(seat, "away") for seat in (0, 1, 2)]
    waiting = run("aetharn", 3, dice(1, 1), *away, late(0))["state"]
    assert (waiting["awaits"], waiting["turn"]) == ("turn", [])
    assert run("aetharn", 3, dice(1, 1), *away, late(0), now(2, "here"))["state"]["turn"] == [2]  # A14


def test_an_absent_last_seat_wins_on_its_return_or_leaves_nobody() -> None:
    left = [dice(1), did(0, "roll"), dice(1, 1, 1, 2, 3, 4), did(0, {"hold": [0]}), now(0, "away"), did(1, "fold")]
    answer = run("aetharn", 2, *left)
    assert (answer["over"], answer["state"]["turn"], answer["state"]["turn_points"]) == (None, [], 0)
    won = run("aetharn", 2, *left, now(0, "here"))["over"]
    assert won == {"places": [[0], [1]], "reason": "LastPlayerStanding"}
    assert run("aetharn", 2, *left, now(0, "gone"))["over"] == {"places": [], "reason": "AllPlayersLeft"}  # A15


def test_those_out_are_placed_behind_those_still_in() -> None:
    def bank(seat: int, *faces: int) -> list[dict[str, Any]]:
        return [did(seat, "roll"), dice(*faces), did(seat, {"hold": [0]}), did(seat, "bank")]

    entries = [*bank(0, 1, 1, 2, 3, 4, 6), did(0, "fold"), *bank(1, 5, 2, 2, 3, 4, 6), now(1, "away")]
    triple = [did(2, "roll"), dice(2, 2, 2, 3, 4, 6), did(2, {"hold": [0, 1, 2]}), did(2, "bank")]
    answer = run("aetharn", 4, dice(1, 1, 1), *entries, *triple, goal=200)
    assert answer["state"]["scores"] == [100, 50, 200, 0]
    assert answer["over"]["places"] == [[2], [1], [3], [0]]  # A18
    assert answer["state"]["out"] == {"0": "folded"}


def test_an_absent_seat_may_not_even_fold() -> None:
    assert code(run("aetharn", 2, dice(1), now(1, "away"), did(1, "fold"))) == "seat_is_away"  # A13


# Dice 10 000


def test_the_odd_row_of_fours_is_kept_as_written() -> None:
    assert [row_value([4] * many) for many in range(1, 7)] == [0, 0, 400, 800, 1800, 3600]  # T2


def test_three_ones_locked_singly_are_worth_300() -> None:
    rolled = [did(0, "roll"), dice(1, 1, 1, 2, 3, 4)]
    assert run("tenthousand", 2, *rolled, did(0, {"lock": [[1], [1], [1]]}))["state"]["turn_points"] == 300
    assert run("tenthousand", 2, *rolled, did(0, {"lock": [[1, 1, 1]]}))["state"]["turn_points"] == 1000  # T3


def test_the_first_points_must_reach_the_opening() -> None:
    rolled = [did(0, "roll"), dice(1, 2, 3, 4, 6, 6), did(0, {"lock": [[1]]}), did(0, "yield")]
    assert code(run("tenthousand", 2, *rolled, goal=100)) == "below_opening"  # T7
    won = run("tenthousand", 3, *rolled, goal=100, opening=100)["over"]
    assert won == {"places": [[0], [1, 2]], "reason": "goal"}  # T8


def test_subsets_of_a_lock_are_judged_in_order() -> None:
    rolled = [did(0, "roll"), dice(1, 2, 3, 4, 6, 6)]
    assert code(run("tenthousand", 2, *rolled, did(0, {"lock": [[5], [2]]}))) == "not_in_roll"
    assert code(run("tenthousand", 2, *rolled, did(0, {"lock": [[2], [5]]}))) == "does_not_score"


# DO or DICE


def test_the_last_one_alive_ends_the_game_without_the_bonus() -> None:
    def backfire(seat: int) -> list[dict[str, Any]]:
        return [did(seat, "roll"), dice(1)]

    fallen = [entry for seat in range(4) for entry in backfire(seat)]
    answer = run("doordice", 5, *fallen, dice(6, 5, 5, 1), dice(2, 3), hp=3)
    assert answer["over"] == {"places": [[4], [0], [2], [1], [3]], "reason": "last_alive"}  # D8, D9
    assert (answer["state"]["vp"], answer["state"]["fallen_rounds"]) == ([0] * 5, [0] * 5)


def test_a_kill_earns_two_points_and_overkill_stays_negative() -> None:
    strike = {"choose": {"effect": "power_damage", "target": 1}}
    state = run("doordice", 5, did(0, "roll"), dice(6), did(0, strike), hp=2)["state"]
    assert (state["hp"], state["vp"], state["turn"]) == ([2, -4, 2, 2, 2], [2, 0, 0, 0, 0], [1])  # D5, D6


def test_a_fallen_seat_may_not_choose_its_target_twice_running() -> None:
    def voids(*seats: int) -> list[dict[str, Any]]:
        return [entry for seat in seats for entry in (did(seat, "roll"), dice(5))]

    jab = [did(0, "roll"), dice(2), did(0, {"choose": {"effect": "jab", "target": 2}})]
    kill = [did(1, "roll"), dice(4), did(1, {"choose": {"effect": "strike", "target": 0}})]
    haunting = run("doordice", 5, *jab, *kill, *voids(2, 3, 4), did(0, "roll"), dice(3), hp=4)["state"]
    assert (haunting["effects"], haunting["targets"]) == (["give_hp", "give_vp"], [1, 3, 4])  # D4
    assert haunting["vp"] == [0, 3, 1, 1, 1]


def test_an_expired_seat_still_rolls_but_chooses_nothing() -> None:
    waiting = run("doordice", 5, late(0))["state"]
    assert (waiting["awaits"], waiting["turn"]) == ("dice", [0])
    assert run("doordice", 5, late(0), dice(6))["state"]["turn"] == [1]  # D10
    assert run("doordice", 5, late(0), dice(1))["state"]["hp"][0] == 17


# Mana


def test_bytes_and_league_make_the_units() -> None:
    unit = army(bytes([25, 16, 31, 7] + [0] * 28), 3)[0]
    assert unit == {"attack": 15, "defense": 11, "health": 36, "max_health": 36, "ability": "Heal"}  # M2, M3


def test_boost_doubles_shield_stops_and_heal_mends_half() -> None:
    boost = {"attack": 20, "defense": 5, "health": 30, "max_health": 30, "ability": "Boost"}
    heal = {"attack": 10, "defense": 8, "health": 41, "max_health": 41, "ability": "Heal"}
    assert damage_of(boost, heal) == 32
    assert damage_of(boost, heal | {"ability": "Shield"}) == 0
    assert (health_after(heal, 32), health_after(heal, 41), health_after(heal, 5)) == (29, 0, 41)  # M4


ARMIES = dice(*[1] * 32, 1)  # all units alike: attack 20, defense 5, health 20, no ability


def test_a_unit_that_has_fought_cannot_be_picked_again() -> None:
    fought = [did(1, {"pick": 3}), did(0, {"pick": 0})]
    assert code(run("mana", 2, ARMIES, *fought, did(0, {"pick": 0}))) == "unit_spent"  # M15
    assert run("mana", 2, ARMIES, *fought, did(0, {"pick": 3}))["state"]["picked"] == [0]
    assert run("mana", 2, ARMIES, *fought, did(0, {"pick": 0}), fight_once=0)["state"]["picked"] == [0]
    two = dice(*[1] * 32, *[2] * 32, 1, 2)
    assert run("mana", 2, two, same_army=0)["state"]["leagues"] == [0, 1]
    assert code(run("mana", 2, two)) == "wrong_dice"


def test_equal_units_to_the_end_are_a_draw() -> None:
    picks = [did(seat, {"pick": unit}) for unit in range(2) for seat in (1, 0)]
    answer = run("mana", 2, ARMIES, *picks, rounds=2)
    assert answer["over"] == {"places": [[0, 1]], "reason": "draw"}  # M6
    assert (answer["state"]["damage"], answer["state"]["winner"], answer["state"]["round"]) == ([30, 30], None, 2)


def test_who_has_picked_wins_when_time_runs_out() -> None:
    assert run("mana", 2, ARMIES, did(1, {"pick": 3}), late(0))["over"] == {"places": [[1], [0]], "reason": "forfeit"}
    assert run("mana", 2, ARMIES, late(0))["over"] == {"places": [], "reason": "abandoned"}  # M10


def test_a_nostr_match_goes_from_commitments_to_reveals() -> None:
    told: dict[str, Any] = {"secret": "ab" * 32, "C": "02" + "cd" * 32, "unit": 2, "nonce": "01" * 32}
    hashed = hashlib.sha256(b"\xab" * 32 + b"\x02" + b"\xcd" * 32 + b"\x02\x01" + b"m1" + b"\x01" * 32).hexdigest()
    assert commitment(told["secret"], told["C"], 2, 1, "m1", told["nonce"]) == hashed  # M7
    commits = [did(0, {"commit": hashed}), did(1, {"commit": "00" * 32})]
    reveal = {"reveal": told | {"league": 0}}

    def match(*entries: Any) -> dict[str, Any]:
        header = {"dicehall": 1, "game": "mana", "seats": ["a", "b"], "match": {"id": "m1", "players": ["aa", "bb"]}}
        return replay(header | {"entries": list(entries)})

    assert match()["state"]["turn"] == [0, 1]
    assert code(match(commits[1], did(0, reveal))) == "not_your_turn"  # M8
    assert match(*commits, did(0, reveal))["state"]["turn"] == [1]
    assert code(match(*commits, did(1, reveal))) == "commitment_mismatch"


# The generator


@pytest.mark.parametrize("game", GAMES)
def test_records_are_the_same_for_the_same_seed_and_can_all_be_replayed(game: str) -> None:
    for seed in range(60):
        record = records(game, seed)
        assert record == records(game, seed)
        assert {"invalid", "state"} & set(replay(record))
