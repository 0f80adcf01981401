"""What a hall writes down of its tables: a card when one is opened, who sits there, an ending when its game is over.

All are stored in one transaction with the act they belong to; everything else that is shown of tables
and people (statistics, history, leaderboards) is counted from them.
"""

from __future__ import annotations

from dataclasses import dataclass

from dicehall.core.game import Over
from dicehall.hall.rated_games import why_unrated
from dicehall.table.state import TableState
from dicehall.wire.results import final_scores, numbered_places, rounds_played


@dataclass(frozen=True, slots=True)
class Card:
    """How a table was opened."""

    table: str
    game: str
    name: str
    opener: str
    opened_at: int
    id: str | None = None  # the opener's own id of the request: opening again with it opens nothing new
    public: bool = True  # listed for all, or reached by its link only
    password: str | None = None  # as a hash
    before: str | None = None  # the table of which this is the rematch
    origin: str | None = None  # the table whose game is played on here
    challenge: str | None = None  # the day of the daily challenge that its opener plays there

    @property
    def private(self) -> bool:
        """Reached only by its link, or entered only with a password."""
        return not self.public or self.password is not None


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended for one seat."""

    seat: int
    name: str
    account: str | None  # None for a bot
    bot: str | None
    place: int  # from 1; equals share one
    won: bool  # alone in first place (C8)
    score: int


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended. Without results it was abandoned and counts for nobody (C9)."""

    table: str
    game: str
    at: int
    reason: str
    rounds: int | None  # where the game has rounds; one that was broken off counts (D11)
    results: tuple[Result, ...] = ()
    rated: bool = True  # whether it counts in statistics and leaderboards
    continued: bool = False  # whether it began in the middle of another game: it counts for nothing


@dataclass(frozen=True, slots=True)
class Seated:
    """Who sits at a table from now on."""

    table: str
    accounts: tuple[str, ...]


def facts_of(state: TableState) -> tuple[Ending | Seated, ...]:
    """What is to be written down with an act that ended a game, or changed who sits there."""
    return (ending_of(state),) if state.ended else (seated_at(state),)


def seated_at(state: TableState) -> Seated:
    return Seated(state.id, tuple(chair.account for chair in state.chairs if chair.account is not None))


def ending_of(state: TableState) -> Ending:
    """What a table that has just ended leaves behind."""
    over = state.awaited
    if not isinstance(over, Over):
        return Ending(state.id, state.game.key, state.at, "destroyed", None)
    rounds = rounds_played(state.game.view(state.position, None))
    results, rated = results_of(state, over), why_unrated(state) is None
    continued = bool(state.opened.origins)
    return Ending(state.id, state.game.key, state.at, str(over.reason), rounds, results, rated, continued)


def results_of(state: TableState, over: Over) -> tuple[Result, ...]:
    scores = final_scores(state.game.view(state.position, None), len(state.chairs))
    results = []
    for place, seat in numbered_places(over):
        chair = state.chairs[seat]
        results.append(Result(seat, chair.name, chair.account, chair.bot, place, over.winner == seat, scores[seat]))
    return tuple(sorted(results, key=lambda result: result.seat))
