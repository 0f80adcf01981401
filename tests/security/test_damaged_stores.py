"""Damage to the database: one table is frozen and said to be, every door answers in a sentence, all others play on.

No single guard can be switched off here: damage is caught where each kind of row is read (the fold of a journal, the
dice of a table, records, cards), and before that it ended in an internal error or in a traceback at start.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dicehall.games import catalogue
from dicehall.table.clocks import KEEP_MS
from tests.launch.running import run
from tests.server.doors import Doors, Person, StoppedClock, open_doors
from tests.server.running import RunningServer
from tests.server.test_archived_tables import RULES

CHANCE = Random(12)
LATER = StoppedClock().time + KEEP_MS + 10_000
GARBAGE = "x'00ff7b22'"
NOT_TEXT = "CAST(x'ff80' AS TEXT)"
KEY = "key = (SELECT key FROM heads WHERE name = :table)"

# Damage to one table whose game is under way: what is written into the database behind the hall's back.
LIVE = {
    "an act that is not JSON": f"UPDATE acts SET act = {GARBAGE} WHERE {KEY} AND seq = 2",
    "an act of an unknown kind": f'UPDATE acts SET act = \'{{"act":"exploded"}}\' WHERE {KEY} AND seq = 2',
    "an act that is a number": f"UPDATE acts SET act = 7 WHERE {KEY} AND seq = 2",
    "an opening that is another act": (
        f"UPDATE acts SET act = (SELECT act FROM acts WHERE seq = 2) WHERE {KEY} AND seq = 1"
    ),
    "a time that is text": f"UPDATE acts SET at = 'soon' WHERE {KEY} AND seq = 2",
    "an account that is not text": f"UPDATE acts SET account = {NOT_TEXT} WHERE {KEY} AND seq = 2",
    "a missing act": f"DELETE FROM acts WHERE {KEY} AND seq = 2",
    "a missing last act": f"DELETE FROM acts WHERE {KEY} AND seq = (SELECT seq FROM heads WHERE name = :table)",
    "no acts at all": f"DELETE FROM acts WHERE {KEY}",
    "a head that is ahead": "UPDATE heads SET seq = seq + 5 WHERE name = :table",
    "a head without a number": "UPDATE heads SET seq = 'many' WHERE name = :table",
    "a head with an unknown status": "UPDATE heads SET status = 'on fire' WHERE name = :table",
    "a head with a deadline that is text": "UPDATE heads SET deadline = 'soon' WHERE name = :table",
    "a head below 0": "UPDATE heads SET seq = -1 WHERE name = :table",
    "a secret of another length": f"UPDATE secrets SET secret = {GARBAGE} WHERE {KEY}",
    "a secret that is a number": f"UPDATE secrets SET secret = 7 WHERE {KEY}",
    "no secret": f"DELETE FROM secrets WHERE {KEY}",
    "no card": "DELETE FROM cards WHERE name = :table",
    "a card of an unknown game": "UPDATE cards SET game = 'chess' WHERE name = :table",
    "a card whose name is not text": f"UPDATE cards SET title = {NOT_TEXT} WHERE name = :table",
    "a card whose name is a number": "UPDATE cards SET title = x'00ff' WHERE name = :table",
    "a card of nobody": "UPDATE cards SET opener = 'nobody' WHERE name = :table",
    "a card opened at some time": "UPDATE cards SET opened_at = 'once' WHERE name = :table",
    "a card with a broken password": "UPDATE cards SET password = 'sesame' WHERE name = :table",
}
# Damage to a table that is over, in the archive and in the register.
OVER = {
    "an archived record that is not JSON": f"UPDATE archive SET record = {GARBAGE} WHERE name = :table",
    "an archived record alone, which is not JSON": (
        f"UPDATE archive SET record = {GARBAGE}, acts = NULL WHERE name = :table"
    ),
    "an archived record alone, with an entry that is not one": (
        "UPDATE archive SET acts = NULL, record = replace(CAST(record AS TEXT), 'roll', 'fly') WHERE name = :table"
    ),
    "an archived record alone, of an unknown game": (
        "UPDATE archive SET acts = NULL, record = replace(CAST(record AS TEXT), 'wards', 'chess') WHERE name = :table"
    ),
    "archived acts that are not packed": f"UPDATE archive SET acts = {GARBAGE} WHERE name = :table",
    "archived acts that end too early": "UPDATE archive SET acts = substr(acts, 1, 20) WHERE name = :table",
    "archived acts that are a number": "UPDATE archive SET acts = 7 WHERE name = :table",
    "no archived record": "DELETE FROM archive WHERE name = :table",
    "no ending": "DELETE FROM endings WHERE name = :table",
    "an ending of an unknown game": "UPDATE endings SET game = 'chess' WHERE name = :table",
    "an ending at some time": "UPDATE endings SET at = 'once', rounds = 'many' WHERE name = :table",
    "an ending whose reason is not text": f"UPDATE endings SET reason = {NOT_TEXT} WHERE name = :table",
    "results that are text": "UPDATE results SET place = 'first', won = 'yes', score = 'high' WHERE name = :table",
    "results whose names are not text": f"UPDATE results SET player = {NOT_TEXT} WHERE name = :table",
    "a card that is gone": "DELETE FROM cards WHERE name = :table",
}
SCHEMAS = {
    "a table that is missing": "DROP TABLE secrets",
    "heads that are missing": "DROP TABLE heads",
    "a register that is missing": "DROP TABLE results",
    "a column that is missing": "ALTER TABLE endings DROP COLUMN rounds",
    "an older number of the schema than it is": "PRAGMA user_version = 3",
    "a number of the schema from before the first": "PRAGMA user_version = 0",
}


@dataclass(frozen=True, slots=True)
class Stored:
    """A closed hall: tables of all five games that are under way, and one that is over and archived."""

    folder: Path
    live: dict[str, str]  # by game
    over: str
    people: tuple[tuple[str, str], ...]  # id and token

    def copy(self, folder: Path, damage: str = "", table: str = "") -> None:
        shutil.copy(self.folder / "hall.db", folder / "hall.db")
        if damage:
            with closing(sqlite3.connect(folder / "hall.db")) as connection, connection:
                connection.execute(damage, {"table": table} if ":table" in damage else {})


def sit_down(people: list[Person], game: str, **more: Any) -> str:
    count = 5 if game == "doordice" else 2
    table = people[0].open(game, seats=count, **more)
    for person in people[:count]:
        person.sit(table)
    if people[0].get(f"/api/tables/{table}")["phase"] == "lobby":
        people[0].post(f"/api/tables/{table}/start")
    return table


def act(people: list[Person], table: str) -> bool:
    """One move of whoever is to move; False where nobody is."""
    for one in people:
        mine = one.get(f"/api/tables/{table}")
        if mine["phase"] == "playing" and mine["me"] is not None and mine["choices"].get(str(mine["me"])):
            one.act(table, CHANCE.choice([move for move in mine["choices"][str(mine["me"])] if move != "fold"]))
            return True
    return False


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Stored:
    folder, clock = tmp_path_factory.mktemp("stored"), StoppedClock()
    with open_doors(folder, clock=clock) as doors:
        people = [doors.guest(name) for name in ("Ann", "Bo", "Cy", "Di", "Ed")]
        live = {game: sit_down(people, game) for game in catalogue()}
        over = sit_down(people, "wards", rules=RULES["wards"])
        while act(people, over):
            pass
        assert people[0].get(f"/api/tables/{over}")["phase"] == "over"
        clock.time += KEEP_MS + 1_000
        host, portal = doors.running.host, doors.client.portal
        assert portal is not None
        portal.call(host.retire, host.tables[over])
        assert over not in host.tables
    return Stored(folder, live, over, tuple((one.id, one.token or "") for one in people))


def people_of(doors: Doors, stored: Stored) -> list[Person]:
    return [Person(doors, id, "", token) for id, token in stored.people]


def doors_of(people: list[Person], table: str) -> Iterator[tuple[str, str, Any]]:
    """Every door that meets a table."""
    ann, t = people[0], f"/api/tables/{table}"
    for path in (t, f"{t}/events", f"{t}/events?since=2", f"{t}/record", f"{t}/coach"):
        yield "GET", path, None
    for phase in ("", "?phase=lobby", "?phase=playing", "?phase=asleep", "?phase=over", "?phase=abandoned"):
        yield "GET", f"/api/tables{phase}", None
    for path in ("/api/me/tables", f"/api/players/{ann.id}", f"/api/players/{people[1].id}"):
        yield "GET", path, None
    for path in ("wards", "all", "wards?who=guests", "all?who=guests&by=rate", "doordice?who=bots"):
        yield "GET", f"/api/leaderboards/{path}", None
    for path in ("doordice/sessions", "doordice/stats", "tenthousand/games", f"tenthousand/games/{table}"):
        yield "GET", f"/api/{path}", None
    for what in ("watch", "sit", "stand", "start", "hint", "reclaim", "rematch"):
        yield "POST", f"{t}/{what}", {}
    yield "POST", f"{t}/bots", {"level": "greedy"}
    yield "POST", f"{t}/act", {"move": "roll"}
    for method in ("lobbies/listRooms", "lobbies/getRoom", "engine/getGameState", "engine/checkTimeout"):
        yield "POST", f"/api/wards/{method}", {"roomId": table}
    yield "GET", "/healthz", None
    yield "GET", "/metrics", None


def ask_everything(doors: Doors, people: list[Person], table: str) -> dict[str, tuple[int, str]]:
    """What every door said, none of which may be that something broke."""
    told = {}
    for method, path, body in doors_of(people, table):
        answer = people[0].ask(method, path, body)
        broke = answer.status_code == 500 or '"internal"' in answer.text or "Traceback" in answer.text
        assert not broke, f"{method} {path}: {answer.text}"
        if answer.status_code >= 400:
            assert answer.json()["error"]["message"].endswith((".", "?"))
        told[f"{method} {path}"] = (answer.status_code, answer.text)
    with doors.socket(people[0]) as line:
        for do, more in (("watch", {}), ("watch", {"since": 0}), ("events", {}), ("record", {}), ("look", {})):
            heard = line.ask(do, table=table, **more)
            assert heard.get("error", {}).get("code") != "internal", heard
    return told


def check_others(doors: Doors, people: list[Person], stored: Stored, damaged: str) -> None:
    """All other tables are as they were, and can be played at."""
    for table in (*stored.live.values(), stored.over):
        if table != damaged:
            for path in ("", "/events", "/record"):
                people[0].get(f"/api/tables/{table}{path}")
    for game in ("wards", "tenthousand", "aetharn"):
        if stored.live[game] != damaged:
            assert act(people, stored.live[game])
    for path in ("tables", "tables?phase=over", "me/tables", "leaderboards/all?who=guests", f"players/{people[0].id}"):
        people[0].get(f"/api/{path}")
    assert "ok" in people[0].wards("lobbies/listRooms")
    new = people[0].open("wards")
    assert people[1].sit(new)["table"]["phase"] == "lobby"


def some(damages: Iterable[Any], every: int) -> list[Any]:
    """Some of them every day, one of each place that can be damaged; the others in `make proof`."""
    return [
        pytest.param(
            *(damage if isinstance(damage, tuple) else (damage,)), marks=[pytest.mark.proof] if n % every else []
        )
        for n, damage in enumerate(damages)
    ]


@pytest.mark.parametrize(("damage", "game"), some(zip(LIVE, cycle(catalogue()), strict=False), 3))
def test_a_damaged_table_breaks_no_door_and_no_other_table(
    stored: Stored, tmp_path: Path, damage: str, game: str
) -> None:
    """The control is the other tables, which are shown and played at. Why no guard is switched off is said above."""
    table = stored.live[game]
    stored.copy(tmp_path, LIVE[damage], table)
    with open_doors(tmp_path, clock=StoppedClock(LATER)) as doors:
        people = people_of(doors, stored)
        ask_everything(doors, people, table)
        check_others(doors, people, stored, table)


@pytest.mark.parametrize("damage", some(OVER, 3))
def test_a_damaged_game_of_the_past_breaks_no_door_and_no_other_table(
    stored: Stored, tmp_path: Path, damage: str
) -> None:
    """The control is the other tables, which are shown and played at. Why no guard is switched off is said above."""
    stored.copy(tmp_path, OVER[damage], stored.over)
    with open_doors(tmp_path, clock=StoppedClock(LATER)) as doors:
        people = people_of(doors, stored)
        ask_everything(doors, people, stored.over)
        check_others(doors, people, stored, stored.over)


@pytest.mark.parametrize(
    "damage", ["an act that is not JSON", "a missing act", "no secret", "a secret that is a number"]
)
def test_a_damaged_table_is_frozen_and_shown_as_frozen(
    stored: Stored, tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The control is a table beside it, which is shown."""
    table = stored.live["wards"]
    stored.copy(tmp_path, LIVE[damage], table)
    with open_doors(tmp_path, clock=StoppedClock(LATER)) as doors:
        ann = people_of(doors, stored)[0]
        for _ in range(3):
            answer = ann.ask("GET", f"/api/tables/{table}")
            assert answer.status_code == 503
            assert answer.json()["error"]["code"] == "store_unavailable"
            assert answer.json()["error"]["message"].startswith("This table is frozen")
        assert ann.ask("GET", f"/api/tables/{stored.live['mana']}").status_code == 200
    lines = [record for record in caplog.records if table in record.getMessage() and record.levelname == "ERROR"]
    assert len(lines) == 1  # said once, however often somebody asks
    assert lines[0].exc_info is None
    assert lines[0].getMessage().startswith(f"Table {table} is frozen: its journal is damaged (")


