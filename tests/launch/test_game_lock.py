"""Two programs never play one kept game at a time, and a damaged one is named and left alone."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from dicehall.games import catalogue
from dicehall.launch.game_lock import GameIsOpen, GameLock
from dicehall.launch.line_game import Wanted, seated
from dicehall.launch.output import Failed
from dicehall.wire.record import read_record
from tests.launch.running import run
from tests.launch.test_watch import running

OPEN = "This game is open in another window or terminal."


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DICEHALL_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def started(*options: str) -> None:
    assert run("play", "wards", *options, given=b"roll\nhold\n").code == 0


def files(data: Path, kind: str = "json") -> list[Path]:
    return sorted((data / "games").glob(f"*.{kind}"))


def entries(file: Path) -> int:
    return len(json.loads(file.read_bytes())["entries"])


def test_a_game_that_is_open_elsewhere_is_not_resumed_and_nothing_is_lost(data: Path) -> None:
    started("--names", "Ann,Bo")
    (file,) = files(data)
    with running("play", "--resume", data=data) as first:
        first.until("Bo has")
        for again in (("--resume",), ("--resume", str(file)), ("--resume", str(file), "--json")):
            second = run("play", *again, given=b"roll\nhold\n")
            assert (second.code, second.out) == (2, "")
            assert OPEN in second.err
        before = entries(file)
        first.type("hold")
        first.type("quit")
        first.until("The game is saved.")
        assert first.rest()[0] == 0
    assert entries(file) > before
    assert run("play", "--resume", given=b"hold\n").code == 0
    assert files(data, "lock") == []


def test_a_file_of_ones_own_is_locked_like_the_kept_game(data: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.json"
    started("--names", "Ann,Bo", "--save", str(mine))
    with running("play", "--resume", str(mine), data=data) as first:
        first.until("Bo has")
        assert OPEN in run("play", "--resume", given=b"hold\n").err
        assert OPEN in run("play", "--resume", str(mine), given=b"hold\n").err


def test_a_crash_releases_the_game(data: Path) -> None:
    started("--names", "Ann,Bo")
    with running("play", "--resume", data=data) as first:
        first.until("Bo has")
        first.process.kill()
        first.process.wait()
    assert len(files(data, "lock")) == 1  # left behind, and nobody's
    assert run("play", "--resume", given=b"hold\n").code == 0


def test_a_lock_that_was_released_meanwhile_is_taken_anew(tmp_path: Path) -> None:
    path = tmp_path / "game.lock"
    lock = GameLock(path)
    with pytest.raises(GameIsOpen):
        GameLock(path)
    lock.release()
    lock.release()
    assert not path.exists()
    GameLock(path).release()


def damage(file: Path) -> bytes:
    text = file.read_bytes()[:-40]
    file.write_bytes(text)
    return text


def test_a_damaged_game_is_named_and_left_alone(data: Path) -> None:
    started()
    (file,) = files(data)
    text = damage(file)
    ran = run("play", "--resume")
    assert (ran.code, ran.out) == (2, "")
    assert f"Your last saved game is damaged and cannot be resumed: {file}" in ran.err
    assert "move it to another folder" in ran.err
    assert file.read_bytes() == text


def test_an_older_game_is_not_continued_in_place_of_a_damaged_one(data: Path) -> None:
    started()
    (older,) = files(data)
    os.utime(older, ns=(1, 1))
    started()
    (damaged,) = (file for file in files(data) if file != older)
    damage(damaged)
    assert str(damaged) in run("play", "--resume").err
    assert (
        run("play", "wards", "--resume", given=b"hold\n").code == 0
    )  # of this kind there is only one that can be read
    damaged.rename(data / "elsewhere")
    assert run("play", "--resume", given=b"hold\n").code == 0


def test_a_record_that_the_rules_refuse_is_damaged_too(data: Path) -> None:
    started()
    (file,) = files(data)
    record = json.loads(file.read_bytes())
    file.write_text(json.dumps({**record, "entries": record["entries"][:1] * 3}))
    assert "Entry 1 of this record is refused" in run("play", "--resume").err


def test_a_game_that_went_on_between_reading_and_locking_is_not_overwritten(data: Path) -> None:
    started()
    (file,) = files(data)
    record = read_record(file.read_bytes(), catalogue())
    stale = Wanted(record, resumed=file, version=(0, 0))
    with pytest.raises(Failed, match="just continued in another window"):
        seated(stale)
    assert files(data, "lock") == []
