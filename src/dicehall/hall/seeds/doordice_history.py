"""The timeline of a game of DO or DICE: who did what to whom, and what it changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

VERBS = {
    "backfire": "backfired",
    "jab": "jabbed",
    "pickpocket": "picked the pocket of",
    "strike": "struck",
    "recover": "recovered",
    "power_damage": "hammered",
    "power_vp": "took the glory",
    "void": "drifted through the void",
    "give_hp": "mended",
    "give_vp": "blessed",
    "take_hp": "clawed at",
    "take_vp": "cursed",
    "stolen": "kept the loot",
    "forgone": "let the moment pass",
    "fell": "fell",
    "elimination": "earned an elimination",
    "survival": "survived the round",
    "tie_die": "rolled for the place",
}


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """The changes are those of *whom*, or of *who* where nobody else is named: summed up they are every HP and VP."""

    n: int  # of the table's update that told it
    round: int
    who: int
    what: str
    whom: int | None = None
    hp_change: int = 0
    vp_change: int = 0
    face: int | None = None  # of a die that parted equals
    without_effect: bool = False  # an action that changed nothing: an empty pocket, HP at the cap (D7, D10)

    def text(self, names: Sequence[str]) -> str:
        done = [names[self.who], VERBS[self.what]] + ([] if self.whom is None else [names[self.whom]])
        return f"Round {self.round}: {' '.join(done)}{self.shown()}"

    def shown(self) -> str:
        """What changed, in parentheses."""
        if self.face is not None:
            return f" ({self.face})"
        if self.without_effect:
            return " (no effect)"
        changes = ((self.hp_change, "HP"), (self.vp_change, "VP"))
        told = ", ".join(f"{change:+d} {unit}" for change, unit in changes if change)
        return f" ({told})" if told else ""


def history(updates: Iterable[dict[str, Any]]) -> tuple[HistoryLine, ...]:
    """All lines of a game, from all that was told of its table."""
    lines: list[HistoryLine] = []
    round = 1
    for update in updates:
        for event in update["events"]:
            if event["event"] == "RoundStarted":
                round = event["round"]
            lines += lines_of(event, update["n"], round)
    return tuple(lines)


def lines_of(event: dict[str, Any], n: int, round: int) -> Iterator[HistoryLine]:
    match event:
        case {"event": "EffectDone", "seat": who, "effect": what, "target": whom, "hp_change": hp, "vp_change": vp}:
            yield HistoryLine(n, round, who, what, whom, hp, vp, without_effect=event["without_effect"])
            if event["stolen"]:
                yield HistoryLine(n, round, who, "stolen", vp_change=event["stolen"])
        case {"event": "ChoiceForgone", "seat": who}:
            yield HistoryLine(n, round, who, "forgone")
        case {"event": "Fell", "seat": who}:
            yield HistoryLine(n, round, who, "fell")
        case {"event": "EliminationScored", "seat": who, "points": points}:
            yield HistoryLine(n, round, who, "elimination", vp_change=points)
        case {"event": "RoundEnded", "alive": alive, "points": points}:
            yield from (HistoryLine(n, round, who, "survival", vp_change=points) for who in alive)
        case {"event": "TieDiceRolled", "seats": seats, "faces": faces}:
            yield from (
                HistoryLine(n, round, who, "tie_die", face=face) for who, face in zip(seats, faces, strict=True)
            )


def told(updates: Iterable[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    """The events of this name, in order."""
    return [event for update in updates for event in update["events"] if event["event"] == name]
