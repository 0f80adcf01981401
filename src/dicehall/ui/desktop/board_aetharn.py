"""Aetharn: six dice in a tray. Click the dice to hold, then hold them, roll the rest, or bank."""

from __future__ import annotations

from dicehall.core.game import Seat
from dicehall.games.aetharn import lines
from dicehall.games.aetharn.actions import Action, Hold, Word
from dicehall.games.aetharn.turn import DICE
from dicehall.ui.desktop.board import Question, Stage
from dicehall.ui.desktop.board_parts import waiting_text, word_button
from dicehall.ui.desktop.scene import Button, Intent
from dicehall.ui.desktop.tray_board import TrayBoard

FOLD = Question(lines.FINAL["fold"], "Fold", Intent("surely_fold"))


class GameBoard(TrayBoard):
    # -- choosing -------------------------------------------------------------------------------------

    def handle(self, stage: Stage, intent: Intent) -> Action | Question | None:
        match intent:
            case Intent("die", at):
                self.selected ^= {at}
            case Intent("best"):
                best = self.best(stage)
                self.selected = frozenset(best.dice) if best else frozenset()
            case Intent("hold"):
                return Hold(tuple(sorted(self.selected)))
            case Intent("roll"):
                return Word.ROLL
            case Intent("bank"):
                return Word.BANK
            case Intent("fold"):
                return FOLD
            case Intent("surely_fold"):
                return Word.FOLD
        return None

    def best(self, stage: Stage) -> Hold | None:
        holds = [action for action in stage.choices if isinstance(action, Hold)]
        return max(holds, key=lambda hold: lines.hold_points(stage.view, hold), default=None)

    def keys(self, stage: Stage) -> dict[str, Intent]:
        if stage.acting is None:
            return {}
        words = {"r": Intent("roll"), "space": Intent("roll"), "b": Intent("bank"), "x": Intent("fold")}
        choosing = {"return": Intent("hold"), "a": Intent("best")} if self.best(stage) else {}
        return {**words, **self.dice_keys(stage), **choosing}

    # -- the table ------------------------------------------------------------------------------------

    def aside(self, stage: Stage) -> frozenset[int]:
        return frozenset(stage.view.held)

    def cards(self, stage: Stage) -> list[tuple[Seat, str]]:
        order = stage.view.order or range(len(stage.names))
        return [(Seat(seat), stage.view.out.get(str(seat), "")) for seat in order]

    def turn_text(self, stage: Stage) -> str:
        return f"This turn: {stage.view.turn_points}"

    def selection_text(self, stage: Stage) -> str:
        if stage.event("PlayerBusted"):
            return "Bust!"
        if stage.event("HotDice"):
            return "Hot dice!"
        if not self.selected:
            return "Click the dice you want to hold." if self.best(stage) and stage.view.must_hold else ""
        points = lines.hold_points(stage.view, Hold(tuple(sorted(self.selected))))
        return f"Selected: {points} points" if points else "These dice do not score together."

    def prompt(self, stage: Stage) -> str:
        if stage.acting is None:
            return waiting_text(stage)
        name = stage.names[stage.acting]
        if stage.view.roll is None:
            return f"{name}, roll the dice."
        return f"{name}, hold dice that score." if stage.view.must_hold else f"{name}, roll on or bank?"

    def buttons(self, stage: Stage) -> list[Button]:
        if stage.acting is None:
            return []
        may = set(stage.choices)
        holds = self.best(stage) is not None
        points = lines.hold_points(stage.view, Hold(tuple(sorted(self.selected)))) if self.selected else 0
        left = stage.view.dice_left or DICE
        must = stage.view.must_hold
        return [
            word_button("Best", "select it", "A", Intent("best"), enabled=holds),
            word_button(
                "Hold",
                f"for {points}" if points else "select dice",
                "Enter",
                Intent("hold"),
                enabled=holds,
                primary=must,
            ),
            word_button(
                "Roll",
                "1 die" if left == 1 else f"{left} dice",
                "R",
                Intent("roll"),
                enabled=Word.ROLL in may,
                primary=not must,
            ),
            word_button("Bank", str(stage.view.turn_points), "B", Intent("bank"), enabled=Word.BANK in may),
            word_button("Fold", "leave", "X", Intent("fold")),
        ]
