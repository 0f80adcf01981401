"""The ratings of a hall that lives as long as its process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dicehall.hall.cards import Ending
from dicehall.hall.ratings import BOT, Change, RatedLeader, Rating, certain, changes_of, who_of
from dicehall.hall.register import PAGE, Kind, offset_of
from dicehall.store.memory_register import MemoryRegister


class MemoryRatings:
    def __init__(self, register: MemoryRegister) -> None:
        self._register = register
        self._folded: dict[str, list[Change]] = {}  # by table, in order
        self._ratings: dict[tuple[str, str], Rating] = {}  # by game and who

    async def fold(self, most: int) -> int:
        pending = [ending for ending in self._register.all_endings() if ending.table not in self._folded]
        pending = sorted(pending, key=lambda ending: (ending.at, ending.table))[:most]
        for ending in pending:
            self._fold(ending)
        return len(pending)

    async def rebuild(self) -> None:
        endings = {ending.table: ending for ending in self._register.all_endings()}
        order, self._folded, self._ratings = list(self._folded), {}, {}
        for table in order:
            self._fold(endings[table])

    async def ratings_of(self, who: str) -> Mapping[str, Rating]:
        return {game: one for (game, _), one in sorted(self._ratings.items()) if one.who == who}

    async def ratings(self, game: str, who: Sequence[str]) -> Mapping[str, Rating]:
        return {one: self._ratings[game, one] for one in who if (game, one) in self._ratings}

    async def changes(self, table: str) -> Sequence[Change]:
        return sorted(self._folded.get(table, ()), key=lambda change: change.who)

    async def best(self, game: str, kind: Kind, page: int) -> Sequence[RatedLeader]:
        found = [rating for (key, _), rating in self._ratings.items() if key == game and self._is(rating.who, kind)]
        found.sort(key=lambda rating: (-certain(rating.skill), rating.who))
        return [RatedLeader(rating, self._called(rating.who)) for rating in found[offset_of(page) :][:PAGE]]

    def _fold(self, ending: Ending) -> None:
        results = ending.results if ending.rated else ()
        before = {who: rating.skill for (game, who), rating in self._ratings.items() if game == ending.game}
        changes = self._folded[ending.table] = changes_of(results, before)
        winner = next((who_of(result) for result in results if result.won), None)
        for change in changes:
            old = self._ratings.get((ending.game, change.who), Rating(change.who, change.before, 0, 0))
            won = old.won + (change.who == winner)
            self._ratings[ending.game, change.who] = Rating(change.who, change.after, old.games + 1, won)

    def _is(self, who: str, kind: Kind) -> bool:
        if kind == "bots" or who.startswith(BOT):
            return kind == "bots" and who.startswith(BOT)
        account = self._register.accounts.get(who)
        return account is not None and account.guest == (kind == "guests")

    def _called(self, who: str) -> str:
        return who.removeprefix(BOT) if who.startswith(BOT) else self._register.accounts[who].name
