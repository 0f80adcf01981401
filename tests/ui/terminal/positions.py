"""One position of each game, reached by its own rules, for trying what can be typed there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from dicehall.core.fold import replay
from dicehall.core.game import Move, Roll, Seat
from dicehall.games import catalogue
from dicehall.games.aetharn.actions import Hold
from dicehall.games.aetharn.actions import Word as AetharnWord
from dicehall.games.doordice.rules import Word as DoorWord
from dicehall.games.tenthousand.actions import Word as TenWord

ME = Seat(0)


@dataclass(frozen=True, slots=True)
class Position:
    key: str
    seats: int
    log: tuple[Any, ...]
    likely: tuple[str, ...]

    @property
    def game(self) -> Any:
        return catalogue()[self.key]

    @property
    def state(self) -> Any:
        return replay(self.game(), self.seats, self.log)

    @property
    def view(self) -> Any:
        return self.game().view(self.state, ME)

    @property
    def choices(self) -> tuple[Any, ...]:
        listed: tuple[Any, ...] = self.game().choices(self.state, ME)
        return listed

    def seen(self, **changes: Any) -> Any:
        return replace(self.view, **changes)


def rolled(word: Any, *faces: int) -> tuple[Any, ...]:
    return Move(ME, word), Roll(faces)


WARDS = Position("wards", 2, (), ("roll", "hold"))
AETHARN = Position(
    "aetharn",
    2,
    (Roll((1,)), *rolled(AetharnWord.ROLL, 1, 2, 1, 3, 5, 5), Move(ME, Hold((5,)))),
    ("hold", "roll", "bank", "fold"),
)
TENTHOUSAND = Position("tenthousand", 2, rolled(TenWord.ROLL, 1, 1, 1, 2, 5, 5), ("lock",))
DOORDICE = Position("doordice", 5, rolled(DoorWord.ROLL, 6), ("power_damage", "power_vp"))
MANA = Position("mana", 2, (Roll((1,) * 32 + (1,)),), ("pick",))
EVERY = (WARDS, AETHARN, TENTHOUSAND, DOORDICE, MANA)
