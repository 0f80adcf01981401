"""The people of a hall, in the same file as its journals and through the same writer."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection

from dicehall.hall.names import Name
from dicehall.hall.ports import Account, Changes, Counts, LastWayIn, PasswordReplaced, Session, TooManyKeys
from dicehall.store.sqlite import SqliteJournal

ACCOUNT = "id, name, avatar, guest, created"
DROP_SESSIONS = "DELETE FROM sessions WHERE account = ? AND digest IS NOT ?"


class SqlitePeople:
    def __init__(self, journal: SqliteJournal) -> None:
        self._journal = journal

    async def add(self, account: Account, name: Name, password: str | None = None, key: bytes | None = None) -> None:
        row = (account.id, name.text, name.folded, account.avatar, account.guest, account.created, password)

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT INTO accounts VALUES (?,?,?,?,?,?,?)", row)
            write_skeletons(connection, account.id, name)
            if key is not None:
                connection.execute("INSERT INTO keys VALUES (?,?)", (key, account.id))

        await self._journal.change(work)

    async def account(self, id: str) -> Account | None:
        return await self._account(f"SELECT {ACCOUNT} FROM accounts WHERE id = ?", id)

    async def keyed(self, key: bytes) -> Account | None:
        return await self._account(
            f"SELECT {ACCOUNT} FROM accounts WHERE id = (SELECT account FROM keys WHERE key = ?)", key
        )

    async def named(self, folded: str) -> tuple[Account, str | None] | None:
        def ask(connection: sqlite3.Connection) -> tuple[Account, str | None] | None:
            sql = f"SELECT {ACCOUNT}, password FROM accounts WHERE folded = ?"
            found = connection.execute(sql, (folded,)).fetchone()
            return None if found is None else (to_account(found[:-1]), found[-1])

        return await self._journal.ask(ask)

    async def taken(self, skeletons: Collection[str]) -> frozenset[str]:
        def ask(connection: sqlite3.Connection) -> frozenset[str]:
            sql = f"SELECT skeleton FROM skeletons WHERE skeleton IN ({','.join('?' * len(skeletons))})"
            return frozenset(skeleton for (skeleton,) in connection.execute(sql, tuple(skeletons)))

        return await self._journal.ask(ask)

    async def rename(self, id: str, name: Name) -> None:
        await self._journal.change(lambda connection: write_name(connection, id, name))

    async def change(self, id: str, changes: Changes) -> None:
        def work(connection: sqlite3.Connection) -> None:
            if changes.name is not None:
                write_name(connection, id, changes.name)
            if changes.avatar is not None:
                connection.execute("UPDATE accounts SET avatar = ? WHERE id = ?", (changes.avatar, id))
            if changes.password is not None:
                write_password(connection, id, changes.password, changes.replaces)
                connection.execute(DROP_SESSIONS, (id, changes.session))

        await self._journal.change(work)

    async def set_avatar(self, id: str, avatar: str) -> None:
        await self._execute("UPDATE accounts SET avatar = ? WHERE id = ?", avatar, id)

    async def password(self, id: str) -> str | None:
        def ask(connection: sqlite3.Connection) -> str | None:
            found = connection.execute("SELECT password FROM accounts WHERE id = ?", (id,)).fetchone()
            return None if found is None else found[0]

        return await self._journal.ask(ask)

    async def set_password(self, id: str, hashed: str, before: str | None) -> None:
        await self._journal.change(lambda connection: write_password(connection, id, hashed, before))

    async def add_key(self, id: str, key: bytes, most: int) -> None:
        def work(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT INTO keys SELECT ?, id FROM accounts WHERE id = ?", (key, id))
            if len(keys_of(connection, id)) > most:
                raise TooManyKeys("This account has too many keys.")
            connection.execute("UPDATE accounts SET guest = 0 WHERE id = ?", (id,))

        await self._journal.change(work)

    async def keys(self, id: str) -> list[bytes]:
        return await self._journal.ask(lambda connection: keys_of(connection, id))

    async def remove_key(self, id: str, key: bytes, session: bytes | None) -> bool:
        def work(connection: sqlite3.Connection) -> bool:
            if connection.execute("DELETE FROM keys WHERE key = ? AND account = ?", (key, id)).rowcount == 0:
                return False
            (password,) = connection.execute("SELECT password FROM accounts WHERE id = ?", (id,)).fetchone()
            if password is None and not keys_of(connection, id):
                raise LastWayIn("This account has no other key and no password.")
            connection.execute(DROP_SESSIONS, (id, session))
            return True

        return await self._journal.change(work)

    async def use_event(self, id: bytes, expires: int, now: int) -> None:
        def work(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM used_events WHERE expires <= ?", (now,))
            connection.execute("INSERT INTO used_events VALUES (?,?)", (id, expires))

        await self._journal.change(work)

    async def add_challenge(self, challenge: str, key: bytes, expires: int, now: int) -> None:
        def work(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM challenges WHERE expires <= ?", (now,))
            connection.execute("INSERT INTO challenges VALUES (?,?,?)", (challenge, key, expires))

        await self._journal.change(work)

    async def take_challenge(self, challenge: str, now: int) -> bytes | None:
        def work(connection: sqlite3.Connection) -> bytes | None:
            sql = "SELECT key FROM challenges WHERE challenge = ? AND expires > ?"
            found = connection.execute(sql, (challenge, now)).fetchone()
            connection.execute("DELETE FROM challenges WHERE challenge = ?", (challenge,))
            return None if found is None else found[0]

        return await self._journal.change(work)

    async def counts(self) -> Counts:
        def ask(connection: sqlite3.Connection) -> Counts:
            sql = "SELECT count(*) FILTER (WHERE NOT guest), count(*) FILTER (WHERE guest) FROM accounts"
            return Counts(*connection.execute(sql).fetchone())

        return await self._journal.count(ask)

    async def add_session(self, session: Session, now: int) -> None:
        def work(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM sessions WHERE expires <= ?", (now,))
            row = (session.digest, session.account, session.expires)
            connection.execute("INSERT INTO sessions VALUES (?,?,?)", row)

        await self._journal.change(work)

    async def session(self, digest: bytes) -> Session | None:
        def ask(connection: sqlite3.Connection) -> Session | None:
            sql = "SELECT digest, account, expires FROM sessions WHERE digest = ?"
            found = connection.execute(sql, (digest,)).fetchone()
            return None if found is None else Session(*found)

        return await self._journal.ask(ask)

    async def renew_session(self, digest: bytes, expires: int) -> None:
        await self._execute("UPDATE sessions SET expires = ? WHERE digest = ?", expires, digest)

    async def drop_session(self, digest: bytes) -> None:
        await self._execute("DELETE FROM sessions WHERE digest = ?", digest)

    async def drop_sessions(self, account: str, but: bytes | None) -> None:
        await self._execute(DROP_SESSIONS, account, but)

    async def _account(self, sql: str, what: str | bytes) -> Account | None:
        def ask(connection: sqlite3.Connection) -> Account | None:
            found = connection.execute(sql, (what,)).fetchone()
            return None if found is None else to_account(found)

        return await self._journal.ask(ask)

    async def _execute(self, sql: str, *values: str | bytes | int | None) -> None:
        def work(connection: sqlite3.Connection) -> None:
            connection.execute(sql, values)

        await self._journal.change(work)


def keys_of(connection: sqlite3.Connection, account: str) -> list[bytes]:
    return [key for (key,) in connection.execute("SELECT key FROM keys WHERE account = ? ORDER BY key", (account,))]


def write_name(connection: sqlite3.Connection, account: str, name: Name) -> None:
    sql = "UPDATE accounts SET name = ?, folded = ? WHERE id = ?"
    if connection.execute(sql, (name.text, name.folded, account)).rowcount:
        connection.execute("DELETE FROM skeletons WHERE account = ?", (account,))
        write_skeletons(connection, account, name)


def write_password(connection: sqlite3.Connection, account: str, hashed: str, before: str | None) -> None:
    sql = "UPDATE accounts SET password = ?, guest = 0 WHERE id = ? AND password IS ?"
    if connection.execute(sql, (hashed, account, before)).rowcount != 1:
        raise PasswordReplaced("Another password was set in the meantime.")


def write_skeletons(connection: sqlite3.Connection, account: str, name: Name) -> None:
    rows = [(skeleton, account) for skeleton in name.skeletons]
    connection.executemany("INSERT INTO skeletons VALUES (?,?)", rows)


def to_account(columns: tuple[str, str, str, int, int]) -> Account:
    id, name, avatar, guest, created = columns
    return Account(id, name, avatar, bool(guest), created)
