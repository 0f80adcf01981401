"""Who sits at a table at home: people with names of their own, and bots whose names say their level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from dicehall.bots.levels import plays_as
from dicehall.core.game import AnyGame
from dicehall.ui.tables.house_rules import Rules
from dicehall.wire.bot_names import bot_names, bot_of, first_name, home_bot_name

NAME_MOST = 24  # characters


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """Who sits on a chair: a person with a name, or a bot of a level."""

    name: str
    avatar: str = ""
    level: str | None = None  # of a bot


@dataclass(frozen=True, slots=True)
class HomeSetup:
    """A game at home: which one, who plays it, and its house rules."""

    game: str
    seats: tuple[SeatPlan, ...]
    rules: Rules


def home_names(game: AnyGame, plans: Sequence[SeatPlan]) -> tuple[str, ...]:
    """The names of all seats. A game's bots are always the same, by seat, unless a person has such a name."""
    taken = [first_name(plan.name) for plan in plans if plan.level is None]
    bots = islice(bot_names(game.key, taken), len(plans))
    return tuple(
        plan.name if plan.level is None else home_bot_name(bot, plan.level, plays_as(game, plan.level, len(plans)))
        for plan, bot in zip(plans, bots, strict=True)
    )


def names_problem(names: Sequence[str]) -> str:
    """What is wrong with the names of people, in a sentence; nothing where they are good."""
    if not all(names):
        return "Every person needs a name."
    if len({name.casefold() for name in names}) < len(names):
        return "Two people have the same name: names must be unique."
    if not all(len(name) <= NAME_MOST and name.isprintable() for name in names):
        return f"Names have up to {NAME_MOST} printable characters."
    if bot := next(filter(bot_of, names), None):
        return f"Only bots have names such as {bot!r}."
    return ""