@pytest.mark.parametrize("damage", SCHEMAS)
def test_a_hall_does_not_start_on_a_damaged_schema_and_says_why_in_one_sentence(
    stored: Stored, tmp_path: Path, damage: str
) -> None:
    """The check cannot be switched off sensibly: without it every request that needs the missing part is refused."""
    stored.copy(tmp_path, SCHEMAS[damage])
    before = (tmp_path / "hall.db").read_bytes()
    ran = run("serve", "--port", "0", "--db", str(tmp_path / "hall.db"))
    assert ran.code == 2
    assert ran.err.startswith(f"dicehall: {tmp_path / 'hall.db'} ")
    assert ran.err.count("\n") == 1
    with closing(sqlite3.connect(tmp_path / "hall.db")) as now, closing(sqlite3.connect(":memory:")) as then:
        then.deserialize(bytes(before[:18]) + b"\1\1" + bytes(before[20:]))
        assert list(now.iterdump()) == list(then.iterdump())  # nothing was changed


@pytest.mark.parametrize("content", [b"", b"not a database", b"SQLite format 3\0" + bytes(500)])
def test_a_file_that_is_not_a_database_is_refused_in_one_sentence(tmp_path: Path, content: bytes) -> None:
    """The control is the test below, in which a database is served.

    More of these, such as read-only and truncated files, are in tests/store/test_opening.py.
    """
    file = tmp_path / "hall.db"
    file.write_bytes(content)
    ran = run("serve", "--port", "0", "--db", str(file))
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert file.read_bytes() == content


