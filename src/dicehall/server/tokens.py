"""Whose token it is, remembered for a while: a busy player's token is not looked up with every move."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from dicehall.core.game import Refused
from dicehall.hall.sessions import Sessions, Token
from dicehall.table.ports import Clock

FRESH_MS = 30_000  # how long a token that was closed elsewhere may still work here
MOST = 20_000


@dataclass(slots=True)
class Tokens:
    sessions: Sessions
    clock: Clock
    known: OrderedDict[bytes, tuple[str, int]] = field(default_factory=OrderedDict)
    on_revoked: list[Callable[[str], None]] = field(default_factory=list)  # called with the account

    async def account(self, text: str | None) -> str | None:
        """The account behind a token; None without one, or where it is no longer good."""
        if not text:
            return None
        token = Token(text)
        digest, now = token.digest, self.clock.now()
        known = self.known.get(digest)
        if known is not None and known[1] > now:
            return known[0]
        try:
            account = await self.sessions.account(token)
        except Refused:
            self.known.pop(digest, None)
            return None
        self.known[digest] = (account, now + FRESH_MS)
        while len(self.known) > MOST:
            self.known.popitem(last=False)
        return account

    def remembers(self, digest: bytes) -> bool:
        """Whether the token with this digest was good a short while ago, and was not given up since."""
        known = self.known.get(digest)
        return known is not None and known[1] > self.clock.now()

    def forget(self, text: str, account: str | None) -> None:
        """A token was given up; whoever is still known by it is looked up again."""
        self.known.pop(Token(text).digest, None)
        if account is not None:
            self._tell(account)

    def forget_account(self, account: str) -> None:
        for digest in [digest for digest, (whose, _) in self.known.items() if whose == account]:
            del self.known[digest]
        self._tell(account)

    def _tell(self, account: str) -> None:
        for revoked in self.on_revoked:
            revoked(account)
