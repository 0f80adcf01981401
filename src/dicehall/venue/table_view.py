"""What everybody at a table sees, as the values of the windows' binds: scoreboard, turn, dice, clock.

Read off the table each time; nothing here decides anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dicehall.hall.seeds.aetharn_events import Happened
from dicehall.hall.seeds.aetharn_game import AetharnGame
from dicehall.hall.seeds.aetharn_shapes import (
    PHASES,
    AetharnPlayer,
    GamePhase,
    PlayerPresence,
    TurnState,
    grace_deadline,
    on_turn,
    players_of,
    turn_deadline,
    turn_of,
    winner_of,
)
from dicehall.table.state import TableState
from dicehall.venue.dice_picture import DICE, HELD, LOOSE, SELECTED, die_binds
from dicehall.venue.nui import Json, color

PLAIN, CURRENT, FAINT = color(220, 220, 220), color(255, 210, 90), color(150, 150, 150)


@dataclass(slots=True)
class HeldDice:
    """The dice set aside in the running turn, with their points, as they were told."""

    faces: list[int] = field(default_factory=list)
    points: int = 0

    def hear(self, event: Happened) -> None:
        fresh = event.name == "DiceRolled" and len(event["dice_values"]) == DICE
        if fresh or event.name in ("TurnStarted", "TurnEnded"):
            self.faces, self.points = [], 0
        elif event.name == "DiceHeld":
            self.faces += event["held_dice_values"]
            self.points += event["points_from_held"]


@dataclass(frozen=True, slots=True)
class Shown:
    """A table at one moment."""

    game: AetharnGame
    state: TableState
    now: int
    held: HeldDice
    news: str

    @property
    def phase(self) -> GamePhase:
        return PHASES[self.state.phase]

    @property
    def players(self) -> tuple[AetharnPlayer, ...]:
        return players_of(self.state, self.game.chairs)

    @property
    def turn(self) -> TurnState | None:
        return turn_of(self.state, self.game.chairs)

    def player(self, account: str) -> AetharnPlayer | None:
        return next((one for one in self.players if one.player == account), None)

    def grace_left(self, account: str | None) -> int:
        """In whole seconds."""
        deadline = grace_deadline(self.state, account)
        return 0 if deadline is None else seconds(deadline - self.now)


def seconds(ms: int) -> int:
    return max(0, -(-ms // 1000))


def table_binds(shown: Shown, account: str | None, ticks: frozenset[int] = frozenset()) -> dict[str, Any]:
    """The binds that both windows have; *account* is whose window it is."""
    turn = shown.turn
    return {
        **board_binds(shown, account),
        **clock_binds(shown),
        **dice_binds(turn, ticks),
        "turn": turn_line(shown, turn),
        "points": points_line(shown, turn),
        "held": "" if turn is None else held_line(shown.held),
        "news": shown.news,
    }


# -- scoreboard ---------------------------------------------------------------------------------------


def board_binds(shown: Shown, account: str | None) -> dict[str, Any]:
    players = in_order(shown.state, shown.players)
    current = on_turn(shown.state)
    marks = [">" if one.seat == current and shown.phase is GamePhase.IN_PROGRESS else "" for one in players]
    hues = [CURRENT if mark else hue_of(one) for mark, one in zip(marks, players, strict=True)]
    return {
        "board_rows": len(players),
        "board_mark": marks,
        "board_name": [one.name + (" (you)" if one.player == account and account else "") for one in players],
        "board_score": ["" if shown.phase is GamePhase.LOBBY else f"{one.score} pts" for one in players],
        "board_note": [note_of(shown, one, bool(mark)) for mark, one in zip(marks, players, strict=True)],
        "board_color": hues,
    }


def in_order(state: TableState, players: Sequence[AetharnPlayer]) -> list[AetharnPlayer]:
    order = state.position.order if state.sitting else ()
    return [players[seat] for seat in order] if order else list(players)


def hue_of(player: AetharnPlayer) -> Json:
    return FAINT if player.has_folded or player.presence is not PlayerPresence.PRESENT else PLAIN


def note_of(shown: Shown, player: AetharnPlayer, current: bool) -> str:
    if winner_of(shown.state) == player.seat and shown.phase is GamePhase.ENDED:
        return "winner"
    if player.presence is PlayerPresence.GONE:
        return "removed"
    if player.has_folded:
        return "folded"
    if player.presence is PlayerPresence.ABSENT:
        return f"absent, {shown.grace_left(player.player)} s left"
    return "current turn" if current else ""


# -- turn ---------------------------------------------------------------------------------------------


def turn_line(shown: Shown, turn: TurnState | None) -> str:
    if shown.phase is GamePhase.LOBBY:
        return f"Waiting to start: {len(shown.players)} of {len(shown.game.chairs)} seats taken"
    if turn is not None:
        return f"Current turn: {turn.player.name}"
    return "The game is over" if shown.state.ended else "It is nobody's turn"


def points_line(shown: Shown, turn: TurnState | None) -> str:
    if shown.phase is GamePhase.LOBBY:
        return f"The first to bank {shown.game.winning_score} points wins."
    return "" if turn is None else f"Turn points: {turn.accumulated_points}"


def held_line(held: HeldDice) -> str:
    if not held.faces:
        return "Held: none"
    return f"Held: {spaced(held.faces)} = {held.points} pts"


def spaced(faces: Sequence[int]) -> str:
    return " ".join(f"[{face}]" for face in faces)


def clock_binds(shown: Shown) -> dict[str, Any]:
    deadline, limit = turn_deadline(shown.state), shown.game.turn_time_limit
    if deadline is None or not limit:
        return {"timer": "", "timer_left": 0.0, "timer_shown": False}
    left = min(seconds(deadline - shown.now), limit // 1000)
    share = round(left * 1000 / limit, 3)
    return {"timer": f"{left // 60}:{left % 60:02}", "timer_left": share, "timer_shown": True}


def dice_binds(turn: TurnState | None, ticks: frozenset[int]) -> dict[str, Any]:
    faces = () if turn is None else turn.current_dice
    held = () if turn is None else turn.held_dice
    binds: dict[str, Any] = {}
    for at in range(DICE):
        hue = HELD if at in held else SELECTED if at in ticks else LOOSE
        binds |= die_binds(at, faces[at] if at < len(faces) else None, hue)
    return binds
