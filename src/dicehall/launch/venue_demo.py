"""``dicehall venue demo``: a sample tavern in the browser, played against scripted patrons through the real bridge.

The page is the game client: it shows a map and NUI windows, and reports what a visitor does. This process is the game
server: it keeps the secret, passes events on to the bridge's own addresses, and walks the patrons about.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from html import escape
from typing import Any
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import Message

from dicehall.core.game import Refused
from dicehall.games import Catalogue
from dicehall.launch.greeting import open_browser
from dicehall.launch.limited_server import LimitedServer, limited_config
from dicehall.launch.listening import listen
from dicehall.launch.numbers import read_whole
from dicehall.launch.venue_bridge import make_bridge
from dicehall.launch.venue_patrons import patrons_of
from dicehall.launch.venue_world import VISITOR, Person, World
from dicehall.launch.wiring import SystemClock
from dicehall.server.endpoints import read_bytes
from dicehall.server.errors import error_response, refusal_response
from dicehall.server.headers import SafeHeaders
from dicehall.server.hosts import KnownHosts
from dicehall.server.limits import Limits
from dicehall.server.nwn import MOST_BYTES, routes
from dicehall.server.origins import same_origin
from dicehall.table.requests import Code
from dicehall.venue import svg_map
from dicehall.venue.bridge import Bridge
from dicehall.venue.events import Event, read_event
from dicehall.venue.previewer import MODULES, asset
from dicehall.venue.sample import tavern

HOST = "127.0.0.1"
THINKING_S = 1.2
LEAST_GOAL, MOST_GOAL = 100, 100_000
Handler = Callable[[Request], Awaitable[Response]]
ASSETS = dict.fromkeys(("demo.js", *MODULES), "text/javascript") | {"demo.css": "text/css", "nui.css": "text/css"}


def run(options: argparse.Namespace, games: Catalogue) -> int:
    goal = read_whole("--goal", options.goal, LEAST_GOAL, MOST_GOAL)
    demo = make_demo(games, goal, 0.0 if options.fast else THINKING_S)
    with listen(HOST, read_whole("--port", options.port, 0, 65_535)) as listening:
        url = f"http://{HOST}:{listening.getsockname()[1]}"

        def ready() -> None:
            print(f"{demo.world.venue.name} is running at {url}. Press Ctrl-C to stop.", flush=True)
            if not options.no_open:
                open_browser(url)

        asyncio.run(DemoServer(demo, ready).play(listening))
    return 0


class DemoServer(LimitedServer):
    def __init__(self, demo: Demo, ready: Callable[[], None]) -> None:
        super().__init__(limited_config(demo.app, timeout_graceful_shutdown=5))
        self.demo, self.ready = demo, ready

    async def play(self, listening: socket.socket) -> None:
        async with self.demo.running():
            await self.serve(sockets=[listening])

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.demo.bridge.log.close()  # ends the requests that wait for commands
        await super().shutdown(sockets)


@dataclass(frozen=True, slots=True)
class Demo:
    app: Any
    bridge: Bridge
    world: World
    pause_s: float

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        await self.bridge.start()
        jobs = [patrons.run() for patrons in patrons_of(self.world, self.pause_s)]
        tasks = [asyncio.create_task(job) for job in (*jobs, self.world.watch_over())]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self.bridge.stop()


def make_demo(games: Catalogue, goal: int, pause_s: float) -> Demo:
    venue, secret = tavern(), secrets.token_urlsafe(32)
    bridge = make_bridge(venue, games, secret, rules={"goal": goal})
    world = World(bridge, venue)
    doors = routes(bridge, Limits(SystemClock()), 0)  # as a game server finds them
    gate = Gate(Starlette(routes=doors), secret, world)
    own = [
        Route("/", page(world, goal)),
        Route("/assets/{name}", show_asset),
        Route("/world/events", for_own_page(gate.events), methods=["POST"]),
        Route("/world/commands", for_own_page(gate.commands)),
        Route("/world/people", for_own_page(gate.people)),
    ]
    app = KnownHosts(Starlette(routes=[*doors, *own]), f"http://{HOST}", behind_proxy=False)
    return Demo(SafeHeaders(app), bridge, world, pause_s)


# -- the page ---------------------------------------------------------------------------------------------


def page(world: World, goal: int) -> Callable[[Request], Response]:
    venue = world.venue
    areas = {spot.id: spot.area for table in venue.tables for spot in (*table.chairs, *table.observers)}
    content = asset("demo.html").replace("VENUE_NAME", escape(venue.name)).replace("AREAS", escape(json.dumps(areas)))
    content = content.replace("GOAL", str(goal)).replace("MAP", svg_map.draw(venue, legend=False))

    def show(_: Request) -> Response:
        return HTMLResponse(content)

    return show


def show_asset(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in ASSETS:
        return error_response("not_found", "There is no such file.")
    return Response(asset(name), media_type=ASSETS[name], headers={"cache-control": "no-cache"})


# -- the game server's part -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Gate:
    """Passes what the page asks on to the bridge's addresses, with the secret, for visitors of this machine only."""

    doors: Starlette
    secret: str
    world: World

    async def events(self, request: Request) -> Response:
        try:
            body = await read_bytes(request, MOST_BYTES)
            event = read_event(body)
            person = visitor_of(event)
            self.world.hear(person.key)
            await self.world.welcome(event.type, event.payload)
        except Refused as refused:
            return refusal_response(refused)
        answer = await self.ask("POST", "/nwn/events", b"", body)
        if answer.status_code == 200:
            self.world.note(person, event.type, event.payload, json.loads(bytes(answer.body))["commands"])
        return answer

    async def commands(self, request: Request) -> Response:
        self.world.hear(request.query_params.get("player", ""))
        asked = {name: value for name, value in request.query_params.items() if name != "player"}
        return await self.ask("GET", "/nwn/commands", urlencode(asked).encode(), b"")

    async def people(self, request: Request) -> Response:
        """Who sits where, as anybody in the world can see."""
        answer = await self.ask("GET", "/nwn/tables", b"", b"")
        tables = json.loads(bytes(answer.body))["tables"]
        phases = {table["id"]: {"name": table["name"], "phase": table["phase"]} for table in tables}
        seated = {chair: {"key": one.key, "name": one.name} for chair, one in self.world.seated.items()}
        return JSONResponse({"seated": seated, "tables": phases})

    async def ask(self, method: str, path: str, query: bytes, body: bytes) -> Response:
        """One request to the bridge's own addresses."""
        headers = [(b"authorization", f"Bearer {self.secret}".encode())]
        scope = {"type": "http", "method": method, "path": path, "query_string": query, "headers": headers}
        collected = Collected(body)
        await self.doors(
            {**scope, "client": (HOST, 0), "server": (HOST, 0), "scheme": "http"}, collected.receive, collected.send
        )
        return Response(bytes(collected.content), collected.status, media_type="application/json")


@dataclass(slots=True)
class Collected:
    """A request's body and the answer to it, without a socket."""

    body: bytes
    status: int = 500
    content: bytearray = field(default_factory=bytearray)

    async def receive(self) -> Message:
        return {"type": "http.request", "body": self.body, "more_body": False}

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        else:
            self.content += message.get("body", b"")


def for_own_page(handle: Handler) -> Handler:
    """Pages of other sites cannot play here, nor take the places of those who wait for commands."""

    async def answer(request: Request) -> Response:
        if not same_origin(request, f"http://{HOST}"):
            return error_response(Code.BAD_REQUEST, "This demo accepts requests only from its own page.")
        return await handle(request)

    return answer


def visitor_of(event: Event) -> Person:
    if event.player is None or not event.player.key.startswith(VISITOR):
        raise Refused(Code.BAD_REQUEST, f"The key of a visitor must begin with {VISITOR}.")
    return Person(event.player.key, event.player.name)
