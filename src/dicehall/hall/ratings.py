"""Ratings: how strong somebody is, how sure that is, and how many games tell two apart (decision 080)."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil, exp, log, sqrt
from typing import Any, Protocol

from dicehall.hall.cards import Result
from dicehall.hall.register import Kind
from dicehall.table.ports import JournalError

logger = logging.getLogger(__name__)

MU, SIGMA, BETA = 25.0, 25 / 3, 25 / 6  # openskill's own
SCALE = 400 / log(10) / (sqrt(2) * BETA)  # points of a rating for one of mu: 400 points are 10 to 1 between two
MIDDLE = 1500
ERRORS = 2.0  # sigmas in the error that is shown: 95 of 100 lie within
LEADS = 1.645  # of a normal distribution: 95 of 100 lie below
MOST_GAMES = 100_000  # that are told; beyond that two are equal for all that anybody will see
AT_ONCE = 64  # games that are folded in with one transaction
BOT = "bot:"  # before the level of a bot, among the names of accounts


@dataclass(frozen=True, slots=True)
class Skill:
    """What is believed of somebody: a mean and a standard deviation."""

    mu: float = MU
    sigma: float = SIGMA


@dataclass(frozen=True, slots=True)
class Rating:
    """Of somebody at a game."""

    who: str  # an account, or a bot's level behind `bot:`
    skill: Skill
    games: int
    won: int


@dataclass(frozen=True, slots=True)
class Change:
    """What a game did to somebody's rating."""

    who: str
    before: Skill
    after: Skill


@dataclass(frozen=True, slots=True)
class RatedLeader:
    rating: Rating
    name: str


class RatingStore(Protocol):
    async def fold(self, most: int) -> int:
        """Fold in rated games that ended and are not in the ratings yet, in order; how many games were looked at."""
        ...

    async def rebuild(self) -> None:
        """All ratings anew, from all games in the order in which they were folded in."""

    async def ratings_of(self, who: str) -> Mapping[str, Rating]:
        """Somebody's ratings, by game."""
        ...

    async def ratings(self, game: str, who: Sequence[str]) -> Mapping[str, Rating]:
        """The ratings of those who have one."""
        ...

    async def changes(self, table: str) -> Sequence[Change]: ...

    async def best(self, game: str, kind: Kind, page: int) -> Sequence[RatedLeader]:
        """Sort by rating minus its error, best first."""
        ...


def who_of(result: Result) -> str:
    return result.account if result.account is not None else f"{BOT}{result.bot}"


@cache
def model() -> Any:
    """Loaded when the first game is rated."""
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA)


def after_game(skills: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """What is believed of each of them after a game in which they came to these places; equals share one."""
    teams = [[model().rating(mu=skill.mu, sigma=skill.sigma)] for skill in skills]
    return [Skill(team[0].mu, team[0].sigma) for team in model().rate(teams, ranks=list(places))]


def changes_of(results: Sequence[Result], before: Mapping[str, Skill]) -> list[Change]:
    """What a game does to everybody in it; several bots of a level get the mean of their changes."""
    people = [who_of(result) for result in results]
    if len(set(people)) < 2:
        return []
    now = [before.get(who, Skill()) for who in people]
    after = after_game(now, [result.place for result in results])
    changes = []
    for who in dict.fromkeys(people):
        mine = [skill for skill, other in zip(after, people, strict=True) if other == who]
        mu = sum(skill.mu for skill in mine) / len(mine)
        sigma = sqrt(sum(skill.sigma**2 for skill in mine) / len(mine))
        changes.append(Change(who, before.get(who, Skill()), Skill(mu, sigma)))
    return changes


def points(skill: Skill) -> int:
    return round(MIDDLE + SCALE * (skill.mu - MU))


def error(skill: Skill) -> int:
    return round(ERRORS * SCALE * skill.sigma)


def certain(skill: Skill) -> float:
    """The rating less its error, by which people are ranked."""
    return skill.mu - ERRORS * skill.sigma


def chance(mine: Skill, theirs: Skill) -> float:
    """The chance to win a game of two by what is known: the less that is, the nearer it lies to one half."""
    spread = sqrt(2 * BETA**2 + mine.sigma**2 + theirs.sigma**2)
    return 1 / (1 + exp((theirs.mu - mine.mu) / spread))


def games_to_tell_apart(chance: float) -> int | None:
    """After so many games of two the stronger one leads in 95 of 100 such matches; None where that takes for ever."""
    lead = abs(chance - 0.5)
    games = ceil(LEADS**2 * chance * (1 - chance) / lead**2) if lead > 1e-6 else MOST_GAMES + 1
    return None if games > MOST_GAMES else max(1, games)


def show_rating(rating: Rating) -> dict[str, int]:
    return {"rating": points(rating.skill), "error": error(rating.skill), "games": rating.games}


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings that are up to date: whoever reads them folds in what ended since."""

    store: RatingStore

    async def fold_all(self) -> None:
        """Fold in everything that ended, a few games at a time so that others have their turn.

        Where the store cannot be reached, the rest is folded in by those who read ratings later.
        """
        try:
            while await self.store.fold(AT_ONCE):
                pass
        except JournalError as trouble:
            logger.info("not all games are rated yet: %s", trouble)

    async def ratings_of(self, who: str) -> Mapping[str, Rating]:
        await self.store.fold(AT_ONCE)
        return await self.store.ratings_of(who)

    async def best(self, game: str, kind: Kind, page: int) -> Sequence[RatedLeader]:
        await self.store.fold(AT_ONCE)
        return await self.store.best(game, kind, page)

    async def of_seats(self, table: str, game: str, seats: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The ratings of seats as a table shows them; after a rated game with what it changed."""
        await self.store.fold(AT_ONCE)
        sitting = {seat["seat"]: seat["account"] or f"{BOT}{seat['bot']}" for seat in seats if seat["name"] is not None}
        known = await self.store.ratings(game, list(set(sitting.values())))
        changes = {change.who: change for change in await self.store.changes(table)}
        return [show_seat(seat, known[who], changes.get(who)) for seat, who in sitting.items() if who in known]


def show_seat(seat: int, rating: Rating, change: Change | None) -> dict[str, Any]:
    """With the rating right after the game, where it is over."""
    if change is None:
        return {"seat": seat, **show_rating(rating), "change": None}
    after = Rating(rating.who, change.after, rating.games, rating.won)
    return {"seat": seat, **show_rating(after), "change": points(change.after) - points(change.before)}
