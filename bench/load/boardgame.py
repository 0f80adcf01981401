"""boardgame.io's protocol over socket.io 4 (engine.io 4, WebSocket only), as far as a table of Pig needs it."""

from __future__ import annotations

import asyncio
import http.client
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import msgspec

from bench.load.line import Line, connect
from bench.load.table import Position, Table, Tally

EVENT = "42/pig,"  # a message with an event, in the game's namespace
SYNCED, UPDATED = (f'{EVENT}["{name}"'.encode() for name in ("sync", "update"))


class Board(msgspec.Struct):
    pile: int


class Context(msgspec.Struct):
    currentPlayer: str


class State(msgspec.Struct):
    G: Board
    ctx: Context
    number: int = msgspec.field(name="_stateID")


UPDATE = msgspec.json.Decoder(tuple[str, str, State, msgspec.Raw])


@dataclass(slots=True, eq=False)
class Boardgame:
    port: int
    tally: Tally
    name: str = "boardgame.io"
    api: http.client.HTTPConnection = field(init=False)  # the lobby, asked one thing after the other

    def __post_init__(self) -> None:
        self.api = http.client.HTTPConnection("127.0.0.1", self.port)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        self.api.request("POST", path, msgspec.json.encode(body), {"Content-Type": "application/json"})
        answer = self.api.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {text!r}")
        return msgspec.json.decode(text)

    async def open(self, number: int) -> Table:
        match = self.post("/games/pig/create", {"numPlayers": 2})["matchID"]
        joined = [
            self.post(f"/games/pig/{match}/join", {"playerID": str(seat), "playerName": "Ann"}) for seat in range(2)
        ]
        keys = [one["playerCredentials"] for one in joined]
        lines = [await self.sync(match, str(seat), keys[seat]) for seat in range(2)]
        table = Table(match, lines, self.tally, writer(match, keys), Position(0, 0, 0))
        for seat, line in enumerate(lines):
            line.listen(partial(self.hear, table, seat))
        return table

    async def watch(self, table: Table, number: int) -> Line:
        line = await self.sync(table.id, None, None)
        line.listen(partial(self.glance, line))
        return line

    async def sync(self, match: str, player: str | None, key: str | None) -> Line:
        """Open engine.io, then the game's namespace, then be told where the match stands."""
        line = await connect(self.port, "/socket.io/?EIO=4&transport=websocket", "127.0.0.1")
        synced: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def hear(message: bytes) -> None:
            if message.startswith(b"0"):
                line.send(b"40/pig,")
            elif message.startswith(b"40/pig,"):
                line.send(EVENT.encode() + msgspec.json.encode(["sync", match, player, key, 2]))
            elif message.startswith(SYNCED):
                synced.set_result(None)

        line.listen(hear)
        await synced
        return line

    def hear(self, table: Table, seat: int, message: bytes) -> None:
        if message.startswith(UPDATED):
            state = UPDATE.decode(message[len(EVENT) :])[2]
            table.updated(seat, Position(state.number, int(state.ctx.currentPlayer), state.G.pile))
        elif message == b"2":
            table.lines[seat].send(b"3")

    def glance(self, line: Line, message: bytes) -> None:
        if message == b"2":
            line.send(b"3")
        self.tally.watched += message.startswith(UPDATED)


def writer(match: str, keys: list[str]) -> Any:
    def written(seat: int, word: str, n: int) -> bytes:
        payload = f'{{"type":"{word}","args":[],"playerID":"{seat}","credentials":"{keys[seat]}"}}'
        return f'{EVENT}["update",{{"type":"MAKE_MOVE","payload":{payload}}},{n},"{match}","{seat}"]'.encode()

    return written
