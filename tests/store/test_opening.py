"""Opening a file: made and migrated by itself, or refused with a sentence and left as it was."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from dicehall.store import SqliteJournal, StoreError, schema
from dicehall.store.schema import newest
from dicehall.table.ports import Commit
from tests.store.journals import act, fill, numbers, outcome


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A closed database with some story in it."""
    path = tmp_path / "hall.db"

    async def story() -> None:
        journal = SqliteJournal(path)
        await fill(journal, acts=40)
        await journal.archive("elm", b"record" * 2000)
        journal.close()

    asyncio.run(story())
    return path


def content(folder: Path) -> dict[str, bytes]:
    return {found.name: found.read_bytes() for found in folder.iterdir() if found.is_file()}


@contextmanager
def refused(folder: Path, sentence: str) -> Iterator[None]:
    """Whatever happens inside is refused with this sentence and changes no file."""
    before = content(folder)
    with pytest.raises(StoreError, match=sentence) as told:
        yield
    assert str(told.value).endswith(".")
    assert content(folder) == before


@pytest.fixture
def strangers() -> Iterator[Path]:
    """A folder where everybody may do everything, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        yield Path(name)


@contextmanager
def as_somebody() -> Iterator[None]:
    """Root may do everything, so it becomes somebody else for a while."""
    root = os.geteuid() == 0
    if root:
        os.setegid(65534)
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
            os.setegid(0)


def patched(path: Path, at: int, data: bytes) -> None:
    with path.open("r+b") as opened:
        opened.seek(at)
        opened.write(data)


class TestMade:
    def test_a_missing_file_is_made_and_nothing_else_stays_beside_it(self, tmp_path: Path) -> None:
        SqliteJournal(tmp_path / "new.db").close()
        assert [found.name for found in tmp_path.iterdir()] == ["new.db"]

    def test_what_was_stored_is_there_after_a_restart(self, file: Path) -> None:
        async def story() -> None:
            journal = SqliteJournal(file)
            assert await numbers(journal) == list(range(1, 41))
            await journal.append(act(41))
            await journal.append(act(1, "new"))
            assert await journal.archived("elm") == b"record" * 2000
            journal.close()

        asyncio.run(story())

    def test_only_its_owner_may_read_the_file_for_it_holds_secrets(self, file: Path) -> None:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600

    def test_a_draft_left_by_a_crash_is_no_hindrance(self, tmp_path: Path) -> None:
        for side in ("", "-wal", "-journal", "-shm"):
            (tmp_path / f"hall.db.new{side}").write_bytes(b"half of something")
        SqliteJournal(tmp_path / "hall.db").close()
        assert [found.name for found in tmp_path.iterdir()] == ["hall.db"]

    def test_a_name_with_odd_letters_is_a_name(self, tmp_path: Path) -> None:
        for name in ("hall?mode=memory#1 %20 ü.db", ":memory:", "file:x"):
            SqliteJournal(tmp_path / name).close()
            assert (tmp_path / name).is_file()

    def test_the_log_is_written_ahead_and_synced_with_every_commit(self, file: Path) -> None:
        journal = SqliteJournal(file)
        connection = journal._writer._connection
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
        journal.close()


class TestRefused:
    def test_a_directory_is_refused(self, tmp_path: Path) -> None:
        with refused(tmp_path.parent, "is not a file"):
            SqliteJournal(tmp_path)

    def test_a_folder_that_is_not_there_is_named(self, tmp_path: Path) -> None:
        with refused(tmp_path, "There is no folder .*/away"):
            SqliteJournal(tmp_path / "away" / "hall.db")

    def test_an_empty_file_is_refused_for_it_may_have_been_a_full_one(self, tmp_path: Path) -> None:
        (tmp_path / "hall.db").touch()
        with refused(tmp_path, "is empty"):
            SqliteJournal(tmp_path / "hall.db")

    def test_a_file_of_another_kind_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "hall.db").write_bytes(b"Dear diary, today we played dice. " * 500)
        with refused(tmp_path, "is not an SQLite database"):
            SqliteJournal(tmp_path / "hall.db")

    def test_a_database_of_another_program_is_refused(self, tmp_path: Path) -> None:
        with closing(sqlite3.connect(tmp_path / "hall.db")) as other:
            other.execute("CREATE TABLE heads (name TEXT)")
        with refused(tmp_path, "another program"):
            SqliteJournal(tmp_path / "hall.db")

    def test_a_newer_schema_is_refused(self, file: Path) -> None:
        with closing(sqlite3.connect(file)) as newer:
            newer.execute(f"PRAGMA user_version = {newest() + 1}")
        with refused(file.parent, f"newer Dicehall \\(schema {newest() + 1}; this one knows {newest()}\\)"):
            SqliteJournal(file)

    def test_a_newer_schema_that_stands_in_the_log_only_is_refused(self, file: Path) -> None:
        with closing(sqlite3.connect(file)) as newer:
            newer.execute(f"PRAGMA user_version = {newest() + 1}")
            log, database = Path(f"{file}-wal").read_bytes(), file.read_bytes()
        file.write_bytes(database)
        Path(f"{file}-wal").write_bytes(log)
        with pytest.raises(StoreError, match="newer Dicehall"):
            SqliteJournal(file)
        assert (file.read_bytes(), Path(f"{file}-wal").read_bytes()) == (database, log)

    def test_a_corrupt_header_is_refused(self, file: Path) -> None:
        patched(file, 0, b"SQLite tamrof 3\0")
        with refused(file.parent, "is not an SQLite database, or its beginning is damaged"):
            SqliteJournal(file)

    @pytest.mark.parametrize("at", [16, 18, 19, 21, 47])
    def test_a_corrupt_byte_in_the_header_is_refused(self, file: Path, at: int) -> None:
        patched(file, at, b"\xee")
        with refused(file.parent, "damaged|no SQLite database|unsupported file format"):
            SqliteJournal(file)

    @pytest.mark.parametrize("table", ["heads", "acts", "sqlite_autoindex_acts_1"])
    def test_a_corrupt_page_is_refused(self, file: Path, table: str) -> None:
        with closing(sqlite3.connect(file)) as asked:
            (page,) = asked.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
        patched(file, (page - 1) * 4096, os.urandom(4096))
        with refused(file.parent, "is damaged"):
            SqliteJournal(file)

    def test_an_index_that_lost_an_act_is_refused(self, file: Path) -> None:
        with closing(sqlite3.connect(file)) as asked:
            (page,) = asked.execute(
                "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_acts_1'"
            ).fetchone()
        at = (page - 1) * 4096
        cells = int.from_bytes(file.read_bytes()[at + 3 : at + 5], "big")
        patched(file, at + 3, (cells - 1).to_bytes(2, "big"))
        with refused(file.parent, "is damaged"):
            SqliteJournal(file)

    @pytest.mark.parametrize("part", [0.0, 0.1, 0.5, 0.95])
    def test_a_truncated_file_is_refused(self, file: Path, part: float) -> None:
        os.truncate(file, int(file.stat().st_size * part))
        with refused(file.parent, "is damaged|is empty|no SQLite database"):
            SqliteJournal(file)

    @pytest.mark.parametrize("side", ["-wal", "-journal"])
    def test_a_log_without_its_database_is_refused(self, tmp_path: Path, side: str) -> None:
        (tmp_path / f"hall.db{side}").write_bytes(b"left over")
        with refused(tmp_path, f"hall.db{side} exists, but"):
            SqliteJournal(tmp_path / "hall.db")

    @pytest.mark.parametrize("mode", [0o000, 0o444])
    def test_a_file_that_may_not_be_read_or_written_is_refused(self, file: Path, strangers: Path, mode: int) -> None:
        copy = Path(shutil.copy(file, strangers))
        copy.chmod(mode)
        with as_somebody(), pytest.raises(StoreError, match="permission denied"):
            SqliteJournal(copy)
        assert content(strangers) == content(file.parent)

    def test_a_folder_that_may_not_be_written_is_refused(self, strangers: Path) -> None:
        strangers.chmod(0o555)
        with as_somebody(), refused(strangers, "permission denied"):
            SqliteJournal(strangers / "hall.db")

    def test_a_file_that_another_program_has_locked_is_refused(self, file: Path) -> None:
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match="locked by another program"):
                SqliteJournal(file, patience=50)
            other.execute("ROLLBACK")
            SqliteJournal(file).close()

    def test_corruption_in_the_archive_is_told_when_it_is_read(self, file: Path) -> None:
        at = file.read_bytes().index(b"recordrecord")
        page = at // 4096 * 4096
        patched(file, page, b"\xff" * 4096)

        async def story() -> None:
            journal = SqliteJournal(file)
            assert len(await numbers(journal)) == 40
            with pytest.raises(Exception, match="is damaged"):
                await journal.archived("elm")
            await journal.append(act(41))
            journal.close()

        asyncio.run(story())


class TestMigrations:
    def test_migrations_are_numbered_without_gaps(self) -> None:
        folder = Path(SqliteJournal.__init__.__code__.co_filename).parent / "migrations"
        names = sorted(found.name for found in folder.iterdir())
        assert [int(re.match(r"(\d{3})-[a-z-]+\.sql$", name)[1]) for name in names] == list(range(1, newest() + 1))  # type: ignore[index]

    def test_an_older_file_is_carried_on(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        later = (
            *schema.migrations(),
            "ALTER TABLE heads ADD COLUMN mood TEXT NOT NULL DEFAULT 'fine'; CREATE TABLE two (a)",
        )
        monkeypatch.setattr(schema, "migrations", lambda: later)

        async def story() -> None:
            journal = SqliteJournal(file)
            await journal.append(act(41))
            assert await numbers(journal) == list(range(1, 42))
            journal.close()

        asyncio.run(story())
        with closing(sqlite3.connect(file)) as asked:
            assert asked.execute("SELECT mood FROM heads").fetchall() == [("fine",)]
            assert asked.execute("PRAGMA user_version").fetchone() == (len(later),)

    def test_a_migration_that_fails_changes_nothing(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        later = (*schema.migrations(), "CREATE TABLE two (a); INSERT INTO nowhere VALUES (1)")
        with monkeypatch.context() as patch:
            patch.setattr(schema, "migrations", lambda: later)
            with pytest.raises(StoreError, match="no such table"):
                SqliteJournal(file)
        with closing(sqlite3.connect(file)) as asked:
            assert asked.execute("PRAGMA user_version").fetchone() == (newest(),)
            assert asked.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'two'").fetchone() == (0,)
        SqliteJournal(file).close()

    def test_ids_of_a_file_that_kept_them_in_an_index_stay_used(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file, all_of_them = tmp_path / "hall.db", schema.migrations()

        async def story(first: Commit, then: Commit) -> list[str]:
            journal = SqliteJournal(file)
            outcomes = [await outcome(journal.append(commit)) for commit in (first, then)]
            journal.close()
            return outcomes

        with monkeypatch.context() as patch:
            patch.setattr(schema, "migrations", lambda: all_of_them[:4])
            SqliteJournal(file).close()
        with closing(sqlite3.connect(file)) as old:
            old.execute("INSERT INTO heads VALUES (1, 'oak', 2, NULL, 'playing')")
            rows = [(1, 1, b"{}", 1001, None, None), (1, 2, b"{}", 1002, "ann", "x")]
            old.executemany("INSERT INTO acts VALUES (?, ?, ?, ?, ?, ?)", rows)
            old.commit()
        again, another = act(3, account="ann", id="x"), act(3, account="bo", id="x")
        assert asyncio.run(story(again, another)) == ["Taken", "stored"]
        with closing(sqlite3.connect(file)) as asked:
            assert asked.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'acts_id'").fetchone() == (0,)
