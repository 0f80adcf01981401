"""Hints over both doors: written down first, then told to who asked and to nobody else."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.doors import Doors, Person


def playing(doors: Doors, **wanted: Any) -> tuple[Person, Person, str]:
    ann, bo = doors.guest("Ann"), doors.guest("Bo")
    table = ann.post("/api/tables", {"game": "wards", "drawn": False, **wanted})["id"]
    for person in (ann, bo):
        person.post(f"/api/tables/{table}/sit")
    return ann, bo, f"/api/tables/{table}"


def test_a_hint_has_the_best_choice_and_what_each_is_worth(doors: Doors) -> None:
    ann, _, table = playing(doors, hints=True)
    told = ann.post(f"{table}/hint")
    assert told["n"] == told["table"]["n"]
    advice = told["advice"]
    assert (advice["best"], advice["note"]) == ("roll", "exact")
    assert [worth["move"] for worth in advice["worths"]] == ["roll", "hold"]
    assert advice["worths"][0]["chance"] == pytest.approx(0.5305927, abs=1e-6)
    assert advice["worths"][0]["stderr"] == 0


def test_everybody_hears_of_a_hint_and_nobody_else_hears_the_advice(doors: Doors) -> None:
    ann, bo, table = playing(doors, hints=True)
    n = ann.post(f"{table}/hint")["n"]
    (update,) = bo.get(f"{table}/events?since={n - 1}")["updates"]
    assert update["events"] == [{"event": "Hinted", "chair": 0, "to": None}]
    assert "worths" not in str(bo.get(f"{table}/record"))
    assert [act["act"] for act in bo.get(f"{table}/record")["table"]].count("hinted") == 1


def test_a_hint_that_is_repeated_is_the_same_hint_also_after_the_game_moved_on(doors: Doors) -> None:
    ann, _, table = playing(doors, hints=True)
    first = ann.post(f"{table}/hint", {"id": "once"})
    ann.post(f"{table}/act", {"move": "hold"})
    again = ann.post(f"{table}/hint", {"id": "once"})
    assert (again["n"], again["advice"]) == (first["n"], first["advice"])


def test_the_id_of_another_request_buys_no_advice(doors: Doors) -> None:
    ann, _, table = playing(doors, hints=True)
    n = ann.post(f"{table}/act", {"move": "hold", "id": "mine"})["n"]
    told = ann.post(f"{table}/hint", {"id": "mine"})
    assert (told["n"], told["advice"]) == (n, None)


def test_no_hint_where_the_table_forbids_it_or_another_decides(doors: Doors) -> None:
    ann, _, table = playing(doors)
    assert ann.wrong("POST", f"{table}/hint", {}) == (403, "not_allowed")
    _, bo, allowed = playing(doors, hints=True)
    assert bo.wrong("POST", f"{allowed}/hint", {}) == (403, "not_allowed")


def test_house_rules_that_are_not_solved_get_the_advice_of_a_bot(doors: Doors) -> None:
    ann, bo = doors.guest("Ann"), doors.guest("Bo")
    table = ann.post("/api/tables", {"game": "tenthousand", "rules": {"goal": 20_000}, "hints": True})["id"]
    for person in (ann, bo):
        person.post(f"/api/tables/{table}/sit")
    ann.post(f"/api/tables/{table}/start")
    advice = ann.post(f"/api/tables/{table}/hint")["advice"]
    assert (advice["best"], advice["worths"]) == ("roll", [])
    assert advice["note"].startswith("not solved; this is what a ")


@pytest.mark.parametrize("pick", [0, 7])
def test_a_pick_that_is_hidden_changes_no_advice(doors: Doors, pick: int) -> None:
    ann, bo, table = playing(doors, game="mana", hints=True)
    before = bo.post(f"{table}/hint")["advice"]
    ann.post(f"{table}/act", {"move": {"pick": pick}})
    after = bo.post(f"{table}/hint")["advice"]
    drawn = {"best": None, "best_words": None}
    assert {**after, **drawn} == {**before, **drawn}
    most = max(worth["chance"] for worth in after["worths"])
    for advice in (before, after):  # each drawn from the mix
        (advised,) = [worth for worth in after["worths"] if worth["move"] == advice["best"]]
        assert advised["chance"] == pytest.approx(most, abs=1e-9)
    assert len(before["worths"]) == 8
