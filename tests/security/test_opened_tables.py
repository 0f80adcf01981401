"""Opening tables: sixteen thousand hashes each, and none of them holds up anybody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from dicehall.launch.wiring import PreparedBox, SealedBox
from dicehall.table.ports import SealedDice
from dicehall.table.slices import Slices
from tests.security.live import Turns, both_ways, live_hall

TABLES = 20
ENOUGH = 10  # turns of the event loop in which others are served


@both_ways
def test_opening_many_tables_does_not_hold_up_an_honest_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """Without the guard nobody is served while a chain of dice is hashed; with it, chains wait and are filled up."""
    draw, counted = SealedBox.draw, list[int]()
    with live_hall(tmp_path) as hall:
        honest, mallory, turns = hall.honest_pair(), hall.guest("Mallory"), Turns(hall)

        async def watched(self: SealedBox, slices: Slices) -> tuple[bytes, SealedDice]:
            before = turns.count
            drawn = await draw(self, slices)
            counted.append(turns.count - before)
            return drawn

        async def no_pause(self: Slices) -> None:
            return

        monkeypatch.setattr(SealedBox, "draw", watched)
        if not guarded:
            monkeypatch.setattr(Slices, "pause", no_pause)

        def open_tables() -> None:
            for _ in range(TABLES):
                mallory.post("/api/tables", {"game": "wards"})

        honest.acts_while(open_tables)
        during = counted.copy()  # while the hall closes, nobody counts its turns any more
    assert len(during) >= TABLES // 2
    assert (min(during) >= ENOUGH) is guarded


def test_a_chain_that_was_prepared_is_used_once_and_shows_nothing_before(tmp_path: Path) -> None:
    """The promise of docs/sealed-dice.md: a seal is shown once its secret is stored, and not before.

    There is no guard to switch off: a chain is taken out of the box for its table. The control is the next table,
    which has the next chain.
    """
    with live_hall(tmp_path) as hall:
        ann, box = hall.guest("Ann"), hall.running.host.parts.box
        assert isinstance(box, PreparedBox)
        tables = [ann.post("/api/tables", {"game": "wards"}) for _ in range(12)]
        shown = [hall.request("GET", f"/api/tables/{table['id']}")["seal"] for table in tables]
        while not (waiting := hall.call(lambda: [dice.seal for _, dice in box.ready])):
            pass
        assert len(set(shown)) == len(shown)
        assert not set(shown) & set(waiting)
        following = ann.post("/api/tables", {"game": "wards"})["id"]
        assert hall.request("GET", f"/api/tables/{following}")["seal"] == waiting[0]
