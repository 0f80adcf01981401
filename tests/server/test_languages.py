"""Whoever asks in German is answered in German: the coach, hints, practice, notes and refusals, over both doors."""

from __future__ import annotations

from typing import Any

import pytest

from tests.languages import english_words
from tests.server.doors import Doors
from tests.server.test_coaching import play_on
from tests.server.test_hints import playing
from tests.server.test_reviews import practising

GERMAN = {"accept-language": "de-DE,de;q=0.9,en;q=0.8"}


def test_the_report_of_a_game_is_judged_once_and_told_in_the_language_of_each_reader(doors: Doors) -> None:
    ann, bo, table = playing(doors, rules={"goal": 12})
    play_on(table, ann, bo)
    english, german = ann.get(f"{table}/coach"), bo.get(f"{table}/coach", headers=GERMAN)
    assert english["seats"][0]["yours"]["headline"].startswith("You ")
    assert german["seats"][0]["yours"]["headline"].startswith("Du hast ")
    assert german["trust"] == "Die Gewinnchancen sind exakt, wenn beide Seiten von da an perfekt spielen."
    assert [seat["luck"] for seat in german["seats"]] == [seat["luck"] for seat in english["seats"]]
    assert ann.get(f"{table}/coach?language=de") == german
    assert ann.get(f"{table}/coach", headers={"accept-language": "tlh"}) == english
    assert len(doors.running.reporter.known) == 1
    assert [text for text in texts(german["seats"] + german["graph"]) if english_words(text)] == []


def texts(value: Any) -> list[str]:
    """What people read of a report: not keys, and not the grade, which is a code."""
    if isinstance(value, dict):
        return [text for name, inner in value.items() if name not in ("grade", "move", "best") for text in texts(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in texts(inner)]
    return [value] if isinstance(value, str) else []


def test_hints_and_practice_are_told_in_german(doors: Doors) -> None:
    doors.box.named[1] = (6,)
    ann, table = practising(doors, hints=True)
    advice = ann.post(f"{table}/hint", headers=GERMAN)["advice"]
    assert (advice["situation"], advice["best_words"]) == ("Beim Stand von 0:0", "Würfeln")
    assert [worth["words"] for worth in advice["worths"]] == ["Würfeln", "Sichern"]
    ann.post(f"{table}/act", {"move": "roll"})
    ann.post(f"{table}/act", {"move": "hold"})
    mistake = ann.get(f"{table}/review", headers=GERMAN)["mistake"]
    assert mistake["yours"].startswith("Beim Stand von 0:0 mit 6 im Topf hast du gesichert: ")
    assert mistake["yours"].endswith("% gebracht.")


def test_games_levels_notes_and_the_names_of_tables_are_german(doors: Doors) -> None:
    ann = doors.guest("Ann")
    wards = next(game for game in ann.get("/api/games", headers=GERMAN) if game["game"] == "wards")
    assert wards["line"].startswith("Würfle, solange du dich traust.")
    assert wards["levels"][0] == {"key": "random", "name": "Leicht"}
    assert ann.get("/api/leaderboards/all", headers=GERMAN)["note"].endswith("gegen Bots, die stärker sind als Leicht.")
    assert ann.get(f"/api/players/{ann.id}", headers=GERMAN)["statistics"]["note"].startswith("Es zählen nur gewertete")
    assert ann.post("/api/tables", {"game": "wards"}, headers=GERMAN)["name"] == "Tisch „Ann“"
    assert ann.post("/api/tables", {"game": "wards"})["name"] == "Ann’s table"


@pytest.mark.parametrize(
    ("method", "path", "body", "sentence"),
    [
        ("GET", "/api/tables/none", None, "Diesen Tisch gibt es nicht."),
        ("GET", "/api/nowhere", None, "Unter dieser Adresse gibt es nichts."),
        ("PUT", "/api/games", None, "Diese Adresse kennt diese Methode nicht."),
        (
            "POST",
            "/api/tables",
            {"game": "chess"},
            "Unbekanntes Spiel. Die Spiele sind aetharn, doordice, mana, tenthousand, wards.",
        ),
        ("POST", "/api/tables", {}, "`game` fehlt."),
        ("POST", "/api/tables", {"game": 5}, "`game` muss ein Text sein."),
        ("POST", "/api/tables", {"game": "wards", "seats": 3}, "wards braucht genau 2 Plätze, nicht 3."),
        (
            "POST",
            "/api/tables",
            {"game": "wards", "rules": {"goal": 0}},
            "goal muss von 1 bis 1000000000 sein, nicht 0.",
        ),
        ("POST", "/api/accounts", {"name": "", "password": "secret words"}, "Der Name darf nicht leer sein."),
        ("POST", "/api/accounts", {"name": "Bo", "password": "short"}, "Nimm 8 bis 256 Zeichen."),
    ],
)
def test_a_refusal_is_german_and_its_code_is_the_same(
    doors: Doors, method: str, path: str, body: Any, sentence: str
) -> None:
    ann = doors.guest("Ann")
    german, english = (ann.ask(method, path, body, headers=headers) for headers in (GERMAN, {}))
    assert german.json()["error"]["message"] == sentence
    assert german.json()["error"]["code"] == english.json()["error"]["code"]
    assert german.status_code == english.status_code


def test_a_refused_move_is_german_over_a_socket_that_said_so(doors: Doors) -> None:
    _, bo, table = playing(doors)
    name = table.rpartition("/")[2]
    with doors.socket(bo, **GERMAN) as line:
        assert refused(line, name) == "It is not seat 1's turn."  # a browser's header is not the page's choice
        line.ask("hello", version=1, language="de")
        assert refused(line, name) == "Platz 1 ist nicht am Zug."
        line.ask("hello", version=1)
        assert refused(line, name) == "It is not seat 1's turn."
        line.ask("hello", version=1, language="tlh")
        assert refused(line, name) == "It is not seat 1's turn."


def refused(line: Any, table: str) -> str:
    error = line.ask("act", table=table, move="roll")["error"]
    assert error["code"] == "not_your_turn"
    return str(error["message"])


def test_a_checked_record_is_judged_in_german(doors: Doors) -> None:
    found = doors.nobody.post("/api/verify", {"dicehall": 1}, headers=GERMAN)
    assert found["invalid"]["message"] == "In der Aufzeichnung fehlt 'game'."
    ann, bo, table = playing(doors, rules={"goal": 12})
    play_on(table, ann, bo)
    found = doors.nobody.post("/api/verify", ann.get(f"{table}/record"), headers=GERMAN)
    assert found["check"]["sentence"].endswith("Würfe: in sich stimmig.")


def test_an_uploaded_replay_is_judged_in_german(doors: Doors) -> None:
    ann, bo, table = playing(doors, rules={"goal": 12})
    play_on(table, ann, bo)
    record = ann.get(f"{table}/record")
    english, german = (doors.nobody.post("/api/replay", record, headers=headers) for headers in ({}, GERMAN))
    assert german["check"]["sentence"].endswith("Würfe: in sich stimmig.")
    assert german["updates"] == english["updates"]
    record["entries"].append(record["entries"][-1])
    assert doors.nobody.post("/api/replay", record, headers=GERMAN)["refused"].startswith("Die Regeln lehnen Eintrag")
