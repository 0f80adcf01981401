"""The parts of a position's line: scores at the front, then words with what belongs to them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from dicehall.core.game import AnyGame, Over, Seat, Turn
from dicehall.core.house import BadRule, check_seats

WHOLE = re.compile(r"[0-9]{1,10}")
MOST = 1_000_000_000
SHOWN = 24  # characters of a wrong word that are repeated


class BadPosition(ValueError):
    """A line that is no position; the sentence says what is wrong with it."""


def phrases(words: Sequence[str], known: Collection[str]) -> Mapping[str, list[str]]:
    """Words by the known word that they follow; each may stand once."""
    found: dict[str, list[str]] = {}
    name = ""
    for word in words:
        if word in known:
            if word in found:
                raise BadPosition(f"{word} appears twice.")
            name, found[word] = word, []
        elif name:
            found[name].append(word)
        else:
            raise BadPosition(f"{shown(word)} is not understood here. Expected one of: {', '.join(known)}.")
    return found


def alone(found: Mapping[str, list[str]], name: str) -> bool:
    """Whether a word stands there that nothing belongs to."""
    if found.get(name):
        raise BadPosition(f"{name} takes no value: leave out {shown(found[name][0])}.")
    return name in found


def number_after(found: Mapping[str, list[str]], name: str, least: int, most: int, usual: int) -> int:
    if name not in found:
        return usual
    if len(found[name]) != 1:
        raise BadPosition(f"{name} takes one number.")
    return number(found[name][0], name, least, most)


def number(text: str, what: str, least: int = 0, most: int = MOST) -> int:
    if not WHOLE.fullmatch(text) or not least <= int(text) <= most:
        huge = text.isdecimal() and len(text) > 9
        wanted = f"a whole number from {least}" + (f" to {most}" if most < MOST or huge else "")
        raise BadPosition(f"{what} must be {wanted}, not {shown(text)}.")
    return int(text)


def digits(words: Sequence[str], what: str, most: int = 6) -> tuple[int, ...]:
    """Faces or places written together or apart: ``153`` is ``1 5 3``."""
    text = "".join(words)
    if not text or not re.fullmatch(r"[1-9]+", text) or any(int(digit) > most for digit in text):
        raise BadPosition(f"{what} must be digits from 1 to {most}, such as 153, not {shown(text)}.")
    return tuple(map(int, text))


def scores_of(text: str, game: AnyGame, unit: int = 1) -> tuple[tuple[int, ...], Seat | None]:
    """``1250-*900`` as the scores and the seat with the star."""
    if text.startswith(("-", "*-")) or "--" in text or "-*-" in text:
        raise BadPosition("A score cannot be negative. Write scores as in 41-49.")
    parts = text.split("-")
    starred = [Seat(seat) for seat, part in enumerate(parts) if part.startswith("*")]
    if len(starred) > 1:
        raise BadPosition("Only one seat can have a star.")
    scores = tuple(number(part.removeprefix("*"), "A score") for part in parts)
    for score in scores:
        if score % unit:
            raise BadPosition(f"Points must be multiples of {unit}, not {score}.")
    try:
        check_seats(game, len(scores))
    except BadRule as bad:
        raise BadPosition(f"{bad.sentence} Write scores as in 41-49.") from None
    return scores, starred[0] if starred else None


def written_scores(scores: Sequence[int], seat: Seat | None) -> str:
    """The star is left out for the first seat, unless nobody is on turn."""
    return "-".join(f"*{score}" if seat == at and at else str(score) for at, score in enumerate(scores))


def points_of(words: list[str], unit: int = 1) -> int:
    """The points of the turn, ``+350``, taken from the front of the words."""
    if not words or not words[0].startswith("+"):
        return 0
    points = number(words.pop(0).removeprefix("+"), "The points of a turn")
    if points % unit:
        raise BadPosition(f"Points must be multiples of {unit}, not {points}.")
    return points


def winner_of(scores: Sequence[int], goal: int) -> Seat | None:
    """The seat that has reached the goal, which ends the game there."""
    reached = [Seat(seat) for seat, score in enumerate(scores) if score >= goal]
    if len(reached) > 1:
        raise BadPosition(f"Only one seat can have the goal of {goal}.")
    return reached[0] if reached else None


def check_over(seat: Seat | None) -> None:
    """Where the game is over nobody has the star."""
    if seat is not None:
        raise BadPosition("The game is over, so nobody can act: leave out the star.")


def to_act(game: AnyGame, state: Any) -> Seat | None:
    """The seat that decides or rolls in a position; if several choose at the same time, the first."""
    awaited = game.awaits(state)
    if isinstance(awaited, Over):
        return None
    return min(awaited.seats if isinstance(awaited, Turn) else awaited.by, default=None)


def shown(text: str) -> str:
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "...")
