"""Files from strangers for ``dicehall venue``: no traceback, no end of memory, and nothing that a terminal obeys."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dicehall.venue import discovery, sources
from dicehall.venue.sources import VenueError, load
from tests.security.live import both_ways
from tests.venue.files import json_text, table_at

TABLE = """triggers = [{position = [0, 0], polygon = [[-3, -3], [3, -3], [3, 3], [-3, 3]]}]
placeables = [{tag = "aetharn_player_seat", position = [0, 0]}, {tag = "aetharn_player_seat", position = [1, 0]}]
"""


def write(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one good area."""
    write(tmp_path, "tavern.git.json", json_text(table_at(10.0, 10.0)))
    return tmp_path


def test_a_number_with_thousands_of_digits_is_an_error_in_words(tmp_path: Path) -> None:
    """There is no guard to switch off: Python itself refuses such a number."""
    with pytest.raises(VenueError, match="not valid TOML"):
        load(write(tmp_path, "venue.toml", f"x = {'1' * 5000}\nareas = []"))


@both_ways
def test_names_and_unknown_fields_cannot_command_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        for module in (discovery, sources):
            monkeypatch.setattr(module, "only_visible", str)
    areas = '[[areas]]\nname = "\\u001b[31m"\n[[areas]]\nname = "b"\n"\\u001b[2J" = 1\n'
    venue = load(write(tmp_path, "venue.toml", f'name = "\\u001b]0;title\\u0007"\n{areas}'))
    shown = [venue.name, *(text for warning in venue.warnings for text in (warning.area, warning.message))]
    assert len(venue.warnings) == 2
    assert all(text.isprintable() for text in shown) is guarded, shown
    with pytest.raises(VenueError) as error:
        load(write(tmp_path, "other.toml", '"\\u001b[2J" = 1\nareas = []'))
    assert str(error.value).isprintable() is guarded


def test_a_name_of_an_area_ends_where_its_line_ends(tmp_path: Path) -> None:
    """The control is the same area without the line break."""
    venue = load(write(tmp_path, "venue.toml", f'[[areas]]\nname = "b\\n"\n{TABLE}'))
    assert not venue.tables
    assert [str(warning.code) for warning in venue.warnings] == ["damaged_area"]
    assert load(write(tmp_path, "venue.toml", f'[[areas]]\nname = "b"\n{TABLE}')).tables


def test_a_repository_can_be_the_folder_of_areas(folder: Path) -> None:
    """The control is the area beside the two folders, which is read."""
    (folder / ".git").mkdir()
    (folder / "sources.git").mkdir()
    venue = load(folder)
    assert (len(venue.tables), [warning.area for warning in venue.warnings]) == (1, [])


def test_one_file_that_cannot_be_opened_is_reported_and_skipped(folder: Path) -> None:
    """The control is the area beside it, which is read."""
    (folder / "lost.git.json").symlink_to(folder / "nowhere")
    venue = load(folder)
    assert len(venue.tables) == 1
    assert [(one.area, str(one.code)) for one in venue.warnings] == [("lost", "damaged_area")]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
@pytest.mark.parametrize("name", ["pipe.git.json", "pipe.git"])
def test_a_pipe_in_a_folder_is_not_waited_for(folder: Path, name: str) -> None:
    """With the guard off this test would not end: nobody writes into the pipe."""
    os.mkfifo(folder / name)
    venue = load(folder)
    assert len(venue.tables) == 1
    assert [one.message for one in venue.warnings] == ["The file cannot be read: it is not a regular file."]


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there are no devices here")
@pytest.mark.parametrize("name", ["zero.toml", "zero.json", "zero.git", "zero.git.json", "zero.mod"])
def test_a_file_without_end_is_not_read(tmp_path: Path, name: str) -> None:
    """With the guard off this test would fill the memory."""
    (tmp_path / name).symlink_to("/dev/zero")
    with pytest.raises(VenueError, match="not a regular file"):
        load(tmp_path / name)
