"""The demo's tavern for browsers, in a thread of this process: the real bridge, real dice, patrons who do not pause."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from dicehall.games import catalogue
from dicehall.launch.venue_demo import Demo, DemoServer, make_demo

WAIT_S = 20


class ThreadServer(DemoServer):
    """Signals belong to the main thread; a test stops this one by asking."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@dataclass(slots=True)
class RunningTavern:
    demo: Demo
    url: str


@contextmanager
def running_tavern(goal: int = 5000, pause_s: float = 0.0) -> Iterator[RunningTavern]:
    listening, ready = socket.create_server(("127.0.0.1", 0)), threading.Event()
    server: list[ThreadServer] = []
    demos: list[Demo] = []

    async def serve() -> None:
        demos.append(make_demo(catalogue(), goal, pause_s))
        server.append(ThreadServer(demos[0], ready.set))
        await server[0].play(listening)

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert ready.wait(WAIT_S), "the tavern did not open"
    try:
        yield RunningTavern(demos[0], f"http://127.0.0.1:{listening.getsockname()[1]}")
    finally:
        server[0].should_exit = True
        thread.join(WAIT_S)
        listening.close()
        assert not thread.is_alive(), "the tavern did not close"
