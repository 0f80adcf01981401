"""Dice Wards, clauses W1 to W9."""

from typing import Any

from .table import No, Table


class Wards(Table):
    def __init__(self, count: int, rules: dict[str, Any]) -> None:
        super().__init__(count, rules)
        self.scores = [0, 0]
        self.round_score = 0
        self.last_roll: int | None = None
        self.acting = [0]

    def on_move(self, seat: int, move: object) -> None:
        if move == "roll":
            self.ask_dice(6)
        elif move == "hold":
            self.hold(seat)
        else:
            raise No("bad_move")

    def on_dice(self, faces: list[int]) -> None:
        self.sides = None
        self.last_roll = faces[0]
        if faces[0] == 1:
            self.pass_turn()
        else:
            self.round_score += faces[0]

    def on_expired(self, seat: int) -> None:
        self.hold(seat)  # W6

    def hold(self, seat: int) -> None:
        self.scores[seat] += self.round_score
        if self.scores[seat] >= self.rules["goal"]:
            self.round_score = 0
            self.finish([[seat], [1 - seat]], "goal")
        else:
            self.pass_turn()

    def pass_turn(self) -> None:
        self.round_score = 0
        self.acting = [1 - self.acting[0]]

    def own_state(self) -> dict[str, Any]:
        return {"scores": list(self.scores), "round_score": self.round_score, "last_roll": self.last_roll}
