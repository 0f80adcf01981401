"""A hall on a real port in a thread of this process, so that an attack can be run with its guard switched off."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest
import uvloop
from websockets.sync.client import ClientConnection, connect

from dicehall.games import catalogue
from dicehall.hall.passwords import Cost
from dicehall.launch.listening import Server, config_of
from dicehall.launch.serving import Running, put_together
from dicehall.server.connections import check_times
from dicehall.server.parts import Settings
from dicehall.store.sqlite import SqliteJournal

T = TypeVar("T")
WAIT_S = 60

# An attack is run twice: it must fail against the guarded hall, and (in `make proof`) succeed once its guard is
# switched off. A test for which that cannot be names its control, or says why (tests/project/test_attacks.py).
GUARD_OFF = pytest.param(False, id="guard_off", marks=pytest.mark.proof)
both_ways = pytest.mark.parametrize("guarded", [pytest.param(True, id="guarded"), GUARD_OFF])


class ThreadServer(Server):
    """The server as shipped, but for signals: only a main thread can handle those."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@dataclass(slots=True)
class EndlessWork:
    """Work that ends only when it is released or given up."""

    begun: threading.Event = field(default_factory=threading.Event)
    given_up: bool = False
    released: bool = False

    async def run(self) -> None:
        self.begun.set()
        try:
            while not self.released:
                await asyncio.sleep(0)
        except asyncio.CancelledError:
            self.given_up = True
            raise


@dataclass(frozen=True, slots=True)
class LiveHall:
    port: int
    running: Running
    loop: asyncio.AbstractEventLoop
    open: ExitStack  # closed before the hall is
    server: ThreadServer

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def raw(self) -> socket.socket:
        """A plain TCP connection, for bytes no client library would send."""
        return self.open.enter_context(socket.create_connection(("127.0.0.1", self.port), WAIT_S))

    def call(self, work: Callable[[], T]) -> T:
        """Run something on the event loop of the hall."""

        async def run() -> T:
            return work()

        return asyncio.run_coroutine_threadsafe(run(), self.loop).result(WAIT_S)

    @contextmanager
    def stalled(self) -> Iterator[None]:
        """The event loop does nothing until this is left, while bytes arrive in the kernel."""
        stopped, released = threading.Event(), threading.Event()

        def stall() -> None:
            stopped.set()
            released.wait(WAIT_S)

        self.loop.call_soon_threadsafe(stall)
        assert stopped.wait(WAIT_S)
        try:
            yield
        finally:
            released.set()

    def hours_later(self) -> None:
        """End what takes too long, as if it were much later: twice, because closing takes its time as well."""
        for hours in (1, 2):
            self.call(partial(self.check_times_at, self.loop.time() + 3600 * hours))

    def check_times_at(self, now: float) -> None:
        check_times(self.server.server_state.connections, now)

    def request(self, method: str, path: str, body: Any = None, token: str | None = None) -> Any:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=WAIT_S) as answer:
            return json.loads(answer.read())

    def guest(self, name: str) -> Guest:
        return Guest(self, self.request("POST", "/api/accounts/guest", {"name": name})["token"])

    def honest_pair(self, turn_seconds: int | None = None) -> Honest:
        """Two people at a table of their own who just want to play."""
        ann, bo = self.guest("Ann"), self.guest("Bo")
        table = ann.post("/api/tables", {"game": "wards", "rules": {"turn_seconds": turn_seconds}})["id"]
        for guest in (ann, bo):
            guest.post(f"/api/tables/{table}/sit", {})
        return Honest(table, (ann.socket(), bo.socket()), (ann, bo))


@dataclass(frozen=True, slots=True)
class Guest:
    hall: LiveHall
    token: str

    def get(self, path: str) -> Any:
        return self.hall.request("GET", path, None, self.token)

    def post(self, path: str, body: Any) -> Any:
        return self.hall.request("POST", path, body, self.token)

    def socket(self) -> ClientConnection:
        headers = {"authorization": f"Bearer {self.token}"}
        url = f"ws://127.0.0.1:{self.hall.port}/ws"
        return self.hall.open.enter_context(connect(url, additional_headers=headers, open_timeout=WAIT_S))


@dataclass(slots=True)
class Honest:
    """What an honest player experiences: acts sent one by one, each waiting for its answer."""

    table: str
    sockets: tuple[ClientConnection, ClientConnection]
    people: tuple[Guest, Guest]
    acts: int = 0

    def act(self) -> dict[str, Any]:
        """Hold, which is always allowed and passes the turn: the answer."""
        line = self.sockets[self.acts % 2]
        self.acts += 1
        line.send(json.dumps({"id": self.acts, "do": "act", "table": self.table, "move": "hold"}))
        while True:
            heard: dict[str, Any] = json.loads(line.recv(WAIT_S))
            if heard.get("re") == self.acts:
                return heard

    def acts_while(self, work: Callable[[], Any]) -> int:
        """How many acts were answered, one after the other, while somebody else's work was under way."""
        before = self.acts
        with ThreadPoolExecutor(1) as other:
            done = other.submit(work)
            while not done.done():
                assert "ok" in self.act()
            done.result()
        return self.acts - before


@dataclass(slots=True)
class Turns:
    """Counts the turns of the hall's event loop: in each of them an act of an honest player is served if it is there.

    Unlike the acts themselves, turns do not depend on how fast this machine is today.
    """

    hall: LiveHall
    count: int = 0
    counting: bool = True

    def __post_init__(self) -> None:
        self.hall.loop.call_soon_threadsafe(self.turn)
        self.hall.open.callback(self.stop)

    def turn(self) -> None:
        self.count += 1
        if self.counting:
            self.hall.loop.call_soon(self.turn)

    def stop(self) -> None:
        self.counting = False


@contextmanager
def live_hall(folder: Path, **changed: Any) -> Iterator[LiveHall]:
    """A hall with its own store; *changed* goes to put_together (limits, clock, box ...)."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=2048)
    port = listening.getsockname()[1]
    settings = changed.pop("settings", None) or Settings(f"http://127.0.0.1:{port}")
    changed.setdefault("cost", Cost(rounds=1, memory_kib=8))
    running = put_together(SqliteJournal(str(folder / "hall.db")), catalogue(), settings, **changed)
    server = ThreadServer(config_of(running), running)
    loop = uvloop.new_event_loop()
    thread = threading.Thread(target=loop.run_until_complete, args=(server.serve(sockets=[listening]),))
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            thread.join(0.01)
        with ExitStack() as opened:
            yield LiveHall(port, running, loop, opened, server)
    finally:
        server.should_exit = True
        thread.join(WAIT_S)
        loop.close()
