"""The choices of the person who is to act, as a list: their keys, their rows, and which of them are shown."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from rich.text import Text
from textual.widgets.option_list import Option

from dicehall.ui.tables.offers import Offer, Offers, letter_keys, number_keys
from dicehall.ui.tui.stage import Stage, worth_of
from dicehall.ui.tui.text_graphics import ACCENT, fitted

MORE = "more"  # the choice that lists the others


@dataclass(frozen=True, slots=True)
class Choices:
    offers: Offers
    expanded: bool = False  # all choices are listed, not only the best

    @property
    def listed(self) -> tuple[Offer, ...]:
        return self.offers.every if self.expanded else self.offers.best

    @property
    def letters(self) -> dict[str, Offer]:
        return letter_keys(self.listed)

    @property
    def numbers(self) -> dict[str, Offer]:
        return {key: offer for key, offer in zip(number_keys(self.listed), self.listed, strict=True) if key}

    @property
    def only(self) -> int | None:
        """The row that Enter takes at once; folding is nobody's only choice. Where several are left, Enter that was
        meant for skipping must not choose one."""
        ways = [at for at, offer in enumerate(self.listed) if not offer.question]
        return ways[0] if len(ways) == 1 and not self.offers.rest else None

    def named(self, text: str | None) -> Offer | None:
        return next((offer for offer in self.listed if offer.text == text), None)

    def of(self, action: Any) -> Offer | None:
        return next((offer for offer in self.offers.every if offer.action == action), None)

    def are_among(self, verbs: Collection[str]) -> bool:
        """Whether one of these words begins a choice."""
        return any(offer.text.split()[0] in verbs for offer in self.offers.every)

    def verbs(self, known: Mapping[str, str]) -> list[str]:
        """The words that can be typed now, each once."""
        return list(dict.fromkeys(verb_of(offer.text, known) for offer in self.offers.every))

    def rows(self, stage: Stage, width: int) -> list[Option]:
        """Each choice with its keys and what it is worth, no wider than the board."""
        room = max((len(offer.text) for offer in self.listed), default=0)
        letters = {offer.text: key for key, offer in self.letters.items()}
        rows = []
        for number, offer in zip(number_keys(self.listed), self.listed, strict=True):
            row = Text.assemble((f" {number:1} ", ACCENT), (f"{letters.get(offer.text, ''):1}  ", ACCENT))
            row.append(fitted(offer.text, room), "bold").append(f"  {worth_of(stage, offer)}")
            row.truncate(width, overflow="ellipsis")
            rows.append(Option(row, id=offer.text))
        if self.offers.rest and not self.expanded:
            more = Text.assemble(("    +  ", ACCENT), f"{len(self.offers.rest)} more ways")
            rows.append(Option(more, id=MORE))
        return rows


def verb_of(offer: str, verbs: Mapping[str, str]) -> str:
    """The verb of an offer: as many of its words as name one."""
    words = offer.split()
    names = ("_".join(words[:size]) for size in range(len(words), 0, -1))
    return next((name for name in names if name in verbs), words[0])
