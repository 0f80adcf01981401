"""Short ways to say what happens in a game of Mana."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeVar

import pytest

from dicehall.core.fold import play
from dicehall.core.game import Event, Faces, Move, Refused, Roll, Seat
from dicehall.games.mana.actions import Commit, Pick, Reveal
from dicehall.games.mana.rules import NOSTR, Mana
from dicehall.games.mana.state import Match, State

E = TypeVar("E", bound=Event)
GAME = Mana(**NOSTR)  # two armies whose units may fight again: the house rules of M15 have tests of their own
MATCH = Mana(match=Match("duel-7", ("npub-ann", "npub-bo")), **NOSTR)

# Four bytes a unit: attack, defense, health, ability (M2).
PLAIN = bytes((0, 0, 0, 0))  # attack 10, defense 5, health 20
STRONG = bytes((15, 0, 0, 0))  # attack 25: one blow of 20 fells a plain unit
HARDY = bytes((0, 0, 10, 0))  # health 30
EDGY = bytes((1, 0, 1, 0))  # attack 11, health 21: beats a plain unit by a little
BOOSTER = bytes((0, 0, 0, 1))
SHIELDED = bytes((0, 0, 0, 2))
HEALER = bytes((0, 0, 0, 3))
TROOP = PLAIN + STRONG + HARDY + EDGY + BOOSTER + SHIELDED + HEALER + PLAIN


def dice(first: bytes = TROOP, second: bytes = TROOP, leagues: tuple[int, int] = (0, 0)) -> Faces:
    """The faces with which these armies are drawn."""
    return tuple(number + 1 for number in (*first, *second, *leagues))


class Table:
    """A game and everything it told."""

    def __init__(self, game: Mana = GAME, draw: Faces | None = None) -> None:
        self.game = game
        self.state: State = game.start(2)
        self.told: list[Event] = []
        self.fresh: list[bool] = []
        if not game.match:
            self.enter(Roll(draw or dice()))

    def enter(self, *entries: Any) -> Table:
        for entry in entries:
            step = play(self.game, self.state, entry)
            self.state = step.state
            self.told += step.events
            self.fresh.append(step.fresh_clock)
        return self

    def fight(self, *picks: tuple[int, int]) -> Table:
        """Rounds in which seat 0 and seat 1 pick these units."""
        for mine, other in picks:
            self.enter(Move(Seat(0), Pick(mine)), Move(Seat(1), Pick(other)))
        return self

    def code(self, *entries: Any) -> str:
        """The code with which the last of these entries is refused."""
        self.enter(*entries[:-1])
        before = self.state
        with pytest.raises(Refused) as refusal:
            self.enter(entries[-1])
        assert refusal.value.sentence.endswith(".")
        assert self.state == before
        return str(refusal.value.code)

    def all(self, kind: type[E]) -> list[E]:
        return [event for event in self.told if isinstance(event, kind)]

    def only(self, kind: type[E]) -> E:
        (event,) = self.all(kind)
        return event


@dataclass(frozen=True, slots=True)
class Token:
    """A mana token in somebody's hand; what it publishes is worked out here without the game's own functions."""

    secret: bytes
    signature: bytes
    league: int = 0

    def commitment(self, unit: int, round: int, nonce: bytes | None, match_id: str = "duel-7") -> str:
        said = self.secret + self.signature + bytes([unit]) + bytes([round]) + match_id.encode("utf-8") + (nonce or b"")
        return sha256(said).hexdigest()

    def commit(self, seat: int, unit: int, round: int = 1, nonce: bytes | None = b"n" * 32) -> Move[Any]:
        return Move(Seat(seat), Commit(self.commitment(unit, round, nonce)))

    def reveal(self, seat: int, unit: int, nonce: bytes | None = b"n" * 32) -> Move[Any]:
        hidden = nonce.hex() if nonce is not None else None
        return Move(Seat(seat), Reveal(self.secret.hex(), self.signature.hex(), unit, hidden, self.league))


ANNS = Token(b"a" * 32, b"\x02" + b"A" * 32, league=1)
BOS = Token(b"b" * 32, b"\x03" + b"B" * 32, league=6)
