"""Hints: the table first stores that one was taken; then only the player who asked gets the advice."""

from __future__ import annotations

from dicehall.core.game import AnyGame, Seat
from dicehall.server import bodies
from dicehall.server.endpoints import Call
from dicehall.server.parts import ServerParts
from dicehall.table import requests
from dicehall.table.acts import Hinted
from dicehall.table.chairs import chair_of
from dicehall.table.coming import Answer
from dicehall.table.host import Host
from dicehall.table.state import TableState
from dicehall.table.thinking import seed_of


async def hint(call: Call[ServerParts]) -> bodies.HintAnswered:
    """Advice for the position in which the hint was asked for, even if the request is repeated later."""
    table, hall = call.path["id"], call.parts.hall
    call.parts.limits.take_both("hint", call.signed, call.address)
    answer = await hall.ask(call.signed, table, requests.Hint(), call.body.id)
    state = await state_at(hall.host, table, answer)
    advice = None if state is None else await advised(call, state)
    return bodies.HintAnswered(n=answer.n, table=await hall.look(call.account, table), advice=advice)


async def state_at(host: Host, table: str, answer: Answer) -> TableState | None:
    """The table right after the act of a hint; None if the id of the request was used for something else."""
    live = await host.reach(table)
    if live.state.seq == answer.n and not answer.repeated:
        return live.state
    async for told in host.history.told(live.state, live.checkpoints, answer.n - 1):
        return told.after if isinstance(told.act, Hinted) else None
    return None


async def advised(call: Call[ServerParts], state: TableState) -> bodies.Advice | None:
    """The coach's advice, based on what this person sees."""
    chair = chair_of(state.chairs, call.account)
    if chair is None:
        return None
    game: AnyGame = state.game
    seat: Seat = state.seat(chair)
    choices = game.choices(state.position, seat)
    if not choices:
        return None
    live = await call.parts.hall.host.reach(state.id)
    view, seed = game.view(state.position, seat), seed_of("hint", state, seat, live.dealer.dice)
    names = [one.name for one in state.chairs]
    return await call.parts.advise(call.address, game, names, view, seat, choices, seed, call.language)
