"""Games played on this machine: sealed, kept, continued, counted."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from tests.launch.running import Ran, run


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DICEHALL_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def kept(data: Path) -> Path:
    (file,) = (data / "games").glob("*.json")
    return file


def record_of(file: Path) -> Any:
    return json.loads(file.read_bytes())


def checked(file: Path, *options: str) -> tuple[int, Any]:
    ran = run("replay", str(file), "--check", *options)
    return ran.code, ran.last["check"]


def played(*options: str, given: bytes = b"roll\n" * 3) -> Ran:
    return run("play", "wards", *options, given=given)


def shown_seal(ran: Ran) -> str:
    lines = ran.out.splitlines()
    return lines[lines.index("Seal of the dice:") + 1]


def test_the_seal_is_shown_before_the_first_roll_and_the_record_agrees_with_it(data: Path) -> None:
    ran = played(given=b"roll\nroll\nhold\n")
    seal, file = shown_seal(ran), kept(data)
    assert ran.out.index(seal) < ran.out.index("rolls a")
    assert record_of(file)["seal"]["s0"] == seal
    code, check = checked(file, "--seal", seal)
    assert (code, check["good"]) == (0, True)
    assert "agree with the seal you gave" in check["sentence"]
    assert checked(file, "--seal", "0" * 64)[0] == 4


def test_dice_that_were_changed_are_found(data: Path) -> None:
    played()
    record = record_of(kept(data))
    roll = next(entry for entry in record["entries"] if "roll" in entry)
    roll["roll"] = [roll["roll"][0] % 6 + 1]
    kept(data).write_text(json.dumps(record))
    assert run("replay", str(kept(data)), "--check").code in (2, 4)


def test_the_secret_is_for_the_user_alone_and_never_in_the_record(data: Path) -> None:
    played()
    file = kept(data)
    secret = file.with_suffix(".secret")
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert secret.read_text().strip() not in file.read_text()


def test_resuming_without_a_file_goes_on_with_the_last_game_on_the_same_chain(data: Path) -> None:
    first = played("--bot", "greedy")
    again = run("play", "--resume", given=b"hold\nroll\n")
    assert again.code == 0
    assert shown_seal(again) == shown_seal(first)
    assert len(record_of(kept(data))["entries"]) > 6
    assert checked(kept(data), "--seal", shown_seal(first))[0] == 0


def test_the_last_game_of_one_kind_can_be_resumed(data: Path) -> None:
    played()
    run("play", "mana", given=b"pick 1\n")
    assert run("play", "wards", "--resume").out.startswith("Dice Wards")
    assert run("play", "--resume").out.startswith("Mana")


def test_without_an_unfinished_game_there_is_nothing_to_resume() -> None:
    ran = run("play", "--resume")
    assert (ran.code, ran.out) == (2, "")
    assert "There is no unfinished game to continue." in ran.err
    assert "There is no unfinished game of mana to continue." in run("play", "mana", "--resume").err


def test_a_game_named_where_a_file_belongs_is_explained() -> None:
    assert "dicehall play wards --resume" in run("play", "--resume", "wards").err


def test_a_finished_game_is_kept_counted_once_and_needs_no_secret_any_more(data: Path) -> None:
    typed = b"roll\nhold\n" * 100
    ran = played("--bot", "greedy", "--rules", "goal=10", "--names", "Ann", given=typed)
    assert "The game is over." in ran.out
    file = kept(data)
    record = record_of(file)
    assert record["end"] == {"entries": len(record["entries"])}
    assert not file.with_suffix(".secret").exists()
    assert checked(file) == (0, checked(file)[1])
    run("play", "--resume", str(file))
    (result,) = (data / "results.jsonl").read_text().splitlines()
    assert {seat["name"] for seat in json.loads(result)["seats"]} == {"Ann", "Bot (greedy)"}


def test_a_game_that_nobody_played_leaves_nothing(data: Path) -> None:
    played(given=b"quit\n")
    assert list((data / "games").iterdir()) == []


def test_own_words_are_mixed_into_the_dice(data: Path) -> None:
    played("--words", "blue moon", "--bot", "greedy")
    words = record_of(kept(data))["seal"]["words"]
    assert words[0].startswith("blue moon")
    assert len(words[0]) == len("blue moon") + 32
    assert words[1] == ""


@pytest.mark.parametrize("words", ["x" * 65, "a\tb"])
def test_words_that_cannot_be_used_are_refused_before_the_game(words: str) -> None:
    ran = played("--words", words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("dicehall: The typed words")


def test_a_seeded_game_has_no_seal(data: Path) -> None:
    ran = played("--seed", "a")
    assert "Seal" not in ran.out
    assert "seal" not in record_of(kept(data))
    assert "leave out --words" in played("--seed", "a", "--words", "x").err


def test_a_record_whose_secret_is_elsewhere_goes_on_without_a_seal(data: Path) -> None:
    played()
    kept(data).with_suffix(".secret").unlink()
    ran = run("play", "--resume", given=b"hold\n")
    assert "Seal" not in ran.out
    assert "seal" not in record_of(kept(data))


@pytest.mark.parametrize("table", ["../../x", "/etc/passwd", "home-zz", ""])
def test_a_strangers_record_names_no_files_of_ours(data: Path, tmp_path: Path, table: str) -> None:
    seal = {"table": table, "s0": "0" * 64, "words": ["", ""]}
    file = tmp_path / "stranger.json"
    file.write_text(json.dumps({"dicehall": 1, "game": "wards", "seats": ["a", "b"], "seal": seal, "entries": []}))
    assert run("play", "--resume", str(file), given=b"roll\n").code == 0
    assert {path.parent for path in tmp_path.rglob("*") if path.is_file()} == {tmp_path, data / "games"}


def test_a_saved_file_and_the_kept_game_are_the_same(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    played("--save", str(file))
    assert file.read_bytes() == kept(data).read_bytes()
    run("play", "--resume", str(file), given=b"hold\n")
    assert file.read_bytes() == kept(data).read_bytes()
    assert checked(file)[0] == 0


def test_the_games_of_programs_are_not_kept(data: Path) -> None:
    assert played("--json").code == 0
    assert not data.exists()


def test_a_game_that_cannot_be_kept_says_so(data: Path) -> None:
    data.mkdir()
    (data / "games").write_text("in the way")
    ran = played(given=b"roll\nroll\nquit\n")
    assert ran.code == 0
    assert ran.out.count("This game is not saved:") == 2  # when it happened, and at the end
    assert "The game is saved" not in ran.out
