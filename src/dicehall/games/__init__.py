"""The games of the hall: a folder each, found by looking, so that adding one is no edit here."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, TypeAlias

Catalogue: TypeAlias = Mapping[str, type[Any]]  # the classes that keep core's Game contract, by key


@cache
def catalogue() -> Catalogue:
    """Every game in this folder: a package that names its class ``GAME``."""
    rooms = [import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__)]
    games = [room.GAME for room in rooms if hasattr(room, "GAME")]
    return {game.key: game for game in games}
