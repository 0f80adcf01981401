"""The people of a hall in PostgreSQL. Locks are taken on the account first, so that changes of one wait in line."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from dicehall.hall.names import Name
from dicehall.hall.ports import Account, Changes, Counts, LastWayIn, PasswordReplaced, Session, TooManyKeys
from dicehall.store.postgres import PostgresJournal
from dicehall.store.postgres_connection import Connection

ACCOUNT = "id, name, avatar, guest, created"
DROP_SESSIONS = "DELETE FROM sessions WHERE account = $1 AND digest IS DISTINCT FROM $2"
LOCK = "SELECT password FROM accounts WHERE id = $1 FOR UPDATE"
COUNTS = "SELECT count(*) FILTER (WHERE NOT guest), count(*) FILTER (WHERE guest) FROM accounts"


class PostgresPeople:
    def __init__(self, journal: PostgresJournal) -> None:
        self._journal = journal

    async def add(self, account: Account, name: Name, password: str | None = None, key: bytes | None = None) -> None:
        row = (account.id, name.text, name.folded, account.avatar, account.guest, account.created, password)

        async def work(connection: Connection) -> None:
            await connection.execute("INSERT INTO accounts VALUES ($1,$2,$3,$4,$5,$6,$7)", *row)
            await write_skeletons(connection, account.id, name)
            if key is not None:
                await connection.execute("INSERT INTO keys VALUES ($1,$2)", key, account.id)

        await self._journal.change(work)

    async def account(self, id: str) -> Account | None:
        return await self._account(f"SELECT {ACCOUNT} FROM accounts WHERE id = $1", id)

    async def keyed(self, key: bytes) -> Account | None:
        return await self._account(
            f"SELECT {ACCOUNT} FROM accounts WHERE id = (SELECT account FROM keys WHERE key = $1)", key
        )

    async def named(self, folded: str) -> tuple[Account, str | None] | None:
        found = await self._journal.fetch(f"SELECT {ACCOUNT}, password FROM accounts WHERE folded = $1", folded)
        return (Account(*tuple(found[0])[:-1]), found[0][-1]) if found else None

    async def taken(self, skeletons: Collection[str]) -> frozenset[str]:
        sql = "SELECT skeleton FROM skeletons WHERE skeleton = ANY($1::text[])"
        return frozenset(skeleton for (skeleton,) in await self._journal.fetch(sql, list(skeletons)))

    async def rename(self, id: str, name: Name) -> None:
        await self._journal.change(lambda connection: write_name(connection, id, name))

    async def change(self, id: str, changes: Changes) -> None:
        async def work(connection: Connection) -> None:
            await connection.execute(LOCK, id)
            if changes.name is not None:
                await write_name(connection, id, changes.name)
            if changes.avatar is not None:
                await connection.execute("UPDATE accounts SET avatar = $1 WHERE id = $2", changes.avatar, id)
            if changes.password is not None:
                await write_password(connection, id, changes.password, changes.replaces)
                await connection.execute(DROP_SESSIONS, id, changes.session)

        await self._journal.change(work)

    async def set_avatar(self, id: str, avatar: str) -> None:
        await self._journal.execute("UPDATE accounts SET avatar = $1 WHERE id = $2", avatar, id)

    async def password(self, id: str) -> str | None:
        return await self._journal.value(str, "SELECT password FROM accounts WHERE id = $1", id)

    async def set_password(self, id: str, hashed: str, before: str | None) -> None:
        await self._journal.change(lambda connection: write_password(connection, id, hashed, before))

    async def add_key(self, id: str, key: bytes, most: int) -> None:
        async def work(connection: Connection) -> None:
            await connection.execute(LOCK, id)
            await connection.execute("INSERT INTO keys SELECT $1, id FROM accounts WHERE id = $2", key, id)
            if len(await keys_of(connection, id)) > most:
                raise TooManyKeys("This account has too many keys.")
            await connection.execute("UPDATE accounts SET guest = false WHERE id = $1", id)

        await self._journal.change(work)

    async def keys(self, id: str) -> list[bytes]:
        return await self._journal.ask(lambda connection: keys_of(connection, id))

    async def remove_key(self, id: str, key: bytes, session: bytes | None) -> bool:
        async def work(connection: Connection) -> bool:
            password = await connection.fetchval(LOCK, id)
            if await connection.execute("DELETE FROM keys WHERE key = $1 AND account = $2", key, id) == "DELETE 0":
                return False
            if password is None and not await keys_of(connection, id):
                raise LastWayIn("This account has no other key and no password.")
            await connection.execute(DROP_SESSIONS, id, session)
            return True

        return await self._journal.change(work)

    async def use_event(self, id: bytes, expires: int, now: int) -> None:
        async def work(connection: Connection) -> None:
            await drop_expired(connection, "used_events", "id", now)
            await connection.execute("INSERT INTO used_events VALUES ($1,$2)", id, expires)

        await self._journal.change(work)

    async def add_challenge(self, challenge: str, key: bytes, expires: int, now: int) -> None:
        async def work(connection: Connection) -> None:
            await drop_expired(connection, "challenges", "challenge", now)
            await connection.execute("INSERT INTO challenges VALUES ($1,$2,$3)", challenge, key, expires)

        await self._journal.change(work)

    async def take_challenge(self, challenge: str, now: int) -> bytes | None:
        async def work(connection: Connection) -> bytes | None:
            sql = "DELETE FROM challenges WHERE challenge = $1 RETURNING key, expires"
            found = await connection.fetchrow(sql, challenge)
            return None if found is None or found[1] <= now else bytes(found[0])

        return await self._journal.change(work)

    async def counts(self) -> Counts:
        (found,) = await self._journal.look_up(lambda connection: connection.fetch(COUNTS))
        return Counts(*found)

    async def add_session(self, session: Session, now: int) -> None:
        async def work(connection: Connection) -> None:
            await drop_expired(connection, "sessions", "digest", now)
            row = (session.digest, session.account, session.expires)
            await connection.execute("INSERT INTO sessions VALUES ($1,$2,$3)", *row)

        await self._journal.change(work)

    async def session(self, digest: bytes) -> Session | None:
        found = await self._journal.fetch("SELECT digest, account, expires FROM sessions WHERE digest = $1", digest)
        return Session(*found[0]) if found else None

    async def renew_session(self, digest: bytes, expires: int) -> None:
        await self._journal.execute("UPDATE sessions SET expires = $1 WHERE digest = $2", expires, digest)

    async def drop_session(self, digest: bytes) -> None:
        await self._journal.execute("DELETE FROM sessions WHERE digest = $1", digest)

    async def drop_sessions(self, account: str, but: bytes | None) -> None:
        await self._journal.execute(DROP_SESSIONS, account, but)

    async def _account(self, sql: str, what: Any) -> Account | None:
        found = await self._journal.fetch(sql, what)
        return Account(*found[0]) if found else None


async def keys_of(connection: Connection, account: str) -> list[bytes]:
    found = await connection.fetch("SELECT key FROM keys WHERE account = $1 ORDER BY key", account)
    return [bytes(key) for (key,) in found]


async def drop_expired(connection: Connection, table: str, key: str, now: int) -> None:
    """Remove what is expired; rows that another process is removing are left to it."""
    expired = f"SELECT {key} FROM {table} WHERE expires <= $1 FOR UPDATE SKIP LOCKED"
    await connection.execute(f"DELETE FROM {table} WHERE {key} IN ({expired})", now)


async def write_name(connection: Connection, account: str, name: Name) -> None:
    sql = "UPDATE accounts SET name = $1, folded = $2 WHERE id = $3"
    if await connection.execute(sql, name.text, name.folded, account) != "UPDATE 0":
        await connection.execute("DELETE FROM skeletons WHERE account = $1", account)
        await write_skeletons(connection, account, name)


async def write_password(connection: Connection, account: str, hashed: str, before: str | None) -> None:
    sql = "UPDATE accounts SET password = $1, guest = false WHERE id = $2 AND password IS NOT DISTINCT FROM $3"
    if await connection.execute(sql, hashed, account, before) != "UPDATE 1":
        raise PasswordReplaced("Another password was set in the meantime.")


async def write_skeletons(connection: Connection, account: str, name: Name) -> None:
    sql = "INSERT INTO skeletons SELECT skeleton, $2 FROM unnest($1::text[]) AS skeleton ORDER BY skeleton"
    await connection.execute(sql, list(name.skeletons), account)
