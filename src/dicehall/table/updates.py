"""Updates: an act as sent to its audience, under the number of the act.

An update hidden from a seat still takes its number, so everyone's numbering is the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from dicehall.core.game import Event, Seat
from dicehall.table import acts
from dicehall.table.chairs import chair_of
from dicehall.table.clocks import grace_ms
from dicehall.table.state import TableState, Told
from dicehall.wire.shown import show_event

HIDDEN = {"entries", "given", "conn", "commitment", "words", "account"}  # what no update repeats of an act


def audience(state: TableState, account: str | None) -> Seat | None:
    """As whom an account listens: its seat in a running game, else a spectator."""
    chair = chair_of(state.chairs, account)
    return state.seat(chair) if chair is not None and state.phase != "lobby" else None


def update(told: Told, seat: Seat | None) -> dict[str, Any]:
    """An act as one audience hears it; dice are for all, with what opens them."""
    heard = [filled(told, event) for event in told.events if event.to is None or seat in event.to]
    events = heard if isinstance(told.act, acts.Played) else [*table_events(told), *heard]
    shown: dict[str, Any] = {"n": told.seq, "at": told.at, "events": events}
    if told.thrown:
        shown["rolls"] = rolls(told)
    if told.after is not None and told.after.clocks.words is not None:
        shown["asks_for_words"] = True
    return shown


def rolls(told: Told) -> list[dict[str, Any]]:
    """The dice that fell, to be held against the seal at once."""
    fell = [entry for entry in told.act.entries if "roll" in entry]
    return [
        {"sides": sides, "faces": entry["roll"], "opened": entry.get("opened")}
        for sides, entry in zip(told.thrown, fell, strict=True)
    ]


def table_events(told: Told) -> list[dict[str, Any]]:
    """What happened at the table itself, beside the game."""
    shown = msgspec.to_builtins(told.act)
    name = str(shown.pop("act")).capitalize()
    seen = {key: value for key, value in shown.items() if key not in HIDDEN}
    if isinstance(told.act, acts.Started) and told.after is not None:
        seen["words"] = told.after.words  # all of them, as they are mixed into the dice from here on
    return [{"event": name, **seen, "to": None}]


def filled(told: Told, event: Event) -> dict[str, Any]:
    """An event of the rules with what only the table knows: counts and times (A19)."""
    shown = show_event(event)
    missing = FILLED.get(shown["event"])
    if missing is not None and missing[0] not in shown and told.before is not None and told.after is not None:
        shown[missing[0]] = missing[1](told.before, told.after, shown)
    return shown


def turn_number(before: TableState, after: TableState, shown: dict[str, Any]) -> Any:
    return after.turns


def grace_period(before: TableState, after: TableState, shown: dict[str, Any]) -> Any:
    return grace_ms(after)


def time_remaining(before: TableState, after: TableState, shown: dict[str, Any]) -> Any:
    return max(0, before.chairs[shown["player"]].since + grace_ms(after) - after.at)


def reason(before: TableState, after: TableState, shown: dict[str, Any]) -> Any:
    return "Disconnected" if before.chairs[shown["player"]].lost else "Grace period expired"


Filler = Callable[[TableState, TableState, dict[str, Any]], Any]
# event -> the field that the table adds, and what fills it
FILLED: dict[str, tuple[str, Filler]] = {
    "TurnStarted": ("turn_number", turn_number),
    "PlayerAbsent": ("grace_period", grace_period),
    "PlayerReturned": ("time_remaining", time_remaining),
    "PlayerRemoved": ("reason", reason),
}
