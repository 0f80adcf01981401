"""How a game ended, as numbers that any screen or statistic can use, whatever the game calls them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from dicehall.core.game import Over, Seat, Seats


def final_scores(view: Any, seats: int) -> tuple[int, ...]:
    """What each seat has: points, victory points, or rounds won."""
    for name in ("scores", "vp", "wins"):
        if (scores := getattr(view, name, None)) is not None:
            return tuple(scores)
    return (0,) * seats


def rounds_played(view: Any) -> int | None:
    """Where the game has rounds; one that was broken off counts (D11)."""
    return getattr(view, "round", None)


def places_by_score(scores: Sequence[int]) -> tuple[Seats, ...]:
    """Seats by what they have, most first; equals share a place (C8)."""

    def most_first(seat: Seat) -> int:
        return -scores[seat]

    seats = sorted((Seat(at) for at in range(len(scores))), key=most_first)
    return tuple(frozenset(equals) for _, equals in groupby(seats, key=most_first))


def numbered_places(over: Over) -> Iterator[tuple[int, Seat]]:
    """Place and seat of a game that has ended, best first."""
    return numbered(over.places)


def numbered(places: Sequence[Seats]) -> Iterator[tuple[int, Seat]]:
    """Place and seat, best first, places from 1; equals share one, and the next place counts them all."""
    place = 1
    for equals in places:
        yield from ((place, seat) for seat in sorted(equals))
        place += len(equals)
