"""Aetharn in plain lines: how a position reads, what can be typed, and what it is worth.

Dice are typed by their position in the roll, counting from 1, as shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dicehall.core.game import Event, Faces, Refusal, Refused, Seat
from dicehall.games.aetharn.actions import Action, Hold, Word
from dicehall.games.aetharn.events import TurnEnded
from dicehall.games.aetharn.scoring import TABLE
from dicehall.games.aetharn.state import View
from dicehall.games.aetharn.turn import DICE

VERBS = {
    "roll": "roll: throw the dice that are left.",
    "hold": "hold 1 3: set dice 1 and 3 aside; each of them has to score.",
    "bank": "bank: keep the points of this turn and pass the dice.",
    "fold": "fold: leave the game for good.",
}
FINAL = {"fold": "If you fold, you are out of the game for good. Fold?"}  # asked before what cannot be undone
SHOWN = 8  # holds listed at once
BUST_PERCENT = (0, 67, 44, 28, 16, 8, 2)  # how often a roll of so many dice scores nothing


def scores(view: View, names: Sequence[str]) -> list[str]:
    order = view.order or [Seat(at) for at in range(len(names))]
    told = ", ".join(f"{names[seat]} has {view.scores[seat]}{fate(view, seat)}" for seat in order)
    return [f"{told}. The goal is {view.goal}."]


def fate(view: View, seat: Seat) -> str:
    return f" ({view.out[str(seat)]})" if str(seat) in view.out else ""


def table(view: View, names: Sequence[str], me: Seat) -> list[str]:
    points = turn_text(view)
    if view.roll is None:
        return [points]
    dice = " ".join(f"[{face}]" for face in view.roll)
    places = "   ".join("-" if at in view.held else str(at + 1) for at in range(len(view.roll)))
    return [f"Dice:   {dice}", f"Number:  {places}", points]


def turn_text(view: View) -> str:
    return f"Points of this turn: {view.turn_points}."


def offers(view: View, names: Sequence[str], me: Seat, choices: Sequence[Action]) -> list[tuple[str, str]]:
    holds = hold_offers(view, choices)
    more = [("hold ...", f"{len(holds) - SHOWN} more ways")] if len(holds) > SHOWN else []
    return holds[:SHOWN] + more + word_offers(view, me, choices)


def all_offers(view: View, names: Sequence[str], me: Seat, choices: Sequence[Action]) -> list[tuple[str, str]]:
    return hold_offers(view, choices) + word_offers(view, me, choices)


def word_offers(view: View, me: Seat, choices: Sequence[Action]) -> list[tuple[str, str]]:
    return [(action.value, word_worth(view, me, action)) for action in choices if isinstance(action, Word)]


def hold_offers(view: View, choices: Sequence[Action]) -> list[tuple[str, str]]:
    """The best first, and one of those that hold the same faces."""
    by_faces: dict[Faces, Hold] = {}
    for hold in choices:
        if isinstance(hold, Hold):
            by_faces.setdefault(tuple(sorted(faces_of(view, hold))), hold)
    listed = sorted(by_faces.items(), key=lambda found: -TABLE.points(found[0]))
    return [(typed(hold), f"{spaced(faces)} for {TABLE.points(faces)}") for faces, hold in listed]


def hold_points(view: View, hold: Hold) -> int:
    """What a hold is worth; 0 where its dice do not score together."""
    return TABLE.points(faces_of(view, hold))


def ending(reason: str, goal: int) -> str:
    """Why the game is over."""
    reasons = {
        "WinnerReached5000": f"The first to bank {goal} wins.",
        "LastPlayerStanding": "Everybody else is out, so the last player left wins.",
        "AllPlayersLeft": "Everybody has left, so nobody wins.",
    }
    return reasons.get(reason, "")


def typed(hold: Hold) -> str:
    return f"hold {spaced(at + 1 for at in hold.dice)}"


def faces_of(view: View, hold: Hold) -> Faces:
    return tuple((view.roll or ())[at] for at in hold.dice)


def spaced(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def word_worth(view: View, me: Seat, word: Word) -> str:
    match word:
        case Word.ROLL:
            return roll_worth(view.dice_left or DICE, view.turn_points)
        case Word.BANK:
            score = view.scores[me] + view.turn_points
            return f"keep {view.turn_points}, which makes {score}" + (" and wins" if score >= view.goal else "")
        case Word.FOLD:
            return "leave the game for good"


def roll_worth(dice: int, at_stake: int) -> str:
    lost = f" and lose {at_stake}" if at_stake else ""
    return f"throw {dice} {'die' if dice == 1 else 'dice'}; {BUST_PERCENT[dice]} % chance to bust{lost}"


def told(event: Event, view: View, names: Sequence[str]) -> list[str] | None:
    """The end of a turn needs no line of its own where the next turn begins at once."""
    return [] if isinstance(event, TurnEnded) and event.next_player is not None else None


def read(verb: str, groups: tuple[Faces, ...], view: View) -> Action:
    places = [int(digit) for group in groups for number in group for digit in str(number)]
    if verb != "hold":
        if places:
            raise Refused(Refusal.BAD_MOVE, f"{verb} takes no numbers.")
        return Word(verb)
    check_places(places, view)
    return Hold(tuple(place - 1 for place in places))


def check_places(places: Sequence[int], view: View) -> None:
    """What the rules would refuse by index, told by place."""
    count = len(view.roll or ())
    if count and not places:
        raise Refused(Refusal.BAD_MOVE, "Which dice? Name them by their numbers, for example: hold 1 3")
    for place in places if count else ():
        if not 1 <= place <= count:
            raise Refused(Refusal.BAD_MOVE, f"There is no die {place}: the dice of this roll are 1 to {count}.")
        if place - 1 in view.held:
            raise Refused(Refusal.BAD_MOVE, f"Die {place} is already held.")
    if len(set(places)) < len(places):
        raise Refused(Refusal.BAD_MOVE, "Name each die only once.")
