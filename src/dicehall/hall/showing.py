"""A table as somebody sees it from outside: one document, the same for every door."""

from __future__ import annotations

from typing import Any

from dicehall.core.game import Presence
from dicehall.hall.cards import Card
from dicehall.hall.challenge_days import show_day
from dicehall.hall.rated_games import why_unrated
from dicehall.table.chairs import Chair, chair_of
from dicehall.table.clocks import Due, Kind, dues, has_clock
from dicehall.table.decide import bot_allowed_at, plays_alone
from dicehall.table.sitting import Bar, bar_of
from dicehall.table.state import TableState
from dicehall.table.updates import audience
from dicehall.wire.bot_levels import level_name
from dicehall.wire.shown import show_choices, show_over, show_points, show_view


def show_table(card: Card, state: TableState, account: str | None, now: int) -> dict[str, Any]:
    """Everything about a table that this account may know now."""
    running = dues(state)
    seat = audience(state, account)
    started = bool(state.sitting)
    unrated = why_unrated(state)
    return {
        "id": state.id,
        "name": card.name,
        "game": state.game.key,
        "rules": state.opened.rules,
        "phase": state.phase,
        "public": card.public,
        "locked": card.password is not None,
        "opener": card.opener,
        "hints": state.opened.hints,
        "reactions": state.opened.reactions,
        "drawn": state.opened.drawn,
        "timed": has_clock(state) and bool(state.policy.clock_seconds or state.policy.game_seconds),
        "practice": state.opened.hints and plays_here_alone(state, account),
        "can_abandon": state.running and plays_here_alone(state, account),
        "rated": unrated is None,
        "unrated": unrated,
        "before": card.before,
        "origin": show_origin(state),
        "continued_in": [],
        "challenge": show_challenge(card, now),
        "rematch": None,
        "expected": [],
        "declined": [*state.declined.values()],
        "seats": show_chairs(state, running),
        "seal": state.opened.s0,
        "asks_for_words": state.clocks.words is not None,
        "n": state.seq,
        "now": now,
        "deadline": next((due.at for due in running if due.kind in (Kind.TURN, Kind.GAME, Kind.WORDS)), None),
        "me": my_place(state, account),
        "barred": show_bar(bar_of(state, account, now)),
        "view": show_view(state.game, state.position, seat) if started else None,
        "choices": show_choices(state.game, state.position) if started and state.running else {},
        "points": show_points(state.game, state.position) if started and state.running else {},
        "over": show_over(state.game, state.position) if started else None,
    }


def show_origin(state: TableState) -> dict[str, Any] | None:
    """Of which game a table plays on, and from where."""
    if not state.opened.origins:
        return None
    return {"table": state.opened.origins[-1].seal["table"], "entries": len(state.opened.given)}


def show_challenge(card: Card, now: int) -> dict[str, Any] | None:
    return None if card.challenge is None else show_day(card.challenge, now)


def my_place(state: TableState, account: str | None) -> int | None:
    """My seat in the game, or my chair while it has not begun."""
    chair = chair_of(state.chairs, account)
    if chair is None:
        return None
    return state.seat(chair) if state.sitting else chair.number


def plays_here_alone(state: TableState, account: str | None) -> bool:
    """Whether this account plays in a game with nobody but bots."""
    chair = chair_of(state.chairs, account)
    return chair is not None and bool(state.sitting) and plays_alone(state, chair)


def show_bar(bar: Bar | None) -> dict[str, Any] | None:
    return None if bar is None else bar._asdict()


def show_chairs(state: TableState, running: list[Due]) -> list[dict[str, Any]]:
    """The seats of a game, or all chairs of a lobby, empty ones too."""
    graces = {due.seat: due.at for due in running if due.kind in (Kind.GRACE, Kind.LOBBY)}
    if state.sitting:
        return [
            show_chair(seat, chair, graces, bot_allowed_at(state, chair)) for seat, chair in enumerate(state.chairs)
        ]
    taken = {chair.number: chair for chair in state.chairs}
    return [show_chair(number, taken.get(number), graces) for number in range(state.opened.seats)]


def show_chair(seat: int, chair: Chair | None, graces: dict[int, int], allowed_at: int | None = None) -> dict[str, Any]:
    if chair is None:
        return {
            "seat": seat,
            "name": None,
            "account": None,
            **show_bot(None, None),
            "presence": None,
            "grace_ends": None,
            "bot_allowed_at": None,
        }
    return {
        "seat": seat,
        "name": chair.name,
        "account": chair.account,
        **show_bot(chair.plays, chair.asked),
        "presence": (Presence.HERE if chair.bot else chair.presence).value,
        "grace_ends": graces.get(seat),
        "bot_allowed_at": allowed_at,
    }


def show_bot(level: str | None, asked: str | None) -> dict[str, Any]:
    """The level of the bot that plays in a chair, for programs and in words; and the one that was asked for."""
    return {
        "bot": level,
        "level": None if level is None else level_name(level),
        "asked_level": None if asked is None else level_name(asked),
    }
