"""What a position looks like from outside: state, views, choices, events, the end."""

from __future__ import annotations

from typing import Any

import msgspec

from dicehall.core.game import AnyGame, Awaited, Dice, Event, Over, Seat, Seats, Turn
from dicehall.wire.actions import codec_of


def show_state(game: AnyGame, state: Any, seat: Seat | None = None) -> dict[str, Any]:
    """A position as this seat may see it; None is a spectator."""
    awaited = game.awaits(state)
    return {**show_awaited(awaited), **msgspec.to_builtins(game.view(state, seat))}


def show_awaited(awaited: Awaited) -> dict[str, Any]:
    match awaited:
        case Dice(sides, by):
            return {"awaits": "dice", "dice": list(sides), "turn": sorted(by), "winner": None}
        case Turn(seats):
            return {"awaits": "turn", "dice": None, "turn": sorted(seats), "winner": None}
        case Over():
            return {"awaits": "over", "dice": None, "turn": [], "winner": awaited.winner}


def show_view(game: AnyGame, state: Any, seat: Seat | None) -> dict[str, Any]:
    return {**show_state(game, state, seat), "me": seat}


def show_views(game: AnyGame, state: Any) -> dict[str, Any]:
    seats = {str(seat): show_view(game, state, Seat(seat)) for seat in range(game.count(state))}
    return {**seats, "spectator": show_view(game, state, None)}


def show_choices(game: AnyGame, state: Any) -> dict[str, Any]:
    """What each seat to act may do, where that can be listed."""
    awaited = game.awaits(state)
    if not isinstance(awaited, Turn):
        return {}
    codec = codec_of(type(game))
    listed = {str(seat): game.choices(state, seat) for seat in sorted(awaited.seats)}
    return {seat: [codec.encode(action) for action in actions] for seat, actions in listed.items() if actions}


def show_points(game: AnyGame, state: Any) -> dict[str, list[int | None]]:
    """What each choice adds at once, choice by choice, in the games where dice that are taken are worth something."""
    awaited, worth = game.awaits(state), getattr(game, "worth", None)
    if worth is None or not isinstance(awaited, Turn):
        return {}
    listed = {str(seat): game.choices(state, seat) for seat in sorted(awaited.seats)}
    return {seat: [worth(state, action) for action in actions] for seat, actions in listed.items() if actions}


def show_over(game: AnyGame, state: Any) -> dict[str, Any] | None:
    awaited = game.awaits(state)
    if not isinstance(awaited, Over):
        return None
    return {"places": [sorted(place) for place in awaited.places], "reason": awaited.reason}


def show_event(event: Event) -> dict[str, Any]:
    told = msgspec.to_builtins(event)
    return {"event": type(event).__name__, **told, "to": show_audience(event.to)}


def show_audience(to: Seats | None) -> list[Seat] | None:
    return None if to is None else sorted(to)
