"""The people of a hall that lives as long as its process."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from dicehall.hall.names import Name
from dicehall.hall.ports import Account, Changes, Counts, LastWayIn, PasswordReplaced, Session, TooManyKeys
from dicehall.store.memory import MemoryJournal
from dicehall.table.ports import Taken


class MemoryPeople:
    def __init__(self, journal: MemoryJournal) -> None:
        self._accounts = journal.register.accounts  # leaderboards know them by this
        self._names: dict[str, Name] = {}  # by account
        self._skeletons: dict[str, str] = {}
        self._passwords: dict[str, str] = {}
        self._keys: dict[bytes, str] = {}
        self._used_events: dict[bytes, int] = {}
        self._challenges: dict[str, tuple[bytes, int]] = {}
        self._sessions: dict[bytes, Session] = {}

    async def add(self, account: Account, name: Name, password: str | None = None, key: bytes | None = None) -> None:
        if account.id in self._accounts or key in self._keys:
            raise Taken("This account already exists.")
        self._give(account.id, name)
        self._accounts[account.id] = replace(account, name=name.text)
        if password is not None:
            self._passwords[account.id] = password
        if key is not None:
            self._keys[key] = account.id

    async def account(self, id: str) -> Account | None:
        return self._accounts.get(id)

    async def keyed(self, key: bytes) -> Account | None:
        return self._accounts.get(self._keys.get(key, ""))

    async def named(self, folded: str) -> tuple[Account, str | None] | None:
        for id, name in self._names.items():
            if name.folded == folded:
                return self._accounts[id], self._passwords.get(id)
        return None

    async def taken(self, skeletons: Collection[str]) -> frozenset[str]:
        return frozenset(skeletons) & self._skeletons.keys()

    async def rename(self, id: str, name: Name) -> None:
        if id in self._accounts:
            self._give(id, name)
            self._accounts[id] = replace(self._accounts[id], name=name.text)

    async def set_avatar(self, id: str, avatar: str) -> None:
        if id in self._accounts:
            self._accounts[id] = replace(self._accounts[id], avatar=avatar)

    async def password(self, id: str) -> str | None:
        return self._passwords.get(id)

    async def set_password(self, id: str, hashed: str, before: str | None) -> None:
        if id not in self._accounts or self._passwords.get(id) != before:
            raise PasswordReplaced("Another password was set in the meantime.")
        self._passwords[id] = hashed
        self._accounts[id] = replace(self._accounts[id], guest=False)

    async def change(self, id: str, changes: Changes) -> None:
        if changes.password is not None and (id not in self._accounts or self._passwords.get(id) != changes.replaces):
            raise PasswordReplaced("Another password was set in the meantime.")
        if changes.name is not None:  # the only part that can still fail
            await self.rename(id, changes.name)
        if changes.avatar is not None:
            await self.set_avatar(id, changes.avatar)
        if changes.password is not None:
            await self.set_password(id, changes.password, changes.replaces)
            await self.drop_sessions(id, changes.session)

    async def add_key(self, id: str, key: bytes, most: int) -> None:
        if key in self._keys:
            raise Taken("This key belongs to another account.")
        if id in self._accounts:
            if len(await self.keys(id)) >= most:
                raise TooManyKeys("This account has too many keys.")
            self._keys[key] = id
            self._accounts[id] = replace(self._accounts[id], guest=False)

    async def keys(self, id: str) -> list[bytes]:
        return sorted(key for key, account in self._keys.items() if account == id)

    async def remove_key(self, id: str, key: bytes, session: bytes | None) -> bool:
        if self._keys.get(key) != id:
            return False
        if id not in self._passwords and len(await self.keys(id)) == 1:
            raise LastWayIn("This account has no other key and no password.")
        del self._keys[key]
        await self.drop_sessions(id, session)
        return True

    async def use_event(self, id: bytes, expires: int, now: int) -> None:
        self._used_events = {used: until for used, until in self._used_events.items() if until > now}
        if id in self._used_events:
            raise Taken("This event has already been used.")
        self._used_events[id] = expires

    async def add_challenge(self, challenge: str, key: bytes, expires: int, now: int) -> None:
        self._challenges = {text: kept for text, kept in self._challenges.items() if kept[1] > now}
        if challenge in self._challenges:
            raise Taken("This challenge already exists.")
        self._challenges[challenge] = (key, expires)

    async def take_challenge(self, challenge: str, now: int) -> bytes | None:
        key, expires = self._challenges.pop(challenge, (None, now))
        return key if expires > now else None

    async def counts(self) -> Counts:
        guests = sum(account.guest for account in self._accounts.values())
        return Counts(len(self._accounts) - guests, guests)

    async def add_session(self, session: Session, now: int) -> None:
        self._sessions = {digest: kept for digest, kept in self._sessions.items() if kept.expires > now}
        if session.digest in self._sessions:
            raise Taken("This session already exists.")
        self._sessions[session.digest] = session

    async def session(self, digest: bytes) -> Session | None:
        return self._sessions.get(digest)

    async def renew_session(self, digest: bytes, expires: int) -> None:
        if digest in self._sessions:
            self._sessions[digest] = replace(self._sessions[digest], expires=expires)

    async def drop_session(self, digest: bytes) -> None:
        self._sessions.pop(digest, None)

    async def drop_sessions(self, account: str, but: bytes | None) -> None:
        gone = [digest for digest, kept in self._sessions.items() if kept.account == account and digest != but]
        for digest in gone:
            del self._sessions[digest]

    def _give(self, id: str, name: Name) -> None:
        """Give a name, all of its skeletons or none, and let go of the one before."""
        if any(self._skeletons.get(skeleton, id) != id for skeleton in name.skeletons):
            raise Taken("Somebody has a name that looks like this one.")
        if id in self._names:
            for skeleton in self._names[id].skeletons:
                del self._skeletons[skeleton]
        self._names[id] = name
        self._skeletons |= dict.fromkeys(name.skeletons, id)
