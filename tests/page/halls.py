"""A real hall for browsers, in a thread of this process: real rules, store, sockets; only the dice can be scripted.

Nothing of this is within reach of `dicehall serve`: the script goes in through the parts that the test itself puts
together.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import uvloop

from dicehall.core.game import Faces
from dicehall.games import catalogue
from dicehall.hall.passwords import Cost
from dicehall.hall.webhooks import Mode
from dicehall.launch.listening import Server, config_of
from dicehall.launch.mana_bot import ManaBotClient, read_bot_url
from dicehall.launch.serving import put_together
from dicehall.launch.wiring import ChainDice, SealedBox, SystemClock
from dicehall.server.app import make_app
from dicehall.server.limits import RATES, Limits, Rate
from dicehall.server.parts import Settings
from dicehall.server.webpage import BUILT, page
from dicehall.store.sqlite import SqliteJournal
from tests.server.scripted_bot import ScriptedBot, scripted_bot

CHEAP = Cost(rounds=1, memory_kib=8)
FREE = {kind: Rate(burst=1e9, per_second=1e9) for kind in RATES}
WAIT_S = 20


@dataclass(slots=True)
class ScriptedBox(SealedBox):
    """Sealed dice, except for the rolls that a test has written down; those fall in its order, and then real ones."""

    rolls: deque[Faces] = field(default_factory=deque)

    def dice(self, secret: bytes) -> Any:
        return ScriptedDice(SealedBox.dice(self, secret), self.rolls)


@dataclass(slots=True)
class ScriptedDice:
    real: ChainDice
    rolls: deque[Faces]
    fallen: dict[int, Faces] = field(default_factory=dict)  # a roll that is asked for again falls as it fell

    @property
    def seal(self) -> str:
        return self.real.seal

    def prepare(self) -> Iterator[None]:
        return self.real.prepare()

    def roll(self, number: int, salt: bytes, sides: Faces) -> tuple[Faces, str]:
        faces, opened = self.real.roll(number, salt, sides)
        if number not in self.fallen:
            fits = self.rolls and len(self.rolls[0]) == len(sides)
            self.fallen[number] = self.rolls.popleft() if fits else faces
        return self.fallen[number], opened

    def key(self, label: str) -> str:
        return self.real.key(label)


class ThreadServer(Server):
    """Signals belong to the main thread; a test stops this one by asking."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@dataclass(slots=True)
class PageHall:
    """A hall that can be stopped and opened again on the same port and store."""

    folder: Path
    prefix: str = ""
    built: Path = BUILT
    webhooks: Mode = "off"
    port: int = 0
    parts: dict[str, Any] = field(default_factory=dict)  # others than usual: a clock of its own
    box: ScriptedBox = field(default_factory=ScriptedBox)
    bots: ExitStack = field(default_factory=ExitStack)
    bot: ManaBotClient = field(default_factory=lambda: ManaBotClient(None))
    thread: threading.Thread | None = None
    server: ThreadServer | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}{self.prefix}"

    def script(self, *rolls: Faces) -> None:
        """The next rolls that fit, in this order, whichever table throws them."""
        self.box.rolls.extend(rolls)

    def follow_bot(self, said: dict[str, Any]) -> ScriptedBot:
        """A bot for Mana over Nostr that says this."""
        bot = self.bots.enter_context(scripted_bot(said))
        self.bot.address = read_bot_url(bot.url)
        return bot

    def start(self) -> None:
        listening = socket.create_server(("127.0.0.1", self.port))  # from here on the kernel takes connections
        self.port = listening.getsockname()[1]
        ready = threading.Event()
        self.thread = threading.Thread(target=self.run, args=(listening, ready), daemon=True)
        self.thread.start()
        assert ready.wait(WAIT_S), "the hall did not open"

    def run(self, listening: socket.socket, ready: threading.Event) -> None:
        journal = SqliteJournal(str(self.folder / "hall.db"))
        free = Limits(SystemClock(), FREE)
        parts = {"box": self.box, "cost": CHEAP, "limits": free, "mana_bot": self.bot, **self.parts}
        running = put_together(journal, catalogue(), Settings(self.url, webhooks=self.webhooks), **parts)
        app = make_app(running.parts, running.sockets, page(running.parts, self.built))
        running = replace(running, app=app)
        self.server = ThreadServer(config_of(running), running)
        ready.set()
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(self.server.serve(sockets=[listening]))

    def stop(self) -> None:
        """As an operator does it: sockets are told to come back, and the port is free afterwards."""
        assert self.server is not None
        assert self.thread is not None
        self.server.should_exit = True
        self.thread.join(WAIT_S)
        assert not self.thread.is_alive(), "the hall did not stop"


@contextmanager
def page_hall(
    folder: Path, prefix: str = "", built: Path = BUILT, webhooks: Mode = "off", **parts: Any
) -> Iterator[PageHall]:
    hall = PageHall(folder, prefix, built, webhooks, parts=parts)
    hall.start()
    try:
        with hall.bots:
            yield hall
    finally:
        hall.stop()
