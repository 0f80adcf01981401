"""Players of a module who read their windows and press its buttons, over HTTP as a game server would."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import httpx

from dicehall.games.aetharn.rules import Aetharn
from dicehall.venue.dice_picture import FACES
from tests.venue.world import PLAYER, Module, named

ENOUGH = 300  # points of a turn that are banked


@dataclass(slots=True)
class GameServer:
    """A game server that posts events one after the other and does what is answered."""

    client: httpx.AsyncClient  # with the secret
    module: Module = field(default_factory=Module)
    ids: Any = field(default_factory=lambda: count(1))
    tables: list[dict[str, Any]] = field(default_factory=list)

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        answer = await self.client.request(method, path, json=body)
        while answer.status_code == 429:  # a fast machine clicks faster than people may
            await asyncio.sleep(answer.json()["error"]["retry_after"])
            answer = await self.client.request(method, path, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def load(self) -> None:
        self.tables = (await self.ask("GET", "/nwn/tables"))["tables"]
        self.module.apply(await self.ask("GET", "/nwn/commands?wait=0"))

    async def poll(self, wait_s: int = 0) -> None:
        self.module.apply(await self.ask("GET", f"/nwn/commands?since={self.module.cursor}&wait={wait_s}"))

    async def catch_up(self) -> None:
        """Read on until nothing is left; a long answer comes in pieces."""
        before = None
        while self.module.cursor != before:
            before = self.module.cursor
            await self.poll()

    async def send(self, **event: Any) -> None:
        body = {"id": f"{next(self.ids)}", "since": self.module.cursor, **event}
        self.module.apply(await self.ask("POST", "/nwn/events", body))

    async def code(self, **event: Any) -> str:
        """The code of an event that is refused."""
        answer = await self.client.post("/nwn/events", json=event)
        assert answer.json()["error"]["message"]
        return str(answer.json()["error"]["code"])

    async def use(self, player: str, spot: dict[str, Any], type: str = "chair_used") -> None:
        await self.send(type=type, player=named(player), payload={"area": spot["area"], "object": spot["id"]})

    async def click(self, player: str, element: str) -> None:
        await self.send(type="click", player=named(player), window=PLAYER, element=element, index=-1, payload=None)

    async def tick(self, player: str, die: int) -> None:
        self.module.windows[player, PLAYER].binds[f"tick{die}"] = True
        value = {"value": True}
        await self.send(type="watch", player=named(player), window=PLAYER, element=f"tick{die}", payload=value)

    def sees(self, player: str, bind: str, window: str = PLAYER) -> Any:
        return self.module.windows[player, window].binds[bind]

    # -- playing -----------------------------------------------------------------------------------------

    async def play(self, player: str) -> bool:
        """One press of a button, if it is this player's turn."""
        if not self.sees(player, "fold_on") or not self.sees(player, "turn").endswith(f" {player.title()}"):
            return False
        loose = [at for at in range(6) if self.sees(player, f"tick{at}_on")]
        if not loose:
            await self.click(
                player, "bank" if self.points(player) >= ENOUGH and self.sees(player, "bank_on") else "roll"
            )
            return True
        faces = tuple(self.face(player, at) for at in loose)
        dice, points = Aetharn().readings(faces)[0]
        for at in dice:
            await self.tick(player, loose[at])
        enough = self.points(player) + points >= ENOUGH or not self.sees(player, "roll_on")
        await self.click(player, "bank" if enough else "roll")
        return True

    def points(self, player: str) -> int:
        return int(self.sees(player, "points").removeprefix("Turn points: ") or 0)

    def face(self, player: str, die: int) -> int:
        lit = {group for group in FACES if self.sees(player, f"die{die}_{group}")}
        return next(face for face in range(1, 7) if {group for group in FACES if face in FACES[group]} == lit)
