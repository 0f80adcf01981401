"""How a signed-in person is known from one request to the next: a token, of which only the hash is kept."""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64encode
from dataclasses import dataclass

from dicehall.core.game import Refused
from dicehall.hall.codes import Code
from dicehall.hall.ports import Entropy, Session, SessionStore
from dicehall.table.ports import Clock

DAY_MS = 24 * 60 * 60 * 1000
LIFE_MS = 30 * DAY_MS  # since it was last used
RENEWED_MS = DAY_MS  # a session used more often than this is not written each time
BYTES = 32


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Token:
    """Never shown by repr or str, so never in a log; whoever really needs it asks for its text."""

    text: str

    def __repr__(self) -> str:
        return "Token(...)"

    @property
    def digest(self) -> bytes:
        return hashlib.sha256(self.text.encode("utf-8", "backslashreplace")).digest()


@dataclass(frozen=True, slots=True)
class Sessions:
    store: SessionStore
    clock: Clock
    entropy: Entropy

    async def open(self, account: str) -> Token:
        token = Token(url_text(self.entropy.draw(BYTES)))
        now = self.clock.now()
        await self.store.add_session(Session(token.digest, account, now + LIFE_MS), now)
        return token

    async def account(self, token: Token) -> str:
        """Whose token it is; being used keeps it alive."""
        digest, now = token.digest, self.clock.now()
        session = await self.store.session(digest)
        if session is None or not hmac.compare_digest(session.digest, digest) or session.expires <= now:
            raise Refused(Code.NOT_SIGNED_IN, "Please sign in.")
        if session.expires < now + LIFE_MS - RENEWED_MS:
            await self.store.renew_session(digest, now + LIFE_MS)
        return session.account

    async def close(self, token: Token) -> None:
        """Closing what is closed is no mistake."""
        await self.store.drop_session(token.digest)

    async def close_all(self, account: str, but: Token | None = None) -> None:
        await self.store.drop_sessions(account, None if but is None else but.digest)


def url_text(secret: bytes) -> str:
    return urlsafe_b64encode(secret).decode().rstrip("=")
