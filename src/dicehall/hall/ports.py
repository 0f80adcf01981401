"""What the hall needs from outside for its people: chance, and what must be kept.

A store raises the errors of a journal (table.ports): Taken where something is there already, and then nothing of the
change is kept; Unavailable and Uncertain where it is out of reach.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from dicehall.hall.names import Name
from dicehall.hall.webhooks import Webhook
from dicehall.table.ports import Taken


@dataclass(frozen=True, slots=True)
class Account:
    id: str  # a principal
    name: str
    avatar: str
    guest: bool  # without a way to come back: no password, no key
    created: int  # ms


@dataclass(frozen=True, slots=True)
class Counts:
    accounts: int  # guests are not among them
    guests: int


@dataclass(frozen=True, slots=True)
class Session:
    digest: bytes  # SHA-256 of the token; the token itself is kept by its owner alone
    account: str
    expires: int  # ms; from then on it is nobody's


@dataclass(frozen=True, slots=True)
class Changes:
    """What is to change about an account: all of it in one transaction, or nothing. None stays as it is."""

    name: Name | None = None
    avatar: str | None = None
    password: str | None = None  # its hash; a new password ends every session of the account but one
    replaces: str | None = None  # the hash of the password before it
    session: bytes | None = None  # the digest of the session that does not end


class PasswordReplaced(Taken):
    """The password is not the one that was to be replaced."""


class TooManyKeys(Taken):
    """The account has as many keys as it can have."""


class LastWayIn(Taken):
    """Without this key nobody could sign in to the account any more."""


class Entropy(Protocol):
    def draw(self, count: int) -> bytes:
        """Bytes that nobody can guess."""
        ...


class SessionStore(Protocol):
    async def add_session(self, session: Session, now: int) -> None:
        """Keep a session, and drop all that are expired."""

    async def session(self, digest: bytes) -> Session | None: ...

    async def renew_session(self, digest: bytes, expires: int) -> None:
        """Move the end of a session, if it is still there."""

    async def drop_session(self, digest: bytes) -> None: ...

    async def drop_sessions(self, account: str, but: bytes | None) -> None:
        """All sessions of an account, or all but one."""


class PeopleStore(SessionStore, Protocol):
    async def add(self, account: Account, name: Name, password: str | None = None, key: bytes | None = None) -> None:
        """A new account with its way in; Taken if its id, its key or a skeleton of its name is somebody's."""

    async def account(self, id: str) -> Account | None: ...

    async def named(self, folded: str) -> tuple[Account, str | None] | None:
        """An account by its folded name, with the hash of its password."""
        ...

    async def keyed(self, key: bytes) -> Account | None: ...

    async def taken(self, skeletons: Collection[str]) -> frozenset[str]:
        """Those that are somebody's."""
        ...

    async def rename(self, id: str, name: Name) -> None:
        """Taken if a skeleton of the name is somebody else's."""

    async def set_avatar(self, id: str, avatar: str) -> None: ...

    async def password(self, id: str) -> str | None: ...

    async def set_password(self, id: str, hashed: str, before: str | None) -> None:
        """Turn a guest into an account; raise Taken if its hash has changed meanwhile."""

    async def change(self, id: str, changes: Changes) -> None:
        """Taken if a skeleton of the name is somebody else's; PasswordReplaced if another password came first."""

    async def add_key(self, id: str, key: bytes, most: int) -> None:
        """The account is no guest any more; Taken if the key is somebody's, TooManyKeys if it has *most* already."""

    async def keys(self, id: str) -> list[bytes]:
        """The keys of an account, in DER."""
        ...

    async def remove_key(self, id: str, key: bytes, session: bytes | None) -> bool:
        """Remove a key and end every session but one; False if the account has no such key, LastWayIn if no other."""
        ...

    async def use_event(self, id: bytes, expires: int, now: int) -> None:
        """Note that an event was used, until it expires; Taken if it was used before."""

    async def add_challenge(self, challenge: str, key: bytes, expires: int, now: int) -> None:
        """Keep a challenge, and drop all that are expired."""

    async def take_challenge(self, challenge: str, now: int) -> bytes | None:
        """The key that was challenged, once; None if the challenge is unknown, used or expired."""
        ...

    async def counts(self) -> Counts: ...


class WebhookStore(Protocol):
    """A webhook is added as a fact with the card of its table; the ending of the table makes it pending and due."""

    async def webhook(self, table: str) -> Webhook | None: ...

    async def claim(self, now: int, until: int, most: int) -> Sequence[Webhook]:
        """Those that are due: with the fewest tries first, and of these the latest, so that no old ones are in the way.

        Each has one try more, and is due again *until*.
        """
        ...

    async def settle(self, webhook: Webhook) -> None:
        """What became of a try; nothing, if another try was begun meanwhile."""