def test_dicehall_serve_starts_on_a_damaged_database_and_logs_sentences_instead_of_tracebacks(
    stored: Stored, tmp_path: Path
) -> None:
    """The control is the table of DO or DICE, which is not damaged and is shown."""
    shutil.copy(stored.folder / "hall.db", tmp_path / "hall.db")
    kinds = ("an act that is not JSON", "a head with a deadline that is text", "a missing act", "no secret")
    damaged = dict(zip(("wards", "mana", "aetharn", "tenthousand"), kinds, strict=True))
    with closing(sqlite3.connect(tmp_path / "hall.db")) as connection, connection:
        for game, kind in damaged.items():
            connection.execute(LIVE[kind], {"table": stored.live[game]})
    server = RunningServer(tmp_path, ("--log-format", "text"))
    try:
        server.start()
        for game in catalogue():
            status, shown = answer_of(f"{server.url}/api/tables/{stored.live[game]}")
            assert status in (200, 503), shown
            assert (status == 200) is (game in ("mana", "doordice"))
    finally:
        server.stop()
    assert "Traceback" not in server.log
    for game in ("wards", "aetharn", "tenthousand"):
        assert server.log.count(f"Table {stored.live[game]} is frozen") == 1


def answer_of(url: str) -> tuple[int, Any]:
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as refused:
        return refused.code, json.loads(refused.read())


@pytest.fixture(scope="module")
def played_again(stored: Stored, tmp_path_factory: pytest.TempPathFactory) -> tuple[Stored, str]:
    """The same hall with a rematch of the game that is over."""
    folder = tmp_path_factory.mktemp("played_again")
    stored.copy(folder)
    with open_doors(folder, clock=StoppedClock(LATER)) as doors:
        new = people_of(doors, stored)[0].post(f"/api/tables/{stored.over}/rematch")["id"]
    return Stored(folder, stored.live, stored.over, stored.people), new


@pytest.mark.parametrize("damage", some(LIVE, 3))
def test_a_damaged_rematch_does_not_hide_the_game_that_it_follows(
    played_again: tuple[Stored, str], tmp_path: Path, damage: str
) -> None:
    """The control is the finished game, which is shown. Why no guard is switched off is said above."""
    stored, new = played_again
    stored.copy(tmp_path, LIVE[damage], new)
    with open_doors(tmp_path, clock=StoppedClock(LATER)) as doors:
        people = people_of(doors, stored)
        ask_everything(doors, people, new)
        for one in people[:3]:
            assert one.get(f"/api/tables/{stored.over}")["phase"] == "over"
        check_others(doors, people, stored, new)
