from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from dicehall.client import keeping
from dicehall.client.local import LocalGame
from dicehall.core.game import Faces
from dicehall.games import catalogue
from dicehall.wire.record import read_record
from tests.ui.terminal.command import Here, dicehall, lines, process, tail
from tests.ui.terminal.test_play import QUICK, STUBBORN


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "my game.json"


def never(sides: Faces) -> Faces:
    raise AssertionError("no dice are due")


def entries(file: Path) -> list[Any]:
    """The entries of a good record."""
    record = read_record(file.read_bytes(), catalogue())
    LocalGame(record, never)
    return list(record.entries)


def test_a_saved_game_says_how_to_resume_it_and_goes_on_there(here: Here, file: Path) -> None:
    first = here("play", "wards", "--bot", "greedy", "--save", f"{file}", "--seed", "a c", typed=lines("r", "r"))
    assert first.code == 0
    command = f"dicehall play --resume '{file}' --seed 'a c'"
    assert tail(first, 1) == [f"The game is saved. To continue it: {command}"]
    second = here("play", "--resume", f"{file}", "--seed", "a c", typed=lines("score", "ho"))
    assert second.out.splitlines()[0] == "Dice Wards: Player 1 and Kaya (Casual)."
    assert "On the pile: 7. Last die: [4]" in second.out
    assert entries(file)[4] == {"seat": 0, "move": "hold"}


@pytest.mark.parametrize("key", list(catalogue()))
def test_leaving_and_resuming_after_every_line_gives_the_same_game_for_the_same_seed(
    here: Here, tmp_path: Path, key: str
) -> None:
    bots = ["--bot", "greedy", "--bot", "random", "--bot", "random", "--bot", "greedy"][: 8 if key == "doordice" else 2]
    start = ["play", key, *bots, "--rules", QUICK[key], "--seed", "s"]
    whole, parts = tmp_path / "whole.json", tmp_path / "parts.json"
    here(*start, "--save", f"{whole}", typed=STUBBORN[key] * 300)
    good = accepted(here, start, STUBBORN[key])
    here(*start, "--save", f"{parts}")
    for line in good:
        here("play", "--resume", f"{parts}", "--seed", "s", typed=line)
    assert parts.read_bytes() == whole.read_bytes()
    assert "The game is over." in here("play", "--resume", f"{parts}").out


def accepted(here: Here, start: list[str], stubborn: str) -> list[str]:
    """Those of the stubborn lines that are moves the game took."""
    typed = stubborn.splitlines(keepends=True) * 300
    ran = here(*start, "--json", typed="".join(typed))
    answers = [json.loads(line) for line in ran.out.splitlines()][1:]
    return [line for line, answer in zip(typed, answers, strict=False) if "refused" not in answer]


def test_resuming_keeps_on_saving_to_the_same_file_unless_another_is_named(
    here: Here, file: Path, tmp_path: Path
) -> None:
    here("play", "wards", "--save", f"{file}")
    here("play", "--resume", f"{file}", typed=lines("hold"))
    assert len(entries(file)) == 1
    here("play", "--resume", f"{file}", "--save", f"{tmp_path / 'b'}", typed=lines("hold", "hold"))
    assert (len(entries(file)), len(entries(tmp_path / "b"))) == (1, 3)


def test_a_finished_game_that_is_resumed_shows_its_result_and_is_not_touched(here: Here, file: Path) -> None:
    here("play", "wards", "--rules", "goal=10", "--save", f"{file}", "--seed", "x", typed=STUBBORN["wards"] * 100)
    before, stamp = file.read_bytes(), file.stat().st_mtime_ns
    again = here("play", "--resume", f"{file}", typed=lines("roll"))
    assert (again.code, again.out.splitlines()[0]) == (0, "Dice Wards: Player 1 and Player 2.")
    assert again.out.splitlines()[-3] == "The game is over."
    assert (file.read_bytes(), file.stat().st_mtime_ns) == (before, stamp)


def test_bots_can_take_over_people_in_a_resumed_game(here: Here, file: Path) -> None:
    here("play", "aetharn", "--seats", "3", "--save", f"{file}", "--seed", "x")
    ran = here("play", "--resume", f"{file}", "--bot", "greedy")
    assert ran.out.startswith("Aetharn: Player 1, Player 2 and Cosmo (Casual).")
    assert here("play", "--resume", f"{file}").out.startswith("Aetharn: Player 1, Player 2 and Cosmo (Casual).")
    many = here("play", "--resume", f"{file}", "--bot", "greedy", "--bot", "greedy", "--bot", "greedy")
    assert many.err == "dicehall: Only 2 seats of this game are held by people, too few for 3 more bots.\n"


