"""A table answers alike at every door before it is archived, after that, and when another process opens the file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dicehall.games import catalogue
from dicehall.table.clocks import KEEP_MS
from tests.server.doors import Doors, Person, StoppedClock, open_doors

RULES: dict[str, dict[str, int]] = {
    "wards": {"goal": 6},
    "aetharn": {"goal": 300},
    "tenthousand": {"goal": 300, "opening": 0},
    "doordice": {"rounds": 1},
    "mana": {"rounds": 1},
}
SINCE = (0, 3, 1_000)


class Archived:
    """Some people at one table, and everything that can be asked about it."""

    def __init__(self, doors: Doors, clock: StoppedClock, game: str) -> None:
        self.doors, self.clock, self.game = doors, clock, game
        self.people = [doors.guest(name) for name in ("Ann", "Bo", "Cy", "Di", "Ed")[: 5 if game == "doordice" else 2]]
        self.stranger = doors.guest("Zoe")
        self.table = self.people[0].open(game, rules=RULES[game], seats=len(self.people), name="Oak", hints=True)

    def sit(self) -> None:
        for person in self.people:
            person.sit(self.table)
        if self.people[0].get(f"/api/tables/{self.table}")["phase"] == "lobby":
            self.people[0].post(f"/api/tables/{self.table}/start")

    def play(self, most: int = 2_000) -> None:
        """Whatever is allowed but giving up, till the end."""
        chance = Random(self.game)
        for _ in range(most):
            shown = self.people[0].get(f"/api/tables/{self.table}")
            if shown["phase"] != "playing":
                return
            seat, moves = next(iter(shown["choices"].items()))
            mover = next(one for one in self.people if one.id == shown["seats"][int(seat)]["account"])
            self.clock.time += 250
            mover.act(self.table, chance.choice([move for move in moves if move != "fold"]))

    def end(self) -> None:
        """By the operator's word."""
        hall = self.doors.running.parts.hall
        self.portal.call(lambda: hall.destroy(None, self.table, "cleaning", operator=True))

    @property
    def portal(self) -> Any:
        return self.doors.client.portal

    def put_away(self) -> None:
        host = self.doors.running.host
        self.clock.time += KEEP_MS + 1_000
        self.portal.call(host.retire, host.tables[self.table])
        assert self.table not in host.tables
        assert self.portal.call(host.parts.journal.rows, self.table) == []

    # -- what every door says -----------------------------------------------------------------------------

    def answers(self) -> dict[str, Any]:
        told: dict[str, Any] = {}
        for who in (*self.people[:2], self.stranger, self.doors.nobody):
            for door, answer in self.asked_by(who):
                told[f"{who.name} {door}"] = timeless(answer)
        return told

    def asked_by(self, who: Person) -> Iterator[tuple[str, Any]]:
        t = f"/api/tables/{self.table}"
        paths = [t, *(f"{t}/events?since={n}" for n in SINCE), f"{t}/record", "/api/doordice/sessions"]
        paths += ["/api/doordice/stats", "/api/tenthousand/games", f"/api/tables?game={self.game}"]
        paths += [f"/api/players/{one.id}" for one in self.people]
        paths += [f"/api/tenthousand/players/{one.id}" for one in self.people]
        yield from ((path, who.ask("GET", path).json()) for path in paths)
        yield from self.ten_thousand(who)
        for method in ("lobbies/getRoom", "engine/getGameState", "engine/roll", "lobbies/joinRoom"):
            yield method, who.wards(method, roomId=self.table)
        yield "listRooms", who.wards("lobbies/listRooms", status="Finished")
        for door in ("leave", "stand", "watch", "reclaim", "start", "sit"):
            yield door, who.ask("POST", f"{t}/{door}", {}).json()
        yield "act", who.ask("POST", f"{t}/act", {"move": "roll"}).json()
        yield "bots", who.ask("POST", f"{t}/bots", {"seat": 0}).json()
        yield "close", who.ask("DELETE", t).json()
        yield from self.over_a_socket(who)
        if who not in self.people:  # those who played there would open one
            yield "rematch", who.ask("POST", f"{t}/rematch", {}).json()

    def ten_thousand(self, who: Person) -> Iterator[tuple[str, Any]]:
        """Every record below the game, as far as they lead to one another."""
        waiting = [f"games/{self.table}"]
        while waiting:
            path = waiting.pop()
            record = who.ask("GET", f"/api/tenthousand/{path}").json()
            yield path, record
            waiting += [f"rounds/{id}" for id in record.get("rounds", ())]
            waiting += [f"turns/{id}" for id in record.get("completed_turns", ()) or record.get("remaining_turns", ())]
            waiting += [f"rolls/{id}" for id in record.get("rolls", ())]

    def over_a_socket(self, who: Person) -> Iterator[tuple[str, Any]]:
        with self.doors.socket(who) as line:
            for do in ("look", "record", "leave", "hint"):
                yield f"socket {do}", line.ask(do, table=self.table)
            yield "socket watch", line.ask("watch", table=self.table)
            for n in SINCE:
                yield f"socket watch {n}", line.ask("watch", table=self.table, since=n)
                yield f"socket events {n}", line.ask("events", table=self.table, since=n)
            yield "socket unwatch", line.ask("unwatch", table=self.table)


