"""Watching what a bot looks at: tables may stand for a bot only as long as it asks for nothing that they leave out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any, NoReturn


class Untold(Exception):
    """A bot is no function of the tabulated position: it wants chance, or something that no table holds."""


class Still(Random):
    """Chance for bots that need none."""

    def random(self) -> NoReturn:
        raise Untold("The bot takes chances.")

    def getrandbits(self, k: int, /) -> NoReturn:
        raise Untold("The bot takes chances.")


def watched(view: type[Any], left_out: Iterable[str]) -> type[Any]:
    """A kind of view whose fields *left_out* may not be read; comparing or hashing the whole reads them too."""

    def fence(name: str) -> property:
        def read(self: Any) -> NoReturn:
            raise Untold(f"The bot looks at {name}.")

        return property(read)

    return type(view.__name__, (view,), {"__slots__": (), **{name: fence(name) for name in left_out}})


def seen(view: type[Any], **fields: Any) -> Any:
    """A watched view with these fields."""
    made = object.__new__(view)
    for name, value in fields.items():
        object.__setattr__(made, name, value)
    return made


class Scores(tuple[int, ...]):
    """Scores that remember whose were read."""

    read: set[int]

    @classmethod
    def of(cls, scores: Iterable[int]) -> Scores:
        made = cls(scores)
        made.read = set()
        return made

    def __getitem__(self, at: Any) -> Any:
        self.read.update(range(len(self))[at : at + 1 or None] if isinstance(at, int) else range(len(self)))
        return super().__getitem__(at)


def reading_all(name: str) -> Callable[..., Any]:
    plain = getattr(tuple, name)

    def read(self: Scores, *more: Any) -> Any:
        self.read.update(range(len(self)))
        return plain(self, *more)

    return read


READERS = (
    *("__iter__", "__contains__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__repr__"),
    *("__add__", "__mul__", "__rmul__", "__getnewargs__", "count", "index"),
)
for reader in READERS:
    setattr(Scores, reader, reading_all(reader))
