"""Positions of Aetharn: ``1250-*900 +450 dice 153326 held 1 hot 1``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dicehall.core.game import Faces, Seat
from dicehall.games.aetharn.rules import Aetharn
from dicehall.games.aetharn.state import Fate, State
from dicehall.games.aetharn.turn import DICE, TurnState
from dicehall.lab.phrases import (
    BadPosition,
    alone,
    digits,
    number,
    number_after,
    phrases,
    points_of,
    scores_of,
    shown,
    winner_of,
    written_scores,
)
from dicehall.lab.turn_points import TurnPoints

EXAMPLES = (
    "1250-900 +300 dice 153",
    "1250-*900 +150 dice 153326 held 12",
    "0-0",
    "400-0-250 order 312 out 2:folded",
)
ABOUT = (
    "scores (a star for the seat to act, if not the first), + points of the turn, dice FACES, held PLACES;\n"
    "while the dice are rolling: left DICE, rolling; hot N (dice used), order SEATS, away SEATS, out SEAT:folded,\n"
    "idle (no turn in progress), undrawn; seats count from 1"
)
WORDS = ("dice", "held", "left", "rolling", "hot", "order", "away", "out", "idle", "undrawn")


def write(game: Aetharn, state: State, viewer: Seat | None) -> str:
    parts = [written_scores(state.scores, state.turn.seat if state.turn else None)]
    parts += ["idle"] if state.turn is None and state.order else turn_parts(state.turn or TurnState(Seat(0)))
    if not state.order:
        parts.append("undrawn")
    elif state.order != tuple(sorted(state.order)):
        parts += ["order", seats_text(state.order)]
    parts += ["away", seats_text(sorted(state.away))] if state.away else []
    parts += ["out", *(f"{seat + 1}:{fate.value}" for seat, fate in state.out)] if state.out else []
    return " ".join(parts)


def turn_parts(turn: TurnState) -> list[str]:
    parts = [f"+{turn.points}"] if turn.points else []
    if turn.roll is not None:
        parts += ["dice", "".join(map(str, turn.roll))]
        parts += ["held", seats_text(turn.held)] if turn.held else []
    elif turn.dice_left != DICE:
        parts += ["left", str(turn.dice_left)]
    parts += ["rolling"] if turn.rolling else []
    return parts + (["hot", str(turn.hot_dice_used)] if turn.hot_dice_used else [])


def seats_text(seats: object) -> str:
    """Seats, or places in a roll, as people count them."""
    assert isinstance(seats, tuple | list)
    return "".join(str(seat + 1) for seat in seats)


def read(game: Aetharn, text: str) -> State:
    first, *words = text.split() or [""]
    unit = game.table.unit
    scores, seat = scores_of(first, game, unit)
    winner_of(scores, game.goal)
    points = points_of(words, unit)
    found = phrases(words, WORDS)
    order = () if alone(found, "undrawn") else order_of(found, len(scores))
    state = State(scores, order, None, frozenset(listed(found, "away", len(scores))), fates(found, len(scores)))
    if not order or max(scores) >= game.goal or alone(found, "idle"):
        if points or set(found) & {"dice", "held", "left", "rolling", "hot"} or seat is not None:
            raise BadPosition("No turn is in progress here: leave out its points, its dice and the star.")
        check_idle(game, state)
        return checked(state)
    on_turn = Seat(0) if seat is None else seat
    return checked(replace(state, turn=turn_of(game, found, on_turn, points)))


def order_of(found: Mapping[str, list[str]], seats: int) -> tuple[Seat, ...]:
    order = tuple(listed(found, "order", seats)) or tuple(Seat(seat) for seat in range(seats))
    if len(order) != seats:
        raise BadPosition("The order must list every seat once.")
    return order


def listed(found: Mapping[str, list[str]], name: str, seats: int) -> list[Seat]:
    if name not in found:
        return []
    named = [Seat(seat - 1) for seat in digits(found[name], f"The seats after {name}", seats)]
    if len(set(named)) < len(named):
        raise BadPosition(f"A seat appears twice after {name}.")
    return named


def fates(found: Mapping[str, list[str]], seats: int) -> tuple[tuple[Seat, Fate], ...]:
    out: dict[Seat, Fate] = {}
    for word in found.get("out", []):
        seat, _, fate = word.partition(":")
        if fate not in [known.value for known in Fate]:
            raise BadPosition(f"Write a seat that is out as 2:folded or 2:removed, not {shown(word)}.")
        out[Seat(number(seat, "A seat", 1, seats) - 1)] = Fate(fate)
    return tuple(sorted(out.items()))


def turn_of(game: Aetharn, found: Mapping[str, list[str]], seat: Seat, points: int) -> TurnState:
    hot = number_after(found, "hot", 0, game.hot_dice, 0)
    if "dice" not in found:
        if "held" in found:
            raise BadPosition("Held dice need a roll, such as dice 153326 held 12.")
        left = number_after(found, "left", 1, DICE, DICE)
        rolling = alone(found, "rolling") or bool(points) or left != DICE
        check_turn(game, points, (0,), left, hot)
        return TurnState(seat, points, dice_left=left, hot_dice_used=hot, rolling=rolling)
    if "left" in found or "rolling" in found:
        raise BadPosition("The dice have already landed: leave out left and rolling.")
    roll = digits(found["dice"], "A roll")
    held = (
        tuple(sorted(place - 1 for place in digits(found["held"], "The held dice", len(roll))))
        if "held" in found
        else ()
    )
    check_roll(game, roll, held)
    check_turn(game, points, worths(game, tuple(sorted(roll[at] for at in held))), len(roll), hot)
    return TurnState(seat, points, roll, held, len(roll) - len(held), hot)


def check_roll(game: Aetharn, roll: Faces, held: tuple[int, ...]) -> None:
    if len(roll) > DICE:
        raise BadPosition(f"A roll has 1 to {DICE} dice.")
    if game.table.busts(roll):
        raise BadPosition("This roll scores nothing, so the turn is over and there is nothing to decide.")
    if len(set(held)) < len(held):
        raise BadPosition("Hold each die only once.")
    if held and not game.table.points([roll[at] for at in held]):
        raise BadPosition("Every die you hold must score.")


def worths(game: Aetharn, held: Faces) -> tuple[int, ...]:
    """What dice of one roll can have earned: held together, or one group after the other (A5)."""
    whole = [grouping for grouping, _ in game.table.locks[held] if sum(map(len, grouping)) == len(held)]
    return tuple({sum(map(game.table.points, grouping)) for grouping in whole}) or (0,)


def check_turn(game: Aetharn, points: int, held: tuple[int, ...], dice: int, hot: int) -> None:
    if points < min(held):
        raise BadPosition(f"Held dice count towards the points of the turn: write at least +{min(held)}.")
    turns = TurnPoints(game.table, game.table.points, DICE)
    before = [points - worth for worth in sorted(held) if worth <= points]
    if not any(turns.possible(earlier, dice, hot) for earlier in before):
        times = f"with hot dice used {'once' if hot == 1 else f'{hot} times'}" if hot else "without hot dice"
        raise BadPosition(f"This cannot occur: no turn {times} has {before[0]} points when {counted(dice)} rolled.")


def counted(dice: int) -> str:
    return f"{dice} dice are" if dice > 1 else "one die is"


def check_idle(game: Aetharn, state: State) -> None:
    if not state.order and any(state.scores):
        raise BadPosition("This cannot occur: nobody has points before the order of play is drawn.")
    winner = max(range(len(state.scores)), key=lambda seat: state.scores[seat])
    if state.scores[winner] - most_in_a_turn(game) >= game.goal:
        raise BadPosition(f"This cannot occur: the game ends at {game.goal}, and no turn earns so much more.")
    if state.scores[winner] >= game.goal and Seat(winner) in dict(state.out):
        raise BadPosition("This cannot occur: the game ends when a seat reaches the goal, so it is not out.")
    if state.order and game.over(state) is None and set(state.remaining) - state.away:
        raise BadPosition("This cannot occur: a turn is in progress unless every remaining seat is away.")


def most_in_a_turn(game: Aetharn) -> int:
    return (game.hot_dice + 1) * max(game.table.points(row) * DICE // len(row) for row, _ in game.table.rows)


def checked(state: State) -> State:
    gone = {seat for seat, _ in state.out}
    if state.turn is not None and state.turn.seat in gone:
        raise BadPosition("The seat to act is out.")
    if gone & state.away:
        raise BadPosition("A seat that is out cannot be away, too.")
    if state.turn is not None and len(state.remaining) < 2:
        raise BadPosition("One seat is left, so the game is over.")
    return state
