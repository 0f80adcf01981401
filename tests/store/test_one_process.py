"""One process per file; a crash leaves no lock behind."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import time
from pathlib import Path

import pytest

from dicehall.store import SqliteJournal, StoreError
from tests.store.journals import act, numbers
from tests.store.processes import child, line

HOLD = """
import sys
from dicehall.store import SqliteJournal
journal = SqliteJournal(sys.argv[1])
print("open", flush=True)
sys.stdin.read()
journal.close()
"""

FORK = """
import os, sys, time
from dicehall.store import SqliteJournal
journal = SqliteJournal(sys.argv[1])
if os.fork() == 0:
    print(os.getpid(), flush=True)
    time.sleep(60)
sys.stdin.read()
"""


def test_a_second_process_is_refused_and_told_who_is_first(tmp_path: Path) -> None:
    path = tmp_path / "hall.db"
    with child(HOLD, path) as first:
        assert line(first) == "open"
        with pytest.raises(StoreError, match=f"in use by another Dicehall process {first.pid}"):
            SqliteJournal(path)


def test_a_second_journal_in_the_same_process_is_refused_and_does_no_harm(tmp_path: Path) -> None:
    async def story() -> None:
        journal = SqliteJournal(tmp_path / "hall.db")
        with pytest.raises(StoreError, match="in use"):
            SqliteJournal(tmp_path / "hall.db")
        await journal.append(act(1))
        with pytest.raises(StoreError, match="in use"):
            SqliteJournal(tmp_path / "hall.db")
        assert await numbers(journal) == [1]
        journal.close()

    asyncio.run(story())


def test_another_name_for_the_file_is_refused_too(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path / "hall.db")
    (tmp_path / "alias.db").symlink_to("hall.db")
    with pytest.raises(StoreError, match="in use"):
        SqliteJournal(tmp_path / "alias.db")
    journal.close()
    SqliteJournal(tmp_path / "alias.db").close()


def test_a_closed_journal_leaves_the_file_to_the_next(tmp_path: Path) -> None:
    path = tmp_path / "hall.db"
    with child(HOLD, path) as first:
        assert line(first) == "open"
        first.communicate("")
        assert first.returncode == 0
    assert os.listdir(tmp_path) == ["hall.db"]
    SqliteJournal(path).close()


def test_a_killed_process_leaves_the_file_to_the_next(tmp_path: Path) -> None:
    path = tmp_path / "hall.db"
    with child(HOLD, path) as first:
        assert line(first) == "open"
        first.kill()
        first.wait()
    assert (tmp_path / "hall.db.lock").exists()
    SqliteJournal(path).close()


def test_a_forked_helper_that_outlives_its_host_does_not_hold_the_file(tmp_path: Path) -> None:
    path = tmp_path / "hall.db"
    with child(FORK, path) as host:
        helper = int(line(host))  # it runs, and has let go of what it inherited
        try:
            host.kill()
            host.wait()
            os.kill(helper, 0)
            SqliteJournal(path).close()
        finally:
            os.kill(helper, 9)


def test_a_lock_file_left_by_somebody_else_is_named(tmp_path: Path) -> None:
    (tmp_path / "hall.db.lock").mkdir()
    with pytest.raises(StoreError, match="cannot be used: is a directory"):
        SqliteJournal(tmp_path / "hall.db")


def race(path: str, gate: str, holders: str) -> None:
    """Open, count those inside, close; as often as it works."""
    while not os.path.exists(gate):
        time.sleep(0.001)
    for _ in range(60):
        try:
            journal = SqliteJournal(path)
        except StoreError as error:
            if "in use" not in str(error):
                raise
            continue
        inside = os.open(holders, os.O_CREAT | os.O_EXCL)  # fails if somebody else is inside
        os.close(inside)
        os.unlink(holders)
        journal.close()


def test_of_many_that_open_and_close_at_once_there_is_never_more_than_one_inside(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    names = [str(tmp_path / name) for name in ("hall.db", "gate", "inside")]
    runners = [context.Process(target=race, args=names) for _ in range(3)]
    for runner in runners:
        runner.start()
    Path(names[1]).touch()
    for runner in runners:
        runner.join(60)
    assert [runner.exitcode for runner in runners] == [0, 0, 0]
