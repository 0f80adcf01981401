"""Finished games as they looked: a replay's views are the ones that spectators saw while the game was played."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import msgspec
import pytest

from dicehall.games import catalogue
from dicehall.launch import checker
from dicehall.launch.checker import replayed
from dicehall.server.shapes import RecordShown, ReplayShown
from tests.server.doors import Doors, Person

RULES: dict[str, dict[str, int]] = {
    "wards": {"goal": 20},
    "aetharn": {"goal": 600},
    "tenthousand": {"goal": 600, "opening": 0},
    "doordice": {"rounds": 2},
    "mana": {"rounds": 3},
}


def seated(doors: Doors, game: str, **more: Any) -> tuple[list[Person], str]:
    people = [doors.guest(name) for name in ("Ann", "Bo", "Cy", "Di", "Ed")[: 5 if game == "doordice" else 2]]
    table = people[0].open(game, rules=RULES[game], seats=len(people), **more)
    for person in people:
        person.sit(table)
    if people[0].get(f"/api/tables/{table}")["phase"] == "lobby":
        people[0].post(f"/api/tables/{table}/start")
    return people, table


def play(doors: Doors, people: list[Person], table: str, seed: int = 1) -> dict[int, Any]:
    """Whatever is allowed but giving up, till the end; what a spectator saw after each update."""
    chance, seen = Random(seed), dict[int, Any]()
    while True:
        shown = doors.nobody.get(f"/api/tables/{table}")
        seen[shown["n"]] = shown["view"]
        if shown["phase"] != "playing":
            return seen
        seat, moves = next(iter(shown["choices"].items()))
        mover = next(one for one in people if one.id == shown["seats"][int(seat)]["account"])
        mover.act(table, chance.choice([move for move in moves if move != "fold"]))


def played(doors: Doors, game: str, **more: Any) -> tuple[list[Person], str, dict[int, Any]]:
    people, table = seated(doors, game, **more)
    return people, table, play(doors, people, table)


def pages(who: Person, table: str, most: int) -> list[dict[str, Any]]:
    updates: list[dict[str, Any]] = []
    while True:
        since = updates[-1]["n"] if updates else 0
        page = who.get(f"/api/tables/{table}/replay?since={since}&most={most}")
        msgspec.convert(page, ReplayShown)
        assert len(page["updates"]) <= most
        updates += page["updates"]
        if page["n"] == page["last"]:
            return updates


def views(updates: list[dict[str, Any]]) -> dict[int, Any]:
    """Every view put together from what changed."""
    view: dict[str, Any] = {}
    whole = {}
    for update in updates:
        view = {**view, **update.get("view", {})}
        whole[update["n"]] = view
    return whole


def distinct(seen: dict[int, Any]) -> list[Any]:
    """Views in order, without those that changed nothing."""
    found = [view for _, view in sorted(seen.items())]
    return [view for view, before in zip(found, [None, *found], strict=False) if view != before]


def shown_here(record: Any) -> Any:
    """What the hall shows of a record, without the process that it has for that."""
    found = replayed(json.dumps(record).encode(), catalogue())
    assert isinstance(found, bytes), found
    return json.loads(found)


@pytest.mark.parametrize("game", catalogue())
def test_every_view_of_a_replay_is_what_spectators_saw_while_it_was_played(doors: Doors, game: str) -> None:
    people, table, seen = played(doors, game)
    for most in (1000, 7):
        updates = pages(doors.nobody, table, most)
        whole = views(updates)
        assert {n: whole[n] for n in seen} == seen
        record = people[0].get(f"/api/tables/{table}/record")
        assert sum(update["entries"] for update in updates) == len(record["entries"])
        assert updates[-1]["over"] == doors.nobody.get(f"/api/tables/{table}")["over"]
    heard = doors.nobody.get(f"/api/tables/{table}/events")["updates"]
    told = [{k: v for k, v in update.items() if k not in ("entries", "view", "over")} for update in updates]
    assert told == heard


@pytest.mark.parametrize("game", catalogue())
def test_an_uploaded_record_is_shown_as_its_table_was(doors: Doors, game: str) -> None:
    people, table, seen = played(doors, game)
    record = people[0].get(f"/api/tables/{table}/record")
    shown = shown_here(record)
    fits = msgspec.convert(shown, RecordShown)
    assert fits.refused is None
    assert distinct(views(shown["updates"])) == distinct(seen)
    assert sum(update["entries"] for update in shown["updates"]) == len(record["entries"])


def test_a_running_game_has_no_replay_and_a_table_that_never_started_neither(doors: Doors) -> None:
    ann, _, table = doors.pair()
    assert doors.nobody.wrong("GET", f"/api/tables/{table}/replay") == (403, "not_allowed")
    lobby = ann.open("aetharn")
    ann.ask("DELETE", f"/api/tables/{lobby}")
    assert doors.nobody.wrong("GET", f"/api/tables/{lobby}/replay") == (409, "too_few_seats")
    assert doors.nobody.wrong("GET", "/api/tables/none/replay") == (404, "no_such_table")


def test_a_page_of_a_replay_is_bounded(doors: Doors) -> None:
    _, table, _ = played(doors, "wards")
    for query in ("most=0", "most=1001", "since=-1", "most=x"):
        assert doors.nobody.wrong("GET", f"/api/tables/{table}/replay?{query}") == (422, "bad_request")


def test_a_replay_of_mana_never_shows_a_pick_before_it_was_turned_over(doors: Doors) -> None:
    _, table, _ = played(doors, "mana")
    for update in pages(doors.nobody, table, 1000):
        for event in update["events"]:
            assert event["to"] is None


def test_what_is_not_a_record_is_refused_with_a_sentence(doors: Doors) -> None:
    bodies: list[Any] = [[], {"dicehall": 2}, {"dicehall": 1, "game": "chess"}]
    for body in [*bodies, {"dicehall": 1, "game": "wards", "seats": ["a"]}]:
        assert doors.nobody.wrong("POST", "/api/replay", body) == (422, "bad_request")


def test_a_forged_record_is_shown_up_to_the_entry_that_the_rules_refuse(doors: Doors) -> None:
    people, table, _ = played(doors, "wards")
    record = people[0].get(f"/api/tables/{table}/record")
    moves = [i for i, entry in enumerate(record["entries"]) if "move" in entry]
    record["entries"][moves[2]]["seat"] = 7
    shown = doors.nobody.post("/api/replay", record)  # over HTTP, and by the process that works for strangers
    assert shown["refused"].startswith(f"The rules refuse entry {moves[2] + 1}: ")
    assert shown["check"] is None
    assert sum(update["entries"] for update in shown["updates"]) == moves[2]


def test_other_dice_than_the_sealed_ones_are_shown_with_a_verdict(doors: Doors) -> None:
    people, table, _ = played(doors, "wards")
    record = people[0].get(f"/api/tables/{table}/record")
    roll = next(entry for entry in record["entries"] if "roll" in entry)
    record["seal"]["s0"] = roll["opened"]
    shown = shown_here(record)
    assert shown["check"]["good"] is False


def test_a_record_that_would_fill_a_browser_is_refused(doors: Doors, monkeypatch: pytest.MonkeyPatch) -> None:
    people, table, _ = played(doors, "wards")
    record = people[0].get(f"/api/tables/{table}/record")
    monkeypatch.setattr(checker, "MOST_SHOWN", 1000)
    found = replayed(json.dumps(record).encode(), catalogue())
    assert found == "This record is too long to be shown here."


def test_a_body_beyond_4_mb_is_not_read(doors: Doors) -> None:
    body = {"dicehall": 1, "game": "wards", "seats": ["a", "b"], "entries": [], "more": "x" * (4 << 20)}
    assert doors.nobody.wrong("POST", "/api/replay", body) == (413, "too_large")
