"""The choices of a turn as they are listed: which of them have a number to pick them by, and which one Enter takes."""

from __future__ import annotations

from collections.abc import Sequence

from dicehall.ui.terminal.game_lines import Lines
from dicehall.ui.terminal.typed import takes_numbers
from dicehall.wire.actions import ActionCodec

MORE = "..."  # ends an offer that stands for further ones


class Picks:
    """A number alone picks a choice where no move takes numbers; where moves do, ``#2`` picks the second choice.
    Where each choice is a number already (pick 3, strike 2) the list has no other numbers."""

    def __init__(self, offers: Sequence[str], lines: Lines, codec: ActionCodec) -> None:
        self.offers, self.lines, self.codec = offers, lines, codec
        self.verbs = list(dict.fromkeys(map(self.verb, offers)))
        self.mark = self.find_mark()

    def verb(self, offer: str) -> str:
        """The verb of an offer: as many of its words as name one."""
        words = offer.split()
        names = ("_".join(words[:size]) for size in range(len(words), 0, -1))
        return next((name for name in names if name in self.lines.VERBS), words[0])

    def find_mark(self) -> str | None:
        """What stands before the number of a choice; None where choices have none."""
        numbered = [verb for verb in self.verbs if takes_numbers(verb, self.lines, self.codec)]
        if not numbered:
            return ""
        single = len(self.verbs) == 1 and all(len(offer.split()) == 2 for offer in self.offers)
        return None if single else "#"

    @property
    def numbers(self) -> list[str]:
        if self.mark is None:
            return [""] * len(self.offers)
        ends = "." if not self.mark else ""
        return [
            "" if offer.endswith(MORE) else f"{self.mark}{at}{ends}" for at, offer in enumerate(self.offers, start=1)
        ]

    @property
    def words(self) -> list[str]:
        """What can be typed, for completion."""
        whole = [offer for offer in self.offers if not offer.endswith(MORE)]
        return [*whole, *(verb.replace("_", " ") for verb in self.verbs if verb.replace("_", " ") not in whole)]

    @property
    def only(self) -> str | None:
        """The only choice, apart from what loses for good."""
        final = getattr(self.lines, "FINAL", ())
        left = [offer for offer in self.offers if self.verb(offer) not in final]
        return left[0] if len(left) == 1 and not left[0].endswith(MORE) else None

    def typed(self, text: str) -> str:
        """What was typed, or the choice that its number or Enter alone stands for."""
        text = text.strip()
        if not text:
            return self.only or ""
        picked = text.removeprefix("#").rstrip(".")
        if self.mark is None or (self.mark and not text.startswith("#")) or not picked.isdecimal():
            return text
        at = int(picked[:9])
        whole = 1 <= at <= len(self.offers) and not self.offers[at - 1].endswith(MORE)
        return self.offers[at - 1] if whole else text.removeprefix("#")
