"""Playing on from a position of a finished game: with fresh sealed dice, linked to its origin, and counted nowhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dicehall.games import catalogue
from dicehall.launch.checker import verify
from tests.server.doors import Doors, Person, open_doors
from tests.server.test_replays import pages, play, played, views

MANY = 10_000


def end_entries(updates: list[dict[str, Any]]) -> dict[int, int]:
    """How many entries had been played, by the number of the update after which that was so."""
    total, counts = 0, {}
    for update in updates:
        total += update["entries"]
        counts[update["n"]] = total
    return counts


def play_on(who: Person, table: str, entries: int, seat: int = 0, **more: Any) -> dict[str, Any]:
    shown: dict[str, Any] = who.post(f"/api/tables/{table}/continue", {"entries": entries, "seat": seat, **more})
    return shown


def verified(record: Any) -> Any:
    return verify(json.dumps(record).encode(), catalogue())


def seated_again(people: list[Person], new: str) -> None:
    for person in people:
        person.sit(new)


@pytest.mark.parametrize("game", catalogue())
def test_a_game_goes_on_from_any_decision_and_its_record_can_be_checked(doors: Doors, game: str) -> None:
    people, table, _ = played(doors, game)
    updates = pages(doors.nobody, table, 1000)
    counts, seen = end_entries(updates), views(updates)
    middle = sorted(counts)[len(counts) * 2 // 3]
    new = play_on(people[0], table, counts[middle])["id"]
    seated_again(people, new)
    shown = doors.nobody.get(f"/api/tables/{new}")
    entries = shown["origin"]["entries"]
    assert shown["origin"]["table"] == table
    assert entries <= counts[middle]
    assert shown["view"] == seen[max(n for n, count in counts.items() if count == entries)]
    assert (shown["rated"], shown["unrated"], shown["public"]) == (False, "continued", False)
    play(doors, people, new, seed=2)
    old, record = (people[0].get(f"/api/tables/{one}/record") for one in (table, new))
    assert record["entries"][:entries] == old["entries"][:entries]
    assert [(one["entries"], one["seal"]) for one in record["origins"]] == [(entries, old["seal"])]
    assert record["seal"]["s0"] != old["seal"]["s0"]
    verdict = verified(record)
    assert verdict["check"]["good"], verdict["check"]
    drawn = "drawn" in old["seal"]  # where seats were drawn, that was a roll, too
    assert verdict["check"]["rolls"] == sum("roll" in entry for entry in record["entries"]) + drawn
    replayed = pages(doors.nobody, new, 1000)
    assert sum(update["entries"] for update in replayed) == len(record["entries"])


def test_the_round_of_mana_begins_anew_where_somebody_had_picked_already(doors: Doors) -> None:
    people, table, _ = played(doors, "mana")
    record = people[0].get(f"/api/tables/{table}/record")
    picks = [index for index, entry in enumerate(record["entries"]) if "move" in entry]
    shown = play_on(people[1], table, picks[2] + 1, seat=1)  # one of two picks of the second round
    assert shown["origin"]["entries"] == picks[2]
    seated_again([people[1], people[0]], shown["id"])
    begun = people[0].get(f"/api/tables/{shown['id']}")
    assert begun["view"]["picked"] == []
    assert [seat["name"] for seat in begun["seats"]] == ["Ann", "Bo"]


def test_a_continued_game_can_be_continued_and_every_part_is_checked_against_its_own_seal(doors: Doors) -> None:
    people, table, _ = played(doors, "wards")
    first = play_on(people[0], table, 6)["id"]
    seated_again(people, first)
    play(doors, people, first, seed=5)
    second = play_on(people[0], first, MANY)["id"]
    seated_again(people, second)
    play(doors, people, second, seed=6)
    record = people[0].get(f"/api/tables/{second}/record")
    assert [origin["seal"]["table"] for origin in record["origins"]] == [table, first]
    assert verified(record)["check"]["good"]
    record["origins"][0]["seal"] = record["seal"]
    verdict = verified(record)["check"]
    assert not verdict["good"]
    assert verdict["sentence"].startswith("In the game it was continued from: ")
    back = play_on(people[0], second, 4)
    assert back["origin"]["table"] == table


def test_it_counts_in_no_statistics_but_is_in_the_history(doors: Doors) -> None:
    people, table, _ = played(doors, "wards")
    before = [people[1].get(f"/api/players/{people[0].id}")[part] for part in ("statistics", "versus")]
    new = play_on(people[0], table, 2)["id"]
    seated_again(people, new)
    play(doors, people, new)
    after = people[1].get(f"/api/players/{people[0].id}")
    assert [after["statistics"], after["versus"]] == before
    assert [(one["table"], one["continued"]) for one in after["history"]] == [(new, True), (table, False)]
    assert doors.nobody.get(f"/api/players/{people[0].id}")["history"][-1]["table"] == table
    tallies = doors.nobody.get("/api/leaderboards/wards?who=guests")["leaders"]
    assert all(leader["played"] <= 1 for leader in tallies)


def test_bots_take_their_seats_and_the_opener_the_one_they_chose(doors: Doors) -> None:
    people, table, _ = played(doors, "wards")
    shown = play_on(people[0], table, 2, seat=1, bots=[{"seat": 0, "level": "greedy"}])
    people[0].sit(shown["id"])
    begun = people[0].get(f"/api/tables/{shown['id']}")
    assert (begun["phase"], begun["me"], begun["seats"][0]["bot"]) == ("playing", 1, "greedy")
    assert begun["hints"]


def test_a_seat_that_was_away_is_back_and_one_that_folded_is_a_bot(doors: Doors) -> None:
    people = [doors.guest(name) for name in ("Ann", "Bo", "Cy")]
    table = people[0].open("aetharn", rules={"goal": 600}, seats=3)
    for person in people:
        person.sit(table)
    people[0].post(f"/api/tables/{table}/start")
    turn = people[0].get(f"/api/tables/{table}")["view"]["turn"][0]
    idle = next(seat for seat in range(3) if seat != turn)
    people[idle].act(table, "fold")
    play(doors, people, table)
    wrong = {"entries": MANY, "seat": idle}
    assert people[0].wrong("POST", f"/api/tables/{table}/continue", wrong) == (422, "bad_request")
    shown = play_on(people[turn], table, MANY, seat=turn)
    assert [seat["bot"] is not None for seat in shown["seats"]] == [seat == idle for seat in range(3)]


def test_the_same_request_opens_one_table_and_the_origin_names_it_to_its_people_only(doors: Doors) -> None:
    people, table, _ = played(doors, "wards", visibility="link")
    stranger = doors.guest("Zoe")
    first, again = (play_on(people[0], table, 2, id="once")["id"] for _ in range(2))
    assert first == again
    assert people[0].get(f"/api/tables/{table}")["continued_in"] == [first]
    for other in (people[1], stranger, doors.nobody):
        assert other.get(f"/api/tables/{table}")["continued_in"] == []
    assert first not in str(doors.nobody.get("/api/tables"))


def test_running_games_strangers_and_bad_wishes_are_refused(doors: Doors) -> None:
    ann, bo, running = doors.pair()
    ann.act(running, "roll")
    good = {"entries": 1, "seat": 0}
    assert ann.wrong("POST", f"/api/tables/{running}/continue", good) == (409, "already_started")
    assert ann.wrong("POST", f"/api/tables/{ann.open('wards')}/continue", good) == (409, "already_started")
    people, table, _ = played(doors, "wards")
    path = f"/api/tables/{table}/continue"
    assert doors.nobody.wrong("POST", path, good) == (401, "not_signed_in")
    assert bo.wrong("POST", "/api/tables/guessed/continue", good) == (404, "no_such_table")
    for body in ({**good, "seat": 2}, {**good, "entries": -1}, {"seat": 0}, {**good, "entries": "x"}):
        assert people[0].wrong("POST", path, body) == (422, "bad_request")
    for bots in ([{"seat": 0}], [{"seat": 5}], [{"seat": 1}, {"seat": 1}], [{"seat": 1, "level": "godlike"}]):
        assert people[0].wrong("POST", path, {**good, "bots": bots}) == (422, "bad_request")


def test_it_is_there_again_after_a_restart(tmp_path: Path) -> None:
    with open_doors(tmp_path) as doors:
        people, table, _ = played(doors, "aetharn")
        new = play_on(people[0], table, 12)["id"]
        seated_again(people, new)
        before = people[0].get(f"/api/tables/{new}")
        tokens = [person.token for person in people]
    with open_doors(tmp_path) as doors:
        again = [Person(doors, one.id, one.name, token) for one, token in zip(people, tokens, strict=True)]
        after = again[0].get(f"/api/tables/{new}")
        assert {k: after[k] for k in ("view", "origin", "phase", "choices")} == {
            k: before[k] for k in ("view", "origin", "phase", "choices")
        }
        play(doors, again, new)
        assert verified(again[0].get(f"/api/tables/{new}/record"))["check"]["good"]
