"""Dice Wards in plain lines: how a position reads, what can be typed, and what it is worth."""

from __future__ import annotations

from collections.abc import Sequence

from dicehall.core.game import Faces, Refusal, Refused, Seat
from dicehall.games.wards.rules import Action, View

VERBS = {
    "roll": "roll: throw the die. A 2 to 6 goes on the pile; a 1 loses the pile and passes the die.",
    "hold": "hold: keep the pile and pass the die.",
}


def scores(view: View, names: Sequence[str]) -> list[str]:
    told = ", ".join(f"{name} has {score}" for name, score in zip(names, view.scores, strict=True))
    return [f"{told}. The goal is {view.goal}."]


def table(view: View, names: Sequence[str], me: Seat) -> list[str]:
    die = "" if view.last_roll is None else f" Last die: [{view.last_roll}]"
    return [f"On the pile: {view.round_score}.{die}"]


def offers(view: View, names: Sequence[str], me: Seat, choices: Sequence[Action]) -> list[tuple[str, str]]:
    worth = {Action.ROLL: roll_worth(view), Action.HOLD: hold_worth(view, me)}
    return [(action.value, worth[action]) for action in choices]


def roll_worth(view: View) -> str:
    lost = f"loses the {view.round_score}" if view.round_score else "passes the die"
    return f"a 2 to 6 goes on the pile, a 1 {lost}"


def hold_worth(view: View, me: Seat) -> str:
    score = view.scores[me] + view.round_score
    return f"keep {view.round_score}, which makes {score}" + (" and wins" if score >= view.goal else "")


def read(verb: str, groups: tuple[Faces, ...], view: View) -> Action:
    if groups:
        raise Refused(Refusal.BAD_MOVE, f"{verb} takes no numbers: there is only one die.")
    return Action(verb)
