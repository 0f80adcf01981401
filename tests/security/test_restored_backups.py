"""Attacks on the dice through a backup: whoever saw how they fell must not meet them again."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from dicehall.store.copying import copy_database, restore_database
from dicehall.store.errors import StoreError
from dicehall.store.sqlite import SqliteJournal
from tests.launch.running import run
from tests.security.live import both_ways
from tests.server.doors import Doors, Person, open_doors


def silent(done: int, total: int) -> None:
    pass


def rolls(person: Person, table: str) -> list[Any]:
    return [entry["roll"] for entry in person.get(f"/api/tables/{table}/record")["entries"] if "roll" in entry]


def roll(pair: tuple[Person, Person], table: str, count: int) -> None:
    for _ in range(count):
        shown = pair[0].get(f"/api/tables/{table}")
        (seat,) = shown["view"]["turn"]
        mover = next(one for one in pair if one.id == shown["seats"][seat]["account"])
        mover.act(table, "roll")


def as_again(doors: Doors, person: Person) -> Person:
    return Person(doors, person.id, person.name, person.token)


async def unmarked(_: SqliteJournal) -> None:
    """Switches the guard off: a backup is taken for a database like any other."""


@both_ways
def test_dice_that_players_saw_do_not_fall_again_after_a_backup_is_restored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    database, backup = tmp_path / "hall.db", tmp_path / "backup.db"
    with open_doors(tmp_path) as doors:
        ann, bo, table = doors.pair(rules={"turn_seconds": None, "goal": 1000})
        roll((ann, bo), table, 2)
        copy_database(database, backup, force=False, progress=silent)
        roll((ann, bo), table, 12)
        seen = rolls(ann, table)
    restore_database(backup, database, force=True, progress=silent)
    if not guarded:
        monkeypatch.setattr(SqliteJournal, "copied_at", unmarked)
    with open_doors(tmp_path) as doors:
        pair = (as_again(doors, ann), as_again(doors, bo))
        harmed = pair[0].get(f"/api/tables/{table}")["phase"] == "playing"
        if harmed:
            roll(pair, table, 12)
            assert rolls(pair[0], table) == seen
        else:
            check_closed(doors, pair, table)
    assert harmed is not guarded


def check_closed(doors: Doors, pair: tuple[Person, Person], table: str) -> None:
    ann, bo = pair
    assert ann.get(f"/api/tables/{table}")["phase"] == "abandoned"
    assert ann.wrong("POST", f"/api/tables/{table}/act", {"move": "roll"}) == (409, "game_finished")
    (last,) = ann.get(f"/api/tables/{table}/events")["updates"][-1]["events"]
    assert last["event"] == "Destroyed"
    assert last["why"].startswith("This hall was restored from a backup of 20")
    record = ann.get(f"/api/tables/{table}/record")
    assert record["table"][-1]["why"] == last["why"]
    assert len(rolls(ann, table)) == 2
    assert ann.get(f"/api/players/{ann.id}")["statistics"]["total"]["played"] == 0
    assert doors.nobody.get("/api/tables?phase=playing")["tables"] == []
    again = ann.open("wards")  # and the hall goes on
    assert bo.sit(again)["table"]["phase"] == "lobby"


@both_ways
def test_a_lobby_whose_seal_was_opened_after_the_backup_does_not_start_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """The same guard holds for a table that had not started."""
    with open_doors(tmp_path) as doors:
        ann, bo = doors.guest("Ann"), doors.guest("Bo")
        table = ann.open("wards")
        copy_database(tmp_path / "hall.db", tmp_path / "backup.db", force=False, progress=silent)
        for person in (ann, bo):
            person.sit(table)
        roll((ann, bo), table, 1)
        seen = rolls(ann, table)
    restore_database(tmp_path / "backup.db", tmp_path / "hall.db", force=True, progress=silent)
    if not guarded:
        monkeypatch.setattr(SqliteJournal, "copied_at", unmarked)
    with open_doors(tmp_path) as doors:
        pair = (as_again(doors, ann), as_again(doors, bo))
        harmed = pair[0].get(f"/api/tables/{table}")["phase"] == "lobby"
        if harmed:
            for person in pair:
                person.sit(table)
            roll(pair, table, 1)
            assert rolls(pair[0], table) == seen
        else:
            assert pair[0].wrong("POST", f"/api/tables/{table}/sit", {})[1] == "already_started"
    assert harmed is not guarded


@both_ways
def test_a_second_hall_on_the_backup_itself_does_not_show_the_next_dice_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Whoever may read a backup could open it beside the hall."""
    beside = tmp_path / "beside"
    beside.mkdir()
    with open_doors(tmp_path) as doors:
        ann, bo, table = doors.pair(rules={"turn_seconds": None})
        copy_database(tmp_path / "hall.db", beside / "hall.db", force=False, progress=silent)
        seen = []
        if not guarded:
            monkeypatch.setattr(SqliteJournal, "copied_at", unmarked)
        with open_doors(beside) as other:
            pair = (as_again(other, ann), as_again(other, bo))
            if pair[0].get(f"/api/tables/{table}")["phase"] == "playing":
                roll(pair, table, 1)
                seen = rolls(pair[0], table)
        roll((ann, bo), table, 1)  # the first goes on
        harmed = rolls(ann, table) == seen
    assert harmed is not guarded


