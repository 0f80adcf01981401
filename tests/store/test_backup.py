"""``dicehall backup``: a whole copy of one moment, checked, while a hall goes on writing."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from dicehall.store import SqliteJournal
from dicehall.store.copying import copy_database
from tests.launch.running import run
from tests.store.journals import act, fill, numbers
from tests.store.processes import child
from tests.store.test_kill import WORK


@pytest.fixture
def database(tmp_path: Path) -> Path:
    async def story() -> None:
        journal = SqliteJournal(tmp_path / "hall.db")
        await fill(journal, acts=200)
        for number in range(200):
            await journal.archive(f"old {number}", os.urandom(9000))
        journal.close()

    asyncio.run(story())
    return tmp_path / "hall.db"


def acts_in(path: Path, table: str = "oak") -> list[int]:
    async def story() -> list[int]:
        journal = SqliteJournal(path)
        found = await numbers(journal, table)
        journal.close()
        return found

    return asyncio.run(story())


def names(folder: Path) -> list[str]:
    """What is in the folder, beside the files that SQLite keeps beside a database in use."""
    return sorted(found.name for found in folder.iterdir() if not found.name.startswith("hall.db-"))


def test_a_copy_holds_what_the_database_holds(database: Path, tmp_path: Path) -> None:
    before = database.read_bytes()
    done = run("backup", str(tmp_path / "copy.db"), "--db", str(database), "--json")
    assert done.code == 0
    size = (tmp_path / "copy.db").stat().st_size
    assert done.last == {"file": str(tmp_path / "copy.db"), "bytes": size, "pages": size // 4096}
    assert names(tmp_path) == ["copy.db", "hall.db"]
    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600
    assert acts_in(tmp_path / "copy.db") == list(range(1, 201))
    assert database.read_bytes() == before


def test_without_json_a_sentence_is_said(database: Path, tmp_path: Path) -> None:
    done = run("backup", str(tmp_path / "copy.db"), "--db", str(database))
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith(" bytes, verified.\n")


def test_the_database_is_the_one_of_the_setting_or_the_one_here(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DICEHALL_DB", raising=False)
    assert run("backup", "one.db").err == f"dicehall: There is no database {tmp_path}/dicehall.db.\n"
    monkeypatch.setenv("DICEHALL_DB", "hall.db")
    assert run("backup", "two.db").code == 0
    database.rename(tmp_path / "dicehall.db")
    monkeypatch.setenv("DICEHALL_DB", "")
    assert run("backup", "three.db").code == 0


def test_a_copy_can_be_made_while_a_hall_is_open_in_the_same_process(database: Path, tmp_path: Path) -> None:
    async def story() -> None:
        journal = SqliteJournal(database)
        await journal.append(act(201))  # stands in the log only
        copy_database(database, tmp_path / "copy.db", force=False, progress=lambda done, total: None)
        await journal.append(act(202))
        assert len(await numbers(journal)) == 202
        journal.close()

    asyncio.run(story())
    assert acts_in(tmp_path / "copy.db") == list(range(1, 202))


def test_a_copy_made_while_another_process_writes_is_one_moment_of_it(database: Path, tmp_path: Path) -> None:
    told: dict[str, int] = {}
    steps: list[int] = []
    with child(WORK, database) as host:
        assert host.stdout is not None

        def follow(lines: int) -> None:
            for _ in range(lines):
                table, seq = host.stdout.readline().split()  # type: ignore[union-attr]
                told[table] = int(seq)

        def step(done: int, total: int) -> None:
            steps.append(done)
            follow(50)  # the host commits between any two steps

        follow(100)
        before = dict(told)
        copy_database(database, tmp_path / "copy.db", force=False, progress=step)
    assert len(steps) >= 2
    assert steps == sorted(steps), "it began anew"
    assert acts_in(tmp_path / "copy.db") == list(range(1, 201))
    for table, seq in before.items():
        found = acts_in(tmp_path / "copy.db", table)
        assert seq <= len(found) < told[table]


class TestRefused:
    def test_a_file_that_is_there_is_not_written_over_without_force(self, database: Path, tmp_path: Path) -> None:
        (tmp_path / "copy.db").write_bytes(b"the only photograph")
        done = run("backup", str(tmp_path / "copy.db"), "--db", str(database))
        assert (done.code, done.err) == (
            2,
            f"dicehall: {tmp_path}/copy.db already exists. Use --force to overwrite it.\n",
        )
        assert (tmp_path / "copy.db").read_bytes() == b"the only photograph"
        assert run("backup", str(tmp_path / "copy.db"), "--db", str(database), "--force").code == 0
        assert len(acts_in(tmp_path / "copy.db")) == 200

    @pytest.mark.parametrize("target", ["hall.db", "alias.db"])
    def test_the_database_itself_is_no_place_for_its_copy(self, database: Path, tmp_path: Path, target: str) -> None:
        (tmp_path / "alias.db").symlink_to("hall.db")
        done = run("backup", str(tmp_path / target), "--db", str(database), "--force")
        assert (done.code, done.err) == (2, f"dicehall: {database} is the database itself.\n")

    @pytest.mark.parametrize(
        ("target", "sentence"),
        [("away/copy.db", "There is no folder {}/away."), ("folder", "{}/folder is not a file.")],
    )
    def test_a_place_where_no_file_can_be_is_named(
        self, database: Path, tmp_path: Path, target: str, sentence: str
    ) -> None:
        (tmp_path / "folder").mkdir()
        done = run("backup", str(tmp_path / target), "--db", str(database), "--force")
        assert (done.code, done.err) == (2, f"dicehall: {sentence.format(tmp_path)}\n")

    def test_a_file_of_another_program_is_not_copied(self, tmp_path: Path) -> None:
        with closing(sqlite3.connect(tmp_path / "other.db")) as other:
            other.execute("CREATE TABLE photographs (a)")
        done = run("backup", str(tmp_path / "copy.db"), "--db", str(tmp_path / "other.db"))
        assert (done.code, done.err) == (2, f"dicehall: {tmp_path}/other.db is another program's database.\n")
        assert names(tmp_path) == ["other.db"]

    def test_a_damaged_database_gives_no_copy(self, database: Path, tmp_path: Path) -> None:
        with database.open("r+b") as opened:
            opened.seek(database.stat().st_size // 4096 // 2 * 4096)
            opened.write(b"\xff" * 4096)
        done = run("backup", str(tmp_path / "copy.db"), "--db", str(database))
        assert done.code == 2
        assert "is damaged, so a copy would be too" in done.err
        assert names(tmp_path) == ["hall.db"]

    def test_something_that_is_no_database_is_not_copied(self, tmp_path: Path) -> None:
        (tmp_path / "diary").write_bytes(b"Dear diary, " * 1000)
        done = run("backup", str(tmp_path / "copy.db"), "--db", str(tmp_path / "diary"))
        assert (done.code, "is not an SQLite database" in done.err) == (2, True)
        assert names(tmp_path) == ["diary"]

    def test_a_copy_that_is_broken_off_leaves_nothing_behind(self, database: Path, tmp_path: Path) -> None:
        def stop(done: int, total: int) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            copy_database(database, tmp_path / "copy.db", force=False, progress=stop)
        assert names(tmp_path) == ["hall.db"]
