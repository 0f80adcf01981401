"""The lines of a game: the module ``lines`` beside its rules, or lines made from its actions and its view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, cast

import msgspec

from dicehall.core.game import Faces, Seat, Unknown
from dicehall.wire.actions import ActionCodec, codec_of


class Lines(Protocol):
    """How a game is told and typed. A module may also have ``SECRET`` (verbs that others must not see typed),
    ``SPOKEN`` (what people call actions that have another name on the wire),
    ``FINAL`` (verbs with no way back, each with the question to ask first), ``told(event, view, names)`` (other
    sentences for an event, or None) and ``all_offers`` (those that ``offers`` leaves out, too)."""

    VERBS: Mapping[str, str]  # each verb with how it is used; underscores are typed as spaces

    def scores(self, view: Any, names: Sequence[str]) -> list[str]: ...
    def table(self, view: Any, names: Sequence[str], me: Seat) -> list[str]: ...
    def offers(self, view: Any, names: Sequence[str], me: Seat, choices: Sequence[Any]) -> list[tuple[str, str]]:
        """What to type, and what it is worth."""
        ...

    def read(self, verb: str, groups: tuple[Faces, ...], view: Any) -> Any:
        """The action of a verb and the numbers typed after it (commas part groups), or Refused."""
        ...


@cache
def lines_of(game: Any) -> Lines:
    home = game.__module__.rpartition(".")[0]
    if home and find_spec(f"{home}.lines"):
        return cast(Lines, import_module(f"{home}.lines"))
    return MadeLines(codec_of(game))


class MadeLines:
    """Lines for a game that brings none: words by their names, numbers as the rules count them."""

    def __init__(self, codec: ActionCodec) -> None:
        self.codec = codec
        alone = {word: f"{word}." for word in codec.words}
        self.VERBS: Mapping[str, str] = {**alone, **{tag: f"{tag} with its numbers." for tag in codec.payloads}}

    def scores(self, view: Any, names: Sequence[str]) -> list[str]:
        told = {f.name: msgspec.to_builtins(getattr(view, f.name)) for f in fields(view)}
        return [f"{name.replace('_', ' ')}: {spoken(value)}" for name, value in told.items()]

    def table(self, view: Any, names: Sequence[str], me: Seat) -> list[str]:
        return []

    def offers(self, view: Any, names: Sequence[str], me: Seat, choices: Sequence[Any]) -> list[tuple[str, str]]:
        return [(typed(self.codec.encode(action)), "") for action in choices]

    def read(self, verb: str, groups: tuple[Faces, ...], view: Any) -> Any:
        numbers = [number for group in groups for number in group]
        if verb in self.codec.words and not numbers:
            return self.codec.words[verb]
        alone: list[Any] = numbers if len(numbers) == 1 else []
        actions = [self.codec.decode({verb: shape}) for shape in (*alone, numbers, groups)]
        blank = getattr(self.codec.payloads.get(verb), "unreadable", None)
        return next((a for a in actions if not isinstance(a, Unknown) and a != blank), actions[0])


def typed(move: Any) -> str:
    """A move on the wire, as a person would type it."""
    if isinstance(move, str):
        return move
    tag, carried = next(iter(move.items()))
    simple = isinstance(carried, int) or (isinstance(carried, list | tuple) and not holds_objects(carried))
    return f"{tag} {spoken(carried)}" if simple else msgspec.json.encode(move).decode()


def holds_objects(parts: Sequence[Any]) -> bool:
    return any(isinstance(part, dict) for part in parts)


def spoken(value: Any) -> str:
    if not isinstance(value, list | tuple):
        return "none" if value is None else str(value)
    nested = any(isinstance(part, list | tuple) for part in value)
    return (", " if nested else " ").join(spoken(part) for part in value) or "none"
