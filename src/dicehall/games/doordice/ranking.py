"""The ranking: points first, dice last (D9)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from dicehall.core.game import Seat, Seats

Places: TypeAlias = tuple[Seats, ...]  # best first, equals share a place


def ranked(seats: Iterable[Seat], worth: Callable[[Seat], Any]) -> Places:
    """Group *seats* by what they are worth, the most first."""
    groups: dict[Any, set[Seat]] = {}
    for seat in seats:
        groups.setdefault(worth(seat), set()).add(seat)
    return tuple(frozenset(groups[much]) for much in sorted(groups, reverse=True))


def places_without_dice(vp: Sequence[int], hp: Sequence[int], fallen_rounds: Sequence[int]) -> Places:
    """VP, then HP, then fewer rounds as fallen."""
    seats = (Seat(at) for at in range(len(vp)))
    return ranked(seats, lambda seat: (vp[seat], hp[seat], -fallen_rounds[seat]))


def tied(places: Places) -> tuple[Seat, ...]:
    """All seats that share a place, in seat order: they roll for it together."""
    return tuple(sorted(seat for place in places if len(place) > 1 for seat in place))


def break_ties(places: Places, faces: Mapping[Seat, int]) -> Places:
    """Split each shared place by the dice; those who rolled the same still share."""
    return tuple(part for place in places for part in ranked(place, lambda seat: faces.get(seat, 0)))


def listed(places: Places) -> tuple[tuple[Seat, ...], ...]:
    return tuple(tuple(sorted(place)) for place in places)
