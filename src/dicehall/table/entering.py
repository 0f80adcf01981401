"""Applying the entries of an act by the rules: what they mean for dice, clocks, sleep and the end."""

from __future__ import annotations

from msgspec.structs import replace

from dicehall.core.game import Awaited, Dice, Event, Expired, Faces, Move, Over, Presence, Roll, Turn
from dicehall.table.acts import EntryDoc
from dicehall.table.chairs import put
from dicehall.table.foreseen import Foreseen, steps
from dicehall.table.state import NOBODY, Clocks, Phase, TableState


def enter(
    state: TableState, seq: int, at: int, entries: tuple[EntryDoc, ...], foreseen: Foreseen | None
) -> tuple[TableState, tuple[Event, ...], tuple[Faces, ...]]:
    """The table after these entries under this number, their events, and the dice they asked for.

    Most acts are a move with its dice, so the table is changed once, after all entries.
    """
    if not entries:
        return (state if state.seq == seq else replace(state, seq=seq, at=at)), (), ()
    position, awaited, chairs, phase, clocks = state.position, state.awaited, state.chairs, state.phase, state.clocks
    rolls, expired, turns, happened = state.rolls, state.expired, state.turns, state.happened
    acted, hinted, throws = state.acted, state.hinted, state.throws
    events: tuple[Event, ...] = ()
    thrown: tuple[Faces, ...] = ()
    for entry, step, then in steps(state.game, position, entries, foreseen):
        throws = throws and throws.after(entry)
        if isinstance(entry, Roll):
            rolls += 1
            happened = at
            thrown += (awaited.sides if isinstance(awaited, Dice) else (),)
        elif isinstance(entry, Move):
            happened, expired, hinted = at, NOBODY, NOBODY
            if not chairs[entry.seat].plays:
                acted = at
        elif isinstance(entry, Expired):
            happened, expired, hinted = at, expired | {entry.seat}, NOBODY
        elif entry.presence is Presence.GONE:
            chairs = put(chairs, replace(chairs[entry.seat], presence=Presence.GONE))
        position, awaited = step.state, then
        phase, clocks = timed(phase, clocks, at, then, fresh=step.fresh_clock)
        if step.events:
            events += step.events
            turns += any(type(event).__name__ == "TurnStarted" for event in step.events)
    after = replace(
        state,
        seq=seq,
        at=at,
        position=position,
        awaited=awaited,
        phase=phase,
        clocks=clocks,
        chairs=chairs,
        rolls=rolls,
        expired=expired,
        happened=happened,
        turns=turns,
        acted=acted,
        hinted=hinted,
        throws=throws,
    )
    return after, events, thrown


def timed(phase: Phase, clocks: Clocks, at: int, awaited: Awaited, *, fresh: bool) -> tuple[Phase, Clocks]:
    """The phase and clocks of a table whose game now awaits this; no turn is timed while it sleeps (W8)."""
    if isinstance(awaited, Over):
        return ("over" if awaited.places else "abandoned"), Clocks()
    if phase == "asleep":
        return phase, clocks
    if isinstance(awaited, Turn) and not awaited.seats:
        return phase, replace(clocks, turn=None)
    return phase, replace(clocks, turn=at) if fresh else clocks
