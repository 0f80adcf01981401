"""Dice Wards: two players face to face, one die and a pile between them."""

from __future__ import annotations

from dicehall.core.game import AnyGame, Seat
from dicehall.games.wards import lines
from dicehall.games.wards.rules import Action
from dicehall.ui.desktop import theme
from dicehall.ui.desktop.board import Stage, thrown
from dicehall.ui.desktop.board_parts import (
    control_bar,
    score_card,
    score_rows,
    waiting_text,
    word_button,
)
from dicehall.ui.desktop.scene import Button, Die, Felt, Intent, Item, Label, Rect, centered

KEYS = {"roll": "R", "hold": "H"}


class GameBoard:
    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def reset(self) -> None:
        pass

    def refused(self, stage: Stage, sentence: str) -> str:
        return sentence

    def handle(self, stage: Stage, intent: Intent) -> Action | None:
        return Action(intent.name) if intent.name in set(Action) else None

    def keys(self, stage: Stage) -> dict[str, Intent]:
        if stage.acting is None:
            return {}
        roll, hold = Intent("roll"), Intent("hold")
        return {"r": roll, "space": roll, "h": hold, "return": hold if stage.view.round_score else roll}

    def items(self, stage: Stage, area: Rect) -> list[Item]:
        s = stage.scale
        table = Rect(area.x, area.y, area.w, area.h - s(100))
        x, y = table.center
        wide, high = s(270), s(150)
        felt = centered(x, y, table.w * 0.86, table.h * 0.72)
        items: list[Item] = [Felt(rect=felt)]
        for seat, side in ((Seat(0), -1), (Seat(1), 1)):
            rect = centered(x + side * (felt.w / 2 - wide * 0.34), y - felt.h * 0.30, wide, high)
            items += score_card(stage, seat, rect, stage.view.scores[seat], stage.view.goal)
        items += self.center(stage, x, y)
        bar = Rect(area.x, area.bottom - s(98), area.w, s(94))
        return [*items, *control_bar(stage, bar, self.prompt(stage), self.buttons(stage), 300)]

    def center(self, stage: Stage, x: float, y: float) -> list[Item]:
        s = stage.scale
        place = centered(x, y - s(6), s(124), s(124))
        may_roll = stage.acting is not None
        flying = stage.beat.dice[0] if stage.beat and stage.beat.dice else None
        if flying is not None:
            die: Die = thrown(place, flying, stage.progress, stage.view.round_score)
        else:
            die = Die(
                rect=place, face=stage.view.last_roll or 1, glow=may_roll, intent=Intent("roll") if may_roll else None
            )
        pile = f"On the pile: {stage.view.round_score}"
        lost = stage.event("Lost")
        where = Rect(x - s(200), y + s(84), s(400), s(44))
        text = f"A one! {lost['points']} lost" if lost else pile
        color = theme.BAD if lost else theme.TEXT
        return [die, Label(rect=where, text=text, size=s.font(28), bold=True, align="center", color=color)]

    def prompt(self, stage: Stage) -> str:
        return waiting_text(stage) if stage.acting is None else f"{stage.names[stage.acting]}, roll or hold?"

    def buttons(self, stage: Stage) -> list[Button]:
        if stage.acting is None:
            return []
        offers = lines.offers(stage.view, stage.names, stage.acting, stage.choices)
        return [
            word_button(word.capitalize(), worth, KEYS[word], Intent(word), primary=word == "roll")
            for word, worth in offers
        ]

    def side(self, stage: Stage, area: Rect) -> list[Item]:
        return score_rows(stage, area)
