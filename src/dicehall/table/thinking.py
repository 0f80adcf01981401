"""What a bot does at a table."""

from __future__ import annotations

import logging

from dicehall.core.game import Refused, Seat
from dicehall.table.ports import Chooser, SealedDice
from dicehall.table.requests import BotDo, Code
from dicehall.table.state import TableState
from dicehall.wire.actions import codec_of

log = logging.getLogger(__name__)


def seed_of(purpose: str, state: TableState, seat: Seat, dice: SealedDice) -> str:
    """What a choice at this point of a table is seeded by: the same after a crash, and unknown outside the hall.

    At a challenge it is the same for everybody: by how often the seat has moved, whatever else happened at the table.
    """
    if state.throws is not None:
        place = f"{state.opened.challenge}\n{state.game.key}\n{state.throws.moves_of(seat)}"
        return dice.key(f"{purpose}\n{place}\n{seat}")
    return dice.key(f"{purpose}\n{state.id}\n{state.seq}\n{seat}")


async def choose(chooser: Chooser, state: TableState, seat: Seat, dice: SealedDice) -> BotDo:
    """A bot's move; whoever makes it at this point makes the same."""
    chair, choices = state.chairs[seat], state.game.choices(state.position, seat)
    view, seed = state.game.view(state.position, seat), seed_of("bot", state, seat, dice)
    try:
        action = await chooser.choose(state.game, chair.plays or "", view, seat, choices, seed)
    except Exception as stuck:  # its time runs out like everybody's
        log.error("a bot of table %s cannot think", state.id, exc_info=stuck)
        raise Refused(Code.NOT_ALLOWED, "This bot cannot choose a move.") from stuck
    return BotDo(chair.number, codec_of(type(state.game)).encode(action), state.seq)
