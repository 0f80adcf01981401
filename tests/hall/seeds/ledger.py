"""A second bookkeeper of Dice 10 000, who knows nothing but the log: every record of T10 as plain values.

Written without a look at how the hall folds them; it needs only the table of what dice are worth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

SINGLES = {1: 100, 5: 50}


def worth(faces: Sequence[int]) -> int:
    """What a row is worth: all rows are of one face."""
    face, count = faces[0], len(faces)
    if count < 3:
        return SINGLES[face] * count
    if face == 1:
        return int(1000 * 2 ** (count - 3))
    if face == 4:
        return {3: 400, 4: 800, 5: 1800, 6: 3600}[count]
    return int(100 * face * 2 ** (count - 3))


def is_bust(faces: Sequence[int]) -> bool:
    return not any(face in SINGLES or count >= 3 for face, count in Counter(faces).items())


@dataclass
class Ledger:
    """Rounds as lists of turns, turns as lists of rolls; each a dictionary that grows."""

    table: str
    players: list[str]
    goal: int
    started: int
    ended: int | None = None
    rounds: list[dict[str, Any]] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.scores = [0] * len(self.players)
        self.open_round(self.started)

    def open_round(self, at: int) -> None:
        turns: list[dict[str, Any]] = [{"rolls": [], "ended": None, "done": False} for _ in self.players]
        self.rounds.append({"at": at, "ended": None, "turns": turns, "now": 0})

    def read(self, entry: dict[str, Any]) -> None:
        current = self.rounds[-1]
        turn, at = current["turns"][current["now"]], entry["at"]
        if "roll" in entry:
            self.shut(turn, at)
            turn["rolls"].append({"at": at, "ended": None, "faces": entry["roll"], "locked": []})
            if is_bust(entry["roll"]):
                self.pass_on(at, 0)
        elif "expired" in entry:
            self.pass_on(at, 0)
        elif entry["move"] == "yield":
            self.pass_on(at, points(turn))
        elif entry["move"] != "roll":
            turn["rolls"][-1]["locked"] += [sorted(subset) for subset in entry["move"]["lock"]]

    def shut(self, turn: dict[str, Any], at: int) -> None:
        for roll in turn["rolls"][-1:]:
            roll["ended"] = at

    def pass_on(self, at: int, earned: int) -> None:
        current = self.rounds[-1]
        seat = current["now"]
        turn = current["turns"][seat]
        self.shut(turn, at)
        turn |= {"ended": at, "done": True}
        self.scores[seat] += earned
        current["now"] += 1
        if self.scores[seat] >= self.goal:
            self.end(at)
        elif current["now"] == len(self.players):
            current["ended"] = at
            self.open_round(at)

    def end(self, at: int) -> None:
        self.ended = at
        current = self.rounds[-1]
        for one in (current, *current["turns"], *(roll for turn in current["turns"] for roll in turn["rolls"])):
            one["ended"] = at if one["ended"] is None else one["ended"]

    # -- the records ---------------------------------------------------------------------------------

    def shown_rounds(self) -> dict[str, dict[str, Any]]:
        shown = {}
        for index, one in enumerate(self.rounds):
            id = f"{self.table}/r{index}"
            turns = [(f"{id}/t{seat}", turn["done"]) for seat, turn in enumerate(one["turns"])]
            shown[id] = {
                "id": id,
                "created_at": one["at"],
                "index": index,
                "game": self.table,
                "turn_queue": self.players,
                "completed_turns": [turn for turn, done in turns if done],
                "remaining_turns": [turn for turn, done in turns if not done],
                "ended_at": one["ended"],
            }
        return shown

    def shown_turns(self) -> dict[str, dict[str, Any]]:
        shown = {}
        for index, one in enumerate(self.rounds):
            for seat, turn in enumerate(one["turns"]):
                id = f"{self.table}/r{index}/t{seat}"
                shown[id] = {
                    "id": id,
                    "created_at": one["at"],
                    "player": self.players[seat],
                    "round": f"{self.table}/r{index}",
                    "game": self.table,
                    "ended_at": turn["ended"],
                    "rolls": [f"{id}/x{number}" for number in range(len(turn["rolls"]))],
                }
        return shown

    def shown_rolls(self) -> dict[str, dict[str, Any]]:
        shown = {}
        for index, one in enumerate(self.rounds):
            for seat, turn in enumerate(one["turns"]):
                for number, roll in enumerate(turn["rolls"]):
                    turn_id = f"{self.table}/r{index}/t{seat}"
                    locked = [{"die_faces": faces, "points": worth(faces)} for faces in roll["locked"]]
                    shown[f"{turn_id}/x{number}"] = {
                        "id": f"{turn_id}/x{number}",
                        "created_at": roll["at"],
                        "index": number,
                        "player": self.players[seat],
                        "turn": turn_id,
                        "round": f"{self.table}/r{index}",
                        "game": self.table,
                        "ended_at": roll["ended"],
                        "outcome": roll["faces"],
                        "locked_dices": locked,
                    }
        return shown


def points(turn: dict[str, Any]) -> int:
    return sum(worth(faces) for roll in turn["rolls"] for faces in roll["locked"])
