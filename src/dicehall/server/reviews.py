"""The coach after a turn, in a game for practice: which choice of it cost most."""

from __future__ import annotations

from dicehall.core.game import Refused, Seat
from dicehall.hall.showing import plays_here_alone
from dicehall.server.bodies import Reviewed
from dicehall.server.endpoints import Call
from dicehall.server.parts import MadeChoice, ServerParts
from dicehall.table import acts
from dicehall.table.live import LiveTable
from dicehall.table.requests import Code
from dicehall.table.sitting import seated
from dicehall.table.state import Told
from dicehall.wire.actions import codec_of

LOOKED_AT = 80  # acts before the last one in which a turn is looked for
MOST_CHOICES = 24  # of one turn that are judged: its last ones


async def review(call: Call[ServerParts]) -> Reviewed:
    """Only for a completed turn: during the turn this would be a hint that is not recorded."""
    call.parts.limits.take_both("hint", call.signed, call.address)
    await call.parts.hall.card(call.path["id"])
    live = await call.parts.hall.host.reach(call.path["id"])
    state = live.state
    chair = seated(state, call.signed)
    if not state.opened.hints or not plays_here_alone(state, call.signed):
        raise Refused(Code.NOT_ALLOWED, "Turns are reviewed only in games against bots with hints on.")
    n, turn = await last_turn(call, live, state.seat(chair))
    if not turn:
        return Reviewed(n=n, judged=0, mistake=None)
    names = [one.name for one in state.chairs]
    seat, choices = state.seat(chair), turn[-MOST_CHOICES:]
    found = await call.parts.review(call.address, state.game, names, seat, choices, call.language)
    found.n = n
    return found


async def last_turn(call: Call[ServerParts], live: LiveTable, seat: Seat) -> tuple[int, list[MadeChoice]]:
    """The choices of the last turn of a seat that has ended, and the number of the act that ended it.

    Where all choose at once, as in Mana, a choice is a turn: the last to choose is asked for the next round at once.
    """
    at_once = live.state.policy.clock == "round"
    turn: list[MadeChoice] = []
    ended: tuple[int, list[MadeChoice]] = 0, []
    since = max(1, live.state.seq - LOOKED_AT)
    async for told in call.parts.hall.host.history.told(live.state, live.checkpoints, since):
        if (made := choice_in(told, seat)) is not None:
            turn.append(made)
        if turn and told.after is not None and (at_once or seat not in told.after.to_act()):
            ended, turn = (told.seq, turn), []
    return ended


def choice_in(told: Told, seat: Seat) -> MadeChoice | None:
    """What a seat chose by an act, if that is what it was."""
    first = told.act.entries[0] if isinstance(told.act, acts.Played) and told.act.entries else {}
    if "move" not in first or first.get("seat") != seat or told.before is None:
        return None
    game, position = told.before.game, told.before.position
    action = codec_of(type(game)).decode(first["move"])
    return MadeChoice(game.view(position, seat), game.choices(position, seat), action)
