"""Endpoints for tables: open, find, sit, play, watch, leave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from dicehall.core.house import house_rules
from dicehall.hall.continuations import PlayOn
from dicehall.hall.opening import UNNAMED, Opening, WantedBot
from dicehall.hall.register import Filter
from dicehall.server import bodies
from dicehall.server.coaching import coach
from dicehall.server.endpoints import Call, Endpoint
from dicehall.server.hints import hint
from dicehall.server.languages import translated
from dicehall.server.parts import ServerParts
from dicehall.server.reviews import review
from dicehall.server.shapes import FoundShown, GameShown, TableShown, UpdatesShown
from dicehall.server.webhooks import wanted_webhook, webhook
from dicehall.table import requests
from dicehall.table.coming import Answer
from dicehall.table.stored_record import encode_record
from dicehall.table.updates import audience
from dicehall.wire.bot_levels import level_name
from dicehall.wire.schemas import game_schema
from dicehall.wire.shown import show_view

Asked = Call[ServerParts]
Shown = dict[str, Any]


async def games(call: Asked) -> msgspec.Raw:
    """Made once for each language: it is work, and anybody can ask for it."""
    lists = call.parts.game_lists
    if call.language not in lists:
        lists[call.language] = msgspec.Raw(msgspec.json.encode(list_games(call.parts, call.language)))
    return lists[call.language]


def list_games(parts: ServerParts, language: str) -> list[Shown]:
    known, levels = parts.hall.host.parts.games.values(), parts.hall.parts.levels
    return [
        {**game_schema(game, at_a_hall=True, language=language), **show_levels(levels(game.key), language)}
        for game in known
        if house_rules(game)
    ]


def show_levels(keys: Sequence[str], language: str) -> Shown:
    named = [{"key": key, "name": translated(level_name(key), language)} for key in keys]
    return {"bots": list(keys), "levels": named}


async def open_table(call: Asked) -> Shown:
    body: bodies.OpenBody = call.body
    await call.parts.may_open(call.signed, call.address)
    wanted = Opening(
        game=body.game,
        rules=body.rules,
        name=body.name,
        unnamed=translated(UNNAMED, call.language),
        seats=body.seats,
        public=body.visibility == "public",
        password=body.password,
        hints=body.hints,
        clock=body.clock,
        rated=body.rated,
        reactions=body.reactions,
        drawn=body.drawn,
        bots=[WantedBot(bot.seat, bot.level) for bot in body.bots],
        webhook=wanted_webhook(call, body.webhook),
        id=body.id,
    )
    table = await call.parts.hall.open(call.signed, wanted)
    return await call.parts.hall.look(call.account, table)


async def find(call: Asked) -> bodies.Found:
    query: bodies.FindQuery = call.query
    call.parts.limits.take_both("list", call.account, call.address)
    wanted = Filter(query.game, (query.phase,) if query.phase else ())
    return bodies.Found(tables=await call.parts.hall.find(wanted, query.page), page=query.page)


async def mine(call: Asked) -> bodies.Found:
    """The unfinished tables where I have a seat; my_turn says whether it is my turn."""
    call.parts.limits.take_both("list", call.signed, call.address)
    return bodies.Found(tables=await call.parts.hall.waiting(call.signed, call.query.page), page=call.query.page)


async def look(call: Asked) -> dict[str, Any]:
    return await call.parts.hall.look(call.account, call.path["id"])


async def sit(call: Asked) -> bodies.Answered:
    body: bodies.SitBody = call.body
    if body.password is not None:
        call.parts.limits.take("password", call.address)
    account, table = call.signed, call.path["id"]
    async with call.parts.sitting_down(account, table):
        answer = await call.parts.hall.sit(account, table, body.seat, body.commitment, body.password, id=body.id)
    return await answered(call, answer)


async def words(call: Asked) -> bodies.Answered:
    return await ask(call, requests.OpenWords(call.body.words), call.body.id)


async def stand(call: Asked) -> bodies.Answered:
    return await ask(call, requests.Stand(), call.body.id)


async def remove(call: Asked) -> bodies.Answered:
    """Remove somebody from the lobby of a table that I opened; they cannot sit down there again."""
    return await ask(call, requests.Remove(call.body.seat), call.body.id)


async def start(call: Asked) -> bodies.Answered:
    return await ask(call, requests.Start(), call.body.id)


async def leave(call: Asked) -> bodies.Answered:
    return await answered(call, await call.parts.hall.leave(call.signed, call.path["id"], call.body.id))


async def abandon(call: Asked) -> bodies.Answered:
    """End a game that I play against bots only; it counts for nobody."""
    return await ask(call, requests.Abandon(), call.body.id)


async def reclaim(call: Asked) -> bodies.Answered:
    return await ask(call, requests.Reclaim(), call.body.id)


async def act(call: Asked) -> bodies.Acted:
    """Make a move; the answer is the position after it, as I see it."""
    account, table = call.signed, call.path["id"]
    answer = await call.parts.hall.act(account, table, call.body.move, call.body.id)
    state = (await call.parts.hall.host.reach(table)).state
    return bodies.Acted(n=answer.n, view=show_view(state.game, state.position, audience(state, account)))


async def watch(call: Asked) -> dict[str, Any]:
    """What a spectator sees; live updates come over the socket."""
    return await call.parts.hall.look(call.account, call.path["id"])


async def bots(call: Asked) -> bodies.Answered:
    body: bodies.BotBody = call.body
    answer = await call.parts.hall.add_bot(call.signed, call.path["id"], body.seat, body.level, body.id)
    return await answered(call, answer)


async def rematch(call: Asked) -> Shown:
    await call.parts.may_open(call.signed, call.address)
    table = await call.parts.hall.rematch(call.signed, call.path["id"], call.body.id)
    return await call.parts.hall.look(call.account, table)


async def play_on(call: Asked) -> Shown:
    """Open a new table at a position of this finished game, with its own dice."""
    body: bodies.ContinueBody = call.body
    await call.parts.may_open(call.signed, call.address)
    bots = [WantedBot(bot.seat, bot.level) for bot in body.bots]
    table = call.path["id"]
    async with call.parts.reading(call.account, call.address, table):
        opened = await call.parts.hall.play_on(call.signed, table, PlayOn(body.entries, body.seat, bots, body.id))
    return await call.parts.hall.look(call.account, opened)


async def decline(call: Asked) -> dict[str, Any]:
    async with call.parts.turn_of(call.signed):  # many at once are announced no more often than many in a row
        await call.parts.hall.decline_rematch(call.signed, call.path["id"], call.body.id)
    return await call.parts.hall.look(call.account, call.path["id"])


async def react(call: Asked) -> bodies.Reacted:
    """Show a reaction to everybody at a table where I play or watch; it is not stored."""
    table, body = call.path["id"], call.body
    call.parts.limits.take_both("react", call.signed, call.address)
    call.parts.limits.take("react_table", f"{call.signed} {table}")
    await call.parts.hall.react(call.signed, table, body.reaction)
    return bodies.Reacted(reaction=body.reaction)


async def destroy(call: Asked) -> bodies.Answered:
    return await answered(call, await call.parts.hall.destroy(call.signed, call.path["id"], "closed by its opener"))


async def events(call: Asked) -> bodies.Updates:
    table, since = call.path["id"], call.query.since
    async with call.parts.reading(call.account, call.address, table, since):
        updates, n = await call.parts.hall.encoded_updates(call.account, table, since)
        return bodies.Updates(updates=updates, n=n)


async def record(call: Asked) -> dict[str, Any]:
    table, hall = call.path["id"], call.parts.hall
    async with call.parts.reading(call.account, call.address, table):
        return await encode_record(await hall.record(call.account, table), hall.host.slices)


async def ask(call: Asked, request: requests.Request, id: str | None = None) -> bodies.Answered:
    return await answered(call, await call.parts.hall.ask(call.signed, call.path["id"], request, id))


async def answered(call: Asked, answer: Answer) -> bodies.Answered:
    return bodies.Answered(n=answer.n, table=await call.parts.hall.look(call.account, call.path["id"]))


T = "/api/tables/{id}"

ENDPOINTS: tuple[Endpoint[ServerParts], ...] = (
    Endpoint("POST", f"{T}/act", act, bodies.Acted, "Make a move", "tables", bodies.ActBody),
    Endpoint("GET", T, look, TableShown, "Get a table as I see it", "tables", signed=False),
    Endpoint(
        "GET",
        f"{T}/events",
        events,
        UpdatesShown,
        "Updates since n",
        "tables",
        query=bodies.SinceQuery,
        signed=False,
        heavy=True,
    ),
    Endpoint("GET", "/api/games", games, list[GameShown], "The games and their house rules", "tables", signed=False),
    Endpoint("POST", "/api/tables", open_table, TableShown, "Open a table", "tables", bodies.OpenBody),
    Endpoint("GET", "/api/me/tables", mine, bodies.Found, "Tables waiting for me", "tables", None, bodies.PageQuery),
    Endpoint("GET", "/api/tables", find, FoundShown, "Find tables", "tables", None, bodies.FindQuery, False),
    Endpoint("POST", f"{T}/sit", sit, bodies.Answered, "Take a seat", "tables", bodies.SitBody),
    Endpoint("POST", f"{T}/words", words, bodies.Answered, "Reveal my words", "tables", bodies.WordsBody),
    Endpoint("POST", f"{T}/stand", stand, bodies.Answered, "Stand up", "tables", bodies.IdBody),
    Endpoint("POST", f"{T}/remove", remove, bodies.Answered, "Remove somebody", "tables", bodies.RemoveBody),
    Endpoint("POST", f"{T}/start", start, bodies.Answered, "Start the game", "tables", bodies.IdBody),
    Endpoint("POST", f"{T}/leave", leave, bodies.Answered, "Leave for good", "tables", bodies.IdBody),
    Endpoint("POST", f"{T}/abandon", abandon, bodies.Answered, "End my game against bots", "tables", bodies.IdBody),
    Endpoint("POST", f"{T}/reclaim", reclaim, bodies.Answered, "Take my seat back", "tables", bodies.IdBody),
    Endpoint("POST", f"{T}/watch", watch, TableShown, "Watch a table", "tables", bodies.IdBody, signed=False),
    Endpoint("POST", f"{T}/bots", bots, bodies.Answered, "Seat a bot, or let one stand in", "tables", bodies.BotBody),
    Endpoint(
        "POST", f"{T}/hint", hint, bodies.HintAnswered, "Ask the coach what to do", "tables", bodies.IdBody, heavy=True
    ),
    Endpoint(
        "GET",
        f"{T}/coach",
        coach,
        bodies.Coached,
        "Analyse a finished game",
        "tables",
        query=bodies.CoachQuery,
        signed=False,
        heavy=True,
    ),
    Endpoint(
        "GET", f"{T}/review", review, bodies.Reviewed, "Review my last turn, in practice games", "tables", heavy=True
    ),
    Endpoint("POST", f"{T}/rematch", rematch, TableShown, "Play again", "tables", bodies.IdBody),
    Endpoint("POST", f"{T}/continue", play_on, TableShown, "Play on from a position", "tables", bodies.ContinueBody),
    Endpoint("POST", f"{T}/decline", decline, TableShown, "Decline a rematch", "tables", bodies.IdBody),
    Endpoint("POST", f"{T}/react", react, bodies.Reacted, "React to the game", "tables", bodies.ReactBody),
    Endpoint("GET", f"{T}/webhook", webhook, bodies.WebhookShown, "The webhook of my table", "tables"),
    Endpoint("DELETE", T, destroy, bodies.Answered, "Close my table", "tables"),
    Endpoint("GET", f"{T}/record", record, Shown, "The record of a game", "tables", signed=False, heavy=True),
)
