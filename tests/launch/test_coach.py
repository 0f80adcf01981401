"""``dicehall coach``: the report of a game just played, with one command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dicehall.core.game import Seat
from dicehall.games import catalogue
from dicehall.launch.coach import NotSoon, short_report, within
from dicehall.wire.record import read_record
from tests.launch.running import ROOT, run

GAME = ROOT / "tests" / "golden" / "wards" / "01-both-hold-at-twenty.json"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DICEHALL_DATA", str(tmp_path / "kept here"))
    return tmp_path / "kept here"


def test_a_game_just_played_is_reported_with_one_command(data: Path) -> None:
    typed = b"roll\nhold\n" * 200
    played = run("play", "wards", "--bot", "greedy", "--rules", "goal=20", "--seed", "a", given=typed)
    assert played.out.splitlines()[-1] == "Full report: dicehall coach. Statistics: dicehall stats."
    ran = run("coach")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Dice Wards: Player 1 and Kaya.")
    assert "average luck" in ran.out
    assert run("coach", "last").out == ran.out


def test_before_the_first_game_it_says_what_to_do(data: Path) -> None:
    ran = run("coach")
    assert (ran.code, ran.out) == (2, "")
    assert "dicehall play wards --bot greedy" in ran.err


def test_games_of_bots_alone_and_of_programs_are_not_kept(data: Path) -> None:
    run("play", "wards", "--bot", "greedy", "--bot", "greedy", "--rules", "goal=20", "--seed", "a")
    run("play", "wards", "--bot", "greedy", "--json", given=b"roll\n")
    assert not data.exists()


def test_a_folder_that_cannot_be_written_spoils_no_game(data: Path) -> None:
    data.write_text("in the way")
    played = run("play", "wards", "--bot", "greedy", "--rules", "goal=5", "--seed", "a", given=b"roll\nhold\n" * 50)
    assert played.code == 0
    assert "The game is over." in played.out
    assert "dicehall coach" not in played.out


def test_the_json_has_every_decision_with_its_alternatives() -> None:
    told = run("coach", str(GAME), "--json").last
    decisions = [line["decision"] for line in told["lines"] if line["kind"] == "decision"]
    assert all(len(decision["worths"]) == 2 for decision in decisions)
    assert {"seat", "name", "luck", "average_loss", "adjusted", "turning_points", "worst"} <= told["seats"][0].keys()
    assert told["exact"] is True
    for seat in told["seats"]:
        parts = seat["start"] + seat["luck"] - seat["lost"] + seat["given"] + seat["clock"] + seat["rest"]
        assert parts == pytest.approx(seat["result"], abs=1e-9)


def test_a_record_comes_from_standard_input_too() -> None:
    assert run("coach", "-", given=GAME.read_bytes()).out == run("coach", str(GAME)).out


def test_house_rules_that_take_long_to_solve_name_the_command_that_does() -> None:
    record = {"dicehall": 1, "game": "aetharn", "rules": {"goal": 9000, "turn_seconds": 9}, "seats": ["a", "b"]}
    ran = run("coach", "-", given=json.dumps({**record, "entries": []}).encode())
    assert (ran.code, ran.out) == (2, "")
    assert "dicehall solve aetharn --rules goal=9000, or add --solve here." in ran.err


@pytest.mark.parametrize(("text", "told"), [(b"{", "not a game record"), (b"[]", "not a game record")])
def test_what_is_no_record_is_said_in_a_sentence(text: bytes, told: str) -> None:
    ran = run("coach", "-", given=text)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


def test_a_hint_is_given_and_written_down(data: Path) -> None:
    played = run(
        "play", "wards", "--bot", "greedy", "--rules", "goal=20", "--seed", "a", given=b"hint\nroll\nhold\n" * 200
    )
    assert "The coach would type: roll (exact)." in played.out
    (file,) = (data / "games").glob("*.json")
    kept = json.loads(file.read_bytes())
    assert {"act": "hinted", "chair": 0, "entry": 0} in kept["table"]
    assert "Player 1 took a hint" in run("coach").out


def test_hints_between_people_have_to_be_allowed() -> None:
    refused = run("play", "wards", "--names", "Ann,Bo", given=b"hint\n")
    allowed = run("play", "wards", "--names", "Ann,Bo", "--hints", given=b"hint\n")
    assert "Hints are off in this game." in refused.out
    assert "The coach would type: roll" in allowed.out


def test_a_program_gets_a_hint_as_json() -> None:
    told = run("play", "wards", "--bot", "greedy", "--json", given=b"hint\n").lines[1]["hint"]
    assert (told["best"], told["note"], len(told["worths"])) == ("roll", "exact", 2)


@pytest.mark.parametrize("seat", ["2", "seat two", "SEAT TWO"])
def test_one_seat_can_be_reported_on_by_number_or_name(seat: str) -> None:
    record = {**json.loads(GAME.read_bytes()), "seats": ["seat one", "seat two"]}
    ran = run("coach", "-", "--seat", seat, given=json.dumps(record).encode())
    assert ran.code == 0
    assert "\nseat two " in ran.out
    assert "\nseat one " not in ran.out


@pytest.mark.parametrize("seat", ["0", "3", "nobody", "", "9" * 5000])
def test_a_seat_that_is_not_there_is_told_with_those_that_are(seat: str) -> None:
    ran = run("coach", str(GAME), "--seat", seat)
    assert (ran.code, ran.out) == (2, "")
    assert "The seats are 1 (" in ran.err


def test_the_short_report_is_a_headline_and_the_costliest_decisions() -> None:
    record = read_record(GAME.read_bytes(), catalogue())
    lines = [line for line, _ in short_report(record, [Seat(0)])]
    assert lines[1].startswith("You ")
    assert len(lines) <= 5
    assert all(" wins " in line for line in lines[2:])


def test_a_short_report_that_takes_too_long_is_left_out() -> None:
    clock = iter([0.0, 0.5, 2.5])
    check = within(10.0, lambda: next(clock))
    check(0.01)
    with pytest.raises(NotSoon):
        check(0.02)
