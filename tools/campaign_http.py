"""People who have nothing but HTTP: they ask again and again how their table stands."""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from dicehall.client.errors import refused
from dicehall.client.sealed import commitment, full_words
from tools.campaign_person import Person
from tools.campaign_wire import AGAIN, Ledger, Message

ANSWER_S = 10.0  # after which the same is asked again


class HttpPerson(Person):
    def __init__(self, name: str, ledger: Ledger, chance: Random) -> None:
        super().__init__(name, ledger, chance)
        self.connection: http.client.HTTPConnection | None = None
        self.token: str | None = None
        self.words: dict[str, str] = {}  # by table: what I committed to and have not opened yet
        self.spoilt: set[str] = set()  # tables whose start failed after my words were known

    # -- asking -----------------------------------------------------------------------------------

    async def ask(self, do: str, method: str, path: str, table: str | None = None, **body: Any) -> Message:
        """Have a request answered, by as many tries as it takes, always under the same id."""
        if table is not None:
            self.log.asked(do, table, body.get("id"))
        while True:
            begun = self.ledger.hall.begun
            try:
                message = await asyncio.to_thread(self.exchange, method, path, body)
            except (OSError, http.client.HTTPException, ValueError):
                self.hang_up()
                await asyncio.sleep(self.chance.uniform(0.05, 0.3))
                continue
            self.log.answered(do, table, body.get("id"), begun, message)
            if "ok" in message:
                return message["ok"]  # type: ignore[no-any-return]
            if message["error"]["code"] not in AGAIN:
                raise refused(message["error"])
            await asyncio.sleep(message["error"].get("retry_after", 0.2))

    def exchange(self, method: str, path: str, body: Message) -> Message:
        """One request and its answer, as a socket would tell it."""
        connection, self.connection = self.connection, None  # nobody else's while we use it
        connection = connection or http.client.HTTPConnection("127.0.0.1", self.ledger.hall.port, timeout=ANSWER_S)
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        connection.request(method, path, json.dumps(body) if method == "POST" else None, headers)
        answer = connection.getresponse()
        said = json.loads(answer.read())
        self.connection = connection
        return {"ok": said} if answer.status == 200 else {"error": said["error"]}

    def hang_up(self) -> None:
        if self.connection is not None:
            self.connection.close()
        self.connection = None

    def once(self) -> str:
        return self.chance.randbytes(12).hex()

    async def do(self, do: str, table: str, **body: Any) -> Message:
        return await self.ask(do, "POST", f"/api/tables/{table}/{do}", table, id=self.once(), **body)

    # -- what people do -------------------------------------------------------------------------------

    async def enter(self) -> None:
        entered = await self.ask("guest", "POST", "/api/accounts/guest", name=self.name)
        self.token = entered["token"]
        self.log.entered(entered["account"])

    async def leave(self) -> None:
        self.hang_up()

    async def open(self, game: str, rules: Mapping[str, int], seats: int, bots: Sequence[Message]) -> str:
        wanted: Message = {"game": game, "rules": rules, "seats": seats, "bots": bots, "id": self.once()}
        return str((await self.ask("open", "POST", "/api/tables", **wanted))["id"])

    async def look(self, table: str) -> Message:
        return await self.ask("look", "GET", f"/api/tables/{table}", table)

    async def watch(self, table: str) -> None:
        await self.listen(table)

    async def listen(self, table: str) -> None:
        ear = self.log.ear(table)
        answer = await self.ask("events", "GET", f"/api/tables/{table}/events?since={ear.last}", table)
        ear.resumed(answer["updates"])
        stood = any(event["event"] == "Stood" for update in answer["updates"] for event in update["events"])
        if stood and table not in self.words:
            self.spoilt.add(table)

    async def in_lobby(self, table: str, shown: Message) -> None:
        if shown["asks_for_words"] and table in self.words:
            await self.do("words", table, words=self.words.pop(table))
        elif shown["me"] is not None and table in self.spoilt:
            await self.sit(table)
        else:
            await super().in_lobby(table, shown)

    async def sit(self, table: str) -> None:
        words = full_words("", self.chance.randbytes(16))
        await self.do("sit", table, commitment=commitment(words))
        self.words[table] = words
        self.spoilt.discard(table)

    async def start(self, table: str) -> None:
        await self.do("start", table)

    async def act(self, table: str, move: Any) -> None:
        await self.do("act", table, move=move)

    async def news(self, table: str, since: int) -> None:
        while True:
            await self.listen(table)
            if self.log.ear(table).last > since:
                return
            await asyncio.sleep(self.chance.uniform(0.1, 0.3))

    async def done_with(self, table: str) -> None:
        self.words.pop(table, None)
        self.spoilt.discard(table)

    def cut(self) -> None:
        self.hang_up()

    async def go_out(self, seconds: float) -> None:
        """Nobody without a socket is away for keeping silent that long."""
        await asyncio.sleep(seconds)
