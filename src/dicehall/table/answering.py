"""Which decision answers which request."""

from __future__ import annotations

from collections.abc import Container
from typing import assert_never

from dicehall.core.game import Refused
from dicehall.table import acts, decide, requests, sitting
from dicehall.table.acts import Act
from dicehall.table.clocks import dues
from dicehall.table.decide import Dealer
from dicehall.table.ports import Outage
from dicehall.table.requests import Asked, Code
from dicehall.table.state import TableState


def decision(state: TableState, asked: Asked, dealer: Dealer, ended: Container[str | None] = ()) -> Act | None:
    """The act that would answer a request, or None if there is nothing to do; raises Refused.

    The connections in *ended* are lost, but may still come back before their seats are away.
    """
    account = asked.account
    match asked.request:
        case requests.Do(move):
            return decide.do(state, account, sitting.seated(state, account), move, dealer)
        case requests.BotDo():
            return bot_move(state, asked.request, dealer)
        case requests.Sit():
            return sitting.sit(state, known(account), asked.request, asked.received)
        case requests.SitBot():
            return sitting.sit_bot(state, account, asked.request)
        case requests.Stand(good):
            return sitting.stand(state, account, good=good, ended=ended)
        case requests.Remove(chair):
            return sitting.remove(state, account, chair)
        case requests.Decline(name):
            return sitting.decline(state, known(account), name)
        case requests.Start():
            return decide.start(state, account, dealer)
        case requests.OpenWords(words):
            return decide.open_words(state, account, words, dealer.box)
        case requests.Carry(conn, quiet):
            if conn in ended:  # before this had its turn
                return None
            return sitting.carry(state, sitting.seated(state, known(account)), conn, quiet=quiet)
        case requests.Lose(conn):
            return sitting.lose(state, conn)
        case requests.Depute(level, chair):
            return decide.depute(state, account, chair, level, asked.received)
        case requests.Reclaim(conn):
            return decide.reclaim(state, account, conn)
        case requests.Hint():
            return decide.hint(state, account)
        case requests.Doze(seq):
            return decide.doze(state, seq, asked.received)
        case requests.Destroy(why, operator):
            return decide.destroy(state, account, why, operator=operator)
        case requests.Abandon():
            return decide.abandon(state, account)
        case requests.Restart(since, till):
            return decide.restart(Outage(since, till)) if is_running(state, since) else None
        case requests.Settle():
            return None
        case _:
            assert_never(asked.request)


def is_running(state: TableState, since: int) -> bool:
    """Whether the next deadline belongs to a clock that began at this time."""
    due = next(iter(dues(state)), None)
    return due is not None and due.since == since


def known(account: str | None) -> str:
    if account is None:
        raise Refused(Code.NOT_ALLOWED, "You need an account to sit down.")
    return account


def bot_move(state: TableState, asked: requests.BotDo, dealer: Dealer) -> Act | None:
    """A bot's choice, unless the table has moved on since it began to think."""
    chair = state.chair(asked.chair) if state.seq == asked.seq else None
    if chair is None or not chair.plays:
        return None
    return decide.do(state, None, chair, asked.move, dealer)


def wakes(state: TableState, asked: Asked) -> Act | None:
    """Whether a request wakes a sleeping table: any game request by a seated person does (W8)."""
    if state.phase != "asleep" or not isinstance(asked.request, requests.Do | requests.Hint):
        return None
    chair = sitting.seated(state, asked.account)
    return None if sitting.out_for_good(state, chair) else acts.Woke(chair=chair.number)
