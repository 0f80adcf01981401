"""Aetharn: six dice in a tray. Click the dice to hold, then hold them, roll the rest, or bank."""

from __future__ import annotations

from dicehall.core.game import AnyGame, Seat
from dicehall.games.aetharn import lines
from dicehall.games.aetharn.actions import Action, Hold, Word
from dicehall.games.aetharn.rules import Aetharn
from dicehall.games.aetharn.turn import DICE
from dicehall.ui.desktop import theme
from dicehall.ui.desktop.board import Question, Stage, thrown
from dicehall.ui.desktop.board_parts import (
    control_bar,
    dice_places,
    score_card,
    score_rows,
    waiting_text,
    word_button,
)
from dicehall.ui.desktop.scene import Button, Die, Intent, Item, Label, Panel, Rect

FOLD = Question(lines.FINAL["fold"], "Fold", Intent("surely_fold"))


class GameBoard:
    def __init__(self, game: AnyGame) -> None:
        assert isinstance(game, Aetharn)
        self.game = game
        self.selected: frozenset[int] = frozenset()  # positions in the current roll

    def reset(self) -> None:
        self.selected = frozenset()

    def refused(self, stage: Stage, sentence: str) -> str:
        return sentence

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
        loose = [at for at in range(len(stage.view.roll or ())) if at not in stage.view.held]
        dice = {str(at + 1): Intent("die", at) for at in loose}
        words = {"r": Intent("roll"), "space": Intent("roll"), "b": Intent("bank"), "x": Intent("fold")}
        choosing = {"return": Intent("hold"), "a": Intent("best")} if self.best(stage) else {}
        return {**words, **dice, **choosing}

    # -- the table ------------------------------------------------------------------------------------

    def items(self, stage: Stage, area: Rect) -> list[Item]:
        s = stage.scale
        top = Rect(area.x + s(14), area.y + s(12), area.w - s(28), s(118))
        bar = Rect(area.x, area.bottom - s(98), area.w, s(94))
        tray = Rect(area.x + s(20), top.bottom + s(20), area.w - s(40), bar.y - top.bottom - s(34))
        items: list[Item] = []
        order = list(stage.view.order or map(Seat, range(len(stage.names))))
        wide = min(s(280), top.w / len(order) - s(8))
        left = top.x + (top.w - len(order) * (wide + s(8))) / 2
        for at, seat in enumerate(order):
            rect = Rect(left + at * (wide + s(8)), top.y, wide, top.h)
            note = stage.view.out.get(str(seat), "")
            items += score_card(stage, Seat(seat), rect, stage.view.scores[seat], stage.view.goal, note)
        items.append(Panel(rect=tray, fill=theme.FELT, border=theme.WOOD, radius=s(30), thick=9))
        items += self.dice(stage, tray)
        return [*items, *control_bar(stage, bar, self.prompt(stage), self.buttons(stage), 170)]

    def dice(self, stage: Stage, tray: Rect) -> list[Item]:
        s = stage.scale
        middle = Rect(tray.x, tray.y + tray.h * 0.18, tray.w, tray.h * 0.5)
        points = Rect(tray.x, tray.y + s(18), tray.w, s(40))
        text = f"This turn: {stage.view.turn_points}"
        items: list[Item] = [Label(rect=points, text=text, size=s.font(26), bold=True, align="center")]
        if stage.beat and stage.beat.dice:
            places = dice_places(middle, len(stage.beat.dice))
            thrown_dice = zip(places, stage.beat.dice, strict=True)
            return [*items, *(thrown(rect, face, stage.progress, at) for at, (rect, face) in enumerate(thrown_dice))]
        faces = stage.view.roll
        if faces is None:
            return [
                *items,
                *(Die(rect=rect, face=None, dim=True) for rect in dice_places(middle, stage.view.dice_left or DICE)),
            ]
        for at, (rect, face) in enumerate(zip(dice_places(middle, len(faces)), faces, strict=True)):
            held, chosen = at in stage.view.held, at in self.selected
            may = stage.acting is not None and not held
            place = rect.moved(0, -rect.h * 0.16) if chosen else rect
            items.append(
                Die(rect=place, face=face, held=held, glow=chosen, dim=held, intent=Intent("die", at) if may else None)
            )
            below = Rect(rect.x, rect.bottom + s(8), rect.w, s(24))
            label = "held" if held else str(at + 1)
            items.append(Label(rect=below, text=label, size=s.font(15), align="center", color=(190, 220, 205)))
        return [*items, self.selection(stage, tray)]

    def selection(self, stage: Stage, tray: Rect) -> Item:
        s = stage.scale
        where = Rect(tray.x, tray.bottom - s(58), tray.w, s(40))
        return Label(rect=where, text=self.selection_text(stage), size=s.font(22), bold=True, align="center")

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

    def side(self, stage: Stage, area: Rect) -> list[Item]:
        return score_rows(stage, area)
