"""No secret is in anything that is sent or logged: not a token, a password, a sealed die, an unopened word, a pick."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dicehall.dice.words import commitment
from dicehall.games import catalogue
from dicehall.launch.logs import JsonLines
from tests.server.doors import SERVICE, Doors, Person, open_doors

PASSWORDS = ("sesame-of-the-table", "correct horse of Ann")


@dataclass(slots=True)
class Wiretap:
    """Hears every byte that an application sends."""

    app: ASGIApp
    heard: list[bytes] = field(default_factory=list)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def tapped(message: Message) -> None:
            self.heard += [bytes(value) for header in message.get("headers", ()) for value in header]
            self.heard += [message.get("body", b""), (message.get("text") or "").encode()]
            await send(message)

        await self.app(scope, receive, tapped)


@pytest.fixture
def logged() -> Iterator[list[str]]:
    """All lines that are logged, at the finest level, as they would be written."""
    lines: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(JsonLines().format(record))

    root, kept = logging.getLogger(), Kept(logging.DEBUG)
    level = root.level
    root.addHandler(kept)
    root.setLevel(logging.DEBUG)
    yield lines
    root.removeHandler(kept)
    root.setLevel(level)


def everything(doors: Doors, table: str, *people: Person) -> None:
    """Ask for all that shows a table, and make some mistakes."""
    for person in people:
        for path in ("", "/events", "/record"):
            person.ask("GET", f"/api/tables/{table}{path}")
        person.ask("POST", f"/api/tables/{table}/act", {"move": {"pick": 99}})
        person.ask("POST", f"/api/tables/{table}/sit", {"password": "wrong", "seat": 77})
        person.ask("POST", "/api/tables", {"game": 7, "password": PASSWORDS[0]})
        with doors.socket(person) as line:
            line.ask("watch", table=table, since=0)
            line.ask("act", table=table, move={"pick": "x"})
    for path in ("/metrics", "/api/tables", "/openapi.json", f"/api/players/{people[0].id}"):
        doors.nobody.ask("GET", path)


def test_nothing_secret_is_sent_or_logged(tmp_path: Path, logged: list[str]) -> None:
    with open_doors(tmp_path) as doors:
        ann, bo, cy = doors.guest("Ann"), doors.guest("Bo"), doors.guest("Cy")
        ann.ask("PATCH", "/api/me", {"password": PASSWORDS[1]})
        tap = Wiretap(doors.client.app)
        doors.client.app = tap
        doors.client._transport.app = tap
        words = {"Ann": "the words of ann", "Bo": "the words of bo"}
        table = ann.open("mana", password=PASSWORDS[0])
        for person in (ann, bo):
            person.sit(table, password=PASSWORDS[0], commitment=commitment(words[person.name]))
        everything(doors, table, ann, bo, cy)
        unopened = [*words.values()]
        assert not [secret for secret in unopened if secret.encode() in b"\n".join(tap.heard)]
        for person in (ann, bo):
            person.post(f"/api/tables/{table}/words", {"words": words[person.name]})
        everything(doors, table, ann, bo, cy)
        ann.act(table, {"pick": 3})
        everything(doors, table, ann, bo, cy)
        doors.nobody.ask("POST", "/api/sessions", {"name": "Ann", "password": PASSWORDS[1] + "!"})
        doors.operator.wards("engine/initGame", roomId=table)
        state = doors.running.host.tables[table].state
        dice = doors.box.dice(doors.box.made[-1])
        sealed = [dice.roll(state.rolls + 1 + ahead, b"", (6,))[1] for ahead in range(3)] + [doors.box.made[-1].hex()]
        opened = [dice.roll(number, b"", (6,))[1] for number in range(1, state.rolls + 1)]
        sent = b"\n".join(tap.heard).decode("utf-8", "replace")
        secrets = [*sealed, *PASSWORDS, SERVICE, "$argon2", *(person.token or "" for person in (ann, bo, cy))]
        assert any(b"$argon2id$" in path.read_bytes() for path in tmp_path.iterdir()), "hashes are kept"
        for secret in secrets:
            assert secret
            assert secret not in sent
            assert secret not in "\n".join(logged)
        assert all(secret in sent for secret in opened), "the wire is really tapped"
        assert opened


def seen(doors: Doors, ann: Person, bo: Person, pick: int) -> list[str]:
    """All that the other seat and a spectator can see of a game of Mana in which Ann has picked."""
    table = ann.open("mana", drawn=False)
    with doors.socket(bo) as rival, doors.socket() as spectator:
        spectator.ok("watch", table=table)
        ann.sit(table)
        rival.ok("sit", table=table)
        ann.act(table, {"pick": pick})
        shown: list[Any] = [rival.ok("look", table=table), spectator.ok("look", table=table), rival.told]
        for person in (bo, doors.nobody):
            at = f"/api/tables/{table}"
            shown += [person.get(at), person.get(f"{at}/events"), person.get(f"{at}/record")]
        shown += [rival.ok("record", table=table), rival.ok("events", table=table, since=0), spectator.told]
    assert ann.get(f"/api/tables/{table}")["view"]["picked"] == [0]
    return [re.sub(r"\b1\d{12}\b|[0-9a-f]{64}", "*", repr(one).replace(table, "T")) for one in shown]


def test_a_pick_that_is_hidden_changes_nothing_that_others_can_see(doors: Doors) -> None:
    game = catalogue()["mana"]()
    doors.box.named[1] = tuple(1 for _ in game.awaits(game.start(2)).sides)
    ann, bo = doors.guest("Ann"), doors.guest("Bo")
    looks = [seen(doors, ann, bo, pick) for pick in (0, 0, 5)]
    assert looks[0] == looks[1], "two games that are the same look the same"
    assert looks[0] == looks[2]


def test_a_token_is_only_told_to_who_comes_in(doors: Doors) -> None:
    ann = doors.guest("Ann")
    for path in ("/api/me", f"/api/players/{ann.id}", "/api/tables"):
        assert (ann.token or "") not in ann.ask("GET", path).text
    assert "token" not in ann.get("/api/me")
