"""Passwords: what a try costs, and that it costs the same for everybody."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest
from argon2 import extract_parameters
from argon2.low_level import Type

from dicehall.core.game import Refused
from dicehall.hall.passwords import Cost, Passwords, check_password
from tests.hall.fakes import QUICK, CountedEntropy, WatchedPasswords


@pytest.fixture
def passwords() -> Iterator[WatchedPasswords]:
    watched = WatchedPasswords()
    yield watched
    watched.close()


def test_a_password_matches_its_own_hash_and_no_other(passwords: WatchedPasswords) -> None:
    async def story() -> None:
        hashed = await passwords.hashed("correct horse")
        assert "correct" not in hashed
        assert await passwords.matches(hashed, "correct horse")
        for wrong in ("", "correct horse ", "Correct horse", "correct hors", "\ud800"):
            assert not await passwords.matches(hashed, wrong)
        assert await passwords.hashed("correct horse") != hashed  # another salt

    asyncio.run(story())


def test_a_password_is_the_same_however_its_accents_are_typed(passwords: WatchedPasswords) -> None:
    async def story() -> None:
        assert await passwords.matches(await passwords.hashed("caf\u00e9 noir"), "cafe\u0301 noir")

    asyncio.run(story())


def test_without_a_hash_the_same_work_is_done_and_nobody_gets_in(passwords: WatchedPasswords) -> None:
    async def story() -> None:
        hashed = await passwords.hashed("correct horse")
        assert not await passwords.matches(None, "correct horse")
        assert not await passwords.matches(hashed, "wrong horse")
        nobodys, anns = passwords.verified
        assert anns == hashed
        assert extract_parameters(nobodys) == extract_parameters(anns)

    asyncio.run(story())


def test_not_even_a_fitting_password_gets_in_without_a_hash(passwords: WatchedPasswords) -> None:
    async def story() -> None:
        secret = CountedEntropy().draw(16).decode("latin-1")
        passwords._nobodys = await passwords.hashed(secret)
        assert not await passwords.matches(None, secret)

    asyncio.run(story())


def test_the_work_is_done_on_other_threads() -> None:
    class Threads(WatchedPasswords):
        seen: set[str] = set()  # noqa: RUF012

        def _verify(self, hashed: str, password: bytes) -> bool:
            self.seen.add(threading.current_thread().name.split("_")[0])
            return super()._verify(hashed, password)

    async def story() -> None:
        passwords = Threads()
        await asyncio.gather(*(passwords.matches(None, "x") for _ in range(5)))
        assert passwords.seen == {"passwords"}
        passwords.close()

    asyncio.run(story())


def test_what_a_try_costs_is_what_was_settled() -> None:
    """32 MiB, twice over, argon2id: above OWASP's least, 60 ms on the machine it was chosen on."""
    passwords = Passwords(CountedEntropy(), Cost())
    hashed = asyncio.run(passwords.hashed("correct horse"))
    passwords.close()
    cost = extract_parameters(hashed)
    assert (cost.type, cost.time_cost, cost.memory_cost, cost.parallelism) == (Type.ID, 2, 32 * 1024, 1)
    assert (cost.salt_len, cost.hash_len) == (16, 32)


def test_a_hash_made_at_another_cost_is_outdated() -> None:
    quick, dearer = Passwords(CountedEntropy(), QUICK), Passwords(CountedEntropy(), Cost(2, 16, 1))
    hashed = asyncio.run(quick.hashed("correct horse"))
    assert (quick.outdated(hashed), dearer.outdated(hashed)) == (False, True)
    quick.close()
    dearer.close()


@pytest.mark.parametrize("password", ["", "7 chars", "x" * 257])
def test_a_password_of_a_wrong_length_is_refused(password: str) -> None:
    with pytest.raises(Refused, match="8 to 256") as refused:
        check_password(password)
    assert refused.value.code == "bad_request"


@pytest.mark.parametrize("password", ["8 chars.", "x" * 256])
def test_a_password_of_8_to_256_characters_is_taken(password: str) -> None:
    check_password(password)
