"""Journals that are written into a hall's file before it opens, as long as an attack needs them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from dicehall.core.house import rules_of
from dicehall.games import catalogue
from dicehall.hall.cards import Card
from dicehall.store.sqlite import SqliteJournal
from dicehall.table import acts
from dicehall.table.acts import encode_act
from dicehall.table.ports import Commit, Head, Row

AT = 1_700_000_000_000
WINNING = (
    acts.Played(entries=({"seat": 0, "move": "roll"}, {"roll": [6], "opened": "0" * 64})),
    acts.Played(entries=({"seat": 0, "move": "hold"},)),
)


def write_long_table(folder: Path, table: str, holds: int) -> None:
    """A table of Dice Wards at which two people have done nothing but hold."""
    game = catalogue()["wards"](turn_seconds=None)
    write_journal(folder, table, "wards", long_game(game, holds), "playing")


def long_game(game: Any, holds: int) -> list[Any]:
    opened = acts.Opened(
        game="wards", edition=game.edition, rules=rules_of(game), seats=2, s0="0" * 64, name="Long", by="ann"
    )
    people = [acts.Sat(chair=chair, name=name, account=name) for chair, name in enumerate(("ann", "bo"))]
    moves = [acts.Played(entries=({"seat": at % 2, "move": "hold"},)) for at in range(holds)]
    return [opened, *people, acts.Started(order=(0, 1)), *moves]


def write_finished_table(folder: Path, table: str, holds: int) -> None:
    """The same, until one of them rolls once and wins."""
    game = catalogue()["wards"](goal=2, turn_seconds=None)
    write_journal(folder, table, "wards", [*long_game(game, holds), *WINNING], "over")


def write_journal(folder: Path, table: str, game: str, journal: list[Any], status: str) -> None:
    card = Card(table, game, "Long", "ann", AT)

    async def write() -> None:
        store = SqliteJournal(folder / "hall.db")
        commits = [
            Commit(
                Row(table, n, encode_act(act), AT),
                Head(table, n, None, status),
                bytes(32) if n == 1 else None,
                (card,) if n == 1 else (),
            )
            for n, act in enumerate(journal, 1)
        ]
        await asyncio.gather(*(store.append(commit) for commit in commits))
        store.close()

    asyncio.run(write())
