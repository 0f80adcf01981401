"""Dice 10 000 as its seed keeps it: players, games, rounds, turns and rolls, read by the members of a game (T10).

Nothing of this is stored: every answer is folded from the journal, or the record, of a table. Who would change it
plays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeVar

from dicehall.core.game import Refused
from dicehall.games.tenthousand.rules import TenThousand
from dicehall.hall.cards import Card
from dicehall.hall.hall import Hall
from dicehall.hall.ports import Account
from dicehall.hall.register import LONG_PAGE
from dicehall.hall.seeds.tales import Sitter, Tale, tale_of, unless_frozen
from dicehall.hall.seeds.tenthousand_records import (
    Game,
    Player,
    Records,
    Roll,
    Round,
    Turn,
    fold,
    no_records,
    player_id,
)
from dicehall.table.requests import Code

T = TypeVar("T")

KEY = TenThousand.key
MOST_GAMES = 1000  # of one player; older ones are left out


class Known(Protocol):
    """What is needed of the hall's people."""

    async def account(self, id: str) -> Account: ...


@dataclass(frozen=True, slots=True)
class DiceTenThousand:
    hall: Hall
    people: Known

    async def game(self, account: str, id: str) -> Game:
        return (await self.records(account, id)).game

    async def round(self, account: str, id: str) -> Round:
        return found((await self.records(account, table_of(id))).rounds, id)

    async def turn(self, account: str, id: str) -> Turn:
        return found((await self.records(account, table_of(id))).turns, id)

    async def roll(self, account: str, id: str) -> Roll:
        return found((await self.records(account, table_of(id))).rolls, id)

    async def games(self, account: str, page: int = 0) -> list[Game]:
        """The games of an account, for itself; the newest first, by the page."""
        cards = await self.cards(account, page)
        tales = [await unless_frozen(self.hall, card, tale_of(self.hall, card)) for card in cards]
        return [(await self.fold(tale)).game for tale in tales if tale is not None]

    async def player(self, account: str, id: str) -> Player:
        """Oneself, or whoever one has a game with."""
        if "/" in id:
            return await self.bot(account, id)
        who = await self.people.account(id)
        theirs = await self.all_cards(id)
        mine = {card.table for card in (theirs if id == account else await self.all_cards(account))}
        if id != account and not any(card.table in mine for card in theirs):
            raise Refused(Code.NOT_ALLOWED, "You have no game with this player.")
        # A private table is nobody's to name who does not sit there.
        return Player(id, who.created, who.name, tuple(c.table for c in theirs if self.shows(c, mine)))

    def shows(self, card: Card, mine: set[str]) -> bool:
        """A frozen table has no records that could be read."""
        return (not card.private or card.table in mine) and card.table not in self.hall.host.frozen

    async def bot(self, account: str, id: str) -> Player:
        tale = await self.tale(account, table_of(id))
        bots = {player_id(tale.card.table, sitter): sitter for sitter in tale.sitters if sitter.account is None}
        sitter: Sitter = found(bots, id)
        return Player(id, sitter.since, sitter.name, (tale.card.table,))

    # -- how it is found -----------------------------------------------------------------------------

    async def records(self, account: str, table: str) -> Records:
        return await self.fold(await self.tale(account, table))

    async def fold(self, tale: Tale) -> Records:
        """In slices: nobody else waits for a long game."""
        records = no_records(tale)
        await self.hall.host.slices.run(fold(records, tale))
        return records

    async def tale(self, account: str, table: str) -> Tale:
        card = await self.hall.card(table)
        if card.game != KEY:
            raise nothing()
        tale = await tale_of(self.hall, card)
        if account not in tale.accounts:
            raise Refused(Code.NOT_ALLOWED, "Only the players of a game can read its records.")
        return tale

    async def cards(self, account: str, page: int) -> list[Card]:
        """The tables at which an account sits, or sat when they ended, the newest first."""
        return [listed.card for listed in await self.hall.parts.register.tables_of(account, KEY, page)]

    async def all_cards(self, account: str) -> list[Card]:
        """The newest tables of an account, as many as a player is shown with."""
        cards: list[Card] = []
        while len(cards) < MOST_GAMES and (found := await self.cards(account, len(cards) // LONG_PAGE)):
            cards += found
            if len(found) < LONG_PAGE:
                break
        return cards


def table_of(id: str) -> str:
    return id.partition("/")[0]


def found(shelf: dict[str, T], id: str) -> T:
    if id not in shelf:
        raise nothing()
    return shelf[id]


def nothing() -> Refused:
    return Refused(Code.NO_SUCH_TABLE, "There is no such record.")
