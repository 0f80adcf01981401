"""``dicehall migrate``: a hall moves from SQLite to PostgreSQL, and nobody's game is lost or played twice."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dicehall.games import catalogue
from dicehall.store import postgres_connection, transfer
from dicehall.store.errors import StoreError
from tests.launch.running import run
from tests.postgres import command, emptied_database, keeper, new_database, server
from tests.server.running import RunningServer
from tests.tcp_proxy import TcpProxy

SHOWN = ("id", "name", "game", "rules", "phase", "seats", "seal", "view", "n", "opener", "public")


@dataclass(frozen=True, slots=True)
class Old:
    """A stopped hall with a game under way, a finished one and two people."""

    folder: Path
    tokens: tuple[str, str]
    live: dict[str, Any]
    over: dict[str, Any]
    record: dict[str, Any]

    @property
    def file(self) -> Path:
        return self.folder / "hall.db"


def game_of_two(server: RunningServer, tokens: tuple[str, str], goal: int) -> str:
    table: str = server.post("/api/tables", {"game": "wards", "rules": {"goal": goal}}, tokens[0])["id"]
    for token in tokens:
        server.post(f"/api/tables/{table}/sit", {}, token)
    return table


def act_once(server: RunningServer, table: str, token: str) -> None:
    """A roll that counts once, however often it is sent."""
    server.post(f"/api/tables/{table}/act", {"move": "roll", "id": "the-first-roll"}, token)


def look(server: RunningServer, table: str) -> dict[str, Any]:
    found = server.get(f"/api/tables/{table}")
    return {name: found[name] for name in SHOWN}


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Old:
    server = RunningServer(tmp_path_factory.mktemp("old"))
    server.start()
    try:
        ann, bo = (server.post("/api/accounts/guest", {"name": name})["token"] for name in ("Ann", "Bo"))
        live, over = game_of_two(server, (ann, bo), 100), game_of_two(server, (ann, bo), 2)
        act_once(server, live, ann)
        while (shown := server.get(f"/api/tables/{over}"))["phase"] == "playing":
            move = "hold" if shown["view"]["round_score"] >= 2 else "roll"
            server.post(f"/api/tables/{over}/act", {"move": move}, (ann, bo)[shown["view"]["turn"][0]])
        shown = look(server, live), look(server, over), server.get(f"/api/tables/{over}/record")
    finally:
        server.stop()
    return Old(server.folder, (ann, bo), *shown)


def copy_of(old: Old, folder: Path) -> Path:
    with closing(sqlite3.connect(old.file)) as source, closing(sqlite3.connect(folder / "hall.db")) as target:
        source.backup(target)
    return folder / "hall.db"


def test_a_hall_goes_on_in_postgresql_with_everything_it_had(old: Old, tmp_path: Path) -> None:
    file, url = copy_of(old, tmp_path), new_database()
    moved = json.loads(run("migrate", str(file), url, "--json").out)
    assert (moved["live"], moved["rows"]["accounts"], moved["rows"]["endings"]) == (1, 2, 1)
    assert url.split("@")[1] in moved["target"]
    assert url.split(":")[2].split("@")[0] not in moved["target"]  # no password
    server = RunningServer(tmp_path, ("--db", url))
    server.start()
    try:
        assert look(server, old.over["id"]) == old.over
        assert server.get(f"/api/tables/{old.over['id']}/record") == old.record
        assert without_presence(look(server, old.live["id"])) == without_presence(old.live)
        assert server.get("/api/me", old.tokens[0])["name"] == "Ann"
        table = f"/api/tables/{old.live['id']}"
        act_once(server, old.live["id"], old.tokens[0])
        assert server.get(table)["view"] == old.live["view"]  # a repeat is answered from the moved journal
        on_turn = old.tokens[server.get(table)["view"]["turn"][0]]
        server.post(f"{table}/act", {"move": "hold"}, on_turn)
    finally:
        server.stop()


def without_presence(shown: dict[str, Any]) -> dict[str, Any]:
    """A restart may store acts of its own, about clocks and connections."""
    seats = [{name: seat[name] for name in ("seat", "name", "account", "bot")} for seat in shown["seats"]]
    return {**shown, "seats": seats, "n": None}


def test_the_file_that_was_moved_is_a_copy_from_then_on(old: Old, tmp_path: Path) -> None:
    """Otherwise the same dice would fall in both halls."""
    file = copy_of(old, tmp_path)
    assert run("migrate", str(file), emptied_database()).code == 0
    server = RunningServer(tmp_path)
    server.start()
    try:
        assert server.get(f"/api/tables/{old.live['id']}")["phase"] in ("over", "abandoned")
    finally:
        server.stop()


def test_what_is_said_names_what_was_moved(old: Old, tmp_path: Path) -> None:
    ran = run("migrate", str(copy_of(old, tmp_path)), emptied_database())
    assert "1 unfinished game, 1 finished game, 2 accounts. Everything was read back and matches." in ran.out


def test_a_database_that_holds_a_hall_already_is_refused_and_unchanged(old: Old, tmp_path: Path) -> None:
    file, url = copy_of(old, tmp_path), new_database()
    assert run("migrate", str(file), url).code == 0
    with closing(sqlite3.connect(file)) as left:
        before = list(left.iterdump())
    ran = run("migrate", str(file), url)
    assert ran.code == 2
    assert "already contains a hall" in ran.err
    with closing(sqlite3.connect(file)) as left:
        assert list(left.iterdump()) == before


def test_a_move_that_was_killed_before_the_file_was_marked_is_finished_by_the_next_one(
    old: Old, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the file could go on beside the database, with the same dice."""
    file, url = copy_of(old, tmp_path), new_database()
    with monkeypatch.context() as patch:
        patch.setattr(transfer, "mark_copy", killed)
        assert run("migrate", str(file), url).code == KILLED
    again = run("migrate", str(file), url)
    assert again.code == 0
    assert "1 unfinished game, 1 finished game, 2 accounts." in again.out
    assert "already contains a hall" in run("migrate", str(file), url).err  # the file is a copy now


