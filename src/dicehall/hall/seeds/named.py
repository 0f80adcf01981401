"""A hall that also knows the names of people without an account of their own: at one keyboard, or in a game world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dicehall.hall.hall import Hall


def with_names(hall: Hall, names: Mapping[str, str]) -> Hall:
    """The same hall on the same host; whom *names* does not know, the hall is asked about."""
    asked = hall.parts.name

    async def name(account: str) -> str:
        known = names.get(account)
        return await asked(account) if known is None else known

    return Hall(hall.host, replace(hall.parts, name=name))
