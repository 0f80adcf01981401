"""Somebody makes the hall compute as many passwords as it lets them: others sign in meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextvars import ContextVar

import pytest

from dicehall.hall import passwords as module
from dicehall.hall.passwords import AT_ONCE, Passwords
from dicehall.table.slices import asking
from tests.hall.fakes import WatchedPasswords
from tests.security.live import both_ways

HONEST, MALLORY = "127.0.0.1", "127.0.0.66"
FLOOD = 400  # enough that a thread that waits for a core does not look like a place in the line


@pytest.fixture
def passwords() -> Iterator[Passwords]:
    watched = WatchedPasswords()
    yield watched
    watched.close()


@both_ways
def test_many_sign_ups_of_one_address_do_not_delay_somebody_who_signs_in_from_another(
    passwords: Passwords, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Counted: passwords of the attacker that are computed before the honest player's, which came last.

    The guard is that addresses are served in turn; without it all are one address.
    """
    if not guarded:
        monkeypatch.setattr(module, "asking", ContextVar("nobody", default=""))
    done: list[str] = []

    async def sign_up(address: str) -> None:
        asking.set(address)
        await passwords.hashed("correct horse")
        done.append(address)

    async def story() -> None:
        flood = [asyncio.create_task(sign_up(MALLORY)) for _ in range(FLOOD)]
        await asyncio.sleep(0)  # all of them wait
        await asyncio.gather(*flood, asyncio.create_task(sign_up(HONEST)))

    asyncio.run(story())
    before = done.index(HONEST)
    assert (before < FLOOD / 4) if guarded else (before >= FLOOD - AT_ONCE)
