"""Tables that were opened by an earlier edition of a game go on by the rules they were opened with."""

from __future__ import annotations

from typing import Any

import pytest

from dicehall.core.house import BadRule
from dicehall.games import catalogue
from dicehall.table.acts import Opened
from dicehall.table.folding import begin
from tests.table.hosting import World, hosted

OLD_RULES: dict[str, int | None] = {"rounds": 5, "round_seconds": 300, "match_seconds": 1800}


def opened(edition: int, **rules: int) -> Any:
    act = Opened(game="mana", edition=edition, rules={**OLD_RULES, **rules}, seats=2, s0="0" * 64)
    return begin("t", act, 0, catalogue()).game


def test_a_table_of_the_first_edition_has_two_armies_whose_units_fight_again() -> None:
    """M15."""
    game = opened(1)
    assert (game.same_army, game.fight_once) == (0, 0)
    assert len(game.awaits(game.start(2)).sides) == 66
    assert opened(1, rounds=11).rounds == 11


def test_a_table_of_an_edition_to_come_is_not_misread() -> None:
    with pytest.raises(BadRule, match="supports edition 1 and 2 of mana"):
        opened(3)


@hosted
async def test_a_table_opened_today_names_all_its_rules(world: World) -> None:
    """M15: so that a later edition cannot change it."""
    live = await world.open("mana")
    assert live.state.opened.edition == 2
    assert {"same_army", "fight_once"} <= live.state.opened.rules.keys()
