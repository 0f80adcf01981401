"""Attacks on the one process per database: two writers would tell players two stories of one game."""

from __future__ import annotations

import os
from pathlib import Path
from weakref import WeakSet

import pytest

from dicehall.store import SqliteJournal, StoreError, lock
from tests.launch.running import run
from tests.security.live import both_ways
from tests.store.processes import child, line
from tests.store.test_one_process import HOLD

linux = pytest.mark.skipif(not lock.CAN_LOCK_DATABASE, reason="only Linux keeps flock apart from SQLite's own locks")


def opens(path: Path) -> bool:
    try:
        SqliteJournal(path).close()
    except StoreError as error:
        if "in use" not in str(error):
            raise
        return False
    return True


@linux
@both_ways
def test_a_second_server_does_not_start_through_a_hard_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    path, alias = tmp_path / "hall.db", tmp_path / "alias.db"
    with child(HOLD, path) as first:
        assert line(first) == "open"
        os.link(path, alias)
        monkeypatch.setattr(lock, "CAN_LOCK_DATABASE", guarded)
        harmed = opens(alias)
    assert harmed is not guarded


@linux
@both_ways
def test_a_second_server_does_not_start_after_the_lock_file_is_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    path = tmp_path / "hall.db"
    with child(HOLD, path) as first:
        assert line(first) == "open"
        (tmp_path / "hall.db.lock").unlink()
        monkeypatch.setattr(lock, "CAN_LOCK_DATABASE", guarded)
        harmed = opens(path)
    assert harmed is not guarded


TAKE_OVER = """
import sqlite3, sys
try:
    print(*sqlite3.connect(sys.argv[1], timeout=0).execute("PRAGMA journal_mode = DELETE").fetchone())
except sqlite3.OperationalError as error:
    print(error)
"""


@linux
@both_ways
def test_a_second_journal_of_one_process_through_a_hard_link_leaves_the_first_its_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Opening and closing the file once more would take SQLite's locks away: any program could take it over then."""
    journal = SqliteJournal(tmp_path / "hall.db")
    os.link(tmp_path / "hall.db", tmp_path / "alias.db")
    with monkeypatch.context() as patched:
        if not guarded:
            patched.setattr(lock, "HELD", WeakSet())
        assert not opens(tmp_path / "alias.db")
    with child(TAKE_OVER, tmp_path / "hall.db") as other:
        assert line(other) == ("database is locked" if guarded else "delete")
    with child(HOLD, tmp_path / "alias.db") as second:
        second.wait()
        assert second.returncode != 0
    journal.close()
    assert opens(tmp_path / "alias.db")


def test_a_backup_is_made_while_the_database_is_locked(tmp_path: Path) -> None:
    """The control of the locks above: they keep out a second server, not a backup."""
    with child(HOLD, tmp_path / "hall.db") as first:
        assert line(first) == "open"
        done = run("backup", str(tmp_path / "copy.db"), "--db", str(tmp_path / "hall.db"))
        assert done.code == 0
    assert opens(tmp_path / "copy.db")
