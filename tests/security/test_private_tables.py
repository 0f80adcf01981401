"""Attacks on tables that only their link or a password opens: no list may give their ids to anybody else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dicehall.hall.cards import Card
from dicehall.store import register
from tests.security.live import both_ways
from tests.server.doors import Doors, Person, open_doors
from tests.server.test_archived_tables import RULES

PRIVATE: dict[str, dict[str, Any]] = {"link": {"visibility": "link"}, "password": {"password": "sesame"}}
kinds = pytest.mark.parametrize("kind", PRIVATE)


@pytest.fixture
def doors(tmp_path: Path) -> Iterator[Doors]:
    with open_doors(tmp_path) as opened:
        yield opened


def switch_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(register, "OPEN_TO_ALL", "(1 OR :viewer)")
    monkeypatch.setattr(register, "LISTED_FOR_ALL", "public")
    monkeypatch.setattr(Card, "private", False)


def played(doors: Doors, game: str, kind: str) -> tuple[list[Person], str]:
    """People at a private table, and its id."""
    people = [doors.guest(name) for name in ("Ann", "Bo", "Cy", "Di", "Ed")[: 5 if game == "doordice" else 2]]
    table = people[0].open(game, rules=RULES[game], seats=len(people), **PRIVATE[kind])
    for person in people:
        person.sit(table, **({"password": "sesame"} if kind == "password" else {}))
    if people[0].get(f"/api/tables/{table}")["phase"] == "lobby":
        people[0].post(f"/api/tables/{table}/start")
    chance = Random(game)
    while (shown := people[0].get(f"/api/tables/{table}"))["phase"] == "playing":
        seat, moves = next(iter(shown["choices"].items()))
        mover = next(one for one in people if one.id == shown["seats"][int(seat)]["account"])
        mover.act(table, chance.choice(moves))
    return people, table


def names(answer: Any, table: str) -> bool:
    return table in json.dumps(answer)


@both_ways
@kinds
def test_a_strangers_look_at_a_players_history_does_not_name_private_tables(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, kind: str, guarded: bool
) -> None:
    (ann, bo), table = played(doors, "wards", kind)
    if not guarded:
        switch_off(monkeypatch)
    for asking in (doors.guest("Zoe"), doors.nobody):
        harmed = any(names(asking.get(f"/api/players/{who.id}"), table) for who in (ann, bo))
        assert harmed is not guarded
    assert names(ann.get(f"/api/players/{bo.id}"), table)
    assert names(bo.get(f"/api/players/{bo.id}"), table)
    assert doors.nobody.get(f"/api/players/{ann.id}")["statistics"]["casual"]["played"] == 1  # it counts all the same


@both_ways
@kinds
def test_the_sessions_of_do_or_dice_do_not_name_private_tables(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, kind: str, guarded: bool
) -> None:
    people, table = played(doors, "doordice", kind)
    if not guarded:
        switch_off(monkeypatch)
    for asking in (doors.guest("Zoe"), doors.nobody):
        harmed = names(asking.get("/api/doordice/sessions"), table)
        assert harmed is not guarded
    assert all(names(one.get("/api/doordice/sessions"), table) for one in people)


@both_ways
def test_the_lobby_does_not_list_a_table_with_a_password_once_its_game_is_over(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    _, table = played(doors, "wards", "password")
    if not guarded:
        switch_off(monkeypatch)
    zoe = doors.guest("Zoe")
    with doors.socket(zoe) as line:
        lists = [
            zoe.get("/api/tables"),
            zoe.get("/api/tables?phase=over"),
            zoe.wards("lobbies/listRooms"),
            line.ok("find", phase="over"),
        ]
    for one in lists:
        harmed = names(one, table)
        assert harmed is not guarded


@both_ways
@kinds
def test_an_opponent_does_not_find_the_private_tables_somebody_plays_with_others(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, kind: str, guarded: bool
) -> None:
    """Dice 10 000 shows opponents which games a player has."""
    (ann, _), table = played(doors, "tenthousand", kind)
    rival = doors.guest("Rival")
    common = rival.open("tenthousand", seats=2)
    for person in (rival, ann):
        person.sit(common)
    if not guarded:
        switch_off(monkeypatch)
    shown = rival.get(f"/api/tenthousand/players/{ann.id}")
    assert common in shown["games"]
    harmed = table in shown["games"]
    assert harmed is not guarded


@both_ways
@kinds
def test_no_list_of_the_hall_names_a_private_table_to_a_stranger(
    doors: Doors, monkeypatch: pytest.MonkeyPatch, kind: str, guarded: bool
) -> None:
    """Everything that lists anything, asked by somebody who was not there."""
    (ann, _), table = played(doors, "wards", kind)
    if not guarded:
        switch_off(monkeypatch)
    zoe = doors.guest("Zoe")
    lists = ["/api/tables", "/api/me/tables", "/api/tenthousand/games", "/api/doordice/sessions", "/api/doordice/stats"]
    lists += [f"/api/tables?phase={phase}" for phase in ("lobby", "playing", "asleep", "over", "abandoned")]
    lists += [f"/api/leaderboards/{game}?who={who}" for game in ("wards", "all") for who in ("guests", "accounts")]
    lists += [f"/api/players/{ann.id}", f"/api/players/{zoe.id}"]
    harmed = any(names(zoe.get(path), table) for path in lists)
    assert harmed is not guarded


@kinds
def test_a_rematch_of_a_private_table_is_as_private(doors: Doors, kind: str) -> None:
    """A rematch takes its privacy from the card it copies: there is nothing to switch off."""
    (ann, bo), table = played(doors, "wards", kind)
    again = ann.post(f"/api/tables/{table}/rematch")["id"]
    zoe = doors.guest("Zoe")
    assert zoe.wrong("POST", f"/api/tables/{table}/rematch", {}) == (409, "not_seated")
    assert bo.post(f"/api/tables/{table}/rematch")["id"] == again
    shown = zoe.get("/api/tables")["tables"]
    assert [one["locked"] for one in shown if one["id"] == again] == ([True] if kind == "password" else [])
    if kind == "password":
        assert zoe.wrong("POST", f"/api/tables/{again}/sit", {}) == (403, "wrong_password")
