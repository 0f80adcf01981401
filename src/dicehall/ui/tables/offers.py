"""What a seat can do now: each choice as it is typed, what it is worth, and the key that picks it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dicehall.core.game import AnyGame, Seat
from dicehall.ui.terminal.game_lines import lines_of


@dataclass(frozen=True, slots=True)
class Offer:
    text: str
    worth: str
    action: Any
    question: str = ""  # asked first where there is no way back

    @property
    def is_word(self) -> bool:
        return " " not in self.text


@dataclass(frozen=True, slots=True)
class Offers:
    best: tuple[Offer, ...]  # those that the game lists, in its order
    rest: tuple[Offer, ...] = ()  # further ways to do the same kind of thing

    @property
    def every(self) -> tuple[Offer, ...]:
        return self.best + self.rest


def offers_of(game: AnyGame, view: Any, names: Sequence[str], me: Seat, choices: Sequence[Any]) -> Offers:
    """Of choices that read alike, the first."""
    lines = lines_of(type(game))
    questions = getattr(lines, "FINAL", {})
    listed = [text for text, _ in lines.offers(view, names, me, choices)]
    every = [text for text, _ in getattr(lines, "all_offers", lines.offers)(view, names, me, choices)]
    found: dict[str, Offer] = {}
    for action in choices:
        for text, worth in lines.offers(view, names, me, [action]):
            found.setdefault(text, Offer(text, worth, action, questions.get(text, "")))
    best = tuple(found[text] for text in listed if text in found)
    return Offers(best, tuple(found[text] for text in every if text in found and text not in listed))


def number_keys(offers: Sequence[Offer]) -> list[str]:
    """The key of each offer: the number that it ends with, where these differ as in "pick 3"; else counted from 1."""
    phrases = [offer for offer in offers if not offer.is_word]
    own = [own_number(offer.text) for offer in phrases]
    numbers = [number for number in own if number]
    if None in own or not numbers or len(set(numbers)) < len(numbers):
        return [str(number % 10) if number <= 10 else "" for number in range(1, len(offers) + 1)]
    free = iter([number for number in "123456789" if number not in numbers])
    return ["" if offer.is_word else own_number(offer.text) or next(free, "") for offer in offers]


def own_number(text: str) -> str | None:
    """The single digit after words; nothing after words alone; None where there are more numbers."""
    *words, last = text.split()
    if any(letter.isdigit() for word in words for letter in word):
        return None
    if len(last) == 1 and last.isdigit():
        return last
    return None if any(letter.isdigit() for letter in last) else ""


def letter_keys(offers: Sequence[Offer]) -> dict[str, Offer]:
    """The first letters of offers that are one word, where no other offer of one word begins with it."""
    words = [offer for offer in offers if offer.is_word]
    letters = [offer.text[0] for offer in words]
    return {offer.text[0]: offer for offer in words if letters.count(offer.text[0]) == 1}
