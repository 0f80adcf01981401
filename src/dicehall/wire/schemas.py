"""Games and their house rules as data, in the words of JSON Schema: for forms, programs and commands."""

from __future__ import annotations

from typing import Any

from dicehall.core.house import HouseRule, house_rules
from dicehall.wire.languages import ENGLISH
from dicehall.wire.sentences import words_of


def show_game(game: type[Any], language: str = ENGLISH) -> dict[str, Any]:
    about = words_of(game, language)["about"]
    seats = {"least": game.seats[0], "most": game.seats[-1]}
    return {"game": game.key, "name": about["name"], "line": about["line"], "seats": seats}


def game_schema(game: type[Any], *, at_a_hall: bool = False, language: str = ENGLISH) -> dict[str, Any]:
    """A game with its house rules, each with type, range and default; a hall's tables allow a smaller range."""
    rules = {rule.name: rule_schema(rule, at_a_hall=at_a_hall) for rule in house_rules(game)}
    return {**show_game(game, language), "rules": rules}


def rule_schema(rule: HouseRule, *, at_a_hall: bool) -> dict[str, Any]:
    kind = ["integer", "null"] if rule.optional else "integer"
    most = min(rule.most, rule.hall_most) if at_a_hall else rule.most
    with_others = {"maximum_with": dict(rule.most_with)} if at_a_hall and rule.most_with else {}
    return {"type": kind, "minimum": rule.least, "maximum": most, "default": rule.default, **with_others}
