"""What a bot does at a table."""

from __future__ import annotations

import logging

from dicehall.core.game import Refused, Seat
from dicehall.table.ports import Chooser
from dicehall.table.requests import BotDo, Code
from dicehall.table.state import TableState
from dicehall.wire.actions import codec_of

log = logging.getLogger(__name__)


async def choose(chooser: Chooser, state: TableState, seat: Seat) -> BotDo:
    """A bot's move: seeded by table and number, so that whoever makes it makes the same."""
    chair, choices = state.chairs[seat], state.game.choices(state.position, seat)
    view, seed = state.game.view(state.position, seat), f"{state.id}/{state.seq}"
    try:
        action = await chooser.choose(state.game, chair.plays or "", view, seat, choices, seed)
    except Exception as stuck:  # its time runs out like everybody's
        log.error("a bot of table %s cannot think", state.id, exc_info=stuck)
        raise Refused(Code.NOT_ALLOWED, "This bot cannot think.") from stuck
    return BotDo(chair.number, codec_of(type(state.game)).encode(action), state.seq)
