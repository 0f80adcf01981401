"""The programme, compiled: the same text loaded a second time, its functions handed to numba (the extra ``fast``)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

from dicehall.solvers.places import CACHE

FUNCTIONS = ("turn", "banking", "start", "guess", "settle", "sweep")  # each calls only those before it


@cache
def compiled() -> tuple[ModuleType, Callable[[list[Any]], Any]] | None:
    """The compiled module and how it wants its lists; None without numba."""
    if find_spec("numba") is None:
        return None
    import numpy

    module = second_copy()
    for name in FUNCTIONS:
        setattr(module, name, njit(getattr(module, name)))
    return module, numpy.array


def njit(function: Callable[..., Any], **options: Any) -> Any:
    """Compiled code is kept where that is possible; a folder that cannot be written costs some seconds each time."""
    import numba

    config: Any = numba.config
    before, config.CACHE_DIR = config.CACHE_DIR, str(CACHE.path() / "numba")  # else it writes beside our source
    try:
        return numba.njit(function, cache=True, **options)
    except (RuntimeError, OSError):
        return numba.njit(function, **options)
    finally:
        config.CACHE_DIR = before


def second_copy() -> ModuleType:
    spec = find_spec("dicehall.solvers.programme")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