def test_a_hall_that_went_on_in_postgresql_is_not_taken_for_an_interrupted_move(
    old: Old, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, url = copy_of(old, tmp_path), new_database()
    with monkeypatch.context() as patch:
        patch.setattr(transfer, "mark_copy", killed)
        assert run("migrate", str(file), url).code == KILLED
    keeper().run(command(url, "UPDATE accounts SET name = 'Ada' WHERE name = 'Ann'"))
    ran = run("migrate", str(file), url)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "already contains a hall" in ran.err


def killed(*_: Any) -> None:
    raise SystemExit(KILLED)


def test_a_hall_that_is_open_is_not_moved(old: Old, tmp_path: Path) -> None:
    copy_of(old, tmp_path)
    server = RunningServer(tmp_path)
    server.start()
    try:
        ran = run("migrate", str(tmp_path / "hall.db"), emptied_database())
        assert ran.code == 2
        assert ran.err.count("\n") == 1
    finally:
        server.stop()


def test_a_row_that_cannot_be_right_moves_nothing(old: Old, tmp_path: Path) -> None:
    file, url = copy_of(old, tmp_path), new_database()
    with closing(sqlite3.connect(file)) as damaged, damaged:
        damaged.execute("UPDATE results SET score = 'high'")
    ran = run("migrate", str(file), url)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "results has an invalid row" in ran.err
    assert run("migrate", str(copy_of(old, tmp_path)), url).code == 0  # it is empty still


def test_a_row_that_changes_on_the_way_is_found(old: Old, tmp_path: Path) -> None:
    """The comparison sees what PostgreSQL stored: here a trigger of its own changes a name."""
    url = new_database()
    keeper().run(command(url, TRIGGER))
    ran = run("migrate", str(copy_of(old, tmp_path)), url)
    assert ran.code == 2
    assert "The copy of accounts does not match" in ran.err


def test_moving_may_take_longer_than_any_request(old: Old, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hall that outgrows its machine has millions of acts."""
    monkeypatch.setattr(postgres_connection, "COMMAND_S", 0.2)
    url = new_database()
    keeper().run(command(url, SLOW))
    ran = run("migrate", str(copy_of(old, tmp_path)), url)
    assert (ran.code, ran.err) == (0, "")


def test_a_connection_that_is_lost_in_the_middle_moves_nothing_and_says_so(
    old: Old, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "ROWS", 100)
    file, url = copy_of(old, tmp_path), new_database()
    with closing(sqlite3.connect(file)) as large, large:
        rows = [(f"table {number}", bytes(2000), None) for number in range(2000)]
        large.executemany("INSERT INTO archive VALUES (?, ?, ?)", rows)

    async def story() -> None:
        async with TcpProxy(server().port) as proxy:

            def cut(table: str, done: int, total: int) -> None:
                if (table, done) == ("archive", 500):
                    proxy.cut()

            there = server().url(url.rpartition("/")[2], port=proxy.port)
            with pytest.raises(StoreError, match=r"The connection to .* was lost\."):
                await transfer.move_hall(file, there, catalogue(), cut)

    asyncio.run(asyncio.wait_for(story(), 60))
    assert run("migrate", str(file), url).code == 0


SLOW = """CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.3); RETURN NEW; END $$;
    CREATE TRIGGER wait BEFORE INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION wait()"""
KILLED = 9
TRIGGER = """CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.name = 'Eve'; RETURN NEW; END $$;
    CREATE TRIGGER change BEFORE INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION change()"""


def test_wrong_words_get_a_sentence(tmp_path: Path) -> None:
    for words in ((str(tmp_path / "none.db"), emptied_database()), ("hall.db", "mysql://localhost/hall")):
        ran = run("migrate", *words)
        assert (ran.code, ran.err.count("\n")) == (2, 1)


def test_every_table_of_sqlite_has_its_place_in_postgresql(tmp_path: Path) -> None:
    """A new migration of one needs one of the other: an empty hall of the newest schema is moved, too."""
    server = RunningServer(tmp_path)
    server.start()
    server.stop()
    assert run("migrate", str(tmp_path / "hall.db"), emptied_database()).code == 0
