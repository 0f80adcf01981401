"""Games and their house rules as data, in the words of JSON Schema: for forms, programs and commands."""

from __future__ import annotations

from typing import Any

from dicehall.core.house import HouseRule, house_rules
from dicehall.wire.sentences import words_of


def show_game(game: type[Any]) -> dict[str, Any]:
    about = words_of(game)["about"]
    seats = {"least": game.seats[0], "most": game.seats[-1]}
    return {"game": game.key, "name": about["name"], "line": about["line"], "seats": seats}


def game_schema(game: type[Any]) -> dict[str, Any]:
    """A game with its house rules, each with type, range and default."""
    return {**show_game(game), "rules": {rule.name: rule_schema(rule) for rule in house_rules(game)}}


def rule_schema(rule: HouseRule) -> dict[str, Any]:
    kind = ["integer", "null"] if rule.optional else "integer"
    return {"type": kind, "minimum": rule.least, "maximum": rule.most, "default": rule.default}
