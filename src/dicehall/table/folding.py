"""A table as a fold over its acts: how each of them changes the state."""

from __future__ import annotations

import dataclasses
from typing import assert_never

from msgspec.structs import replace

from dicehall.core.game import Policy, Presence
from dicehall.core.house import check_edition, with_rules
from dicehall.core.throws import Throws
from dicehall.games import Catalogue
from dicehall.table import acts
from dicehall.table.acts import Act
from dicehall.table.chairs import Chair, Chairs, chair_of, followed, put, without
from dicehall.table.entering import enter
from dicehall.table.foreseen import Foreseen, read_and_played
from dicehall.table.state import Clocks, Cooldown, TableState, Told, is_present
from dicehall.wire.bot_names import bot_names
from dicehall.wire.entries import PRESENCES

COOLDOWN_MS = 15_000  # after failing to open words for the first time
LONGEST_COOLDOWN_MS = 3_600_000


def begin(table: str, opened: acts.Opened, at: int, games: Catalogue) -> TableState:
    bots = tuple(Chair(bot.chair, None, bot.name, 1, bot.level, asked=bot.asked) for bot in opened.bots)
    chairs = tuple(sorted(bots, key=lambda chair: chair.number))
    check_edition(games[opened.game], opened.edition)
    game = with_rules(games[opened.game], opened.rules, opened.edition)
    policy, throws = (game.policy, None) if opened.challenge is None else (unhurried(game.policy), Throws())
    state = TableState(table, opened, game, policy, 1, at, chairs=chairs, happened=at, empty_since=at, throws=throws)
    return continued(state) if opened.origins else state


def continued(state: TableState) -> TableState:
    """A table that continues a game: its first position, and the seats as they were, all taken."""
    policy = dataclasses.replace(state.policy, starts="full", joined=False)
    position = state.game.start(state.opened.seats)
    for _, step, _ in read_and_played(state.game, position, state.opened.given):
        position = step.state
    return replace(state, policy=policy, position=position)


def unhurried(policy: Policy) -> Policy:
    """The policy of a daily challenge: no clock runs out, and absence has no effect (decision 079)."""
    untimed: Policy = dataclasses.replace(policy, clock_seconds=None, game_seconds=None, grace=False, clears=False)
    return untimed


def advance(state: TableState, act: Act, at: int, foreseen: Foreseen | None = None) -> tuple[TableState, Told]:
    """The table after one more act, and the events of that act."""
    noted = state if type(act) is acts.Played else note(replace(state, seq=state.seq + 1, at=at), act)
    if noted.chairs is not state.chairs:
        noted = replace(noted, chairs=followed(state.chairs, noted.chairs, at))
    after, events, thrown = enter(noted, state.seq + 1, at, act.entries, foreseen)
    if isinstance(act, acts.Slept):
        after = replace(after, phase="asleep", clocks=Clocks()) if after.phase == "playing" else after
    if after.phase == "lobby" and any(map(is_present, after.chairs)) != (after.empty_since is None):
        after = replace(after, empty_since=at if after.empty_since is None else None)
    return after, Told(after.seq, at, act, events, state, after, thrown)


def note(state: TableState, act: Act) -> TableState:
    """Apply what an act changes at the table itself, before the rules see its entries."""
    match act:
        case acts.Played() | acts.Slept():
            return state
        case acts.Hinted(chair=number):
            return replace(state, hinted=state.hinted | {state.seat(state.chair(number))}, helped=True)
        case acts.Sat():
            return sat(state, act)
        case acts.Stood():
            return stood(state, act)
        case acts.Declined(account=account, name=name):
            return replace(state, declined=state.declined | {account: name})
        case acts.Asked():
            return replace(state, clocks=Clocks(words=state.at))
        case acts.Words(chair=number, words=words):
            return with_chair(state, replace(state.chair(number), words=words))
        case acts.Started():
            return started(state, act)
        case acts.Carried(chair=number, conn=conn, moved=moved):
            state = with_chair(state, state.chair(number).here(conn))
            state = state if act.quiet else woken(state)
            return state if moved is None else changed(state, number, moved)
        case acts.Left(chair=number, lost=lost, good=good):
            return with_chair(state, state.chair(number).away(state.at, lost=lost, good=good, stood=act.stood))
        case acts.Deputed(chair=number, level=level):
            chair = replace(state.chair(number), deputy=level, deputed=True, agreed=frozenset())
            return woken(with_chair(state, chair))
        case acts.Agreed(chair=number, by=by):
            chair = state.chair(number)
            return with_chair(state, replace(chair, agreed=chair.agreed | {by}))
        case acts.Reclaimed(chair=number, conn=conn):
            return woken(with_chair(state, replace(state.chair(number).here(conn), deputy=None)))
        case acts.Woke():
            return replace(woken(state), acted=state.at)
        case acts.Restarted():
            return restarted(state)
        case acts.Destroyed():
            return replace(state, phase="abandoned", clocks=Clocks())
        case acts.Opened():
            raise ValueError("A table is opened once.")
        case _:
            assert_never(act)


def with_chair(state: TableState, chair: Chair) -> TableState:
    return replace(state, chairs=put(state.chairs, chair))


