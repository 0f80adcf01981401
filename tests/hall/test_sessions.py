"""Sessions: tokens that nobody guesses, that end, and that can be ended."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import logging

import pytest

from dicehall.core.game import Refused
from dicehall.hall import sessions as module
from dicehall.hall.people import Entered
from dicehall.hall.ports import Account, Session
from dicehall.hall.sessions import Sessions, Token
from dicehall.store import MemoryJournal, MemoryPeople
from tests.hall.fakes import DAY, CountedEntropy, StillClock


class Kept(MemoryPeople):
    """Remembers what was written."""

    def __init__(self) -> None:
        super().__init__(MemoryJournal())
        self.renewed: list[int] = []

    async def renew_session(self, digest: bytes, expires: int) -> None:
        self.renewed.append(expires)
        await super().renew_session(digest, expires)


@pytest.fixture
def clock() -> StillClock:
    return StillClock()


@pytest.fixture
def store() -> Kept:
    return Kept()


@pytest.fixture
def sessions(store: Kept, clock: StillClock) -> Sessions:
    return Sessions(store, clock, CountedEntropy())


async def whose(sessions: Sessions, token: Token) -> str:
    try:
        return await sessions.account(token)
    except Refused as refused:
        return refused.code


def test_a_token_is_32_random_bytes_of_which_only_the_hash_is_kept(sessions: Sessions, store: Kept) -> None:
    async def story() -> None:
        token = await sessions.open("ann")
        assert base64.urlsafe_b64decode(token.text + "=") == CountedEntropy().draw(32)
        kept = await store.session(hashlib.sha256(token.text.encode()).digest())
        assert kept is not None
        assert token.text not in repr(kept)

    asyncio.run(story())


def test_a_token_says_whose_it_is_and_no_other_text_does(sessions: Sessions) -> None:
    async def story() -> None:
        ann, bo = await sessions.open("ann"), await sessions.open("bo")
        assert ann.text != bo.text
        assert (await whose(sessions, ann), await whose(sessions, Token(bo.text))) == ("ann", "bo")
        for text in ("", ann.text[:-1], ann.text + "=", ann.text.swapcase(), "\ud800", "x" * 10_000):
            assert await whose(sessions, Token(text)) == "not_signed_in"

    asyncio.run(story())


def test_a_session_ends_30_days_after_it_was_last_used(sessions: Sessions, clock: StillClock) -> None:
    async def story() -> None:
        used, left = await sessions.open("ann"), await sessions.open("ann")
        clock.at += 20 * DAY
        assert await whose(sessions, used) == "ann"
        clock.at += 10 * DAY - 1
        assert await whose(sessions, left) == "ann"  # the last moment; and used again
        clock.at += 20 * DAY + 1
        assert await whose(sessions, used) == "not_signed_in"
        assert await whose(sessions, left) == "ann"
        clock.at += 30 * DAY
        assert await whose(sessions, left) == "not_signed_in"

    asyncio.run(story())


def test_a_session_in_daily_use_is_written_once_a_day(sessions: Sessions, store: Kept, clock: StillClock) -> None:
    async def story() -> None:
        token = await sessions.open("ann")
        for _ in range(100):
            clock.at += DAY // 40
            await sessions.account(token)
        assert len(store.renewed) == 2

    asyncio.run(story())


def test_one_session_or_all_or_all_but_one_can_be_ended(sessions: Sessions) -> None:
    async def story() -> None:
        first, second, third, bos = [await sessions.open(who) for who in ("ann", "ann", "ann", "bo")]
        await sessions.close(first)
        await sessions.close(first)
        assert [await whose(sessions, token) for token in (first, second)] == ["not_signed_in", "ann"]
        await sessions.close_all("ann", but=third)
        assert [await whose(sessions, token) for token in (second, third)] == ["not_signed_in", "ann"]
        await sessions.close_all("ann")
        assert [await whose(sessions, token) for token in (third, bos)] == ["not_signed_in", "bo"]

    asyncio.run(story())


def test_a_session_ended_while_it_is_renewed_stays_ended(store: Kept, clock: StillClock) -> None:
    class Ending(Kept):
        async def renew_session(self, digest: bytes, expires: int) -> None:
            await self.drop_session(digest)  # somebody was quicker
            await super().renew_session(digest, expires)

    async def story() -> None:
        sessions = Sessions(Ending(), clock, CountedEntropy())
        token = await sessions.open("ann")
        clock.at += 2 * DAY
        await whose(sessions, token)
        assert await whose(sessions, token) == "not_signed_in"

    asyncio.run(story())


def test_digests_are_compared_in_constant_time(
    sessions: Sessions, store: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[tuple[bytes, bytes]] = []

    class Watched:
        @staticmethod
        def compare_digest(one: bytes, other: bytes) -> bool:
            compared.append((one, other))
            return hmac.compare_digest(one, other)

    async def story() -> None:
        token = await sessions.open("ann")
        monkeypatch.setattr(module, "hmac", Watched)
        assert await whose(sessions, token) == "ann"
        assert compared == [(token.digest, token.digest)]

    asyncio.run(story())


def test_a_store_that_finds_another_session_lets_nobody_in(clock: StillClock) -> None:
    class Careless(Kept):
        async def session(self, digest: bytes) -> Session | None:
            return next(iter(self._sessions.values()), None)

    async def story() -> None:
        sessions = Sessions(Careless(), clock, CountedEntropy())
        token = await sessions.open("ann")
        assert await whose(sessions, token) == "ann"
        assert await whose(sessions, Token("guessed")) == "not_signed_in"

    asyncio.run(story())


def test_a_token_shows_itself_to_nobody(caplog: pytest.LogCaptureFixture) -> None:
    token = Token("very-secret")
    entered = Entered(Account("aaaaa-aa", "Ann", "fox", True, 0), token)
    logging.getLogger("hall").warning("%s %r %s %r", token, token, entered, [entered])
    shown = f"{token} {token!r} {entered} {entered!r} {[token]} {caplog.text}"
    assert "secret" not in shown
    assert "Token(...)" in caplog.text
