"""Switching a deliberate bug in and out again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

Bug = Callable[[], AbstractContextManager[None]]
BUGS: dict[str, Bug] = {}
MISSING = object()


def changed(thing: T, **fields: Any) -> T:
    """A value with some fields changed, whichever kind of value it is."""
    if isinstance(thing, msgspec.Struct):
        return msgspec.structs.replace(thing, **fields)
    return replace(thing, **fields)  # type: ignore[type-var]


@contextmanager
def patched(owner: Any, name: str, value: Any) -> Iterator[None]:
    before = vars(owner).get(name, MISSING)
    setattr(owner, name, value)
    try:
        yield
    finally:
        delattr(owner, name) if before is MISSING else setattr(owner, name, before)


def bug(name: str, *places: tuple[Any, str], among: dict[str, Bug] = BUGS) -> Callable[[Any], Any]:
    """A function that stands in for all these places while the bug of this name is switched in."""

    def named(value: Any) -> Any:
        @contextmanager
        def switched() -> Iterator[None]:
            with ExitStack() as stack:
                for owner, place in places:
                    stack.enter_context(patched(owner, place, value))
                yield

        among[name] = switched
        return value

    return named
