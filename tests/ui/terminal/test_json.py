from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dicehall.games import catalogue
from tests.ui.terminal.command import Here, dicehall, lines
from tests.ui.terminal.test_play import QUICK, STUBBORN


def answers(out: str) -> list[Any]:
    return [json.loads(line) for line in out.splitlines()]


def test_each_line_of_input_has_one_line_of_json_as_its_answer(here: Here) -> None:
    typed = lines('"roll"', "r", '{"fly": 1}', "hold 3", "{", "score", "save x", "quit", "roll")
    ran = here("play", "wards", "--seed", "a", "--json", typed=typed)
    first, rolled, again, *rest = answers(ran.out)
    assert first == {
        "events": [],
        "seat": 0,
        "view": {
            "awaits": "turn", "dice": None, "turn": [0], "winner": None,
            "scores": [0, 0], "round_score": 0, "last_roll": None, "goal": 100, "me": 0,
        },
        "choices": ["roll", "hold"],
        "over": None,
    }  # fmt: skip
    assert rolled["events"] == [{"event": "Rolled", "to": None, "seat": 0, "face": 4, "round_score": 4}]
    assert again["view"]["round_score"] == 6
    codes = [answer.get("refused", {}).get("code") for answer in rest]
    assert codes == ["bad_move", "bad_move", "malformed", None, "bad_move", None]
    assert (rest[3]["events"], rest[3]["view"]) == ([], again["view"])
    assert rest[-1] == {"left": {"resume": None, "trouble": None}}


def test_the_moves_of_bots_come_with_the_answer_to_ours(here: Here) -> None:
    ran = here("play", "wards", "--bot", "greedy", "--seed", "a", "--json", typed=lines("hold"))
    events = answers(ran.out)[1]["events"]
    assert [event["seat"] for event in events[:2]] == [0, 1]
    assert answers(ran.out)[1]["seat"] == 0


@pytest.mark.parametrize("key", list(catalogue()))
def test_a_whole_game_in_json_through_a_pipe(key: str) -> None:
    bots = ["--bot", "greedy"] * (catalogue()[key].seats[0] - 1)
    ran = dicehall("play", key, *bots, "--rules", QUICK[key], "--seed", key, "--json", typed=STUBBORN[key] * 300)
    assert (ran.code, ran.err) == (0, "")
    last = answers(ran.out)[-1]
    assert (last["seat"], last["choices"], last["view"]["awaits"]) == (None, [], "over")
    assert sorted(seat for place in last["over"]["places"] for seat in place) == list(range(len(bots) // 2 + 1))


def test_every_listed_choice_is_a_move_as_it_is_written(here: Here) -> None:
    """A program that always sends the first choice back plays a game to its end."""
    typed: list[str] = []
    for _ in range(200):
        last = answers(here("play", "doordice", "--seed", "x", "--json", typed=lines(*typed)).out)[-2:]
        position = last[0] if "left" in last[-1] else last[-1]
        assert "refused" not in position
        if position["over"]:
            return
        typed.append(json.dumps(position["choices"][0]))
    raise AssertionError("the game did not end")


def test_a_pick_is_hidden_from_the_other_seat(here: Here) -> None:
    """M1."""
    first = here("play", "mana", "--seed", "x", "--json", typed=lines('{"pick": 6}')).out
    assert first == here("play", "mana", "--seed", "x", "--json", typed=lines('{"pick": 1}')).out
    assert answers(first)[1]["view"]["picked"] == [0]


def test_the_rules_own_numbers_come_with_a_refusal(here: Here) -> None:
    ran = here("play", "tenthousand", "--json", "--seed", "b", typed=lines("roll", "lock 1, 55", "yield"))
    assert answers(ran.out)[-2]["refused"] == {
        "code": "below_opening",
        "message": "You need 1000 to open; 800 to go.",
        "missing": 800,
    }


def test_leaving_tells_how_to_resume(here: Here, tmp_path: Path) -> None:
    ran = here("play", "wards", "--json", "--save", f"{tmp_path / 'w'}", typed=lines("hold"))
    assert answers(ran.out)[-1] == {
        "left": {"resume": f"dicehall play --resume {tmp_path / 'w'} --json", "trouble": None}
    }
