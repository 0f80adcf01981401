"""House rules: the numbers of a game that a table can change (C6).

A game declares them as its own fields with :func:`whole` and :func:`seconds`; everything
that lists, reads or checks house rules asks the fields, so a rule is written down once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

MOST = 1_000_000_000  # keeps every time and score far inside what stores and browsers can hold


@dataclass(frozen=True, slots=True)
class HouseRule:
    name: str
    default: int | None
    least: int
    optional: bool  # None is allowed and means that there is none
    most: int = MOST
    hall_most: int = MOST  # the most a hall's table may have; records and the rules themselves allow more
    most_with: Mapping[str, int] = field(default_factory=dict)  # the most while another rule, a switch, is on
    earlier: Mapping[int, int] = field(default_factory=dict)  # its value, by edition, before tables could change it


@dataclass(frozen=True, slots=True)
class Extra:
    """What the header of a record may hold besides house rules, and the house rules that go with it by default."""

    type: Any
    rules: Mapping[str, int] = field(default_factory=dict)


class BadRule(ValueError):
    """A house rule that no table can have."""

    def __init__(self, code: str, name: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.name = name
        self.sentence = sentence


def whole(default: int, *, least: int = 1, hall_most: int = MOST, most_with: Mapping[str, int] | None = None) -> Any:
    """A house rule that is a whole number; *hall_most* keeps games at a hall's tables from going on forever."""
    limits = {"least": least, "hall_most": hall_most, "most_with": most_with or {}}
    metadata = {"default": default, "optional": False, **limits}
    return field(default=default, metadata=metadata)


def switch(default: int, *, earlier: Mapping[int, int]) -> Any:
    """A house rule that is on (1) or off (0)."""
    limits = {"least": 0, "most": 1, "optional": False}
    return field(default=default, metadata={"default": default, "earlier": earlier, **limits})


def seconds(default: int | None) -> Any:
    """A clock in seconds; None is no clock."""
    return field(default=default, metadata={"default": default, "least": 1, "optional": True})


def house_rules(game: Any) -> tuple[HouseRule, ...]:
    """The house rules of a game, or of its class, in the order it declares them."""
    return tuple(HouseRule(name=f.name, **f.metadata) for f in fields(game) if "least" in f.metadata)


def check_rules(game: Any) -> None:
    """Refuse a game whose house rules are out of range; called by its ``__post_init__``."""
    rules = house_rules(game)
    for rule in rules:
        check_number(rule, getattr(game, rule.name))
    for rule in rules:
        check_with(rule, game)


def check_hall_rules(game: Any) -> None:
    """Refuse house rules with which a game at a hall's table would take too long to end."""
    for rule in house_rules(game):
        number = getattr(game, rule.name)
        if number is not None and number > rule.hall_most:
            sentence = f"At a table in this hall, {rule.name} can be at most {rule.hall_most}, not {number}."
            raise BadRule("bad_rule", rule.name, sentence)


def check_number(rule: HouseRule, number: object) -> None:
    if number is None and rule.optional:
        return
    if isinstance(number, bool) or not isinstance(number, int):
        wanted = "a whole number or null" if rule.optional else "a whole number"
        raise BadRule("bad_rule", rule.name, f"{rule.name} must be {wanted}.")
    if not rule.least <= number <= rule.most:
        raise BadRule("bad_rule", rule.name, f"{rule.name} must be from {rule.least} to {rule.most}, not {number}.")


def check_with(rule: HouseRule, game: Any) -> None:
    number = getattr(game, rule.name)
    for switch_name, most in rule.most_with.items():
        if getattr(game, switch_name) and number > most:
            sentence = f"{rule.name} must be from {rule.least} to {most} while {switch_name} is on, not {number}."
            raise BadRule("bad_rule", rule.name, sentence)


def with_rules(game: type[Any], numbers: Mapping[str, Any], edition: int | None = None) -> Any:
    """A game with these house rules, the others at the defaults of an edition: the current one if none is named."""
    known = {rule.name for rule in house_rules(game)}
    for name in numbers:
        if name not in known:
            names = ", ".join(sorted(known))
            raise BadRule("unknown_rule", name, f"{game.key} has no house rule {name!r}; it has {names}.")
    return game(**{**defaults(game, edition), **numbers})


def defaults(game: type[Any], edition: int | None) -> dict[str, int]:
    """House rules of an earlier edition that differ from today's defaults."""
    edition = game.edition if edition is None else edition
    return {rule.name: rule.earlier[edition] for rule in house_rules(game) if edition in rule.earlier}


def check_edition(game: type[Any], edition: int) -> None:
    """Refuse an edition whose logs this program would misread."""
    known = {game.edition}.union(*(rule.earlier for rule in house_rules(game)))
    if edition not in known:
        readable = " and ".join(map(str, sorted(known)))
        raise BadRule(
            "unknown_edition", "edition", f"This version of Dicehall supports edition {readable} of {game.key}."
        )


def rules_of(game: Any) -> dict[str, int | None]:
    """The house rules of this game as they stand."""
    return {rule.name: getattr(game, rule.name) for rule in house_rules(game)}


def changed_rules(game: Any) -> dict[str, int | None]:
    """The house rules that differ from the defaults."""
    usual = {rule.name: rule.default for rule in house_rules(game)}
    return {name: number for name, number in rules_of(game).items() if number != usual[name]}


def written(numbers: Mapping[str, int | None]) -> list[str]:
    """House rules as people write them: ``goal=50``, ``turn_seconds=none``."""
    return [f"{name}={'none' if number is None else number}" for name, number in numbers.items()]


def check_seats(game: Any, seats: int) -> None:
    """Refuse an invalid number of seats; called by the game's ``start``."""
    few, many = game.seats[0], game.seats[-1]
    if seats not in game.seats:
        wanted = f"exactly {few}" if few == many else f"{few} to {many}"
        raise BadRule("bad_seats", "seats", f"{game.key} needs {wanted} seats, not {seats}.")
