"""Repeated guest sign-ins: if an answer was lost, the same request id returns the same account for a minute.

Such an id gives access to an account, so it must be impossible to guess, counts at one address only and
for a minute, and only a hash of it is kept, in memory.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from dataclasses import dataclass, field

from dicehall.core.game import Refused
from dicehall.hall.people import Entered, People
from dicehall.table.requests import Code

LEAST = 22  # characters: of 16 random bytes in base 64
AGAIN_MS = 60_000  # how long a request may be repeated
MOST = 10_000  # remembered at once; the oldest go first


@dataclass(slots=True)
class Request:
    at: int
    account: str | None = None  # once it is made
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(slots=True)
class Guests:
    people: People
    asked: OrderedDict[bytes, Request] = field(default_factory=OrderedDict)

    async def enter(self, name: str, id: str | None, address: str) -> Entered:
        """A new guest; or, if the same request came a moment ago, the same guest with another token."""
        if id is None:
            return await self.people.guest(name)
        if len(id) < LEAST:
            raise Refused(Code.BAD_REQUEST, f"The id of a new guest must have at least {LEAST} random characters.")
        request = self.remember(hashlib.sha256(f"{address}\n{id}".encode("utf-8", "backslashreplace")).digest())
        async with request.turn:
            if request.account is not None:
                return await self.enter_again(request.account)
            entered = await self.people.guest(name)
            request.account = entered.account.id
            return entered

    async def enter_again(self, id: str) -> Entered:
        account = await self.people.account(id)
        if not account.guest:
            raise Refused(Code.NOT_ALLOWED, "This guest has an account now. Sign in instead.")
        token = await self.people.sessions.open(id)
        if not (await self.people.account(id)).guest:  # they signed up while the token was made
            await self.people.sign_out(token)
            raise Refused(Code.NOT_ALLOWED, "This guest has an account now. Sign in instead.")
        return Entered(account, token)

    def remember(self, key: bytes) -> Request:
        now = self.people.clock.now()
        while self.asked and (len(self.asked) >= MOST or now - next(iter(self.asked.values())).at >= AGAIN_MS):
            self.asked.popitem(last=False)
        return self.asked.setdefault(key, Request(now))
