"""The people of a hall: their ways in, their names and pictures.

Everyone who signs in has an account and a token. A guest can return only with the token; a password or a key makes the
same account one to sign in to. Refused says why not; the errors of the store are its own (table.ports).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from dicehall.core.game import Refused
from dicehall.hall import principals
from dicehall.hall.avatars import AVATARS, drawn
from dicehall.hall.codes import Code, bad
from dicehall.hall.keys import Challenge, Challenges, SignedEvent
from dicehall.hall.names import Name, find_name, numbered, read_name
from dicehall.hall.passwords import Passwords, check_password
from dicehall.hall.ports import (
    Account,
    Changes,
    Entropy,
    LastWayIn,
    PasswordReplaced,
    PeopleStore,
    TooManyKeys,
)
from dicehall.hall.sessions import Sessions, Token
from dicehall.table.ports import Clock, Taken

NAMELESS = "Guest"
SHORT_NPUB = 12  # characters of a key that somebody without a name is called by
MOST_KEYS = 10  # of one account
WRONG = "Wrong name or password."


@dataclass(frozen=True, slots=True)
class Entered:
    """An account that has signed in: its name, and the token of the session."""

    account: Account
    token: Token


@dataclass(frozen=True, slots=True)
class People:
    """Its dependencies are passed in, never defaulted."""

    store: PeopleStore
    passwords: Passwords
    clock: Clock
    entropy: Entropy

    @property
    def sessions(self) -> Sessions:
        return Sessions(self.store, self.clock, self.entropy)

    @property
    def challenges(self) -> Challenges:
        return Challenges(self.store, self.clock, self.entropy)

    # -- ways in ----------------------------------------------------------------------------------

    async def guest(self, name: str = NAMELESS) -> Entered:
        """Sign in anyone, at once; a name that is taken gets a number, which the account shows."""
        return await self._enter(await self._add_numbered(read_name(name), None))

    async def sign_up(self, name: str, password: str) -> Entered:
        wanted = read_name(name)
        check_password(password)
        if await self.store.taken(wanted.skeletons):  # before the work; the store decides again below
            raise taken(wanted)
        hashed = await self.passwords.hashed(password)
        account = self._new(self._random_id(), wanted, guest=False)
        try:
            await self.store.add(account, wanted, password=hashed)
        except Taken:
            raise taken(wanted) from None
        return await self._enter(account)

    async def sign_in(self, name: str, password: str) -> Entered:
        """Sign in by name, in any case. An unknown name takes as long and is refused in the same way."""
        account, hashed = await self._find(name)
        if not await self.passwords.matches(hashed, password) or account is None or hashed is None:
            raise Refused(Code.WRONG_PASSWORD, WRONG)
        if self.passwords.outdated(hashed):
            with suppress(Taken):
                await self.store.set_password(account.id, await self.passwords.hashed(password), hashed)
        return await self._enter(account)

    async def challenge(self, public_key: bytes) -> Challenge:
        return await self.challenges.give(public_key)

    async def sign_in_with_key(self, challenge: str, signature: bytes, name: str | None = None) -> Entered:
        """Sign in to the account of this key; the first time, create it with the name or, without one, a guest's."""
        wanted = None if name is None else read_name(name)
        key = await self.challenges.answered(challenge, signature)
        account = await self.store.keyed(key) or await self._add_keyed(key, wanted)
        return await self._enter(account)

    async def sign_in_with_event(self, event: SignedEvent, name: str | None = None) -> Entered:
        """Sign in to the account of a Nostr key; the first time, create it with the name or a short npub."""
        wanted = None if name is None else read_name(name)
        await self._use(event)
        account = await self.store.keyed(event.key)
        if account is None and wanted is None:
            account = await self._add_numbered(read_name(event.npub[:SHORT_NPUB]), event.key)
        return await self._enter(account or await self._add_keyed(event.key, wanted))

    async def who(self, token: Token) -> Account:
        return await self.account(await self.sessions.account(token))

    async def sign_out(self, token: Token) -> None:
        await self.sessions.close(token)

    async def sign_out_everywhere(self, account: str, but: Token | None = None) -> None:
        await self.sessions.close_all(account, but)

    # -- accounts ---------------------------------------------------------------------------------

    async def account(self, id: str) -> Account:
        account = await self.store.account(id)
        if account is None:
            raise Refused(Code.NO_SUCH_ACCOUNT, "There is no such account.")
        return account

    async def named(self, name: str) -> Account:
        account, _ = await self._find(name)
        if account is None:
            raise Refused(Code.NO_SUCH_ACCOUNT, "There is no player with that name.")
        return account

    async def rename(self, id: str, name: str) -> Account:
        account, wanted = await self.account(id), read_name(name)
        try:
            await self.store.rename(id, wanted)
        except Taken:
            raise taken(wanted) from None
        return replace(account, name=wanted.text)

    async def set_avatar(self, id: str, avatar: str) -> Account:
        account = await self.account(id)
        check_avatar(avatar)
        await self.store.set_avatar(id, avatar)
        return replace(account, avatar=avatar)

    async def set_password(
        self, id: str, password: str, old: str = "", here: Token | None = None, key: bytes | None = None
    ) -> Account:
        """Set a password. The first one turns a guest into an account; each one ends all other sessions."""
        return await self.change(id, password=password, old=old, here=here, key=key)

    async def change(
        self,
        id: str,
        *,
        name: str | None = None,
        avatar: str | None = None,
        password: str | None = None,
        old: str = "",
        here: Token | None = None,
        key: bytes | None = None,
    ) -> Account:
        """Change everything that is given, or nothing: all of it is checked before anything is stored.

        A new password requires the old one, or *key*: a key of the account that has just signed for this.
        """
        account = await self.account(id)
        wanted = None if name is None else read_name(name)
        if avatar is not None:
            check_avatar(avatar)
        hashed, before = (None, None) if password is None else await self._replaced(account, password, old, key)
        digest = None if here is None else here.digest
        try:
            await self.store.change(id, Changes(wanted, avatar, hashed, before, digest))
        except PasswordReplaced:
            raise Refused(Code.WRONG_PASSWORD, "The password was changed in the meantime.") from None
        except Taken:
            if wanted is None:
                raise
            raise taken(wanted) from None
        return await self.account(id)

    async def _replaced(self, account: Account, password: str, old: str, key: bytes | None) -> tuple[str, str | None]:
        """The hash of a new password and that of the one before it, which its owner has to know, or sign instead.

        A session alone is not enough if there is a password or a key: a thief could keep the account for good.
        """
        check_password(password)
        before = await self.store.password(account.id)
        if key is None or key not in await self.store.keys(account.id):
            if before is None and not account.guest:
                raise Refused(Code.NOT_ALLOWED, "Sign with a key of this account to set a password.")
            if before is not None and not await self.passwords.matches(before, old):
                raise Refused(Code.WRONG_PASSWORD, "Your old password is wrong.")
        return await self.passwords.hashed(password), before

    async def add_key(self, id: str, challenge: str, signature: bytes, here: Token | None = None) -> Account:
        """Add another way to sign in, which turns a guest into an account; its identity stays the same."""
        account = await self.account(id)
        return await self._add_key(account, await self.challenges.answered(challenge, signature), here)

    async def add_nostr_key(self, id: str, event: SignedEvent, here: Token | None = None) -> Account:
        account = await self.account(id)
        await self._use(event)
        return await self._add_key(account, event.key, here)

    async def keys(self, id: str) -> list[bytes]:
        """In DER."""
        return await self.store.keys(id)

    async def has_password(self, id: str) -> bool:
        return await self.store.password(id) is not None

    async def confirm(self, id: str, password: str) -> None:
        """Before a key is added, ask for the password; an account without one cannot have a second key."""
        hashed = await self.store.password(id)
        if hashed is None and not (await self.account(id)).guest:
            raise Refused(Code.NOT_ALLOWED, "Set a password before you add another key.")
        if hashed is not None and not await self.passwords.matches(hashed, password):
            raise Refused(Code.WRONG_PASSWORD, "Enter the password of this account to add a key.")

    async def proved_by(self, event: SignedEvent) -> bytes:
        """The key that signed an event, which is used up by this."""
        await self._use(event)
        return event.key

    async def proved_by_answer(self, challenge: str, signature: bytes) -> bytes:
        """The key that signed a challenge, which is used up by this."""
        return await self.challenges.answered(challenge, signature)

    async def remove_key(self, id: str, key: bytes, here: Token | None = None) -> None:
        """Remove a key and end the sessions that were opened with it elsewhere."""
        try:
            removed = await self.store.remove_key(id, key, None if here is None else here.digest)
        except LastWayIn:
            raise Refused(Code.NOT_ALLOWED, "This is the only way to sign in to this account.") from None
        if not removed:
            raise Refused(Code.NOT_ALLOWED, "This account does not have this key.")

    # -- how it is done ---------------------------------------------------------------------------

    async def _enter(self, account: Account) -> Entered:
        return Entered(account, await self.sessions.open(account.id))

    async def _use(self, event: SignedEvent) -> None:
        try:
            await self.store.use_event(event.id, event.expires, self.clock.now())
        except Taken:
            raise Refused(Code.NOT_SIGNED_IN, "This event was used before. Sign a new one.") from None

    async def _add_key(self, account: Account, key: bytes, here: Token | None) -> Account:
        try:
            await self.store.add_key(account.id, key, MOST_KEYS)
        except TooManyKeys:
            raise Refused(Code.NOT_ALLOWED, f"An account can have at most {MOST_KEYS} keys.") from None
        except Taken:
            known = await self.store.keyed(key)
            if known is None or known.id != account.id:
                raise Refused(Code.NOT_ALLOWED, "This key belongs to another account.") from None
        if account.guest:
            await self.sessions.close_all(account.id, here)
        return replace(account, guest=False)

    async def _find(self, name: str) -> tuple[Account | None, str | None]:
        return await self.store.named(find_name(name)) or (None, None)

    def _random_id(self) -> str:
        return principals.opaque(self.entropy.draw(principals.RANDOM))

    async def _id_of(self, key: bytes | None) -> str:
        """The principal of a key, unless it belongs to an account from which this key was removed."""
        if key is None or await self.store.account(principals.of_key(key)) is not None:
            return self._random_id()
        return principals.of_key(key)

    def _new(self, id: str, name: Name, *, guest: bool) -> Account:
        return Account(id, name.text, drawn(self.entropy.draw(8)), guest, self.clock.now())

    async def _add_keyed(self, key: bytes, wanted: Name | None) -> Account:
        if wanted is None:
            return await self._add_numbered(read_name(NAMELESS), key)
        account = self._new(await self._id_of(key), wanted, guest=False)
        try:
            await self.store.add(account, wanted, key=key)
        except Taken:
            known = await self.store.keyed(key)  # the same key, at the same time
            if known is None:
                raise taken(wanted) from None
            return known
        return account

    async def _add_numbered(self, wanted: Name, key: bytes | None) -> Account:
        for name in self._numbered(wanted):
            if await self.store.taken(name.skeletons):
                continue
            account = self._new(await self._id_of(key), name, guest=key is None)
            with suppress(Taken):
                await self.store.add(account, name, key=key)
                return account
            if key is not None and (known := await self.store.keyed(key)):
                return known
        raise taken(wanted)

    def _numbered(self, wanted: Name) -> Iterator[Name]:
        """The name, with small numbers, then with some of ever more digits: a free one is found soon in any crowd."""
        yield wanted
        yield from (numbered(wanted, number) for number in range(2, 10))
        for digits in range(2, 10):
            least = 10 ** (digits - 1)
            for _ in range(4):
                yield numbered(wanted, least + int.from_bytes(self.entropy.draw(8), "big") % (9 * least))


def check_avatar(avatar: str) -> None:
    if avatar not in AVATARS:
        raise bad(f"Unknown avatar. Choose one of {', '.join(AVATARS)}.")


def taken(name: Name) -> Refused:
    return Refused(Code.NAME_TAKEN, f"The name {name.text}, or one that looks like it, is taken.")
