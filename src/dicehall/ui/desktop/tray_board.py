"""Six dice in a tray, for the games of scoring dice: click the dice to set aside, then roll the rest or bank."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from dicehall.core.game import AnyGame, Seat
from dicehall.ui.desktop import theme
from dicehall.ui.desktop.board import Question, Stage, thrown
from dicehall.ui.desktop.board_parts import control_bar, dice_places, score_card, score_rows, small_score_card
from dicehall.ui.desktop.scene import Button, Color, Die, Intent, Item, Label, Panel, Rect

DICE = 6
ABREAST = 6  # cards of seats in a row
ON_FELT: Color = (190, 220, 205)


class TrayBoard(ABC):
    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.selected: frozenset[int] = frozenset()  # positions in the current roll

    def reset(self) -> None:
        self.selected = frozenset()

    def refused(self, stage: Stage, sentence: str) -> str:
        return sentence

    # -- what a game says ------------------------------------------------------------------------------

    @abstractmethod
    def handle(self, stage: Stage, intent: Intent) -> Any | Question | None: ...

    @abstractmethod
    def keys(self, stage: Stage) -> dict[str, Intent]: ...

    @abstractmethod
    def aside(self, stage: Stage) -> frozenset[int]:
        """The positions in the current roll that are set aside."""

    @abstractmethod
    def cards(self, stage: Stage) -> Sequence[tuple[Seat, str]]:
        """The seats in the order of their cards, each with why it is out of the game, if it is."""

    @abstractmethod
    def turn_text(self, stage: Stage) -> str: ...

    @abstractmethod
    def selection_text(self, stage: Stage) -> str: ...

    @abstractmethod
    def prompt(self, stage: Stage) -> str: ...

    @abstractmethod
    def buttons(self, stage: Stage) -> list[Button]: ...

    @property
    def aside_text(self) -> str:
        return "held"

    # -- the table ------------------------------------------------------------------------------------

    def dice_keys(self, stage: Stage) -> dict[str, Intent]:
        aside = self.aside(stage)
        return {str(at + 1): Intent("die", at) for at in range(len(stage.view.roll or ())) if at not in aside}

    def items(self, stage: Stage, area: Rect) -> list[Item]:
        s = stage.scale
        top = Rect(area.x + s(14), area.y + s(12), area.w - s(28), s(118))
        bar = Rect(area.x, area.bottom - s(98), area.w, s(94))
        tray = Rect(area.x + s(20), top.bottom + s(20), area.w - s(40), bar.y - top.bottom - s(34))
        return [
            *self.seats(stage, top),
            Panel(rect=tray, fill=theme.FELT, border=theme.WOOD, radius=s(30), thick=9),
            *self.dice(stage, tray),
            *control_bar(stage, bar, self.prompt(stage), self.buttons(stage), 170),
        ]

    def seats(self, stage: Stage, area: Rect) -> list[Item]:
        """One row of cards, or two of small ones."""
        s, cards = stage.scale, self.cards(stage)
        many = len(cards) > ABREAST
        abreast = (len(cards) + 1) // 2 if many else len(cards)
        high = (area.h - s(8)) / 2 if many else area.h
        wide = min(s(280), area.w / abreast - s(8))
        items: list[Item] = []
        for at, (seat, note) in enumerate(cards):
            row, column = divmod(at, abreast)
            left = area.x + (area.w - abreast * (wide + s(8)) + s(8)) / 2
            rect = Rect(left + column * (wide + s(8)), area.y + row * (high + s(8)), wide, high)
            score = stage.view.scores[seat]
            if many:
                items += small_score_card(stage, seat, rect, score, stage.view.goal)
            else:
                items += score_card(stage, seat, rect, score, stage.view.goal, note)
        return items

    def dice(self, stage: Stage, tray: Rect) -> list[Item]:
        s = stage.scale
        middle = Rect(tray.x, tray.y + tray.h * 0.18, tray.w, tray.h * 0.5)
        points = Rect(tray.x, tray.y + s(18), tray.w, s(40))
        items: list[Item] = [Label(rect=points, text=self.turn_text(stage), size=s.font(26), bold=True, align="center")]
        if stage.beat and stage.beat.dice:
            places = dice_places(middle, len(stage.beat.dice))
            thrown_dice = zip(places, stage.beat.dice, strict=True)
            return [*items, *(thrown(rect, face, stage.progress, at) for at, (rect, face) in enumerate(thrown_dice))]
        faces = stage.view.roll
        if faces is None:
            return [
                *items,
                *(Die(rect=rect, face=None, dim=True) for rect in dice_places(middle, stage.view.dice_left or DICE)),
                self.selection(stage, tray),
            ]
        aside = self.aside(stage)
        for at, (rect, face) in enumerate(zip(dice_places(middle, len(faces)), faces, strict=True)):
            held, chosen = at in aside, at in self.selected
            may = stage.acting is not None and not held
            place = rect.moved(0, -rect.h * 0.16) if chosen else rect
            items.append(
                Die(rect=place, face=face, held=held, glow=chosen, dim=held, intent=Intent("die", at) if may else None)
            )
            below = Rect(rect.x, rect.bottom + s(8), rect.w, s(24))
            label = self.aside_text if held else str(at + 1)
            items.append(Label(rect=below, text=label, size=s.font(15), align="center", color=ON_FELT))
        return [*items, self.selection(stage, tray)]

    def selection(self, stage: Stage, tray: Rect) -> Item:
        s = stage.scale
        where = Rect(tray.x, tray.bottom - s(58), tray.w, s(40))
        return Label(rect=where, text=self.selection_text(stage), size=s.font(22), bold=True, align="center")

    def side(self, stage: Stage, area: Rect) -> list[Item]:
        return score_rows(stage, area)
