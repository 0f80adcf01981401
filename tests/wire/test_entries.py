"""The entries of a record: a wrong shape is refused where it stands, after the answers of those before it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.launch.running import Ran, record, replayed
from tests.wire.samples import ARMIES, GOOD_MOVE, OPENING, SEATS, dice, move

ROLL, HOLD = {"seat": 0, "move": "roll"}, {"seat": 0, "move": "hold"}


def answered(*entries: Any) -> Ran:
    return replayed(record("wards", 2, entries))


def refused(ran: Ran, index: int) -> str:
    """The code of the refusal at this index: after one line for each entry before it, with the state of then."""
    assert ran.code == 2
    assert [line["entry"] for line in ran.lines[:-1]] == list(range(index))
    assert ran.last.keys() == {"refused", "over", "state", "views"}
    told = ran.last["refused"]
    assert told["index"] == index
    assert told["message"].endswith(".")
    return str(told["code"])


def malformed(entry: Any) -> None:
    ran = answered(ROLL, entry, HOLD)
    assert refused(ran, 1) == "malformed"
    before = answered(ROLL)
    assert {key: ran.last[key] for key in ("over", "state", "views")} == {
        key: before.last[key] for key in ("over", "state", "views")
    }


@pytest.mark.parametrize("entry", [None, True, 0, 1.5, "roll", [], [{"roll": [1]}]])
def test_an_entry_is_an_object(entry: Any) -> None:
    malformed(entry)


@pytest.mark.parametrize(
    "entry",
    [
        {},
        {"seat": 0},
        {"at": 5},
        {"Roll": [1]},
        {"roll": [1], "move": "roll"},
        {"seat": 0, "move": "roll", "expired": True},
        {"seat": 0, "expired": True, "attend": "away"},
        {"seat": 0, "roll": [1], "move": "roll", "expired": True, "attend": "away"},
        {"roll": None, "move": "roll", "seat": 0},
    ],
)
def test_an_entry_has_exactly_one_kind(entry: Any) -> None:
    malformed(entry)


@pytest.mark.parametrize("kind", [{"move": "hold"}, {"expired": True}, {"attend": "away"}])
@pytest.mark.parametrize("seat", [None, True, False, 0.0, 1.5, "0", [0], {}])
def test_a_seat_is_a_whole_number(kind: dict[str, Any], seat: Any) -> None:
    malformed({**kind, "seat": seat})


@pytest.mark.parametrize("kind", [{"move": "hold"}, {"expired": True}, {"attend": "away"}])
def test_all_but_a_roll_need_a_seat(kind: dict[str, Any]) -> None:
    malformed(kind)


@pytest.mark.parametrize("seat", [0, 1, None, "x"])
def test_a_roll_has_no_seat(seat: Any) -> None:
    malformed({"roll": [3], "seat": seat})


@pytest.mark.parametrize("faces", [None, True, 3, "3", {}, [None], [True], [3.0], ["3"], [[3]], [3, {}]])
def test_a_roll_is_a_list_of_whole_numbers(faces: Any) -> None:
    malformed({"roll": faces})


@pytest.mark.parametrize("faces", [[], [0], [7], [-1], [3, 3], [10**30], [-(10**4000)]])
def test_faces_the_dice_cannot_show_are_wrong_dice(faces: Any) -> None:
    assert refused(answered(ROLL, {"roll": faces}), 1) == "wrong_dice"


@pytest.mark.parametrize("told", [False, None, 1, "true", [], {}])
def test_expired_is_only_true(told: Any) -> None:
    malformed({"seat": 0, "expired": told})


@pytest.mark.parametrize("told", [None, True, 0, "", "Here", "gone ", ["away"], {}])
def test_attend_is_here_away_or_gone(told: Any) -> None:
    malformed({"seat": 0, "attend": told})


@pytest.mark.parametrize("presence", ["here", "away", "gone"])
@pytest.mark.parametrize("game", ["wards", "tenthousand", "doordice", "mana"])
def test_attend_is_accepted_and_changes_nothing_where_there_are_no_absences(game: str, presence: str) -> None:
    attend = {"seat": 1, "attend": presence}
    plain = replayed(record(game, SEATS[game], OPENING[game]))
    ran = replayed(record(game, SEATS[game], [*OPENING[game], attend, attend]))
    assert ran.code == 0
    assert ran.last == plain.last
    assert ran.lines[-2] == {"entry": len(OPENING[game]) + 1, "events": [], "fresh_clock": False}


@pytest.mark.parametrize("at", [True, 1.5, "5", [5], {}])
def test_a_time_is_a_whole_number(at: Any) -> None:
    malformed({"roll": [3], "at": at})


def test_times_never_go_back() -> None:
    at = [5, 5, None, 6]
    entries = [ROLL, dice(3), ROLL, dice(4)]
    timed = [{**entry, "at": time} for entry, time in zip(entries, at, strict=True)]
    assert answered(*timed).code == 0
    assert refused(answered(*timed, {**ROLL, "at": 5}), 4) == "malformed"
    assert refused(answered(timed[0], dice(3), {**ROLL, "at": 4}), 2) == "malformed"


@pytest.mark.parametrize("times", [(1, 2), (-5, -5), (0, 10**30), (None, None)])
def test_times_decide_nothing(times: tuple[Any, Any]) -> None:
    timed = answered({**ROLL, "at": times[0]}, {**dice(3), "at": times[1]})
    assert timed.out == answered(ROLL, dice(3)).out


def test_a_roll_may_carry_its_opened_secret() -> None:
    for opened in ("ab" * 32, "", "no hex", None):
        assert answered(ROLL, {**dice(3), "opened": opened}).out == answered(ROLL, dice(3)).out


@pytest.mark.parametrize("opened", [True, 5, ["ab"], {}])
def test_an_opened_secret_is_text(opened: Any) -> None:
    malformed({"roll": [3], "opened": opened})


def test_unknown_keys_of_an_entry_are_ignored() -> None:
    assert (
        answered({**ROLL, "opened": 5, "note": {"roll": 1}}, {**dice(3), "table": []}).out
        == answered(ROLL, dice(3)).out
    )


@pytest.mark.parametrize("game", SEATS)
@pytest.mark.parametrize(
    "action", [None, True, 5, 1.5, "", "ROLL", "resign", [], ["roll"], {}, {"roll": {}}, {"sing": 1}]
)
def test_what_is_no_move_of_the_game_is_a_bad_move(game: str, action: Any) -> None:
    opening = OPENING[game]
    assert refused(replayed(record(game, SEATS[game], [*opening, move(0, action)])), len(opening)) == "bad_move"


def test_a_move_with_two_names_is_a_bad_move() -> None:
    action = {"pick": 1, "commit": "0" * 64}
    assert refused(replayed(record("mana", 2, [ARMIES, move(0, action)])), 1) == "bad_move"


@pytest.mark.parametrize("game", SEATS)
def test_a_wrong_shape_comes_before_everything_else(game: str) -> None:
    """Also before a game that is finished, dice nobody awaits and seats that are not there."""
    opening = OPENING[game]
    for entry in ({"seat": 99, "move": "x", "expired": True}, {"roll": ["x"]}, {"seat": "9", "move": GOOD_MOVE[game]}):
        assert refused(replayed(record(game, SEATS[game], [*opening, entry])), len(opening)) == "malformed"


def test_a_wrong_shape_comes_before_the_end_of_the_game() -> None:
    won = [ROLL, dice(2), HOLD]
    over = record("wards", 2, [*won, {"roll": ["x"]}], rules={"goal": 2})
    assert refused(replayed(over), 3) == "malformed"
    assert refused(replayed({**over, "entries": [*won, {"roll": [1, 2, 3]}]}), 3) == "game_finished"


def test_entries_after_a_refused_one_are_not_looked_at() -> None:
    assert answered(ROLL, {}, None, 5).out == answered(ROLL, {}).out
