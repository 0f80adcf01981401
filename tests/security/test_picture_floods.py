"""Somebody asks for as many QR codes as they may: others get theirs meanwhile."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from typing import Any, cast

import pytest

from dicehall.server import pictures as module
from dicehall.server.pictures import Pictures
from dicehall.table.slices import asking
from tests.security.live import both_ways

HONEST, MALLORY = "127.0.0.1", "127.0.0.66"
FLOOD = 60


@both_ways
def test_many_qr_codes_for_one_address_do_not_delay_the_code_of_somebody_else(
    monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Counted: codes that are drawn for the attacker before the honest player's, who asked last.

    The guard is that addresses are served in turn; without it all are one address.
    """
    if not guarded:
        monkeypatch.setattr(module, "asking", ContextVar("nobody", default=""))
    monkeypatch.setattr(module, "qr_of", lambda url: b"")
    drawn: list[str] = []

    async def ask(pictures: Pictures, address: str, number: int) -> None:
        asking.set(address)
        url = f"{address}/{number}"
        await pictures.codes.get(url, lambda: pictures.draw_qr(url))
        drawn.append(address)

    async def story() -> None:
        pictures = Pictures(cast(Any, None))  # a code needs nothing of the hall
        flood = [asyncio.create_task(ask(pictures, MALLORY, number)) for number in range(FLOOD)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # all of them wait
        await asyncio.gather(*flood, asyncio.create_task(ask(pictures, HONEST, 0)))

    asyncio.run(story())
    before = drawn.index(HONEST)
    assert (before < FLOOD / 4) if guarded else (before == FLOOD)
