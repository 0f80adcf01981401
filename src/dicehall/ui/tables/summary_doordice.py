"""DO or DICE: HP and VP while effects are shown, and what decided each place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dicehall.core.game import Over, Seat
from dicehall.games.doordice import lines
from dicehall.games.doordice.ranking import listed, places_without_dice
from dicehall.games.doordice.rules import View
from dicehall.games.doordice.standings import Ranked, ranking
from dicehall.ui.tables import summary
from dicehall.ui.tables.summary import Standing


class GameSummary(summary.GameSummary):
    def __init__(self, game: Any) -> None:
        self.headings = ("VP", "HP", "fallen")

    def patched(self, view: View, event: Mapping[str, Any]) -> View:
        told = with_numbers(view, event)
        return told if told is view else replace(told, ranking=ranking_now(told))

    def standings(self, view: View, over: Over, seats: int) -> list[Standing]:
        return [row(one) for one in ranking(view)]

    def notes(self, view: View, over: Over) -> list[str]:
        return [lines.ending(over.reason, view.last_round), lines.ORDER]


def with_numbers(view: View, event: Mapping[str, Any]) -> View:
    match event:
        case {"event": "EffectDone", "seat": seat, "target": target, "hp": hp, "vp": vp}:
            whom = seat if target is None else target
            return replace(view, hp=put(view.hp, whom, hp), vp=put(view.vp, whom, vp))
        case {"event": "EliminationScored", "seat": seat, "vp": vp}:
            return replace(view, vp=put(view.vp, seat, vp))
        case {"event": "RoundEnded", "vp": vp, "fallen_rounds": fallen}:
            return replace(view, vp=tuple(vp), fallen_rounds=tuple(fallen))
        case {"event": "RoundStarted", "round": number}:
            return replace(view, round=number)
    return view


def ranking_now(view: View) -> tuple[tuple[Seat, ...], ...]:
    return listed(places_without_dice(view.vp, view.hp, view.fallen_rounds))


def row(one: Ranked) -> Standing:
    columns = str(one.vp), str(one.hp), str(one.fallen_rounds_count)
    note = lines.DECIDED[one.decided_by] if one.decided_by else ""
    return Standing(one.place, Seat(one.player_id), columns, note, is_out=one.hp <= 0)


def put(numbers: tuple[int, ...], seat: int, number: int) -> tuple[int, ...]:
    return (*numbers[:seat], number, *numbers[seat + 1 :])
