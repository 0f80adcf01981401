"""Positions of Dice Wards: ``41-*49 +20 last 4``."""

from __future__ import annotations

from dicehall.core.game import Seat
from dicehall.games.wards.rules import State, Wards
from dicehall.lab.phrases import (
    BadPosition,
    alone,
    check_over,
    number_after,
    phrases,
    points_of,
    scores_of,
    to_act,
    winner_of,
    written_scores,
)

EXAMPLES = ("41-49 +20", "41-*49 +20 last 4", "0-0", "99-*98 rolling")
ABOUT = "scores (a star for the seat to act, if not the first), + the pile, last FACE, rolling"


def write(game: Wards, state: State, viewer: Seat | None) -> str:
    pile = f" +{state.round_score}" if state.round_score else ""
    last = "" if state.last_roll is None else f" last {state.last_roll}"
    scores = written_scores(state.scores, to_act(game, state))
    return f"{scores}{pile}{last}{' rolling' if state.rolling else ''}"


def read(game: Wards, text: str) -> State:
    first, *words = text.split() or [""]
    scores, seat = scores_of(first, game)
    winner = winner_of(scores, game.goal)
    if winner is not None:
        check_over(seat)
        seat = Seat(1 - winner)  # the rules pass the die before they look who has won
    pile = points_of(words)
    found = phrases(words, ("last", "rolling"))
    last = number_after(found, "last", 1, 6, 0) or None
    mine, theirs = scores
    state = State((mine, theirs), seat or Seat(0), pile, last, alone(found, "rolling"))
    check_faces(scores, pile, last)
    if not pile and last is not None:
        check_banked(scores if winner is None else scores[winner : winner + 1], last, won=winner is not None)
    if to_act(game, state) is None and (pile or state.rolling):
        raise BadPosition("The game is over, so there can be no points on the pile.")
    return state


def check_faces(scores: tuple[int, ...], pile: int, last: int | None) -> None:
    """A die adds 2 to 6 points and a one takes the pile, so that some numbers never come up."""
    if 1 in scores or pile == 1:
        raise BadPosition("This cannot occur: nobody ever has exactly 1 point, because a 1 scores nothing.")
    if pile and last is not None and (last == 1 or pile < last or pile - last == 1):
        raise BadPosition(f"This cannot occur: a pile of {pile} does not follow from a last roll of {last}.")


def check_banked(scores: tuple[int, ...], last: int, *, won: bool) -> None:
    """With nothing on the pile the last roll was a one, or it is in one of these scores."""
    before = [score - last for score in scores]
    possible = not won if last == 1 else any(points == 0 or points > 1 for points in before)
    if not possible:
        raise BadPosition(f"This cannot occur: nobody can have banked a last roll of {last} here.")
