"""What is due at a table, and when: derived from its state and stored times, never from who looks (C4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum

from msgspec import Struct

from dicehall.core.game import Presence, Seat
from dicehall.table.chairs import Chair
from dicehall.table.ports import Outage
from dicehall.table.state import TableState, is_out, is_present

WORDS_MS = 10_000  # to open committed words
LOBBY_GRACE_MS = 60_000  # for a lost connection in the lobby, where the game has no grace of its own
EMPTY_MS = 1_800_000  # after which a lobby in which no person is present is closed
ATTENDED_MS = 60_000  # how long an action of somebody who is not connected counts as being present
KEEP_MS = 600_000  # how long a finished table is kept before it is archived
LAG_MS = 1_000  # an expiry is written this much later, so that a slow disk costs nobody a turn


class Kind(IntEnum):
    """What can be due; in the same millisecond the turn clock comes first (C10)."""

    TURN = 0
    GAME = 1
    GRACE = 2
    WORDS = 3
    LOBBY = 4
    EMPTY = 5
    CLOSING = 6  # of a daily challenge


class OnHold(Exception):
    """It is not known yet whether a deadline counts: the process that holds the seat is silent."""


class Due(Struct, frozen=True, order=True):
    at: int
    kind: Kind
    seat: int  # lower seats first; a chair's number in the lobby
    since: int  # when this clock was started


class Times(Struct, frozen=True):
    """The times of a table's automatic events: computed once per state, because that is not cheap."""

    state: TableState
    due: Due | None  # the next deadline
    deadline: int | None  # when somebody must look at it again
    alarm: int | None  # when a timer should ring


def dues(state: TableState) -> list[Due]:
    """All running deadlines, in the order in which they take effect. While a table sleeps, only graces run (W8)."""
    if state.opened.closes is not None:
        return challenge_dues(state, state.opened.closes)
    if state.phase == "playing":
        turn = turn_dues(state)
        running = [*turn, *grace_dues(state)] if state.policy.grace else turn
        return running if len(running) < 2 else sorted(running)
    if state.phase == "asleep":
        return sorted([*grace_dues(state), *forsaken_dues(state)])
    return sorted(lobby_dues(state)) if state.phase == "lobby" else []


def challenge_dues(state: TableState, closes: int) -> list[Due]:
    """A challenge has one fixed deadline, which neither a restart nor a late look can move."""
    return [] if state.ended else [Due(closes, Kind.CLOSING, 0, closes)]


def turn_dues(state: TableState) -> list[Due]:
    policy, clocks, seats = state.policy, state.clocks, state.to_act()
    running: list[Due] = []
    if not has_clock(state):
        return running
    if seats and clocks.turn is not None and policy.clock_seconds is not None:
        running.append(Due(clocks.turn + policy.clock_seconds * 1000, Kind.TURN, min(seats), clocks.turn))
    if seats and clocks.game is not None and policy.game_seconds is not None:
        running.append(Due(clocks.game + policy.game_seconds * 1000, Kind.GAME, min(seats), clocks.game))
    return running


def has_clock(state: TableState) -> bool:
    """Whether turns are timed here: not if one person plays against bots only, unless they asked for a clock."""
    return state.opened.clock or sum(chair.account is not None for chair in state.chairs) > 1


def grace_dues(state: TableState) -> Iterator[Due]:
    if not state.policy.grace:
        return
    for seat, chair in enumerate(state.chairs):
        if chair.presence is Presence.AWAY and not is_out(state, Seat(seat)):
            yield Due(chair.since + grace_ms(state), Kind.GRACE, seat, chair.since)


def lobby_dues(state: TableState) -> Iterator[Due]:
    if state.clocks.words is not None:
        yield Due(state.clocks.words + WORDS_MS, Kind.WORDS, 0, state.clocks.words)
    opener = state.opened.by if state.opened.keeps_opener else None
    for chair in state.chairs:
        if chair.presence is Presence.AWAY and chair.account != opener:
            yield Due(chair.since + grace_ms(state), Kind.LOBBY, chair.number, chair.since)
    if state.empty_since is not None:
        yield Due(state.empty_since + EMPTY_MS, Kind.EMPTY, 0, state.empty_since)


def forsaken_dues(state: TableState) -> Iterator[Due]:
    """The closing time of a sleeping table to which nobody can return, because only bots still play."""
    if all(chair.bot or is_out(state, Seat(seat)) for seat, chair in enumerate(state.chairs)):
        yield Due(state.at + EMPTY_MS, Kind.EMPTY, 0, state.at)


def chairs_due(state: TableState, due: Due) -> list[Chair]:
    """The chairs that lose something when a deadline takes effect."""
    match due.kind:
        case Kind.TURN | Kind.GAME:
            return [state.chairs[seat] for seat in state.to_act()]
        case Kind.GRACE:
            return [state.chairs[due.seat]]
        case Kind.LOBBY:
            return [state.chair(due.seat)]
        case Kind.WORDS:
            return [chair for chair in state.chairs if chair.unopened]
        case Kind.EMPTY | Kind.CLOSING:
            return []


def grace_ms(state: TableState) -> int:
    seconds = state.policy.grace_seconds
    return LOBBY_GRACE_MS if seconds is None else seconds * 1000


def is_attended(state: TableState, now: int) -> bool:
    """Whether a person is present, or acted a moment ago: bots play only for people."""
    return any(map(is_present, state.chairs)) or now - state.acted < ATTENDED_MS


def bot_due(state: TableState) -> int | None:
    """When a bot moves: some time after the last event of the game, so that people can follow."""
    if state.phase != "playing":
        return None
    for seat in state.to_act():
        if state.chairs[seat].plays:
            return state.happened + state.opened.bot_ms
    return None


def times_of(state: TableState) -> Times:
    """The times for a table's timer: a second after the next deadline, a bot's move, some minutes after the end."""
    running = dues(state)
    due = running[0] if running else None
    if is_ready(state) or is_cleared(state):
        return Times(state, due, state.at, state.at)
    if state.ended:
        return Times(state, due, None, state.at + KEEP_MS)
    bot = bot_due(state)
    if due is None:
        return Times(state, due, bot, bot)
    return Times(state, due, earlier(due.at, bot), earlier(due.at + LAG_MS, bot))


def deadline(state: TableState) -> int | None:
    """When this table must be checked again."""
    return times_of(state).deadline


def earlier(one: int, other: int | None) -> int:
    return one if other is None or one < other else other


def clock_alarm(state: TableState) -> int | None:
    return next((due.at + LAG_MS for due in dues(state)[:1]), None)


def is_ready(state: TableState) -> bool:
    """Whether a lobby is about to start and no words are missing."""
    return state.clocks.words is not None and not any(chair.unopened for chair in state.chairs)


def is_cleared(state: TableState) -> bool:
    """Whether everybody has left a lobby that is then destroyed (A16)."""
    left = state.phase == "lobby" and state.left and state.policy.clears
    return left and not any(chair.account for chair in state.chairs)


def voided(due: Due, outages: Iterable[Outage]) -> Outage | None:
    """The last outage during this clock, if any: the clock then restarts, and nobody loses a turn (C5)."""
    if due.kind is Kind.CLOSING:
        return None
    hit = [outage for outage in outages if outage.since < due.at and outage.till > due.since]
    return max(hit, key=lambda outage: outage.till, default=None)
