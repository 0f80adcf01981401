"""What a hall writes down of its tables, for halls that live as long as their process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from dicehall.hall.cards import Card, Ending, Result, Seated
from dicehall.hall.ports import Account
from dicehall.hall.register import LONG_PAGE, PAGE, Count, Filter, Kind, Leader, Listed, Order, Past, Tally, offset_of
from dicehall.store.host import LIVE
from dicehall.table.ports import Head

BEST: dict[Order, Callable[[Leader], Any]] = {
    "won": lambda one: (-one.won, one.played, one.account),
    "rate": lambda one: (-one.won / one.played, -one.played, one.account),
}


class MemoryRegister:
    def __init__(self, head: Callable[[str], Head | None]) -> None:
        self._head = head  # of a table that is still in the journal
        self._cards: dict[str, Card] = {}
        self._endings: dict[str, Ending] = {}
        self._attempts: dict[tuple[str, str, str], Card] = {}  # of the daily challenge: by opener, game and day
        self._sitters: dict[str, tuple[str, ...]] = {}  # by table
        self._tables: dict[str, dict[str, None]] = {}  # by account, in the order of sitting down
        self.accounts: dict[str, Account] = {}  # by id; the people of the same hall are kept here

    def add(self, facts: Sequence[Any]) -> bool:
        """Write facts down; False, and nothing is written, where one is known already."""
        if any(self._known(fact) for fact in facts):
            return False
        for fact in facts:
            if isinstance(fact, Seated):
                self._seat(fact)
                continue
            shelf: dict[str, Any] = self._cards if isinstance(fact, Card) else self._endings
            shelf[fact.table] = fact
            if isinstance(fact, Card) and fact.challenge is not None:
                self._attempts[fact.opener, fact.game, fact.challenge] = fact
        return True

    def attempts(self) -> Iterable[Card]:
        """All attempts at daily challenges."""
        return self._attempts.values()

    def all_endings(self) -> Iterable[Ending]:
        return self._endings.values()

    def known_ending(self, table: str) -> Ending | None:
        return self._endings.get(table)

    async def attempt_at(self, opener: str, game: str, day: str) -> Card | None:
        return self._attempts.get((opener, game, day))

    def _seat(self, seated: Seated) -> None:
        self._unseat(seated.table)
        self._sitters[seated.table] = seated.accounts
        for account in seated.accounts:
            self._tables.setdefault(account, {})[seated.table] = None

    def forget(self, table: str) -> None:
        """Leave no trace of a table, nor of those who sat only there."""
        card = self._cards.pop(table, None)
        if card is not None and card.challenge is not None:
            self._attempts.pop((card.opener, card.game, card.challenge), None)
        self._endings.pop(table, None)
        self._unseat(table)

    def _unseat(self, table: str) -> None:
        for account in self._sitters.pop(table, ()):
            self._tables[account].pop(table, None)
            if not self._tables[account]:
                del self._tables[account]

    def _known(self, fact: Any) -> bool:
        if isinstance(fact, Seated):
            return False
        if isinstance(fact, Ending):
            return fact.table in self._endings
        rivals = self._cards.values()
        return (
            fact.table in self._cards
            or any(
                (fact.id is not None and (card.opener, card.id) == (fact.opener, fact.id))
                or (fact.before is not None and card.before == fact.before)
                for card in rivals
            )
            or (fact.opener, fact.game, fact.challenge) in self._attempts
        )

    async def card(self, table: str) -> Card | None:
        return self._cards.get(table)

    async def opened_as(self, opener: str, id: str) -> Card | None:
        return next((card for card in self._cards.values() if (card.opener, card.id) == (opener, id)), None)

    async def rematch_of(self, table: str) -> Card | None:
        return next((card for card in self._cards.values() if card.before == table), None)

    async def continuations(self, table: str, account: str) -> Sequence[Card]:
        known = {*self._tables.get(account, ())}
        found = [c for c in self._cards.values() if c.origin == table and (c.opener == account or c.table in known)]
        return sorted(found, key=lambda card: (-card.opened_at, card.table))[:PAGE]

    async def find(self, wanted: Filter, page: int) -> Sequence[Listed]:
        cards: Iterable[Card] = self._cards.values()
        if wanted.sitter is not None:
            cards = self._cards_of(wanted.sitter)
        listed = [Listed(card, self._status_of(card.table)) for card in cards if fits(card, wanted)]
        kept = [one for one in listed if not wanted.statuses or one.status in wanted.statuses]
        if wanted.public_only:
            kept = [one for one in kept if not one.card.private or one.status in LIVE]
        kept.sort(key=lambda one: (-one.card.opened_at, one.card.table))
        if wanted.statuses and set(wanted.statuses) <= set(LIVE):
            kept.sort(key=lambda one: not self._is_attended(one.card.table))
        return kept[offset_of(page) :][:PAGE]

    async def tables_of(self, account: str, game: str, page: int) -> Sequence[Listed]:
        cards = [card for card in self._cards_of(account) if card.game == game]
        mine = sorted(cards, key=lambda card: (-card.opened_at, card.table))
        return [Listed(card, self._status_of(card.table)) for card in mine[offset_of(page, LONG_PAGE) :][:LONG_PAGE]]

    async def lobbies_of(self, account: str) -> Sequence[str]:
        return [table for table in self._tables.get(account, ()) if self._status_of(table) == "lobby"]

    def _cards_of(self, account: str) -> list[Card]:
        """Of the tables at which somebody sits or sat, in the order of sitting down."""
        return [self._cards[table] for table in self._tables.get(account, ()) if table in self._cards]

    async def tallies(self, game: str, page: int) -> Sequence[Tally]:
        found: dict[tuple[str | None, str | None], Tally] = {}
        played = sorted((e for e in self._counted() if e.game == game), key=lambda e: (-e.at, e.table))
        for ending in played:
            for one in ending.results:
                name = one.name if one.account is not None else one.bot or ""
                so_far = found.get((one.account, one.bot), Tally(one.account, one.bot, name, 0, 0, 0))
                found[one.account, one.bot] = added(so_far, one)
        best = sorted(found.values(), key=lambda one: (-one.won, -one.score, one.account or f"bot:{one.bot}"))
        return best[offset_of(page) :][:PAGE]

    def _is_attended(self, table: str) -> bool:
        head = self._head(table)
        return head is not None and head.attended

    def _status_of(self, table: str) -> str:
        if (head := self._head(table)) is not None:
            return head.status
        ending = self._endings.get(table)
        return "over" if ending is not None and ending.results else "abandoned"

    async def ending(self, table: str) -> Ending | None:
        return self._endings.get(table)

    async def endings(
        self, game: str | None, account: str | None, page: int, *, viewer: str | None = None, private: bool = False
    ) -> Sequence[Ending]:
        found = [
            ending
            for ending in self._endings.values()
            if ending.results
            and (game is None or ending.game == game)
            and (account is None or played_by(ending, account))
            and (private or self._open_to(viewer, ending))
        ]
        found.sort(key=lambda ending: (-ending.at, ending.table))
        return found[offset_of(page) :][:PAGE]

    async def past(self, account: str, wanted: Past, page: int, viewer: str | None = None) -> Sequence[Ending]:
        found = [e for e in self._endings.values() if is_past(e, account, wanted) and self._open_to(viewer, e)]
        found.sort(key=lambda ending: (-ending.at, ending.table))
        return found[offset_of(page) :][:PAGE]

    def _open_to(self, viewer: str | None, ending: Ending) -> bool:
        card = self._cards.get(ending.table)
        return (card is not None and not card.private) or (viewer is not None and played_by(ending, viewer))

    async def counts(self, account: str, *, rated: bool = False) -> Sequence[Count]:
        results = self._rated_results() if rated else self._results()
        mine = [(ending.game, result) for ending, result in results if result.account == account]
        return counted(mine)

    async def versus(self, account: str, other: str) -> Sequence[tuple[Count, Count]]:
        met = [e for e in self._counted() if {account, other} <= {result.account for result in e.results}]
        pairs = []
        for game in sorted({ending.game for ending in met}):
            both = [ending for ending in met if ending.game == game]
            pairs.append((won_by(account, game, both), won_by(other, game, both)))
        return pairs

    async def leaders(self, game: str | None, kind: Kind, order: Order, least: int, page: int) -> Sequence[Leader]:
        tally: dict[str, list[bool]] = {}
        for ending, result in self._rated_results():
            who = result.bot if kind == "bots" else self._of_kind(result.account, kind)
            if who is not None and (game is None or ending.game == game):
                tally.setdefault(who, []).append(result.won)
        found = [Leader(who, self._called(who), len(won), sum(won)) for who, won in tally.items()]
        best = sorted((one for one in found if one.played >= max(1, least)), key=BEST[order])
        return best[offset_of(page) :][:PAGE]

    def _of_kind(self, account: str | None, kind: Kind) -> str | None:
        known = self.accounts.get(account) if account else None
        return account if known and known.guest == (kind == "guests") else None

    def _called(self, who: str) -> str:
        return self.accounts[who].name if who in self.accounts else who

    def _rated_results(self) -> Iterable[tuple[Ending, Result]]:
        return ((ending, result) for ending, result in self._results() if ending.rated)

    def _results(self) -> Iterable[tuple[Ending, Result]]:
        return ((ending, result) for ending in self._counted() for result in ending.results)

    def _counted(self) -> Iterable[Ending]:
        return (ending for ending in self._endings.values() if not ending.continued)


def played_by(ending: Ending, account: str) -> bool:
    return any(result.account == account for result in ending.results)


def is_past(ending: Ending, account: str, wanted: Past) -> bool:
    mine = next((result for result in ending.results if result.account == account), None)
    people = any(result.account not in (None, account) for result in ending.results)
    return (
        mine is not None
        and (wanted.game is None or ending.game == wanted.game)
        and (wanted.outcome is None or mine.won == (wanted.outcome == "won"))
        and (wanted.against is None or people == (wanted.against == "people"))
        and ending.at >= wanted.since
    )


def fits(card: Card, wanted: Filter) -> bool:
    return (
        (wanted.game is None or card.game == wanted.game)
        and (card.public or not wanted.public_only)
        and (wanted.opener is None or card.opener == wanted.opener)
    )


def counted(results: Sequence[tuple[str, Result]]) -> list[Count]:
    games = sorted({game for game, _ in results})
    return [
        Count(game, sum(g == game for g, _ in results), sum(r.won for g, r in results if g == game)) for game in games
    ]


def added(tally: Tally, result: Result) -> Tally:
    played, won, score = tally.played + 1, tally.won + result.won, tally.score + result.score
    return replace(tally, played=played, won=won, score=score)


def won_by(account: str, game: str, endings: Sequence[Ending]) -> Count:
    won = sum(result.won for ending in endings for result in ending.results if result.account == account)
    return Count(game, len(endings), won)