def test_after_a_crash_while_tables_are_closed_the_rest_is_closed_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guard is an order, so it has no switch: the mark of a backup is removed after the last table is closed."""
    with open_doors(tmp_path) as doors:
        _, _, first = doors.pair()
        ann = doors.guest("Cy")
        second = ann.open("wards")
        copy_database(tmp_path / "hall.db", tmp_path / "backup.db", force=False, progress=silent)
    restore_database(tmp_path / "backup.db", tmp_path / "hall.db", force=True, progress=silent)

    async def crash(_: SqliteJournal) -> None:
        raise RuntimeError("the power went out")

    with monkeypatch.context() as patched:
        patched.setattr(SqliteJournal, "remove_copy_mark", crash)
        with pytest.raises(RuntimeError), open_doors(tmp_path):
            pass
    after = tmp_path / "after"
    after.mkdir()
    for file in tmp_path.glob("hall.db*"):  # what the crash leaves; this process still holds the files themselves
        if file.suffix != ".lock":
            shutil.copy(file, after)
    with open_doors(after) as doors:
        again = as_again(doors, ann)
        assert {again.get(f"/api/tables/{table}")["phase"] for table in (first, second)} == {"abandoned"}


def marked(path: Path) -> bool:
    with closing(sqlite3.connect(path)) as connection:
        return bool(connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'copied'").fetchone())


def test_restore_marks_a_plain_copy_and_the_first_start_removes_the_mark(tmp_path: Path) -> None:
    """The control is the plain copy itself, which has no mark."""
    with open_doors(tmp_path) as doors:
        ann, _, table = doors.pair()
    shutil.copy(tmp_path / "hall.db", tmp_path / "plain.db")
    assert not marked(tmp_path / "plain.db")
    done = run("restore", str(tmp_path / "plain.db"), "--db", str(tmp_path / "hall.db"), "--force")
    assert (done.code, done.err) == (0, "")
    assert marked(tmp_path / "hall.db")
    with open_doors(tmp_path) as doors:
        assert as_again(doors, ann).get(f"/api/tables/{table}")["phase"] == "abandoned"
    assert not marked(tmp_path / "hall.db")


def test_nothing_is_restored_into_a_hall_that_is_open_or_over_what_is_there(tmp_path: Path) -> None:
    """The control is the same copy at the end, when nothing stands in its way."""
    copy = tmp_path / "copy.db"
    journal = SqliteJournal(tmp_path / "hall.db")
    copy_database(tmp_path / "hall.db", copy, force=False, progress=silent)
    for force, why in ((True, "in use"), (False, "--force")):
        with pytest.raises(StoreError, match=why):
            restore_database(copy, tmp_path / "hall.db", force=force, progress=silent)
    journal.close()
    (tmp_path / "hall.db-wal").write_bytes(b"left by a crash")
    with pytest.raises(StoreError, match="did not stop cleanly"):
        restore_database(copy, tmp_path / "hall.db", force=True, progress=silent)
    (tmp_path / "hall.db-wal").unlink()
    restore_database(copy, tmp_path / "hall.db", force=True, progress=silent)
    assert marked(tmp_path / "hall.db")
