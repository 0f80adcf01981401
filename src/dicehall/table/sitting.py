"""Sitting down, moving, returning and leaving: from a request or connection to the act that answers it."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Literal, NamedTuple, TypeAlias

from dicehall.core.game import Attend, Presence, Refused
from dicehall.table import acts
from dicehall.table.acts import Act, EntryDoc
from dicehall.table.allowance import LOBBY_ACTS
from dicehall.table.chairs import Chair, chair_of, numbered
from dicehall.table.requests import Code, Sit, SitBot
from dicehall.table.state import TableState, is_out
from dicehall.wire.actions import codec_of
from dicehall.wire.bot_names import bot_names
from dicehall.wire.entries import Logged, encode_entry

COMMITMENT = re.compile(r"[0-9a-f]{64}")
KEPT_MS = 120_000  # how long a chair is kept for somebody who does not come

Kept: TypeAlias = frozenset[int]  # chairs that somebody may not take, by number


class Bar(NamedTuple):
    """Why a player cannot sit down in a lobby, and until when in ms; None means for good."""

    why: Literal["removed", "start_failed"]
    until: int | None = None


def seated(state: TableState, account: str | None) -> Chair:
    chair = chair_of(state.chairs, account)
    if chair is None:
        raise Refused(Code.NOT_SEATED, "You are not seated at this table.")
    return chair


def in_lobby(state: TableState) -> None:
    if state.ended:
        raise Refused(Code.ALREADY_STARTED, "This table is closed.")
    if state.phase != "lobby":
        raise Refused(Code.ALREADY_STARTED, "The game has started.")


def not_starting(state: TableState) -> None:
    """Refuse sitting down or moving while words are opened: players could choose what suits the opened words."""
    if state.clocks.words is not None:
        raise Refused(Code.ALREADY_STARTED, "The game is about to start.")


def not_challenge(state: TableState) -> None:
    """Refuse changes to the seats of a daily challenge: the hall decides them."""
    if state.opened.challenge is not None:
        raise Refused(Code.NOT_ALLOWED, "The seats of a daily challenge cannot be changed.")


def not_crowded(state: TableState) -> None:
    """Refuse newcomers when too many have come and gone in this lobby: its journal would grow forever."""
    if state.seq >= LOBBY_ACTS:
        sentence = "Too many people have joined and left this table. Start the game, or open a new table."
        raise Refused(Code.RATE_LIMITED, sentence, retry_after=60)


def bar_of(state: TableState, account: str | None, now: int) -> Bar | None:
    """Why this account cannot sit down in this lobby: it was removed, or made the start fail a moment ago."""
    if account is None or state.phase != "lobby":
        return None
    if account in state.removed:
        return Bar("removed")
    before = state.cooldowns.get(account)
    return None if before is None or now >= before.till else Bar("start_failed", before.till)


def not_barred(state: TableState, account: str, now: int) -> None:
    bar = bar_of(state, account, now)
    if bar is None:
        return
    if bar.until is None:
        raise Refused(Code.NOT_ALLOWED, "The person who opened this table removed you from it.")
    wait = (bar.until - now + 999) // 1000
    sentence = f"You left while the game was starting. You can sit here again in {wait} s."
    raise Refused(Code.RATE_LIMITED, sentence, retry_after=wait)


# -- sitting down ---------------------------------------------------------------------------------


def sit(state: TableState, account: str, asked: Sit, now: int) -> Act | None:
    mine = chair_of(state.chairs, account)
    if asked.commitment is not None and not COMMITMENT.fullmatch(asked.commitment):
        raise Refused(Code.BAD_REQUEST, "A commitment must be 64 hex digits in lower case.")
    kept = kept_chairs(state, account, now)
    if state.running and mine is not None:
        return return_to(state, mine, asked, kept)
    in_lobby(state)
    if mine is not None:
        return sit_again(state, mine, asked, kept)
    not_crowded(state)
    not_barred(state, account, now)
    number = free_chair(state, account, None, asked.chair, kept)
    not_starting(state)
    if asked.last:
        starts_with_next(state)
    return acts.Sat(chair=number, account=account, name=asked.name, commitment=asked.commitment, conn=asked.conn)


def starts_with_next(state: TableState) -> None:
    """Refuse if one more player would not start the game: seats stay empty, or committed words cannot be opened."""
    if len(state.chairs) + 1 < state.opened.seats:
        raise Refused(Code.TOO_FEW_SEATS, "The other players have left, so the game cannot start.")
    if any(chair.presence is Presence.AWAY and chair.commitment is not None for chair in state.chairs):
        raise Refused(Code.TOO_FEW_SEATS, "Another player is away, so the game cannot start yet.")


def decline(state: TableState, account: str, name: str) -> Act | None:
    """Decline a rematch that has a chair reserved for this account; repeating it changes nothing."""
    in_lobby(state)
    if account not in state.opened.reserved:
        raise Refused(Code.NOT_SEATED, "Only people who played here can decline a rematch.")
    if chair_of(state.chairs, account) is not None:
        raise Refused(Code.ALREADY_SEATED, "You have accepted the rematch. Stand up if you changed your mind.")
    if state.has_declined(account):
        return None
    not_crowded(state)
    return acts.Declined(account=account, name=name)


def sit_again(state: TableState, mine: Chair, asked: Sit, kept: Kept) -> Act:
    """A player in the lobby changes chairs, commits again or returns; omitted fields keep their values (A16)."""
    number = mine.number if asked.chair is None else free_chair(state, mine.account, mine, asked.chair, kept)
    if number == mine.number and asked.commitment is None:
        if mine.presence is Presence.AWAY:
            return carried(state, mine, asked.conn or "")
        raise Refused(Code.ALREADY_SEATED, "You are already in that seat.")
    not_crowded(state)
    not_starting(state)
    commitment, conn = asked.commitment or mine.commitment, asked.conn or mine.conn
    return acts.Sat(chair=number, account=mine.account, name=asked.name, commitment=commitment, conn=conn)


def kept_chairs(state: TableState, account: str, now: int) -> Kept:
    """The chairs reserved for others: only in a lobby, and only for a while (decision 019)."""
    if state.phase != "lobby" or now >= state.happened + KEPT_MS:
        return frozenset()
    free_for_all = (None, account, *state.declined)
    return frozenset(number for number, who in enumerate(state.opened.reserved) if who not in free_for_all)


def free_chairs(state: TableState, account: str | None) -> list[int]:
    """The empty chairs: first the one reserved for this account, last those reserved for others."""
    taken = {chair.number for chair in state.chairs}
    kept = dict(enumerate(state.opened.reserved))
    free = [number for number in range(state.opened.seats) if number not in taken]
    return sorted(free, key=lambda number: 0 if account and kept.get(number) == account else 1 + bool(kept.get(number)))


def free_chair(state: TableState, account: str | None, mine: Chair | None, wanted: int | None, kept: Kept) -> int:
    """The requested chair, or the first free one (A16: a player can move to another free chair)."""
    if wanted is None:
        free = [number for number in free_chairs(state, account) if number not in kept]
        if not free:
            raise Refused(Code.TABLE_FULL, "This table is full.")
        return free[0]
    if not 0 <= wanted < state.opened.seats:
        raise Refused(Code.BAD_REQUEST, f"This table has no seat {wanted}.")
    if wanted in kept:
        raise Refused(Code.SEAT_TAKEN, "This seat is reserved.")
    other = numbered(state.chairs, wanted)
    if other is not None and other is not mine and other.presence is not Presence.GONE:
        if mine is None and len(state.chairs) == state.opened.seats:
            raise Refused(Code.TABLE_FULL, "This table is full.")
        raise Refused(Code.SEAT_TAKEN, f"That seat is taken by {other.name}.")
    return wanted


def sit_bot(state: TableState, account: str | None, asked: SitBot) -> Act:
    """Seat a bot, at the request of the hall, the table's opener or a seated player.

    It can take a chair reserved for somebody who has not come; the requester's own only if they name it (decision 019).
    """
    in_lobby(state)
    if account is not None and account != state.opened.by and chair_of(state.chairs, account) is None:
        raise Refused(Code.NOT_ALLOWED, "Only people at this table can add bots.")
    not_challenge(state)
    not_crowded(state)
    own = frozenset(number for number, who in enumerate(state.opened.reserved) if account and who == account)
    number = free_chair(state, None, None, asked.chair, own if asked.chair is None else frozenset())
    not_starting(state)
    name = next(bot_names(state.id, (chair.name for chair in state.chairs)))
    return acts.Sat(chair=number, name=name, bot=asked.level, asked=asked.asked)


# -- coming back ------------------------------------------------------------------------------------


def return_to(state: TableState, mine: Chair, asked: Sit, kept: Kept) -> Act | None:
    """A player of the running game sits down again, in their old chair or another free one (A16)."""
    if barred := out_for_good(state, mine):
        raise barred
    if asked.chair in (None, mine.number):
        if asked.conn:
            return carry(state, mine, asked.conn)
        if mine.presence is not Presence.AWAY:
            raise Refused(Code.ALREADY_SEATED, "You are already seated at this table.")
        return carried(state, mine, "")
    number = free_chair(state, mine.account, mine, asked.chair, kept)
    return carried(state, mine, asked.conn or mine.conn or "", number)


def out_for_good(state: TableState, chair: Chair) -> Refused | None:
    """Why this seat cannot return: it was removed, or folded (A11, A16)."""
    seat = state.seat(chair)
    return state.game.barred(state.position, seat) if state.running and is_out(state, seat) else None


def carry(state: TableState, chair: Chair, conn: str, *, quiet: bool = False) -> Act | None:
    """Attach a connection to its seat; if that seat is out for good, it only watches."""
    if state.ended or out_for_good(state, chair):
        return None
    if chair.conn == conn and chair.presence is Presence.HERE and (quiet or state.phase != "asleep"):
        return None
    return carried(state, chair, conn, quiet=quiet and state.phase == "asleep")


def carried(state: TableState, chair: Chair, conn: str, moved: int | None = None, *, quiet: bool = False) -> Act:
    entries: tuple[EntryDoc, ...] = ()
    if state.running and chair.presence is Presence.AWAY:
        entries = attending(state, chair, Presence.HERE)
    return acts.Carried(chair=chair.number, conn=conn, moved=moved, quiet=quiet, entries=entries)


def attending(state: TableState, chair: Chair, presence: Presence) -> tuple[EntryDoc, ...]:
    """The entry that reports a presence to the rules, if they need it."""
    seat = state.seat(chair)
    if state.opened.challenge is not None or is_out(state, seat):
        return ()
    return (encode_entry(codec_of(type(state.game)), Logged(Attend(seat, presence))),)


def remove(state: TableState, account: str | None, number: int) -> Act:
    """Remove a person or a bot from the lobby, by the person who opened the table."""
    in_lobby(state)
    if account is None or account != state.opened.by:
        raise Refused(Code.NOT_ALLOWED, "Only the person who opened a table can remove somebody from its lobby.")
    not_challenge(state)
    chair = numbered(state.chairs, number)
    if chair is None:
        raise Refused(Code.NOT_SEATED, "Nobody is in that seat.")
    if chair.account == account:
        raise Refused(Code.BAD_REQUEST, "You cannot remove yourself. Stand up instead.")
    return acts.Stood(chairs=(number,), why="removed")


# -- leaving ----------------------------------------------------------------------------------------


def stand(
    state: TableState, account: str | None, *, good: bool = False, ended: Container[str | None] = ()
) -> Act | None:
    """Leave the chair. If its connection ended just before, that is how the absence began (A12)."""
    chair = seated(state, account)
    if state.phase == "lobby":
        return acts.Stood(chairs=(chair.number,), why="left")
    lost = chair.conn in ended
    return leave(state, chair, lost=lost, good=good, stood=lost)


def leave(state: TableState, chair: Chair, *, lost: bool, good: bool = False, stood: bool = False) -> Act | None:
    """Mark a seat as away; games with a grace are notified. A seat that is away can still leave for good."""
    if state.ended or chair.presence is Presence.GONE:
        return None
    if chair.presence is Presence.AWAY and (chair.good or not good):
        return None
    if state.phase == "lobby":
        return acts.Left(chair=chair.number, lost=lost)
    entries = attending(state, chair, Presence.AWAY) if chair.presence is Presence.HERE else ()
    return acts.Left(chair=chair.number, lost=lost, good=good, stood=stood, entries=entries)


def lose(state: TableState, conn: str) -> Act | None:
    chair = next((chair for chair in state.chairs if chair.conn == conn), None)
    return None if chair is None else leave(state, chair, lost=True)