def test_a_new_game_does_not_overwrite_an_old_one(here: Here, file: Path) -> None:
    here("play", "wards", "--save", f"{file}", typed=lines("hold"))
    again = here("play", "wards", "--save", f"{file}")
    assert again.code == 2
    assert "already exists. To continue that game, use --resume" in again.err
    assert len(entries(file)) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not a game record: This is not valid JSON"),
        (
            '{"dicehall": 1, "game": "chess", "seats": [], "entries": []}',
            "is not a game record: Unknown game. The games are ",
        ),
        (
            '{"dicehall": 1, "game": "wards", "seats": ["a", "b"], "entries": [{"roll": [1]}]}',
            "cannot be resumed. Entry 0 of this record is refused: No roll is pending.",
        ),
        (
            '{"dicehall": 1, "game": "mana", "seats": ["a", "b"], "match": {"id": "m", "players": ["a", "b"]},'
            ' "entries": []}',
            "is a match with a referee of its own and cannot be resumed here.",
        ),
        (
            '{"dicehall": 1, "game": "wards", "seats": ["a", "Bot 2 (clever)"], "entries": []}',
            "There is no bot of level 'clever' for wards; there are random, greedy, good, exact.",
        ),
    ],
)
def test_a_file_that_cannot_be_resumed_is_told_and_left_alone(here: Here, file: Path, text: str, said: str) -> None:
    file.write_text(text)
    ran = here("play", "--resume", f"{file}")
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert file.read_text() == text


def test_a_record_of_another_game_is_not_resumed_as_this_one(here: Here, file: Path) -> None:
    here("play", "wards", "--save", f"{file}")
    assert here("play", "mana", "--resume", f"{file}").err.endswith("is a game of wards, not mana.\n")
    assert here("play", "wards", "--resume", f"{file}").code == 0


def test_saving_can_begin_in_the_middle_of_a_game(here: Here, file: Path) -> None:
    typed = lines("hold", "save", f"save {file}", "hold", f"save {file}")
    ran = here("play", "wards", typed=typed)
    for said in ("Which file?", f"Saved to {file}. Every move from now on is saved there, too.", "already exists"):
        assert said in ran.out
    assert len(entries(file)) == 2
    assert "To continue it:" in ran.out


def test_a_file_that_cannot_be_written_leaves_the_game_saved_where_it_was(here: Here, file: Path) -> None:
    elsewhere = file.parent / "nowhere" / "game.json"
    ran = here("play", "wards", "--save", f"{file}", typed=lines("hold", f"save {elsewhere}", "hold"))
    assert ran.out.splitlines().count(f"{elsewhere} cannot be written: no such file or directory.") == 1
    assert "not saved" not in ran.out
    assert tail(ran, 1) == [f"The game is saved. To continue it: dicehall play --resume '{file}'"]
    assert len(entries(file)) == 2


def test_a_disk_that_fills_up_is_told_and_the_game_goes_on(
    here: Here, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, writes = keeping.write_through, []

    def filling(path: Path, text: bytes) -> None:
        writes.append(path)
        if len(writes) > 2:
            raise OSError(28, "No space left on device")
        real(path, text)

    monkeypatch.setattr(keeping, "write_through", filling)
    ran = here("play", "wards", "--save", f"{file}", typed=lines("hold", "hold"))
    said = f"This game is not saved: {file} cannot be written: no space left on device."
    assert ran.out.splitlines().count(said) == 2  # when it happened, and on leaving
    assert "Player 2 holds 0" in ran.out
    assert entries(file) == []


def test_ctrl_c_keeps_the_record_and_says_how_to_resume(file: Path) -> None:
    with process("play", "wards", "--save", f"{file}") as running:
        assert running.stdin
        assert running.stdout
        running.stdin.write("hold\n")
        running.stdin.flush()
        while "Player 2, it is your turn" not in running.stdout.readline():
            pass
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
    assert (running.returncode, err) == (130, "")
    assert out.splitlines()[-1] == f"The game is saved. To continue it: dicehall play --resume '{file}'"
    assert entries(file) == [{"seat": 0, "move": "hold"}]


@pytest.mark.proof
def test_a_process_killed_while_playing_leaves_a_good_record(file: Path) -> None:
    bots = ["--bot", "random", "--bot", "random", "--rules", "goal=1000000000", "--save", f"{file}"]
    command = ["play", "wards", *bots]
    for _ in range(4):
        with process(*command) as running:
            before = len(entries(file)) if file.exists() else 0
            until = time.monotonic() + 30
            while not file.exists() or file.stat().st_size < 60 * (before + 20):
                assert time.monotonic() < until
                time.sleep(0.01)
            os.kill(running.pid, signal.SIGKILL)
        assert len(entries(file)) > before
        command = ["play", "--resume", f"{file}"]
    assert {path.name for path in file.parent.iterdir()} <= {file.name, f".{file.name}.new"}


def test_the_saved_record_is_one_that_replay_answers(here: Here, file: Path) -> None:
    here("play", "aetharn", "--bot", "greedy", "--seed", "x", "--save", f"{file}", typed=STUBBORN["aetharn"])
    ran = dicehall("replay", f"{file}")
    assert ran.code == 0
    assert len(ran.out.splitlines()) == len(entries(file)) + 1
