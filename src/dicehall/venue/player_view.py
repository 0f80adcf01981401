"""What one person sees beside what everybody sees: tick boxes, buttons, and what to do now.

A button can be pressed where the rules would accept what it does; no rule is written here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dicehall.core.fold import play
from dicehall.core.game import Move, Refused, Seat
from dicehall.games.aetharn.actions import Action, Hold, Word
from dicehall.games.aetharn.rules import Aetharn
from dicehall.hall.seeds.aetharn_shapes import AetharnPlayer, GamePhase, PlayerPresence, winner_of
from dicehall.venue.dice_picture import DICE
from dicehall.venue.table_view import Shown, spaced, table_binds

START, AGAIN = "START", "NEW GAME"


@dataclass(frozen=True, slots=True)
class Options:
    """What the rules would accept of a seat that holds the ticked dice first."""

    ticks: frozenset[int] = frozenset()
    tickable: frozenset[int] = frozenset()
    points: int | None = None  # of the ticked dice; None where they cannot be held
    roll: bool = False
    bank: bool = False
    fold: bool = False


NOTHING = Options()


def options_of(shown: Shown, player: AetharnPlayer | None, ticks: frozenset[int]) -> Options:
    state = shown.state
    if player is None or not state.running or player.presence is not PlayerPresence.PRESENT:
        return NOTHING
    game: Aetharn = state.game  # type: ignore[assignment]  # the tables of a venue play nothing else
    position, seat = state.position, Seat(player.seat)
    choices = game.choices(position, seat)
    tickable = frozenset(at for choice in choices if isinstance(choice, Hold) for at in choice.dice)
    ticked = ticks & tickable
    hold: Action = Hold(tuple(sorted(ticked)))
    after: tuple[Action, ...] = choices
    if ticked:
        after = game.choices(play(game, position, Move(seat, hold)).state, seat) if hold in choices else ()
    points = game.worth(position, hold) if hold in choices else None
    fold = accepts(game, position, seat, Word.FOLD)
    return Options(ticked, tickable, points, Word.ROLL in after, Word.BANK in after, fold)


def accepts(game: Aetharn, position: Any, seat: Seat, action: Action) -> bool:
    try:
        play(game, position, Move(seat, action))
    except Refused:
        return False
    return True


def player_binds(shown: Shown, account: str, ticks: frozenset[int], asking: bool) -> dict[str, Any]:
    """All binds of the player's window; *asking*: whether they were asked if they really fold."""
    player = shown.player(account)
    options = options_of(shown, player, ticks)
    return {
        **table_binds(shown, account, options.ticks),
        **{f"tick{at}": at in options.ticks for at in range(DICE)},
        **{f"tick{at}_on": at in options.tickable for at in range(DICE)},
        "selected": selected_line(shown, options),
        "roll_on": options.roll,
        "bank_on": options.bank,
        "fold_on": options.fold,
        "asking": asking and options.fold,
        **start_binds(shown),
        "status": status_of(shown, player, options),
    }


def spectator_binds(shown: Shown, account: str) -> dict[str, Any]:
    return {**table_binds(shown, account), "status": watching_line(shown)}


def start_binds(shown: Shown) -> dict[str, Any]:
    if shown.state.ended:
        return {"start_label": AGAIN, "start_on": True, "start_shown": True}
    lobby = shown.phase is GamePhase.LOBBY
    return {"start_label": START, "start_on": lobby and can_start(shown), "start_shown": lobby}


def can_start(shown: Shown) -> bool:
    return len(shown.players) >= shown.state.game.seats[0]


def selected_line(shown: Shown, options: Options) -> str:
    turn = shown.turn
    if turn is None or not options.tickable:
        return ""
    if not options.ticks:
        return "Selected: none"
    faces = spaced([turn.current_dice[at] for at in sorted(options.ticks)])
    if options.points is not None:
        return f"Selected: {faces} = {options.points} pts"
    return f"Selected: {faces} {'does not score alone' if len(options.ticks) == 1 else 'do not score together'}"


# -- what to do now -----------------------------------------------------------------------------------


def status_of(shown: Shown, player: AetharnPlayer | None, options: Options) -> str:
    if player is None or shown.state.ended:
        return over_line(shown)
    if shown.phase is GamePhase.LOBBY:
        return lobby_line(shown)
    if player.has_folded:
        return "You are out of this game, but you can see how it ends."
    if player.presence is PlayerPresence.ABSENT:
        return f"Sit down again within {shown.grace_left(player.player)} s, or you are out."
    if shown.state.phase == "asleep":
        return "Paused: nobody is playing. The next roll resumes the game."
    turn = shown.turn
    if turn is None or turn.player.seat != player.seat:
        return waiting_line(shown)
    return turn_advice(options, rolled=bool(turn.current_dice))


def turn_advice(options: Options, *, rolled: bool) -> str:
    if options.ticks and options.points is None:
        return "This does not score alone." if len(options.ticks) == 1 else "These dice do not score together."
    match options.roll, options.bank:
        case True, True:
            return "Roll the other dice, or bank your points."
        case True, False:
            return "Your turn: roll the dice." if not rolled else "Roll again."
        case False, True:
            return "Bank your points."
    return "Select dice to hold, then Roll or Bank."


def lobby_line(shown: Shown) -> str:
    if can_start(shown):
        return "Press START when everybody has sat down."
    return f"A game needs {shown.state.game.seats[0]} players: wait for somebody to sit down."


def waiting_line(shown: Shown) -> str:
    turn = shown.turn
    return "Waiting for a player to come back." if turn is None else f"Waiting for {turn.player.name}."


def watching_line(shown: Shown) -> str:
    if shown.state.ended:
        return over_line(shown)
    return lobby_line(shown) if shown.phase is GamePhase.LOBBY else waiting_line(shown)


def over_line(shown: Shown) -> str:
    seat = winner_of(shown.state)
    return "The game was abandoned." if seat is None else f"{shown.players[seat].name} wins!"
