"""A whole hall with its doors in this process, on a file of its own: fast enough for one per test."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from httpx import Response
from starlette.testclient import TestClient, WebSocketTestSession

from dicehall.games import catalogue
from dicehall.hall.passwords import Cost
from dicehall.hall.webhooks import Mode
from dicehall.launch.listening import lifespan
from dicehall.launch.serving import Running, put_together
from dicehall.launch.wiring import SystemClock
from dicehall.server.limits import RATES, Limits, Rate
from dicehall.server.parts import Settings
from dicehall.store.sqlite import SqliteJournal
from tests.server.scripted_bot import LocalBot
from tests.table.hosting import Box

HOME = "http://hall.example"
SERVICE = "the operator's own secret"
CHEAP = Cost(rounds=1, memory_kib=8)
FREE = {kind: Rate(burst=1e9, per_second=1e9) for kind in RATES}


@dataclass(slots=True)
class StoppedClock:
    """A clock that goes when it is told to."""

    time: int = 1_700_000_000_000

    def now(self) -> int:
        return self.time


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a token, or nobody."""

    doors: Doors
    id: str = ""
    name: str = ""
    token: str | None = None

    def ask(self, method: str, path: str, body: Any = None, **more: Any) -> Response:
        headers = {} if self.token is None else {"authorization": f"Bearer {self.token}"}
        headers |= more.pop("headers", {})
        answer: Response = self.doors.client.request(method, path, json=body, headers=headers, **more)
        return answer

    def get(self, path: str, **more: Any) -> Any:
        return good(self.ask("GET", path, **more))

    def post(self, path: str, body: Any = None, **more: Any) -> Any:
        return good(self.ask("POST", path, {} if body is None else body, **more))

    def wrong(self, method: str, path: str, body: Any = None, **more: Any) -> tuple[int, str]:
        """Status and code of a refusal, which always has a sentence."""
        answer = self.ask(method, path, body, **more)
        error = answer.json()["error"]
        assert error["message"]
        return answer.status_code, error["code"]

    def wards(self, method: str, **arguments: Any) -> Any:
        """A method of Dice Wards' own interface, by `service/method`."""
        answer = self.ask("POST", f"/api/wards/{method}", arguments)
        assert answer.status_code == 200
        return answer.json()

    def open(self, game: str = "wards", **more: Any) -> str:
        return str(self.post("/api/tables", {"game": game, **more})["id"])

    def sit(self, table: str, **more: Any) -> Any:
        return self.post(f"/api/tables/{table}/sit", more)

    def act(self, table: str, move: Any, **more: Any) -> Any:
        return self.post(f"/api/tables/{table}/act", {"move": move, **more})


@dataclass(frozen=True, slots=True)
class Doors:
    client: TestClient
    running: Running
    box: Box = field(default_factory=Box)

    @property
    def nobody(self) -> Person:
        return Person(self)

    @property
    def operator(self) -> Person:
        return Person(self, token=SERVICE)

    def guest(self, name: str = "Guest") -> Person:
        entered = self.nobody.post("/api/accounts/guest", {"name": name})
        self.client.cookies.clear()
        return Person(self, entered["account"]["id"], entered["account"]["name"], entered["token"])

    def pair(self, **more: Any) -> tuple[Person, Person, str]:
        """Two people at a table of Dice Wards that plays."""
        ann, bo = self.guest("Ann"), self.guest("Bo")
        table = ann.open("wards", **more)
        for person in (ann, bo):
            person.sit(table)
        return ann, bo, table

    @contextmanager
    def socket(self, person: Person | None = None, **headers: str) -> Iterator[Line]:
        shown = {} if person is None or person.token is None else {"authorization": f"Bearer {person.token}"}
        with self.client.websocket_connect("ws://hall.example/ws", headers={**shown, **headers}) as session:
            yield Line(session)


@dataclass(slots=True)
class Line:
    """One socket; what the hall tells by itself waits in *told*."""

    session: WebSocketTestSession
    told: list[dict[str, Any]] = field(default_factory=list)
    count: int = 0

    def ask(self, do: str, **more: Any) -> dict[str, Any]:
        self.count += 1
        return self.say({"id": self.count, "do": do, **more}, self.count)

    def say(self, message: Any, re: Any = None) -> dict[str, Any]:
        """Send anything, and have what answers it."""
        self.session.send_text(message if isinstance(message, str) else json.dumps(message))
        while True:
            heard: dict[str, Any] = json.loads(self.session.receive_text())
            if "re" in heard:
                assert heard["re"] == re
                return heard
            self.told.append(heard)

    def ok(self, do: str, **more: Any) -> Any:
        answer = self.ask(do, **more)
        assert "ok" in answer, answer
        return answer["ok"]

    def code(self, do: str, **more: Any) -> str:
        error = self.ask(do, **more)["error"]
        assert error["message"]
        return str(error["code"])


@contextmanager
def open_doors(
    folder: Path, public_url: str = HOME, *, limits: Limits | None = None, webhooks: Mode = "off", **more: Any
) -> Iterator[Doors]:
    """A hall that is open; without limits where a test names none."""
    box = Box()
    journal = SqliteJournal(folder / "hall.db")
    settings = Settings(public_url, SERVICE, webhooks=webhooks)
    free = limits or Limits(SystemClock(), dict(FREE))
    more.setdefault("mana_bot", LocalBot())
    running = put_together(journal, catalogue(), settings, box=box, cost=CHEAP, limits=free, **more)
    running.app.router.lifespan_context = lifespan(running)
    host = "{0.scheme}://{0.netloc}".format(urlsplit(public_url))
    with TestClient(running.app, base_url=host, raise_server_exceptions=False) as client:
        yield Doors(client, running, box)


def good(answer: Response) -> Any:
    assert answer.status_code == 200, answer.text
    return answer.json()
