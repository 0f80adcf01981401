"""Loads tables from their journals; one that cannot be folded is frozen, and no other table is affected."""

from __future__ import annotations

from dataclasses import dataclass, field

from dicehall.core.game import Refused
from dicehall.table.history import Folded, History, fold
from dicehall.table.parts import Parts
from dicehall.table.ports import Damaged, JournalError, SealedDice
from dicehall.table.requests import Code
from dicehall.table.retiring import NoDice, missing
from dicehall.table.state import TableState


@dataclass(frozen=True, slots=True)
class Loaded:
    folded: Folded
    dice: SealedDice
    archived: bool  # its secret is gone: nothing will be rolled there any more


@dataclass(slots=True, eq=False)
class Loader:
    parts: Parts
    history: History
    frozen: set[str] = field(default_factory=set)  # tables whose journal cannot be folded

    async def load(self, table: str) -> Loaded:
        secret = await self.parts.journal.secret(table)
        folded = await self.fold(table)
        if folded is None:
            raise await missing(self.parts.journal, table)
        return Loaded(folded, self.dice_of(folded.state, secret), secret is None)

    async def fold(self, table: str) -> Folded | None:
        """A table from its journal, or None if there is none; one that cannot be folded is frozen."""
        try:
            return await fold(self.history, table)
        except JournalError as trouble:
            if not isinstance(trouble, Damaged):
                raise
            raise self.freeze(table, trouble) from trouble
        except Exception as broken:
            raise self.freeze(table, broken) from broken

    def dice_of(self, state: TableState, secret: bytes | None) -> SealedDice:
        """The dice of a table from its secret; a finished one needs none."""
        challenge = state.opened.challenge is not None
        if secret is None and (state.ended or challenge):  # a backup holds no secret of a challenge
            return NoDice()
        try:
            if not isinstance(secret, bytes):
                raise Damaged("its secret is missing")
            return self.parts.box.day_dice(secret) if challenge else self.parts.box.dice(secret)
        except Exception as broken:
            raise self.freeze(state.id, broken) from broken

    def freeze(self, table: str, broken: Exception) -> Refused:
        """Freeze a damaged table: nobody can play there, and it is logged once."""
        if table not in self.frozen:
            self.frozen.add(table)
            self.parts.frozen(table, broken)
        return Refused(Code.STORE_UNAVAILABLE, "This table is frozen: its journal cannot be replayed.")
