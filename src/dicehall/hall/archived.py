"""An archived table: only its record is left, and it is shown like a live one."""

from __future__ import annotations

from typing import Any

from dicehall.core.house import rules_of
from dicehall.hall.cards import Card, Ending
from dicehall.hall.showing import show_bot, show_challenge
from dicehall.table.slices import Slices
from dicehall.table.stored_record import replay_stored
from dicehall.wire.record import Record
from dicehall.wire.shown import show_over, show_view


async def show_archived(card: Card, ending: Ending, record: Record | None, now: int, slices: Slices) -> dict[str, Any]:
    """Everything about a table that is over; one that never started has nothing to show but its card."""
    position = None
    if record is not None:
        position = record.game.start(len(record.names))
        async for _, step in replay_stored(record, slices):
            position = step.state
    opened = record.table[0] if record is not None and record.table else {}
    return {
        "id": card.table,
        "name": card.name,
        "game": card.game,
        "rules": {} if record is None else rules_of(record.game),
        "phase": "over" if ending.results else "abandoned",
        "public": card.public,
        "locked": card.password is not None,
        "opener": card.opener,
        "hints": opened.get("hints", False),
        "reactions": False,
        "drawn": opened.get("drawn", False),
        "timed": record is not None and record.game.policy.clock_seconds is not None,
        "practice": False,
        "can_abandon": False,
        "rated": ending.rated,
        "unrated": None,
        "before": card.before,
        "origin": None,
        "continued_in": [],
        "challenge": show_challenge(card, now),
        "rematch": None,
        "expected": [],
        "declined": [],
        "seats": show_seats(ending, record),
        "seal": None if record is None or record.seal is None else record.seal.s0,
        "asks_for_words": False,
        "n": 0 if record is None or not record.table else record.table[-1]["n"],
        "now": now,
        "deadline": None,
        "me": None,
        "barred": None,
        "view": None if record is None else show_view(record.game, position, None),
        "choices": {},
        "points": {},
        "over": None if record is None else show_over(record.game, position),
    }


def show_seats(ending: Ending, record: Record | None) -> list[dict[str, Any]]:
    results = {result.seat: result for result in ending.results}
    shown = []
    for seat, name in enumerate(() if record is None else record.names):
        result = results.get(seat)
        account, bot = (None, None) if result is None else (result.account, result.bot)
        who = {"seat": seat, "name": name, "account": account, **show_bot(bot, None)}
        shown.append({**who, "presence": "here", "grace_ends": None, "bot_allowed_at": None})
    return shown
