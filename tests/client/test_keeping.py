from __future__ import annotations

import os
from pathlib import Path

import pytest

from dicehall.client import keeping
from dicehall.client.keeping import CannotKeep, Keeper, check_free
from dicehall.games import catalogue
from dicehall.games.wards.rules import Wards
from dicehall.wire.record import Record, read_record

RECORD = Record(Wards(), ("Ann", "Bo"), ({"seat": 0, "move": "hold"},))


def test_a_kept_record_comes_back_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    keeper = Keeper(file)
    keeper.keep(RECORD)
    assert keeper.kept
    assert read_record(file.read_bytes(), catalogue()) == RECORD
    assert os.listdir(tmp_path) == ["game.json"]


def test_without_a_path_nothing_is_kept() -> None:
    keeper = Keeper(None)
    keeper.keep(RECORD)
    assert not keeper.kept


def test_a_write_that_fails_half_way_leaves_the_old_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.json"
    keeper = Keeper(file)
    keeper.keep(RECORD)
    before = file.read_bytes()

    def full(path: Path, text: bytes) -> None:
        path.write_bytes(text[:10])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(keeping, "write_through", full)
    with pytest.raises(CannotKeep, match=r"game\.json cannot be written: no space left on device\."):
        keeper.keep(Record(Wards(), ("Ann", "Bo")))
    assert (file.read_bytes(), os.listdir(tmp_path), keeper.kept) == (before, ["game.json"], False)


@pytest.mark.parametrize("name", ["no/such/folder/game.json", "x" * 300, "nul\0byte"])
def test_a_file_that_cannot_be_written_is_told_in_a_sentence(tmp_path: Path, name: str) -> None:
    with pytest.raises(CannotKeep, match=r"cannot be written: .*\."):
        Keeper(tmp_path / name).keep(RECORD)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(tmp_path / "game.json")
    Keeper(tmp_path / "link.json").keep(RECORD)
    assert (tmp_path / "link.json").is_symlink()
    assert read_record((tmp_path / "game.json").read_bytes(), catalogue()) == RECORD


def test_a_new_game_takes_no_file_that_holds_something(tmp_path: Path) -> None:
    full, empty = tmp_path / "full", tmp_path / "empty"
    full.write_text("dear diary")
    empty.touch()
    check_free(empty)
    check_free(tmp_path / "none")
    with pytest.raises(CannotKeep, match=r"already exists. To continue that game, use --resume .*full"):
        check_free(full)
    for nothing in (tmp_path, Path(os.devnull)):
        with pytest.raises(CannotKeep, match="is not a file that a game can be saved in"):
            check_free(nothing)
