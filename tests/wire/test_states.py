"""What a position looks like from outside: the fields and shapes of the protocol, game by game."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dicehall.games import catalogue
from dicehall.wire.answers import Replay
from dicehall.wire.record import parse_record
from dicehall.wire.shown import show_choices, show_over, show_state, show_views
from tests.launch.running import record, replayed
from tests.wire.samples import GOLDEN, golden, title

Is = Callable[[Any], bool]


def whole(value: Any) -> bool:
    return type(value) is int


def or_null(one: Is) -> Is:
    return lambda value: value is None or one(value)


def listed(one: Is) -> Is:
    return lambda value: type(value) is list and all(map(one, value))


def among(*values: Any) -> Is:
    return lambda value: value in values


def rising(value: Any) -> bool:
    return listed(whole)(value) and value == sorted(set(value))


def keyed(**fields: Is) -> Is:
    return lambda value: value.keys() == fields.keys() and all(one(value[name]) for name, one in fields.items())


def subset(value: Any) -> bool:
    return listed(whole)(value) and value == sorted(value)


def fates(value: Any) -> bool:
    return type(value) is dict and all(seat.isdigit() for seat in value) and {*value.values()} <= {"folded", "removed"}


def truth(value: Any) -> bool:
    return type(value) is bool


COMMON: dict[str, Is] = {
    "awaits": among("dice", "turn", "over"),
    "dice": or_null(listed(whole)),
    "turn": rising,
    "winner": or_null(whole),
}
UNIT = keyed(
    attack=whole, defense=whole, health=whole, max_health=whole, ability=among("None", "Boost", "Shield", "Heal")
)
ROUND = keyed(picks=listed(whole), damage=listed(whole), health=listed(whole), winner=or_null(whole))
FIELDS: dict[str, dict[str, Is]] = {
    "wards": {"scores": listed(whole), "round_score": whole, "last_roll": or_null(among(1, 2, 3, 4, 5, 6))},
    "aetharn": {
        "scores": listed(whole),
        "order": or_null(listed(whole)),
        "turn_points": whole,
        "roll": or_null(listed(among(1, 2, 3, 4, 5, 6))),
        "held": rising,
        "dice_left": among(0, 1, 2, 3, 4, 5, 6),
        "must_hold": truth,
        "hot_dice_used": whole,
        "away": rising,
        "out": fates,
    },
    "tenthousand": {
        "scores": listed(whole),
        "round": whole,
        "turn_points": whole,
        "roll": or_null(listed(among(1, 2, 3, 4, 5, 6))),
        "locked": listed(subset),
        "dice_left": among(0, 1, 2, 3, 4, 5, 6),
        "must_lock": truth,
    },
    "doordice": {
        "hp": listed(whole),
        "vp": listed(whole),
        "round": whole,
        "fallen_rounds": listed(whole),
        "last_targets": listed(or_null(whole)),
        "face": or_null(among(1, 2, 3, 4, 5, 6)),
        "effects": lambda value: value == sorted(value),
        "targets": rising,
    },
    "mana": {
        "round": whole,
        "wins": listed(whole),
        "damage": listed(whole),
        "leagues": or_null(listed(or_null(among(0, 1, 2, 3)))),
        "units": or_null(listed(or_null(lambda army: listed(UNIT)(army) and len(army) == 8))),
        "picked": rising,
        "rounds": listed(ROUND),
    },
}
START: dict[str, dict[str, Any]] = {
    "wards": {"round_score": 0},
    "aetharn": {"turn_points": 0, "roll": None, "held": [], "dice_left": 6, "must_hold": False, "hot_dice_used": 0},
    "tenthousand": {"turn_points": 0, "roll": None, "locked": [], "dice_left": 6, "must_lock": False},
    "doordice": {"face": None, "effects": [], "targets": []},
    "mana": {"picked": []},
}
every_golden_game = pytest.mark.parametrize("path", GOLDEN, ids=title)


@dataclass(frozen=True, slots=True)
class Position:
    """A golden game at its start or after one of its good entries, as JSON gives it back."""

    seats: int
    state: Any
    views: Any
    choices: Any
    over: Any


@cache
def positions(path: Path) -> list[Position]:
    """All of a short game; of a long one some, and the last."""
    replay = Replay(parse_record(golden(path), catalogue()))
    seen, apart = [position(replay)], 1 + len(replay.record.entries) // 30
    for at, _ in enumerate(replay.steps()):
        if at % apart == 0:
            seen.append(position(replay))
    return [*seen, position(replay)]


def position(replay: Replay) -> Position:
    shown = [show(replay.game, replay.state) for show in (show_state, show_views, show_choices, show_over)]
    return Position(len(replay.record.names), *json.loads(msgspec.json.encode(shown)))


@every_golden_game
def test_every_field_of_the_protocol_is_there_in_its_shape(path: Path) -> None:
    fields = COMMON | FIELDS[path.parent.name]
    for at in positions(path):
        state = at.state
        assert state.keys() >= fields.keys()
        for name, fits in fields.items():
            assert fits(state[name]), (name, state[name])


@every_golden_game
def test_turn_fields_show_their_start_values_when_no_turn_runs(path: Path) -> None:
    for at in positions(path):
        state = at.state
        assert (state["dice"] is None) == (state["awaits"] != "dice")
        if not state["turn"]:
            start = START[path.parent.name]
            assert {name: state[name] for name in start} == start


@every_golden_game
def test_views_are_one_per_seat_and_the_spectator_s_with_the_state_s_fields(path: Path) -> None:
    for at in positions(path):
        state, views = at.state, at.views
        assert list(views) == [*map(str, range(at.seats)), "spectator"]
        for seat, view in views.items():
            assert view["me"] == (None if seat == "spectator" else int(seat))
            assert view.keys() == {*state, "me"}
            if path.parent.name != "mana":
                assert view == {**state, "me": view["me"]}
        assert views["spectator"] == {**state, "me": None}


@every_golden_game
def test_choices_are_for_seats_to_act_and_each_of_them_is_a_good_move(path: Path) -> None:
    for at in positions(path):
        choices = at.choices
        to_act = at.state["turn"] if at.state["awaits"] == "turn" else []
        assert {*map(int, choices)} <= {*to_act}
        assert all(choices.values())
    document = golden(path)
    done = len(replayed(document).lines) - 1
    for seat, actions in choices.items():
        for action in actions[:: max(1, len(actions) // 3)]:
            entries = [*document["entries"][:done], {"seat": int(seat), "move": action}]
            assert replayed({**document, "entries": entries}).code == 0


REASONS = {
    "wards": {"goal"},
    "tenthousand": {"goal"},
    "aetharn": {"WinnerReached5000", "LastPlayerStanding", "AllPlayersLeft"},
    "doordice": {"rounds", "last_alive"},
    "mana": {"rounds", "draw", "forfeit", "abandoned"},
}


@every_golden_game
def test_the_end_has_places_and_a_reason(path: Path) -> None:
    for at in positions(path):
        over, state = at.over, at.state
        assert (over is not None) == (state["awaits"] == "over")
        if over:
            assert over.keys() == {"places", "reason"}
            assert over["reason"] in REASONS[path.parent.name]
            assert all(rising(place) for place in over["places"])
            seats = [*range(at.seats)]
            assert sorted(seat for place in over["places"] for seat in place) in ([], seats)
            first = over["places"][0] if over["places"] else []
            assert state["winner"] == (first[0] if len(first) == 1 else None)


def test_golden_games_end_for_every_reason() -> None:
    ends = [(path.parent.name, (replayed(golden(path)).last["over"] or {}).get("reason")) for path in GOLDEN]
    assert {game: {reason for key, reason in ends if key == game} - {None} for game in REASONS} == REASONS


def floats(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(floats, value.values()))
    return any(map(floats, value)) if isinstance(value, list) else isinstance(value, float)


@every_golden_game
def test_there_are_no_floats_anywhere(path: Path) -> None:
    assert not floats(replayed(golden(path)).lines)


@every_golden_game
def test_each_good_entry_has_a_line_of_its_own(path: Path) -> None:
    *answers, last = replayed(golden(path)).lines
    assert [answer["entry"] for answer in answers] == list(range(len(answers)))
    for answer in answers:
        assert answer.keys() == {"entry", "events", "fresh_clock"}
        assert truth(answer["fresh_clock"])
        for event in answer["events"]:
            assert event.keys() >= {"event", "to"}
            assert or_null(rising)(event["to"])
    assert last.keys() in ({"over", "state", "views", "choices"}, {"refused", "over", "state", "views"})


@pytest.mark.parametrize(("game", "seats", "sides"), [("aetharn", 5, [5, 4, 3, 2]), ("mana", 2, [256] * 32 + [4])])
def test_nobody_is_on_turn_at_a_draw(game: str, seats: int, sides: list[int]) -> None:
    state = replayed(record(game, seats, [])).last["state"]
    assert (state["awaits"], state["dice"], state["turn"]) == ("dice", sides, [])
