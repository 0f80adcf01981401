"""How a game's actions are written down, made from the types of the actions themselves.

A word of a StrEnum is its text: ``"roll"``. A dataclass is its name with what it carries:
``{"hold": [0, 2]}`` for one field, ``{"choose": {"effect": "jab", "target": 1}}`` for several.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache
from typing import Any, get_args, get_type_hints

import msgspec

from dicehall.core.game import Unknown

SHOWN = 40  # characters of a foreign word that an error message repeats


@dataclass(frozen=True, slots=True)
class ActionCodec:
    words: dict[str, StrEnum]
    payloads: dict[str, type[Any]]

    def encode(self, action: Any) -> Any:
        if isinstance(action, StrEnum):
            return action.value
        carried = {f.name: getattr(action, f.name) for f in fields(action)}
        if len(carried) == 1:
            return {tag_of(type(action)): written(next(iter(carried.values())))}
        return {tag_of(type(action)): {k: written(v) for k, v in carried.items() if v is not None}}

    def decode(self, move: object) -> Any:
        """The action, or Unknown where none can be read."""
        if isinstance(move, str):
            word = self.words.get(move)
            return unknown(move) if word is None else word
        if not isinstance(move, dict) or len(move) != 1:
            return unknown(move)
        tag, payload = next(iter(move.items()))
        kind = self.payloads.get(tag)
        return read_payload(kind, payload) if kind else unknown(move)


@cache
def codec_of(game: type[Any]) -> ActionCodec:
    kinds = get_args(game.action) or (game.action,)
    words = [kind for kind in kinds if issubclass(kind, StrEnum)]
    return ActionCodec(
        {word.value: word for kind in words for word in kind},
        {tag_of(kind): kind for kind in kinds if kind not in words},
    )


def tag_of(kind: type[Any]) -> str:
    return kind.__name__.lower()


def read_payload(kind: Any, payload: object) -> Any:
    try:
        carried = only_field(kind)
        if carried is None:
            return msgspec.convert(payload, kind)
        return kind(msgspec.convert(payload, carried))
    except (msgspec.ValidationError, RecursionError):
        return getattr(kind, "unreadable", None) or unknown({tag_of(kind): payload})


@cache
def only_field(kind: type[Any]) -> Any:
    """What an action with one field carries; None for those with several. To read its type takes a while."""
    names = [f.name for f in fields(kind)]
    return get_type_hints(kind)[names[0]] if len(names) == 1 else None


def written(value: Any) -> Any:
    """A value as JSON would give it back: lists where there were tuples."""
    return [written(part) for part in value] if isinstance(value, tuple) else msgspec.to_builtins(value)


def unknown(move: object) -> Unknown:
    match move:
        case str():
            return Unknown(shortened(repr(move)))
        case dict() if len(move) == 1:
            return Unknown(shortened(f"That {next(iter(move))}"))
        case _:
            return Unknown("That")


def shortened(text: str) -> str:
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."
