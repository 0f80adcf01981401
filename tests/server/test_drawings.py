"""Drawings are made once each and kept, as long as there is room for them."""

from __future__ import annotations

import asyncio

import pytest

from dicehall.core.game import Refused
from dicehall.server.drawings import Drawings
from dicehall.table.requests import Code


def test_a_drawing_that_failed_is_drawn_again_and_others_do_not_lose_theirs() -> None:
    async def story() -> None:
        kept, tries = Drawings[str](most=1), 0

        async def draw() -> bytes:
            nonlocal tries
            tries += 1
            if tries == 1:
                raise Refused(Code.RATE_LIMITED, "Too many people are waiting for this right now.")
            return b"picture"

        with pytest.raises(Refused):
            await kept.get("a", draw)
        assert [await kept.get("a", draw) for _ in range(2)] == [b"picture"] * 2
        await kept.get("b", draw)
        assert (tries, list(kept.kept)) == (3, ["b"])

    asyncio.run(story())
