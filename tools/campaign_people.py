"""People at a campaign's tables: they resend with the same id until answered, and resume after each restart."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

from dicehall.dice.words import commitment, full_words
from tools.campaign_known import Ear, Fault, Known, Out, Reply, Seen, Sent
from tools.campaign_pipe import Pipe, now

AGAIN = ("store_unavailable", "rate_limited")  # refusals that ask for another try
PATIENCE_S = 3.0  # without an answer, the same id is sent again
TRIES = 6  # unanswered ones by a living host, after which it will never answer
NEVER = 1 << 60  # ms
NONSENSE = {"dance": "on the table"}


@dataclass(slots=True, eq=False)
class Listener:
    """Somebody who only listens."""

    pipe: Pipe
    known: Known
    ear: Ear
    chance: Random
    connected: int = 0  # the generation of the host that has our connection
    conn: str = ""
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    serials: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def hear(self, update: dict[str, Any]) -> None:
        self.ear.hear(update)
        self.changed.set()

    async def live(self) -> None:
        while True:
            await self.come()
            await self.pause(self.chance.uniform(0.5, 3))
            if self.chance.random() < 0.02:
                self.connected = 0  # a second connection, beside the first

    async def come(self) -> bool:
        """Connected to the living host, with all that was missed; False if it died meanwhile."""
        await self.pipe.up.wait()
        generation = self.pipe.generation
        if self.connected == generation:
            return True
        self.ear.resuming = True
        conn, ear = f"{self.ear.who}/{next(self.serials)}", self.ear
        words = {"table": self.known.table, "who": ear.who, "account": ear.account, "since": ear.last}
        answer = await self.pipe.ask("listen", conn=conn, **words)
        if answer is None or "updates" not in answer:
            await asyncio.sleep(0.05)
            return False
        ear.resumed(answer["updates"])
        self.connected, self.conn = generation, conn
        return True

    async def pause(self, seconds: float) -> None:
        """Until something is heard, or this long."""
        with suppress(TimeoutError):  # not wait_for, which may swallow the cancelling of this task
            async with asyncio.timeout(seconds):
                await self.changed.wait()
        self.changed.clear()


@dataclass(slots=True, eq=False)
class Person(Listener):
    """Somebody with an account who plays. The *leader* of a table sits the bots down and says when to start."""

    bots: Sequence[str] = ()
    leader: bool = False
    people: int = 1
    drowsy: bool = False
    words: str | None = None  # committed to when sitting down, if any
    opened: bool = False
    ids: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def account(self) -> str:
        assert self.ear.account is not None
        return self.ear.account

    async def live(self) -> None:
        while True:
            if await self.come() and (look := await self.look()) is not None:
                await self.react(look)
                await self.pause(self.chance.uniform(0.3, 3.0))

    async def look(self) -> dict[str, Any] | None:
        answer = await self.pipe.ask("look", table=self.known.table, account=self.account)
        if answer is None or "refused" in answer:
            await asyncio.sleep(0.05)
            return None
        if "view" in answer:
            self.known.seen.append(Seen(answer["n"], self.account, answer["view"]))
        return answer

    async def react(self, look: dict[str, Any]) -> None:
        if look["phase"] == "lobby":
            await self.in_lobby(look)
        elif look["phase"] in ("playing", "asleep"):
            await self.in_game(look)

    # -- in the lobby ---------------------------------------------------------------------------

    async def in_lobby(self, look: dict[str, Any]) -> None:
        if not look["mine"]:
            await self.sit(look["n"])
        elif look["words"] and self.words and not self.opened:
            self.opened = True
            await self.insist("OpenWords", {"words": self.words}, look["n"])
        elif self.leader and not look["words"]:
            await self.lead(look)

    async def sit(self, basis: int) -> None:
        typed = self.chance.choice([None, "", "all my luck"])
        self.words = None if typed is None else full_words(typed, self.chance.randbytes(16))
        self.opened = False
        promise = commitment(self.words) if self.words else None
        await self.insist("Sit", {"name": self.account.title(), "commitment": promise}, basis)

    async def lead(self, look: dict[str, Any]) -> None:
        missing = self.people + len(self.bots) - look["chairs"]
        if 0 < missing <= len(self.bots):
            level = self.bots[missing - 1]
            await self.insist("SitBot", {"chair": None, "level": level}, look["n"])
        elif missing == 0 and self.known.game in ("aetharn", "tenthousand"):
            await self.insist("Start", {}, look["n"])

    # -- in the game ----------------------------------------------------------------------------

    async def in_game(self, look: dict[str, Any]) -> None:
        whim = self.chance.random()
        if look["deputy"]:
            await self.wait(1.0)
            await self.insist("Reclaim", {}, look["n"])
        elif whim < 0.015:
            await self.go_out()
        elif whim < 0.02:
            self.connected = 0  # a second connection of the same account takes the seat over
        elif whim < 0.03 and self.known.game == "aetharn":
            await self.insist("Stand", {}, look["n"])
            await self.wait(self.chance.uniform(0.0, 3.0))
            self.connected = 0
        elif whim < 0.03:
            await self.insist("Depute", {"level": "greedy"}, look["n"])
        elif look["choices"]:
            await self.take_turn(look)

    async def take_turn(self, look: dict[str, Any]) -> None:
        whim = self.chance.random()
        if whim < (0.5 if self.drowsy else 0.05):
            return await self.wait(self.chance.uniform(1, 4))  # asleep at the table: time may run out
        if self.chance.random() < 0.1 and look["deadline"] is not None:
            await asyncio.sleep(max(0.0, (look["deadline"] - now()) / 1000 + self.chance.uniform(-0.25, 0.1)))
        elif self.chance.random() < 0.03:
            await self.insist("Do", {"move": NONSENSE}, look["n"])
        elif self.chance.random() < 0.03:
            await self.insist("Hint", {}, look["n"])
        else:
            await asyncio.sleep(self.chance.uniform(0.0, 0.1))
        await self.insist("Do", {"move": self.chance.choice(look["choices"])}, look["n"])

    async def wait(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def go_out(self) -> None:
        """Disconnect for longer than a lost connection may take to come back."""
        outs, at = self.known.outs, len(self.known.outs)
        outs.append(Out(self.account, now(), NEVER))
        self.pipe.send("leave", table=self.known.table, conn=self.conn)
        self.connected = 0
        await self.wait(self.chance.uniform(4.5, 10.0))
        outs[at] = outs[at]._replace(till=now())

    # -- until answered ---------------------------------------------------------------------------

    async def insist(self, kind: str, fields: dict[str, Any], basis: int) -> Reply:
        """Send an action until it is answered, always under the same id, sometimes twice at once."""
        sent = Sent(self.account, f"{self.account}-{next(self.ids)}", kind, basis)
        self.known.sent[sent.account, sent.id] = sent
        silent = 0
        while True:
            await self.pipe.up.wait()
            copies = 2 if self.chance.random() < 0.1 else 1
            attempts = [self.attempt(sent, fields) for _ in range(copies)]
            await asyncio.wait(attempts, timeout=PATIENCE_S)
            settled = [reply for reply in sent.replies if reply.refused not in AGAIN]
            if settled:
                return settled[-1]
            silent += not all(attempt.done() for attempt in attempts)
            if silent == TRIES:
                what = f"{kind} {sent.id} was never answered by a living host"
                self.known.faults.append(Fault("lost", self.known.table, what))
            await asyncio.sleep(0.01)

    def attempt(self, sent: Sent, fields: dict[str, Any]) -> asyncio.Future[dict[str, Any] | None]:
        words = {"table": self.known.table, "account": sent.account, "id": sent.id}
        answer = self.pipe.send("ask", kind=sent.kind, fields=fields, **words)
        ready = self.pipe.ready_at

        def note(done: asyncio.Future[dict[str, Any] | None]) -> None:
            said = None if done.cancelled() else done.result()
            if said is not None:
                sent.replies.append(Reply(said["at"], ready, said.get("n"), said.get("refused")))

        answer.add_done_callback(note)
        return answer
