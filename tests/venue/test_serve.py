"""``dicehall serve --venue``: what it needs to start, and what it says where it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from dicehall.launch.venue_bridge import SECRET as VARIABLE
from dicehall.launch.venue_bridge import read_secret
from dicehall.venue.sample import TAVERN
from tests.launch.running import Ran, run
from tests.venue.world import SECRET

EMPTY = 'name = "Empty"\n\n[[areas]]\nname = "field"\n'


@pytest.fixture(autouse=True)
def without_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)


def serve(folder: Path, *options: str) -> Ran:
    return run("serve", "--port", "0", "--db", str(folder / "hall.db"), "--mana-bot", "none", *options)


def test_a_venue_needs_a_secret(tmp_path: Path) -> None:
    ran = serve(tmp_path, "--venue", str(TAVERN))
    assert (ran.code, ran.out) == (2, "")
    assert "set DICEHALL_VENUE_SECRET, or name a file with --venue-secret-file" in ran.err
    assert not (tmp_path / "hall.db").exists()


@pytest.mark.parametrize("weak", ["sesame", "sixteen but with spaces", "\u00e4" * 20, "x" * 15])
def test_a_weak_secret_is_refused_and_not_repeated(tmp_path: Path, weak: str) -> None:
    (tmp_path / "secret").write_text(weak, encoding="utf-8")
    ran = serve(tmp_path, "--venue", str(TAVERN), "--venue-secret-file", str(tmp_path / "secret"))
    assert ran.code == 2
    assert "at least 16 ASCII characters, without spaces" in ran.err
    assert weak not in ran.err


def test_a_file_that_is_not_there_is_said_in_one_sentence(tmp_path: Path) -> None:
    ran = serve(tmp_path, "--venue", str(TAVERN), "--venue-secret-file", str(tmp_path / "nothing"))
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    (tmp_path / "secret").write_text(SECRET.replace(" ", "-"))
    secret = ("--venue-secret-file", str(tmp_path / "secret"))
    ran = serve(tmp_path, "--venue", str(tmp_path / "nothing.mod"), *secret)
    assert (ran.code, ran.err.count("\n")) == (2, 1)


def test_a_venue_without_a_table_is_not_served(tmp_path: Path) -> None:
    (tmp_path / "empty.toml").write_text(EMPTY)
    ran = serve(tmp_path, "--venue", str(tmp_path / "empty.toml"))
    assert ran.code == 2
    assert "There is no table in" in ran.err


def test_the_secret_is_read_from_the_file_or_else_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "from-the-environment\n")
    assert read_secret(None) == "from-the-environment"
    (tmp_path / "secret").write_text("from-the-file-itself\n")
    assert read_secret(str(tmp_path / "secret")) == "from-the-file-itself"


def test_help_has_an_example() -> None:
    ran = run("serve", "--help")
    assert "dicehall serve --venue tavern.mod --venue-secret-file venue.secret" in ran.out
