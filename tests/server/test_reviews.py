"""Practice: what the last turn cost, told after it and only in games against bots."""

from __future__ import annotations

import time
from typing import Any

from tests.server.doors import Doors, Person
from tests.server.test_hints import playing


def practising(doors: Doors, **wanted: Any) -> tuple[Person, str]:
    ann = doors.guest("Ann")
    table = ann.open("wards", drawn=False, bots=[{"seat": 1, "level": "greedy"}], **wanted)
    ann.sit(table)
    return ann, f"/api/tables/{table}"


def test_a_mistake_is_explained_after_the_turn_and_not_before(doors: Doors) -> None:
    doors.box.named.update({1: (6,), 2: (6,)})
    ann, table = practising(doors)
    ann.post(f"{table}/act", {"move": "roll"})
    assert ann.get(f"{table}/review") == {"n": 0, "judged": 0, "mistake": None}
    n = ann.post(f"{table}/act", {"move": "hold"})["n"]
    told = ann.get(f"{table}/review")
    assert (told["n"], told["judged"]) == (n, 2)
    mistake = told["mistake"]
    assert mistake["yours"].startswith("Level at 0 with 6 on the pile, you held: ")
    assert (mistake["move"], mistake["best"], mistake["better"]) == ("hold", "roll", "Roll again")


def test_a_turn_without_a_mistake_has_none(doors: Doors) -> None:
    doors.box.named[1] = (1,)
    ann, table = practising(doors)
    ann.post(f"{table}/act", {"move": "roll"})
    told = ann.get(f"{table}/review")
    assert (told["judged"], told["mistake"]) == (1, None)


def test_every_pick_in_mana_is_reviewed_also_if_the_bot_has_picked_before(doors: Doors) -> None:
    """Whoever picked last was asked for the next round at once, so the turn never seemed to end."""
    ann = doors.guest("Ann")
    table = ann.open("mana", bots=[{"seat": 1, "level": "greedy"}])
    ann.sit(table)
    for _ in range(2):
        for _ in range(200):
            shown = ann.get(f"/api/tables/{table}")
            if 1 in shown["view"]["picked"]:
                break
            time.sleep(0.05)
        else:
            raise AssertionError("the bot never picked")
        n = ann.post(f"/api/tables/{table}/act", {"move": shown["choices"]["0"][0]})["n"]
        found = ann.get(f"/api/tables/{table}/review")
        assert (found["judged"], found["n"]) == (1, n)


def test_a_review_leaves_the_game_rated(doors: Doors) -> None:
    doors.box.named[1] = (6,)
    ann, table = practising(doors)
    for move in ("roll", "hold"):
        ann.post(f"{table}/act", {"move": move})
    ann.get(f"{table}/review")
    assert ann.get(table)["rated"]


def test_turns_are_not_reviewed_against_people_nor_without_hints(doors: Doors) -> None:
    ann, _, table = playing(doors, hints=True)
    assert ann.wrong("GET", f"{table}/review") == (403, "not_allowed")
    cy, alone = practising(doors, hints=False)
    assert cy.wrong("GET", f"{alone}/review") == (403, "not_allowed")
    assert ann.wrong("GET", f"{alone}/review") == (409, "not_seated")
    assert ann.wrong("GET", "/api/tables/none/review") == (404, "no_such_table")


def test_hints_say_every_choice_in_words(doors: Doors) -> None:
    ann, table = practising(doors)
    advice = ann.post(f"{table}/hint")["advice"]
    assert (advice["situation"], advice["best_words"]) == ("Level at 0", "Roll")
    assert [worth["words"] for worth in advice["worths"]] == ["Roll", "Hold"]
