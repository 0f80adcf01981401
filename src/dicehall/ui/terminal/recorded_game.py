"""A recorded game step by step: what each act did, and how the game looked after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dicehall.core.game import AnyGame, Over, Seats, Turn
from dicehall.ui.terminal.narration import told_lines
from dicehall.wire.answers import Replay
from dicehall.wire.bot_names import first_name
from dicehall.wire.record import Record
from dicehall.wire.shown import show_event


@dataclass(frozen=True, slots=True)
class Frame:
    """The game after one act: a move, or whatever else happened, with the dice that answered it."""

    entries: int  # how many entries of the record have happened
    events: tuple[dict[str, Any], ...]  # of this act, as on the wire
    lines: tuple[str, ...]  # the same in sentences
    view: Any  # as a spectator sees it, and once the game is over everybody
    turn: Seats
    over: Over | None


@dataclass(frozen=True, slots=True)
class RecordedGame:
    game: AnyGame
    names: Sequence[str]
    frames: tuple[Frame, ...]  # the first is the start, before anything happened
    refused: str | None = None  # why the rules do not accept the next entry, where they do not


def recorded_game(record: Record) -> RecordedGame:
    """Play a record through; stops before the first entry that the rules refuse."""
    replay, names = Replay(record), [first_name(name) for name in record.names]
    frames = [frame_of(replay, 0, (), ())]
    rolls = [isinstance(entry, dict) and "roll" in entry for entry in record.entries]
    events: tuple[dict[str, Any], ...] = ()
    lines: tuple[str, ...] = ()
    for done, step in enumerate(replay.steps(), start=1):
        view = replay.game.view(replay.state, None)
        events += tuple(show_event(event) for event in step.events)
        lines += tuple(line for event in step.events for line in told_lines(replay.game, event, view, names))
        if done == len(rolls) or not rolls[done]:
            frames.append(frame_of(replay, done, events, lines))
            events, lines = (), ()
    if events:
        frames.append(frame_of(replay, replay.refused[0] if replay.refused else len(rolls), events, lines))
    refused = replay.refused and f"Entry {replay.refused[0]} of the record is refused: {replay.refused[1].sentence}"
    return RecordedGame(replay.game, names, tuple(frames), refused)


def frame_of(replay: Replay, entries: int, events: tuple[dict[str, Any], ...], lines: tuple[str, ...]) -> Frame:
    awaited = replay.game.awaits(replay.state)
    turn = awaited.seats if isinstance(awaited, Turn) else frozenset()
    over = awaited if isinstance(awaited, Over) else None
    return Frame(entries, events, lines, replay.game.view(replay.state, None), turn, over)
