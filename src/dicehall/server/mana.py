"""Mana over Nostr: what the referee bot says about itself and its matches, passed on to everybody. Read-only."""

from __future__ import annotations

import re
from enum import StrEnum

import msgspec

from dicehall.core.game import Refused
from dicehall.server.endpoints import Call, Endpoint
from dicehall.server.match_shapes import BotMatch, BotMatches, BotStatus, MatchesQuery
from dicehall.server.parts import ServerParts

MATCH_ID = re.compile(r"(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}")  # M8, without the two names that mean a folder in a URL

Asked = Call[ServerParts]


class BotCode(StrEnum):
    UNAVAILABLE = "bot_unavailable"
    NOT_FOUND = "not_found"


def bot_unavailable(sentence: str) -> Refused:
    return Refused(BotCode.UNAVAILABLE, sentence)


def no_such_match() -> Refused:
    return Refused(BotCode.NOT_FOUND, "The Mana bot has no such match.")


async def status(call: Asked) -> msgspec.Raw:
    """Whether the bot reaches its relays and its mint, and how many matches it referees."""
    call.parts.limits.take_both("mana_bot", call.account, call.address)
    return await call.parts.mana_bot.get("/status", BotStatus)


async def matches(call: Asked) -> msgspec.Raw:
    """The bot's matches, newest first, 50 to a page; pages count from 1."""
    call.parts.limits.take_both("mana_bot", call.account, call.address)
    query: MatchesQuery = call.query
    state = "" if query.state is None else f"state={query.state}&"
    return await call.parts.mana_bot.get(f"/matches?{state}page={query.page}", BotMatches)


async def match(call: Asked) -> msgspec.Raw:
    """One match with its rounds and the id of every event."""
    call.parts.limits.take_both("mana_bot", call.account, call.address)
    if not MATCH_ID.fullmatch(call.path["id"]):
        raise no_such_match()
    return await call.parts.mana_bot.get(f"/match/{call.path['id']}", BotMatch)


ENDPOINTS: tuple[Endpoint[ServerParts], ...] = (
    Endpoint("GET", "/api/mana/bot/status", status, BotStatus, "The Mana bot", "mana", signed=False),
    Endpoint(
        "GET",
        "/api/mana/bot/matches",
        matches,
        BotMatches,
        "Matches over Nostr",
        "mana",
        query=MatchesQuery,
        signed=False,
    ),
    Endpoint("GET", "/api/mana/bot/match/{id}", match, BotMatch, "A match over Nostr", "mana", signed=False),
)