def timeless(answer: Any) -> Any:
    """An answer without the time at which it was given, and the number of its request."""
    if isinstance(answer, dict):
        return {key: timeless(value) for key, value in answer.items() if key not in ("now", "re")}
    return [timeless(one) for one in answer] if isinstance(answer, list) else answer


def check(folder: Path, game: str, how: str) -> None:
    clock = StoppedClock()
    with open_doors(folder, clock=clock) as doors:
        table = Archived(doors, clock, game)
        if how != "closed":
            table.sit()
            table.play() if how == "over" else table.play(1)
        else:
            table.people[0].sit(table.table)
        if how != "over":
            table.end()
        before = table.answers()
        assert before["Ann /api/tables/" + table.table]["phase"] == ("over" if how == "over" else "abandoned")
        table.put_away()
        assert table.answers() == before
        table.put_away()  # from memory, where it was back
    with open_doors(folder, clock=clock) as doors:
        table.doors = doors
        table.people = [Person(doors, one.id, one.name, one.token) for one in table.people]
        table.stranger = Person(doors, table.stranger.id, table.stranger.name, table.stranger.token)
        assert table.answers() == before
        if how != "closed":
            check_rematch(table)


def check_rematch(table: Archived) -> None:
    """The first rematch is opened long after the end, and all are led to it."""
    old = table.people[0].get(f"/api/tables/{table.table}")
    new = table.people[-1].post(f"/api/tables/{table.table}/rematch", {"id": "again"})
    same = ("name", "game", "rules", "public", "locked", "hints", "drawn")
    assert {key: new[key] for key in same} == {key: old[key] for key in same}
    assert (new["before"], new["phase"], len(new["seats"])) == (table.table, "lobby", len(old["seats"]))
    for person in table.people:
        assert person.post(f"/api/tables/{table.table}/rematch")["id"] == new["id"]
        person.sit(new["id"])
    accounts = [seat["account"] for seat in old["seats"]]
    opened = table.people[0].get(f"/api/tables/{new['id']}/events")["updates"][0]["events"][0]
    assert opened["reserved"] == [*accounts[1:], accounts[0]]


def test_every_game_is_tried() -> None:
    assert RULES.keys() == catalogue().keys()


@pytest.mark.parametrize("game", RULES)
def test_a_finished_game_answers_alike_when_it_is_archived(game: str, tmp_path: Path) -> None:
    """C3."""
    check(tmp_path, game, "over")


@pytest.mark.parametrize("game", ["tenthousand", "mana"])
def test_a_destroyed_game_answers_alike_when_it_is_archived(game: str, tmp_path: Path) -> None:
    """C9: who played it is known as long as the table is, and what was picked in secret stays a secret."""
    check(tmp_path, game, "destroyed")


def test_a_lobby_that_was_closed_answers_alike_when_it_is_archived(tmp_path: Path) -> None:
    check(tmp_path, "wards", "closed")
