"""A board for any game: the position as text, the dice that fell, and every choice as a button."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dicehall.core.game import AnyGame
from dicehall.ui.desktop import theme
from dicehall.ui.desktop.board import Question, Stage
from dicehall.ui.desktop.board_parts import dice_items, score_rows, sentence_case, waiting_text
from dicehall.ui.desktop.scene import Button, Intent, Item, Label, Panel, Rect
from dicehall.ui.tables.offers import offers_of
from dicehall.ui.terminal.game_lines import Lines, lines_of

PAGE = 8  # choices shown at once


class GameBoard:
    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.lines: Lines = lines_of(type(game))
        self.page = 0
        self.shown_to: Any = None  # the seat that said it is alone before the window
        self.offered: tuple[Any, list[tuple[str, str, Any]]] = (None, [])

    def reset(self) -> None:
        self.page, self.shown_to = 0, None

    def refused(self, stage: Stage, sentence: str) -> str:
        return sentence

    # -- choosing -------------------------------------------------------------------------------------

    def offers(self, stage: Stage) -> list[tuple[str, str, Any]]:
        """What can be done: the words for it, what it is worth, and the move; the best of equals once."""
        if stage.acting is None:
            return []
        key = (stage.acting, stage.choices, stage.view)
        if self.offered[0] != key:
            self.offered = key, list(self.listed(stage))
        return self.offered[1]

    def listed(self, stage: Stage) -> list[tuple[str, str, Any]]:
        assert stage.acting is not None
        found = offers_of(stage.game, stage.view, stage.names, stage.acting, stage.choices)
        return [(offer.text, offer.worth, offer.action) for offer in found.every]

    def curtain(self, stage: Stage) -> bool:
        """Whether the choices are secret and others sit at this window."""
        secret = set(getattr(self.lines, "SECRET", ()))
        verbs = {text.split()[0] for text, _, _ in self.offers(stage)}
        return len(stage.people) > 1 and bool(secret & verbs) and self.shown_to != stage.acting

    def handle(self, stage: Stage, intent: Intent) -> Any:
        match intent:
            case Intent("show"):
                self.shown_to = stage.acting
            case Intent("page", step):
                last = max(0, (len(self.offers(stage)) - 1) // PAGE)
                self.page = max(0, min(last, self.page + step))
            case Intent("choice", text):
                return self.chosen(stage, text)
            case Intent("surely", text):
                return next((action for offer, _, action in self.offers(stage) if offer == text), None)
        return None

    def chosen(self, stage: Stage, text: str) -> Any:
        if question := getattr(self.lines, "FINAL", {}).get(text):
            return Question(question, sentence_case(text), Intent("surely", text))
        return next((action for offer, _, action in self.offers(stage) if offer == text), None)

    def keys(self, stage: Stage) -> dict[str, Intent]:
        offers = self.offers(stage)
        if not offers:
            return {}
        if self.curtain(stage):
            return {"return": Intent("show"), "space": Intent("show")}
        shown = offers[self.page * PAGE :][:PAGE]
        keys = {key: Intent("choice", offer[0]) for key, offer in zip(numbers(shown), shown, strict=True)}
        words = {text[0]: Intent("choice", text) for text, _, _ in offers if " " not in text and text != "fold"}
        alone = {"return": Intent("choice", offers[0][0])} if len(offers) == 1 else {}
        return {**words, **keys, **alone, "right": Intent("page", 1), "left": Intent("page", -1)}

    # -- what is shown --------------------------------------------------------------------------------

    def items(self, stage: Stage, area: Rect) -> list[Item]:
        s = stage.scale
        flying = bool(stage.beat and stage.beat.dice)
        dice = Rect(area.x + s(20), area.y + s(12), area.w - s(40), s(104) if stage.dice or flying else 0)
        low = Rect(area.x + s(20), area.bottom - s(322), area.w - s(40), s(310))
        text = Rect(dice.x, dice.bottom + s(8), dice.w, low.y - dice.bottom - s(18))
        items: list[Item] = []
        if dice.h:
            items += [Panel(rect=dice, fill=theme.FELT_EDGE, border=theme.WOOD, radius=s(18), thick=5)]
            items += dice_items(stage, dice)
        items += [Panel(rect=text, fill=theme.PANEL, border=theme.BORDER, radius=s(14))]
        items += self.text_items(stage, text.inset(s(18), s(12)))
        return [*items, *self.choice_items(stage, low)]

    def text_items(self, stage: Stage, area: Rect) -> list[Item]:
        s = stage.scale
        seat = stage.acting if stage.acting is not None else min(stage.people, default=stage.on_turn)
        lines = list(self.lines.scores(stage.view, stage.names))
        if seat is not None and not self.curtain(stage):
            describe = getattr(self.lines, "described", self.lines.table)  # a table needs letters of one width
            lines += describe(stage.view, stage.names, seat)
        size = min(s.font(18), max(11.0, area.h / max(1, len(lines)) / 1.4))
        return [Label(rect=area, text="\n".join(lines), size=size, wrap=True)]

    def choice_items(self, stage: Stage, area: Rect) -> list[Item]:
        s = stage.scale
        offers = self.offers(stage)
        items: list[Item] = [
            Label(rect=area._replace(h=s(34)), text=self.prompt(stage), size=s.font(20), bold=True),
        ]
        if self.curtain(stage):
            rect = Rect(area.x, area.y + s(60), s(360), s(60))
            return [
                *items,
                Button(rect=rect, label="Show my choices", intent=Intent("show"), primary=True, size=s.font(19)),
            ]
        shown = offers[self.page * PAGE :][:PAGE]
        wide, high = (area.w - s(12)) / 2, s(60)
        for at, (key, (text, worth, _)) in enumerate(zip(numbers(shown), shown, strict=True)):
            column, row = divmod(at, PAGE // 2)
            rect = Rect(area.x + column * (wide + s(12)), area.y + s(40) + row * (high + s(7)), wide, high)
            intent = Intent("choice", text)
            items.append(
                Button(rect=rect, label=sentence_case(text), note=worth, key=key, intent=intent, size=s.font(18))
            )
        if len(offers) > PAGE:
            pages = (len(offers) - 1) // PAGE + 1
            more = Rect(area.right - s(220), area.y - s(4), s(220), s(36))
            label = f"More ({self.page + 1} of {pages})"
            step = 1 if self.page + 1 < pages else -self.page
            items.append(Button(rect=more, label=label, key=">", intent=Intent("page", step), size=s.font(15)))
        return items

    def prompt(self, stage: Stage) -> str:
        if stage.acting is not None:
            name = stage.names[stage.acting]
            return f"{name}, take the seat; the others look away." if self.curtain(stage) else f"{name}, your move."
        return waiting_text(stage)

    def side(self, stage: Stage, area: Rect) -> list[Item]:
        return score_rows(stage, area)


def numbers(offers: Sequence[tuple[str, str, Any]]) -> list[str]:
    """The keys of offers: the number each ends with, where all do as in "pick 3"; else counted from 1."""
    last = [text.split()[1:] for text, _, _ in offers]
    own = [words[0] for words in last if len(words) == 1 and words[0].isdigit() and len(words[0]) == 1]
    return own if len(own) == len(offers) else [str(at) for at in range(1, len(offers) + 1)]
