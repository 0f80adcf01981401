"""The example bots resume from the last update they took in order, whatever a dying hall told them out of turn."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass, field
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from tests.launch.running import environment
from tests.server.test_example_bots import EXAMPLES, node

WAIT_S = 30
TABLE = {"id": "t", "seal": "0" * 64, "asks_for_words": False, "me": 0, "choices": {}, "seats": [], "over": None}


@dataclass(slots=True)
class DyingHall:
    """Tells update 8 before the answer to a resuming watch, and dies before that answer; the next time it lives."""

    since: list[int | None] = field(default_factory=list)  # what each watch asked for

    async def serve(self, socket: ServerConnection) -> None:
        async for text in socket:
            message = json.loads(text)
            if message["do"] == "watch":
                self.since.append(message.get("since"))
                if len(self.since) == 2:
                    await socket.send(json.dumps({"table": "t", "n": 8, "at": 1, "events": []}))
                    return
            await socket.send(json.dumps({"re": message["id"], "ok": self.answer(message)}))
            if message["do"] == "look" and len(self.since) == 1:
                return

    def answer(self, message: dict[str, Any]) -> Any:
        over = len(self.since) > 1
        shown = {**TABLE, "n": 8 if over else 5, "phase": "over" if over else "playing"}
        missed: list[dict[str, Any]] = [{"n": n, "at": 1, "events": []} for n in (6, 7, 8)] if over else []
        match message["do"]:
            case "hello":
                return {"version": 1, "server": "a fake", "now": 0}
            case "guest" | "sign_in":
                return {"token": "a token", "account": {"id": "a", "name": "Robin"}}
            case "watch":
                return {"table": shown, "updates": missed}
            case "sit":
                return {"n": 5, "table": shown}
            case _:
                return shown


@pytest.mark.parametrize("example", ["bot.py", "bot.mjs"])
def test_an_update_out_of_turn_does_not_make_a_bot_forget_what_came_before(example: str) -> None:
    hall = DyingHall()
    assert asyncio.run(play(hall, example)) == 0
    assert hall.since == [None, 5, 5]


async def play(hall: DyingHall, example: str) -> int:
    """Let a bot play at this hall; how it exits."""
    command = [sys.executable] if example.endswith(".py") else [node(), "--experimental-websocket"]
    async with serve(hall.serve, "127.0.0.1", 0) as server, asyncio.timeout(WAIT_S):
        url = f"http://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
        bot = await asyncio.create_subprocess_exec(
            *(*command, str(EXAMPLES / example), url, "--table", "t"),
            env=environment(),
            stdout=asyncio.subprocess.DEVNULL,
        )
        try:
            return await bot.wait()
        finally:
            if bot.returncode is None:
                bot.kill()
                await bot.wait()
