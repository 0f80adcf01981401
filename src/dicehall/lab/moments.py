"""A record as the coach reads it: moment after moment, each with the position before and after it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from dicehall.core.game import AnyGame, Entry, Event, Move, Refused
from dicehall.games.mana.actions import Pick, Reveal
from dicehall.wire.answers import Replay
from dicehall.wire.bot_names import first_name
from dicehall.wire.record import Record


@dataclass(frozen=True, slots=True)
class Moment:
    index: int  # in the entries of the record
    entry: Entry[Any]
    before: Any
    after: Any
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Course:
    """How a game went, as far as the rules accepted it."""

    game: AnyGame
    names: tuple[str, ...]
    start: Any
    moments: tuple[Moment, ...]
    end: Any
    refused: tuple[int, Refused] | None = None
    record: Record | None = None
    hidden: bool = False  # whether too little was shown to judge anything


def course_of(record: Record) -> Course:
    replay = Replay(record)
    start = replay.state
    told = tuple(moments(replay))
    if record.origins:  # what was played before this game began is the other game's
        told = told[record.origins[-1].entries :]
        start = told[0].before if told else replay.state
    course = Course(
        record.game, tuple(map(first_name, record.names)), start, told, replay.state, replay.refused, record
    )
    return opened(course) if getattr(record.game, "match", None) is not None else course


def moments(replay: Replay) -> Iterator[Moment]:
    logged = replay.record.logged()
    before = replay.state
    for index, step in enumerate(replay.steps()):
        yield Moment(index, next(logged).entry, before, step.state, step.events)
        before = step.state


def opened(course: Course) -> Course:
    """A match over Nostr as if it had been played at a hall table, with the armies that were shown in the end."""
    armies, leagues = course.end.armies, course.end.leagues

    def shown(state: Any) -> Any:
        bare = {"tokens": (None, None), "commitments": (None, None)}
        return replace(state, armies=armies, leagues=leagues, **bare)

    told = tuple(
        replace(moment, entry=picked(moment.entry), before=shown(moment.before), after=shown(moment.after))
        for moment in course.moments
    )
    hall = replace(course.game, match=None)  # type: ignore[type-var]  # a game is a dataclass
    end, hidden = shown(course.end), not all(armies)
    return replace(course, game=hall, start=shown(course.start), moments=told, end=end, hidden=hidden)


def picked(entry: Entry[Any]) -> Entry[Any]:
    """A reveal is where a pick is turned over; a commitment tells nothing yet."""
    if isinstance(entry, Move) and isinstance(entry.action, Reveal):
        return Move(entry.seat, Pick(entry.action.unit))
    return entry


def bot_seats(course: Course) -> frozenset[int]:
    """The seats that bots held in a hall's game, from the acts of its table; other records say nothing of it."""
    acts = [act for act in course.record.table if isinstance(act, dict)] if course.record else []
    opened = acts[0].get("bots") if acts else None
    seated = [bot for bot in opened if isinstance(bot, dict)] if isinstance(opened, list) else []
    seated += [act for act in acts if act.get("act") == "sat" and act.get("bot")]
    bots = [bot.get("chair") for bot in seated]
    chairs = course.record.chairs() if course.record else ()
    return frozenset(seat for seat, chair in enumerate(chairs) if chair in bots)
