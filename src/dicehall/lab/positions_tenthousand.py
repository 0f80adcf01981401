"""Positions of Dice 10 000: ``2500-*1900 +450 dice 153 locked 1 5 round 3``."""

from __future__ import annotations

from collections.abc import Mapping

from dicehall.core.game import Faces, Seat
from dicehall.games.farkle import Grouping, without
from dicehall.games.tenthousand.rules import TenThousand
from dicehall.games.tenthousand.state import DICE, State
from dicehall.lab.phrases import (
    BadPosition,
    alone,
    check_over,
    digits,
    number_after,
    phrases,
    points_of,
    scores_of,
    to_act,
    winner_of,
    written_scores,
)
from dicehall.lab.turn_points import TurnPoints

EXAMPLES = ("2500-1900 +300 dice 153", "2500-*1900 +450 dice 153 locked 1 5", "0-0-0 round 3", "0-0 +300 left 3")
ABOUT = (
    "scores (a star for the seat to act, if not the first), + points of the turn, dice FACES, locked GROUPS;\n"
    "while the dice are rolling: left DICE, rolling; round N, from 1 as on the score sheet"
)
WORDS = ("dice", "locked", "left", "rolling", "round")


def write(game: TenThousand, state: State, viewer: Seat | None) -> str:
    parts = [written_scores(state.scores, to_act(game, state))]
    parts += [f"+{state.turn_points}"] if state.turn_points else []
    if state.roll is not None:
        parts += ["dice", together(state.roll), *(["locked"] if state.locked else []), *map(together, state.locked)]
    elif state.dice_left != DICE:
        parts += ["left", str(state.dice_left)]
    parts += ["rolling"] if state.rolling else []
    return " ".join(parts + ([f"round {state.round + 1}"] if state.round else []))


def together(faces: Faces) -> str:
    return "".join(map(str, faces))


def read(game: TenThousand, text: str) -> State:
    first, *words = text.split() or [""]
    unit = game.table.unit
    scores, seat = scores_of(first, game, unit)
    winner = winner_of(scores, game.goal)
    if winner is not None:
        check_over(seat)
        seat = winner
    if too_low := [score for score in scores if 0 < score < game.opening]:
        raise BadPosition(f"Nobody can have {too_low[0]} points: the first bank must be at least {game.opening}.")
    points = points_of(words, unit)
    found = phrases(words, WORDS)
    state = State(scores, number_after(found, "round", 1, 10**9, 1) - 1, seat or Seat(0), points)
    state = with_dice(game, state, found)
    check_turns(game, state, told_round="round" in found)
    if to_act(game, state) is None and state != State(scores, state.round, state.seat):
        raise BadPosition("The game is over, so no turn is in progress.")
    return state


def with_dice(game: TenThousand, state: State, found: Mapping[str, list[str]]) -> State:
    round_, seat, points = state.round, state.seat, state.turn_points
    if "dice" not in found:
        if "locked" in found:
            raise BadPosition("Locked dice need a roll, such as dice 153326 locked 1 5.")
        left, rolling = number_after(found, "left", 1, DICE, DICE), alone(found, "rolling")
        if (points or left != DICE) and not rolling:
            rolling = True
        return State(state.scores, round_, seat, points, dice_left=left, rolling=rolling)
    if "left" in found or "rolling" in found:
        raise BadPosition("The dice have already landed: leave out left and rolling.")
    roll = digits(found["dice"], "A roll")
    locked = tuple(digits([group], "A group") for group in found.get("locked", []))
    check_roll(game, roll, locked)
    if points < (least := sum(game.table.worth[group] for group in locked)):
        raise BadPosition(f"Locked dice count towards the points of the turn: write at least +{least}.")
    return State(state.scores, round_, seat, points, roll, locked, len(roll) - sum(map(len, locked)))


def check_turns(game: TenThousand, state: State, *, told_round: bool) -> None:
    turns = TurnPoints(game.table, lambda row: game.table.worth[row], DICE)
    dice = state.dice_left if state.roll is None else len(state.roll)
    before = state.turn_points - sum(game.table.worth[group] for group in state.locked)
    if not turns.possible(before, dice):
        rolled = f"{dice} dice are" if dice > 1 else "one die is"
        raise BadPosition(f"This cannot occur: no turn has {before} points when {rolled} rolled.")
    on_turn = state.seat + (to_act(game, state) is None)
    if told_round and not state.round and any(state.scores[on_turn:]):
        raise BadPosition("This cannot occur: nobody has points before their first turn in round 1.")


def check_roll(game: TenThousand, roll: Faces, locked: Grouping) -> None:
    if len(roll) > DICE:
        raise BadPosition(f"A roll has 1 to {DICE} dice.")
    if game.table.busts(roll):
        raise BadPosition(f"{together(roll)} does not score, so the turn is over and there is nothing to decide.")
    loose = roll
    for group in locked:
        if group not in game.table.worth:
            raise BadPosition(f"{together(group)} does not score as one group, or its faces are not in order.")
        rest = without(loose, group)
        if rest is None:
            raise BadPosition(f"{together(group)} is not among the loose dice of {together(roll)}.")
        loose = rest
