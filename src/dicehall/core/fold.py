"""Applying entries to games, with the checks that are the same for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from dicehall.core.game import (
    A,
    Attend,
    Awaited,
    Dice,
    Entry,
    Expired,
    Faces,
    Game,
    Move,
    Over,
    Refusal,
    Refused,
    Roll,
    S,
    Seat,
    Step,
    Turn,
    Unknown,
)

T = TypeVar("T")


def play(game: Game[S, A, Any], state: S, entry: Entry[A], awaited: Awaited | None = None) -> Step[S]:
    """Apply one entry, or raise Refused and change nothing; *awaited* is what the game waits for, if that is known."""
    if awaited is None:
        awaited = game.awaits(state)
    if isinstance(awaited, Over):
        raise Refused(Refusal.GAME_FINISHED, "The game is over.")
    if isinstance(entry, Roll):
        check_dice(awaited, entry.faces)
    elif not 0 <= entry.seat < game.count(state):
        raise Refused(Refusal.NO_SUCH_SEAT, f"There is no seat {entry.seat} in a game of {game.count(state)}.")
    elif isinstance(awaited, Dice):  # C7: nothing happens between a roll and its dice
        raise Refused(Refusal.AWAITING_DICE, "The dice are still rolling.")
    else:
        check_turn(game, state, awaited, entry)
    return game.step(state, entry)


def check_dice(awaited: Dice | Turn, faces: Faces) -> None:
    if not isinstance(awaited, Dice):
        raise Refused(Refusal.NO_DICE_AWAITED, "No roll is pending.")
    if not fits(faces, awaited.sides):
        raise Refused(Refusal.WRONG_DICE, f"These dice do not match the roll: it needs {described(awaited.sides)}.")


def check_turn(game: Game[S, A, Any], state: S, turn: Turn, entry: Move[A] | Expired | Attend) -> None:
    match entry:
        case Move():
            if refused := game.barred(state, entry.seat):
                raise refused
            if entry.seat not in turn.seats and (isinstance(entry.action, Unknown) or not game.anytime(entry.action)):
                raise not_your_turn(entry.seat)
            if isinstance(entry.action, Unknown):
                raise Refused(Refusal.BAD_MOVE, f"{entry.action.asked} is not a valid move.")
        case Expired():
            if entry.seat not in turn.seats:
                raise not_your_turn(entry.seat)
        case Attend():
            return


def not_your_turn(seat: Seat) -> Refused:
    return Refused(Refusal.NOT_YOUR_TURN, f"It is not seat {seat}'s turn.")


def replay(game: Game[S, A, Any], seats: int, log: Iterable[Entry[A]]) -> S:
    """Rebuild a game from its log alone."""
    state = game.start(seats)
    for entry in log:
        state = play(game, state, entry).state
    return state


def fits(faces: Faces, sides: Faces) -> bool:
    """Whether dice with these sides can show these faces."""
    if len(faces) != len(sides):
        return False
    for at, n in enumerate(sides):  # noqa: SIM110  # every roll comes through here, and a loop is quickest
        if not 1 <= faces[at] <= n:
            return False
    return True


def described(sides: Faces) -> str:
    kinds = [(sides.count(n), n) for n in sorted(set(sides))]
    return ", ".join(f"{count} {'die' if count == 1 else 'dice'} with {n} sides" for count, n in kinds)


def order_of(n: int) -> Faces:
    """The dice that draw a fair order of *n* things: n sides, then n-1, down to 2."""
    return tuple(range(n, 1, -1))


def ordered(things: Sequence[T], faces: Faces) -> tuple[T, ...]:
    """Read dice of :func:`order_of` as an order of *things*: face k is the k-th not yet placed."""
    rest = list(things)
    return tuple(rest.pop(face - 1) for face in (*faces, 1)) if rest else ()
