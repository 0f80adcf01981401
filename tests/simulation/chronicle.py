"""What a table's journal really holds, folded as it is stored: what everything else is measured against."""

from __future__ import annotations

from dataclasses import dataclass, field

from dicehall.core.game import Seat
from dicehall.games import Catalogue
from dicehall.table.acts import decode_act
from dicehall.table.folding import advance, begin
from dicehall.table.listening import encode_update
from dicehall.table.ports import Row
from dicehall.table.state import TableState, Told
from dicehall.table.updates import update


@dataclass(frozen=True, slots=True)
class Stored:
    """One act with the moment in which it became durable."""

    row: Row
    told: Told
    moment: int
    elapsed: float  # virtual seconds, which never jump back
    wall: int  # the latest time any clock has shown so far


@dataclass(slots=True)
class Chronicle:
    table: str
    games: Catalogue
    stored: list[Stored] = field(default_factory=list)
    encoded: dict[tuple[int, Seat | None], bytes] = field(default_factory=dict)

    @property
    def state(self) -> TableState:
        after = self.stored[-1].told.after
        assert after is not None
        return after

    def add(self, row: Row, moment: int, elapsed: float, wall: int) -> Stored:
        act = decode_act(row.act)
        if self.stored:
            _, told = advance(self.state, act, row.at)
        else:
            told = Told(1, row.at, act, (), None, begin(self.table, act, row.at, self.games))  # type: ignore[arg-type]
        self.stored.append(Stored(row, told, moment, elapsed, wall))
        return self.stored[-1]

    def expected(self, n: int, seat: Seat | None) -> bytes:
        """Update number n, as this audience must have heard it."""
        if (n, seat) not in self.encoded:
            self.encoded[n, seat] = encode_update(self.table, update(self.stored[n - 1].told, seat))
        return self.encoded[n, seat]
