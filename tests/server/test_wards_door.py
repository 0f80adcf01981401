"""Dice Wards' own door: the seed's services, shapes and errors over HTTP (W10-W13)."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from dicehall.server.endpoints import Call
from dicehall.server.wards import METHODS, caller_of
from tests.server.doors import Doors, Person

PROFILE = {"playerId", "username", "createdAt", "gamesPlayed", "gamesWon"}
ROOM = {"id", "name", "owner", "player1", "player2", "status", "gameId", "createdAt"}
TIMES = {"turnStartedAt", "turnExpiresAt", "createdAt", "remainingMs"}
VIEW = TIMES | {
    *("roomId", "player1", "player2", "status", "scores", "roundScore", "activePlayer", "turnId", "lastRoll"),
    *("winner", "me"),
}


def room_of_two(doors: Doors) -> tuple[Person, Person, str]:
    ann, bo = doors.guest("Ann"), doors.guest("Bo")
    room = ann.wards("lobbies/createRoom", name="a room")["ok"]["id"]
    assert bo.wards("lobbies/joinRoom", roomId=room) == {"ok": room}
    return ann, bo, room


def test_a_profile_has_the_seeds_shape(doors: Doors) -> None:
    """W12."""
    ann = doors.guest("Ann")
    mine = ann.wards("profiles/getMyProfile")["ok"]
    assert mine.keys() == PROFILE
    assert (mine["playerId"], mine["username"], mine["gamesPlayed"], mine["gamesWon"]) == (ann.id, "Ann", 0, 0)
    assert isinstance(mine["createdAt"], int)
    renamed = ann.wards("profiles/upsertProfile", username="Anna")["ok"]
    assert renamed == {**mine, "username": "Anna"}
    assert doors.guest("Bo").wards("profiles/getProfile", playerId=ann.id) == {"ok": renamed}


def test_no_profile_is_ok_and_null(doors: Doors) -> None:
    """W11."""
    assert doors.guest().wards("profiles/getProfile", playerId="nobody") == {"ok": None}


def test_a_room_waits_without_a_second_player_and_then_has_its_game(doors: Doors) -> None:
    """W10."""
    ann, bo = doors.guest("Ann"), doors.guest("Bo")
    room = ann.wards("lobbies/createRoom", name="a room")["ok"]
    assert room.keys() == ROOM
    assert room["gameId"] == room["id"]
    assert (room["owner"], room["player1"], room["player2"]) == (ann.id, ann.id, None)
    assert room["status"] == "WaitingForPlayers"
    assert bo.wards("lobbies/joinRoom", roomId=room["id"]) == {"ok": room["id"]}
    full = {**room, "player2": bo.id, "status": "InGame"}
    assert bo.wards("lobbies/getRoom", roomId=room["id"]) == {"ok": full}


def test_rooms_are_listed_newest_first_by_status_and_page(doors: Doors) -> None:
    ann = doors.guest("Ann")
    made = [ann.wards("lobbies/createRoom", name=f"room {number}")["ok"]["id"] for number in range(3)]
    doors.guest("Bo").wards("lobbies/joinRoom", roomId=made[1])
    listed = ann.wards("lobbies/listRooms")["ok"]
    assert {room["id"] for room in listed} == set(made)
    times = [room["createdAt"] for room in listed]
    assert times == sorted(times, reverse=True)
    assert [room["id"] for room in ann.wards("lobbies/listRooms", status="InGame")["ok"]] == [made[1]]
    assert ann.wards("lobbies/listRooms", page=1) == {"ok": []}


def test_a_game_is_shown_with_exactly_the_seeds_fields(doors: Doors) -> None:
    """W13."""
    doors.box.named |= {1: (4,), 2: (6,)}
    ann, bo, room = room_of_two(doors)
    view = ann.wards("engine/getGameState", roomId=room)["ok"]
    assert view.keys() == VIEW
    assert (view["player1"], view["player2"], view["me"], view["activePlayer"]) == (ann.id, bo.id, "P1", "P1")
    assert (view["status"], view["turnId"], view["lastRoll"], view["winner"]) == ("InProgress", 1, None, None)
    assert view["turnExpiresAt"] - view["turnStartedAt"] == 30_000
    assert 0 < view["remainingMs"] <= 30_000
    rolled = ann.wards("engine/roll", roomId=room)["ok"]
    assert (rolled["lastRoll"], rolled["roundScore"], rolled["scores"]) == (4, 4, {"player1": 0, "player2": 0})
    held = ann.wards("engine/hold", roomId=room)["ok"]
    assert (held["scores"], held["activePlayer"], held["turnId"]) == ({"player1": 4, "player2": 0}, "P2", 2)
    assert bo.wards("engine/checkTimeout", roomId=room)["ok"]["me"] == "P2"


def test_a_won_game_counts_for_both_and_has_no_times_any_more(doors: Doors) -> None:
    """W12, W13."""
    doors.box.named[1] = (6,)
    ann, bo, room = doors.pair(rules={"goal": 5})
    first, second = (ann, bo) if ann.wards("engine/getGameState", roomId=room)["ok"]["me"] == "P1" else (bo, ann)
    first.wards("engine/roll", roomId=room)
    last = first.wards("engine/hold", roomId=room)["ok"]
    assert (last["status"], last["winner"], last["scores"]["player1"]) == ("Finished", "P1", 6)
    assert [last[name] for name in ("turnStartedAt", "turnExpiresAt", "remainingMs")] == [None, None, None]
    counts = [person.wards("profiles/getMyProfile")["ok"] for person in (first, second)]
    assert [(one["gamesPlayed"], one["gamesWon"]) for one in counts] == [(1, 1), (1, 0)]


WRONG: list[tuple[str, str, dict[str, Any], str]] = [
    ("cy", "lobbies/getRoom", {"roomId": "nowhere"}, "RoomNotFound"),
    ("cy", "lobbies/joinRoom", {"roomId": "ROOM"}, "RoomFull"),
    ("ann", "lobbies/joinRoom", {"roomId": "ROOM"}, "AlreadyInRoom"),
    ("cy", "engine/getGameState", {"roomId": "ROOM"}, "Unauthorized"),
    ("bo", "engine/roll", {"roomId": "ROOM"}, "NotYourTurn"),
    ("bo", "engine/roll", {}, "InvalidState"),
    ("bo", "engine/roll", {"roomId": 7}, "InvalidState"),
    ("ann", "engine/initGame", {}, "Unauthorized"),
    ("ann", "profiles/onGameFinished", {}, "Unauthorized"),
    ("operator", "engine/initGame", {"roomId": "ROOM", "player1Id": "a", "player2Id": "b"}, "InvalidState"),
    ("operator", "engine/roll", {"roomId": "ROOM"}, "Unauthorized"),
    ("ann", "profiles/upsertProfile", {"username": "x" * 25}, "InvalidState"),
    ("ann", "lobbies/createRoom", {"name": ""}, "InvalidState"),
    ("ann", "lobbies/listRooms", {"status": "Ajar"}, "InvalidState"),
]


def test_errors_have_the_seeds_names_and_status_200(doors: Doors) -> None:
    """W11."""
    ann, bo, room = room_of_two(doors)
    people = {"ann": ann, "bo": bo, "cy": doors.guest("Cy"), "operator": doors.operator}
    for who, method, arguments, name in WRONG:
        sent = {key: room if value == "ROOM" else value for key, value in arguments.items()}
        answer = people[who].wards(method, **sent)
        assert answer.keys() == {"err", "detail"}, (who, method, answer)
        assert (answer["err"], bool(answer["detail"])) == (name, True), (who, method, arguments)


def test_acting_on_a_finished_game_is_game_finished(doors: Doors) -> None:
    """W11."""
    doors.box.named[1] = (6,)
    ann, bo, room = doors.pair(rules={"goal": 5}, drawn=False)
    ann.wards("engine/roll", roomId=room)
    ann.wards("engine/hold", roomId=room)
    assert bo.wards("engine/roll", roomId=room)["err"] == "GameFinished"


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_who_is_not_signed_in_is_unauthorized_whatever_they_send(doors: Doors, method: Any) -> None:
    """W11."""
    path = f"/api/wards/{method.service}/{method.name}"
    for body in (b"", b"{}", b"[]", b"{"):
        answer = doors.client.post(path, content=body)
        assert (answer.status_code, answer.json()["err"]) == (200, "Unauthorized")


@pytest.mark.parametrize("body", [b"[]", b"{", b"7", b"\xff", b'"' + b"x" * 100, b"[" * 5000])
def test_arguments_that_cannot_be_read_are_an_invalid_state(doors: Doors, body: bytes) -> None:
    """W11."""
    headers = {"authorization": f"Bearer {doors.guest().token}"}
    for method in ("profiles/getMyProfile", "lobbies/createRoom"):
        answer = doors.client.post(f"/api/wards/{method}", content=body, headers=headers)
        assert (answer.status_code, answer.json()["err"]) == (200, "InvalidState")


@pytest.mark.parametrize("path", ["profiles/explode", "lobbies", "tables/roll", "engine/roll/again", "profiles/known"])
def test_a_method_or_service_that_is_not_there_is_not_found(doors: Doors, path: str) -> None:
    assert doors.guest().wrong("POST", f"/api/wards/{path}", {}) == (404, "not_found")


def test_the_operators_token_seats_two_and_is_told_of_the_end(doors: Doors) -> None:
    """W11: the service methods answer only to the operator's token."""
    ann, bo = doors.guest("Ann"), doors.guest("Bo")
    room = ann.wards("lobbies/createRoom", name="a room")["ok"]["id"]
    sent = {"roomId": room, "player1Id": ann.id, "player2Id": bo.id}
    view = doors.operator.wards("engine/initGame", **sent)["ok"]
    assert (view["player1"], view["player2"], view["me"]) == (ann.id, bo.id, None)
    assert doors.operator.wards("engine/initGame", **sent)["err"] == "InvalidState"
    finished = {"winnerId": ann.id, "loserId": bo.id}
    assert doors.operator.wards("profiles/onGameFinished", **finished) == {"ok": None}
    close = Person(doors, token=f"{doors.operator.token}!")
    assert close.wards("profiles/onGameFinished", **finished)["err"] == "Unauthorized"


def test_without_a_service_token_nobody_is_the_operator(doors: Doors) -> None:
    parts = doors.running.parts
    closed = SimpleNamespace(settings=replace(parts.settings, service_token=None))
    for token in (None, "", "None"):
        assert caller_of(Call(closed, None, b"", None, {}, "here", token)) is None  # type: ignore[arg-type]
