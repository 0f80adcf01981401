"""Every address of the API with the shape of its answer, and times as C11 wants them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from dicehall.dice.words import commitment
from dicehall.hall.keys import message
from dicehall.hall.rated_games import RATED_NOTE
from dicehall.server.app import ENDPOINTS
from tests.server.doors import Doors, Person

HERE = Path(__file__)
ACCOUNT = {"id", "name", "avatar", "guest", "created"}
TABLE = {
    *(
        "id",
        "name",
        "game",
        "rules",
        "phase",
        "public",
        "locked",
        "opener",
        "hints",
        "reactions",
        "drawn",
        "timed",
        "practice",
        "can_abandon",
        "rated",
        "unrated",
        "before",
        "origin",
        "continued_in",
        "challenge",
        "rematch",
        "expected",
        "declined",
        "seats",
    ),
    *("seal", "asks_for_words", "n", "now", "deadline", "me", "barred", "view", "choices", "points", "over"),
}
SEAT = {"seat", "name", "account", "bot", "level", "asked_level", "presence", "grace_ends", "bot_allowed_at"}
LISTED = {"id", "name", "game", "phase", "locked", "opened_at", "opener", "seats", "names"}


def won(doors: Doors, **more: Any) -> tuple[Person, Person, str]:
    """A game that its first player has won."""
    doors.box.named[1] = (6,)
    ann, bo, table = doors.pair(rules={"goal": 5}, drawn=False, **more)
    ann.act(table, "roll")
    ann.act(table, "hold")
    return ann, bo, table


def won_rated(doors: Doors) -> tuple[Person, Person, str]:
    """The same by the usual rules."""
    doors.box.named.update(dict.fromkeys(range(1, 18), (6,)))
    ann, bo, table = doors.pair()
    for _ in range(17):
        ann.act(table, "roll")
    ann.act(table, "hold")
    return ann, bo, table


def test_a_guest_has_a_token_and_an_account(doors: Doors) -> None:
    entered = doors.nobody.post("/api/accounts/guest", {"name": "Ann"})
    assert entered.keys() == {"token", "account"}
    assert entered["account"].keys() == ACCOUNT
    assert (entered["account"]["name"], entered["account"]["guest"]) == ("Ann", True)


def test_signing_up_in_and_out(doors: Doors) -> None:
    up = doors.nobody.post("/api/accounts", {"name": "Ann", "password": "correct horse"})
    doors.client.cookies.clear()
    ann = Person(doors, up["account"]["id"], "Ann", up["token"])
    assert ann.get("/api/me") == up["account"]
    again = doors.nobody.post("/api/sessions", {"name": "ann", "password": "correct horse"})
    doors.client.cookies.clear()
    assert again["account"] == up["account"]
    assert again["token"] != up["token"]
    assert ann.ask("DELETE", "/api/sessions").json() == {}
    assert ann.wrong("GET", "/api/me") == (401, "not_signed_in")
    assert Person(doors, token=again["token"]).get("/api/me") == up["account"]


def test_a_guest_who_signs_up_keeps_the_account(doors: Doors) -> None:
    ann = doors.guest("Ann")
    up = ann.post("/api/accounts", {"name": "Anna", "password": "correct horse"})
    assert up["token"] == ann.token
    assert (up["account"]["id"], up["account"]["name"], up["account"]["guest"]) == (ann.id, "Anna", False)


def test_a_key_signs_in(doors: Doors) -> None:
    key = Ed25519PrivateKey.generate()
    public = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo).hex()
    given = doors.nobody.post("/api/challenges", {"public_key": public})
    assert given.keys() == {"challenge", "expires"}
    signature = key.sign(message(given["challenge"])).hex()
    sent = {"challenge": given["challenge"], "signature": signature, "name": "Keyed"}
    assert doors.nobody.post("/api/sessions", sent)["account"]["name"] == "Keyed"


def test_i_change_my_name_my_avatar_and_my_password(doors: Doors) -> None:
    ann = doors.guest("Ann")
    before = ann.get("/api/me")
    changed = ann.ask("PATCH", "/api/me", {"name": "Anna", "password": "correct horse"}).json()
    assert changed == {**before, "name": "Anna", "guest": False}
    wrong = {"password": "another horse", "old_password": "no horse"}
    assert ann.wrong("PATCH", "/api/me", wrong) == (403, "wrong_password")
    assert ann.wrong("PATCH", "/api/me", {"avatar": "a photo"}) == (422, "bad_request")


def test_the_games_have_house_rules_as_json_schema_and_bots(doors: Doors) -> None:
    games = doors.nobody.get("/api/games")
    assert {game["game"] for game in games} == {"wards", "aetharn", "doordice", "tenthousand", "mana"}
    for game in games:
        assert {"game", "name", "seats", "rules", "bots"} <= game.keys()
        assert all({"type", "minimum", "default"} <= rule.keys() for rule in game["rules"].values())
    mana = next(game["rules"] for game in games if game["game"] == "mana")
    assert mana["fight_once"] == {"type": "integer", "minimum": 0, "maximum": 1, "default": 1}
    assert (mana["rounds"]["maximum"], mana["rounds"]["maximum_with"]) == (100, {"fight_once": 8})


def test_a_table_has_every_field(doors: Doors) -> None:
    ann = doors.guest("Ann")
    wanted = {
        **{"game": "wards", "name": "Fun", "rules": {"goal": 50}, "seats": 2, "visibility": "link", "id": "mine"},
        **{"password": "sesame", "hints": True, "drawn": False, "bots": [{"seat": 1, "level": "greedy"}]},
    }
    table = ann.post("/api/tables", wanted)
    assert table.keys() == TABLE
    assert all(seat.keys() == SEAT for seat in table["seats"])
    assert (table["name"], table["rules"]["goal"], table["public"], table["locked"]) == ("Fun", 50, False, True)
    assert (table["hints"], table["drawn"], table["phase"], table["view"]) == (True, False, "lobby", None)
    assert (table["seats"][1]["bot"], table["seats"][0]["account"]) == ("greedy", None)
    assert re.fullmatch("[0-9a-f]{64}", table["seal"])
    assert ann.post("/api/tables", wanted)["id"] == table["id"]
    assert doors.nobody.get(f"/api/tables/{table['id']}").keys() == TABLE
    assert doors.nobody.get("/api/tables")["tables"] == []


def test_tables_are_found_by_game_and_phase(doors: Doors) -> None:
    _, _, playing = doors.pair()
    mana = doors.guest("Cy").open("mana")
    found = doors.nobody.get("/api/tables")
    assert found.keys() == {"tables", "page"}
    assert {one["id"] for one in found["tables"]} == {playing, mana}
    assert all(one.keys() == LISTED for one in found["tables"])
    assert [one["id"] for one in doors.nobody.get("/api/tables?game=mana&phase=lobby")["tables"]] == [mana]
    assert doors.nobody.get("/api/tables?phase=over")["tables"] == []
    assert doors.nobody.get("/api/tables?page=1") == {"tables": [], "page": 1}


def test_my_tables_are_those_where_i_sit_and_say_whose_turn_it_is(doors: Doors) -> None:
    ann, bo, playing = doors.pair()
    waiting = ann.open("mana", visibility="link")
    ann.sit(waiting)
    mine = ann.get("/api/me/tables")
    assert mine.keys() == {"tables", "page"}
    assert {one["id"]: (one["phase"], one["my_turn"]) for one in mine["tables"]} == {
        playing: ("playing", True),
        waiting: ("lobby", False),
    }
    assert all(one.keys() == LISTED | {"my_turn"} for one in mine["tables"])
    assert [(one["id"], one["my_turn"]) for one in bo.get("/api/me/tables")["tables"]] == [(playing, False)]
    assert doors.guest("Cy").get("/api/me/tables")["tables"] == []
    assert doors.nobody.wrong("GET", "/api/me/tables") == (401, "not_signed_in")


def test_a_table_that_i_left_for_good_waits_for_me_no_longer_until_i_come_back(doors: Doors) -> None:
    ann, bo, table = doors.pair()
    ann.post(f"/api/tables/{table}/leave")
    assert ann.get("/api/me/tables")["tables"] == []
    assert [one["id"] for one in bo.get("/api/me/tables")["tables"]] == [table]
    ann.sit(table)
    assert [one["id"] for one in ann.get("/api/me/tables")["tables"]] == [table]


def test_a_game_from_sitting_down_to_its_rematch(doors: Doors) -> None:
    """Words, act, events, record, rematch."""
    doors.box.named[1] = (6,)
    ann, bo = doors.guest("Ann"), doors.guest("Bo")
    table = ann.open("wards", rules={"goal": 5}, drawn=False)
    at = f"/api/tables/{table}"
    sat = ann.sit(table, commitment=commitment("mine"), id="sit-1")
    assert sat.keys() == {"n", "table"}
    assert bo.sit(table)["table"]["asks_for_words"]
    started = ann.post(f"{at}/words", {"words": "mine"})
    assert started["table"]["phase"] == "playing"
    assert started["table"]["choices"] == {"0": ["roll", "hold"]}
    rolled = ann.act(table, "roll", id="roll-1")
    assert rolled.keys() == {"n", "view"}
    assert (rolled["view"]["round_score"], rolled["view"]["me"]) == (6, 0)
    assert ann.act(table, "roll", id="roll-1")["n"] == rolled["n"]
    since = doors.nobody.get(f"{at}/events?since={rolled['n'] - 1}")
    assert since.keys() == {"updates", "n"}
    assert [update.keys() for update in since["updates"]] == [{"n", "at", "events", "rolls"}]
    held = ann.act(table, "hold")
    assert bo.get(at)["over"] == {"places": [[0], [1]], "reason": "goal"}
    everything = bo.get(f"{at}/events")
    assert [update["n"] for update in everything["updates"]] == list(range(1, held["n"] + 1))
    assert everything["n"] == held["n"]
    record = doors.nobody.get(f"{at}/record")
    assert (record["dicehall"], record["game"], record["seats"]) == (1, "wards", ["Ann", "Bo"])
    rematch = bo.post(f"{at}/rematch")
    assert ann.post(f"{at}/decline")["rematch"]["table"] == rematch["id"]
    assert (rematch["before"], rematch["id"]) == (table, ann.post(f"{at}/rematch")["id"])


def test_standing_leaving_bots_and_closing(doors: Doors) -> None:
    ann = doors.guest("Ann")
    table = ann.open("tenthousand", seats=3)
    at = f"/api/tables/{table}"
    ann.sit(table)
    assert ann.post(f"{at}/stand")["table"]["me"] is None
    ann.sit(table)
    assert ann.post(f"{at}/bots", {"seat": 2, "level": "random"})["table"]["seats"][2]["bot"] == "random"
    assert ann.post(f"{at}/start")["table"]["phase"] == "playing"
    assert doors.nobody.post(f"{at}/watch").keys() == TABLE
    assert ann.post(f"{at}/leave").keys() == {"n", "table"}
    lobby = ann.open("wards")
    assert ann.ask("DELETE", f"/api/tables/{lobby}").json()["table"]["phase"] == "abandoned"


def test_a_bot_stands_in_and_the_seat_is_taken_back(doors: Doors) -> None:
    """C9."""
    ann, _, table = doors.pair(rules={"goal": 1000})
    deputed = ann.post(f"/api/tables/{table}/bots", {"level": "greedy"})["table"]
    assert deputed["seats"][deputed["me"]]["bot"] == "greedy"
    assert ann.wrong("POST", f"/api/tables/{table}/act", {"move": "roll"})[1] in ("not_allowed", "not_your_turn")
    back = ann.post(f"/api/tables/{table}/reclaim")["table"]
    assert back["seats"][back["me"]]["bot"] is None


def test_a_player_has_statistics_and_a_history(doors: Doors) -> None:
    ann, bo, table = won_rated(doors)
    shown = bo.get(f"/api/players/{ann.id}")
    assert shown.keys() == {"account", "statistics", "ratings", "versus", "apart", "history", "page"}
    one, none = {"played": 1, "won": 1}, {"played": 0, "won": 0}
    assert shown["statistics"] == {"games": {"wards": one}, "total": one, "casual": none, "note": RATED_NOTE}
    assert shown["versus"] == {"wards": {"played": 1, "mine": 0, "theirs": 1}}
    assert [ending["table"] for ending in shown["history"]] == [table]
    leaders = doors.nobody.get("/api/leaderboards/wards?who=guests")
    assert leaders["leaders"][0] == {"account": ann.id, "name": "Ann", "played": 1, "won": 1}
    assert doors.nobody.get("/api/leaderboards/all?who=guests&by=rate&least=2") == {
        "leaders": [],
        "page": 0,
        "note": RATED_NOTE,
    }


def test_a_game_by_house_rules_is_casual(doors: Doors) -> None:
    ann, _, _ = won(doors)
    shown = doors.nobody.get(f"/api/players/{ann.id}")["statistics"]
    assert (shown["games"], shown["casual"]) == ({}, {"played": 1, "won": 1})
    assert doors.nobody.get("/api/leaderboards/wards?who=guests")["leaders"] == []


def test_a_person_ends_a_game_against_bots(doors: Doors) -> None:
    """C9."""
    ann = doors.guest("Ann")
    table = ann.open("wards", bots=[{"seat": 1, "level": "greedy"}])
    ann.sit(table)
    assert ann.get(f"/api/tables/{table}")["can_abandon"]
    assert ann.post(f"/api/tables/{table}/abandon")["table"]["phase"] == "abandoned"
    assert ann.wrong("POST", f"/api/tables/{table}/abandon", {}) == (409, "game_finished")


def test_a_record_is_checked(doors: Doors) -> None:
    ann, _, table = won(doors)
    doors.box.named.clear()
    record = ann.get(f"/api/tables/{table}/record")
    checked = doors.nobody.post("/api/verify", record)
    assert checked["over"] == {"places": [[0], [1]], "reason": "goal"}
    assert "check" in checked
    record["entries"][0] = {"roll": [9]}
    assert doors.nobody.post("/api/verify", record)["refused"]["index"] == 0
    assert doors.nobody.post("/api/verify", {})["invalid"]["code"]


def times_of(value: Any, name: str = "") -> list[tuple[str, Any]]:
    """Everything whose name says that it is a time, however deep."""
    if isinstance(value, dict):
        return [found for key, one in value.items() for found in times_of(one, key)]
    if isinstance(value, list):
        return [found for one in value for found in times_of(one, name)]
    named = name in {"now", "at", "deadline", "created", "expires", "date", "grace_ends", "bot_allowed_at", "opened_at"}
    return [(name, value)] if named or re.fullmatch(r".*([a-z]At|_at)", name) else []


def test_times_are_whole_milliseconds_since_the_epoch_and_null_where_there_is_none(doors: Doors) -> None:
    """C11."""
    before = doors.running.parts.now
    ann, bo, table = won(doors)
    playing = doors.pair()[2]
    ten = ann.open("tenthousand")
    ann.sit(ten)
    answers: list[Any] = [
        *(ann.get(path) for path in ("/api/me", f"/api/players/{bo.id}", "/api/tables", "/api/tenthousand/games")),
        *(ann.get(f"/api/tables/{one}{what}") for one in (table, playing) for what in ("", "/events")),
        *(ann.get(f"/api/tables/{table}/record"), ann.get(f"/api/tenthousand/players/{ann.id}")),
        *(ann.wards(f"engine/{what}", roomId=table) for what in ("getGameState", "checkTimeout")),
        *(ann.wards("profiles/getMyProfile"), ann.wards("lobbies/listRooms")),
    ]
    with doors.socket(ann) as line:
        answers += [line.ok("hello", version=1), line.ok("ping"), line.ok("watch", table=playing, since=0)]
    after = doors.running.parts.now + 60_000
    times = times_of(answers)
    assert {"now", "at", "deadline", "created", "grace_ends", "created_at", "ended_at"} <= {name for name, _ in times}
    for name, time in times:
        assert time is None or (type(time) is int and before <= time <= after), (name, time)
    assert ann.get(f"/api/tables/{table}")["deadline"] is None
    assert ann.get(f"/api/tables/{playing}")["deadline"] is not None


def test_every_address_is_tried_here_or_next_door() -> None:
    """An endpoint that no test asks for is noticed."""
    told = " ".join(path.read_text() for path in HERE.parent.glob("test_*.py"))
    for one in ENDPOINTS:
        last = [part for part in one.shown_path.split("/") if not part.startswith("{")][-1]
        assert last in told, one.shown_path