def sat(state: TableState, act: acts.Sat) -> TableState:
    """A player takes a chair; changing chairs keeps the time of joining (T1)."""
    before = chair_of(state.chairs, act.account)
    kept = renamed(state, tuple(chair for chair in state.chairs if chair is not before), act)
    joined = state.seq if before is None else before.joined
    chair = Chair(act.chair, act.account, act.name, joined, act.bot, act.commitment, conn=act.conn, asked=act.asked)
    declined = {who: name for who, name in state.declined.items() if who != act.account}
    return asking(replace(state, chairs=put(kept, chair), declined=declined))


def renamed(state: TableState, chairs: Chairs, act: acts.Sat) -> Chairs:
    """The chairs, with a new name for a bot that has the name of the person sitting down."""
    if act.account is None or all(chair.account or chair.name.casefold() != act.name.casefold() for chair in chairs):
        return chairs
    free = next(bot_names(state.id, (act.name, *(chair.name for chair in chairs))))
    same = act.name.casefold()
    return tuple(
        replace(chair, name=free) if chair.account is None and chair.name.casefold() == same else chair
        for chair in chairs
    )


def changed(state: TableState, number: int, to: int) -> TableState:
    """A seat moves to another chair in the game; a removed one that sat there is left with the old number (A16)."""
    swap = {number: to, to: number}
    chairs = tuple(replace(chair, number=swap.get(chair.number, chair.number)) for chair in state.chairs)
    return replace(state, chairs=chairs, sitting=tuple(swap.get(one, one) for one in state.sitting))


def stood(state: TableState, act: acts.Stood) -> TableState:
    """Words opened for a start that failed have been seen, so they no longer count (see decision 010)."""
    failed = state.clocks.words is not None
    rest = without(state.chairs, act.chairs)
    state = barred(state, act, failed=failed)
    if failed:
        rest = tuple(replace(chair, commitment=None, words=None) if chair.words else chair for chair in rest)
    return replace(state, chairs=rest, clocks=Clocks(), left=state.left or act.why != "removed")


def barred(state: TableState, act: acts.Stood, *, failed: bool) -> TableState:
    """A player who made a start fail cannot sit down for a while, and one who was removed cannot at all."""
    accounts = [chair.account for chair in state.chairs if chair.number in act.chairs and chair.account]
    if act.why == "removed":
        return replace(state, removed=state.removed | frozenset(accounts))
    if not failed:
        return state
    return replace(state, cooldowns=state.cooldowns | {who: cooldown(state, who) for who in accounts})


def cooldown(state: TableState, account: str) -> Cooldown:
    """The wait after a failed start: it doubles every time."""
    before = state.cooldowns.get(account)
    failures = 1 if before is None else before.failures + 1
    return Cooldown(failures, state.at + min(LONGEST_COOLDOWN_MS, COOLDOWN_MS << min(failures - 1, 30)))


def asking(state: TableState) -> TableState:
    """Ask for the openings when the last chair is taken, at tables that start when full (C12)."""
    full = len(state.chairs) == state.opened.seats
    if state.policy.starts == "full" and full and state.clocks.words is None:
        return replace(state, clocks=Clocks(words=state.at))
    return state


def started(state: TableState, act: acts.Started) -> TableState:
    sitting = tuple(chair.number for chair in seating(state))
    chairs = without_removed(state, tuple(replace(state.chair(number), since=state.at) for number in act.order))
    clocks = Clocks(turn=state.at, game=state.at if state.policy.game_seconds else None)
    position = state.position if state.opened.origins else state.game.start(len(chairs))
    return replace(
        state,
        phase="playing",
        chairs=chairs,
        sitting=sitting,
        position=position,
        awaited=state.game.awaits(position),
        clocks=clocks,
        happened=state.at,
        drawn=act.drawn,
        rolls=1 if act.drawn else 0,
        acted=state.at,
        empty_since=None,
    )


def without_removed(state: TableState, chairs: Chairs) -> Chairs:
    """Mark the seats that were removed from the continued game as gone."""
    gone = {seat for seat, presence in given_presences(state).items() if presence is Presence.GONE}
    return tuple(replace(c, presence=Presence.GONE) if seat in gone else c for seat, c in enumerate(chairs))


def given_presences(state: TableState) -> dict[int, Presence]:
    """The last presence of each seat in the continued game."""
    return {entry["seat"]: PRESENCES[entry["attend"]] for entry in state.opened.given if "attend" in entry}


def seating(state: TableState) -> Chairs:
    """The chairs of a lobby in seating order: by number, or in order of joining if the game wants that (T1)."""
    if state.policy.joined:
        return tuple(sorted(state.chairs, key=lambda chair: chair.joined))
    return state.chairs


def woken(state: TableState) -> TableState:
    """Wake a sleeping table, with a fresh clock for the turn; graces have kept running (W8)."""
    if state.phase != "asleep":
        return state
    return replace(state, phase="playing", expired=frozenset(), clocks=fresh_clocks(state))


def fresh_clocks(state: TableState) -> Clocks:
    """The clocks of a game in progress, started now."""
    return Clocks(turn=state.at if state.to_act() else None, game=state.at if state.policy.game_seconds else None)


def restarted(state: TableState) -> TableState:
    """Restart all running clocks from now, including the graces of absent players."""
    afresh = tuple(
        replace(chair, since=state.at) if chair.presence is Presence.AWAY else chair for chair in state.chairs
    )
    clocks = state.clocks
    if state.phase == "playing":
        clocks = fresh_clocks(state)
    elif clocks.words is not None:
        clocks = Clocks(words=state.at)
    empty_since = None if state.empty_since is None else state.at
    return replace(state, chairs=afresh, clocks=clocks, empty_since=empty_since)
