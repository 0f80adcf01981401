"""DO or DICE in the seed's own shapes, read off a table and what was told of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from dicehall.games.doordice.rules import View
from dicehall.games.doordice.standings import Ranked
from dicehall.hall.seeds.doordice_history import HistoryLine
from dicehall.table.chairs import Chair
from dicehall.table.state import TableState

HOT_SEAT = "hotseat:"  # how the account of somebody at the keyboard begins; no principal has a colon in it

PlayerKind: TypeAlias = Literal["account", "hot_seat", "bot"]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at the keyboard."""

    name: str
    avatar: str = ""  # empty: the next of the drawn set


@dataclass(frozen=True, slots=True)
class Bot:
    level: str = "greedy"


@dataclass(frozen=True, slots=True)
class Player:
    id: int  # the seat; what targets are named by
    name: str
    avatar: str
    kind: PlayerKind
    hp: int
    vp: int
    is_alive: bool
    fallen_rounds_count: int
    last_targeted_id: int | None


@dataclass(frozen=True, slots=True)
class GameState:
    current_round: int
    turn_index: int  # whose turn it is, or was when the game ended
    players_list: tuple[Player, ...]
    game_over: bool
    logs: tuple[str, ...]
    last_roll: int | None
    effects: tuple[str, ...]  # what the player on turn may choose from; empty while no choice is due
    targets: tuple[int, ...]
    ranking: tuple[Ranked, ...]

    @property
    def players(self) -> tuple[Player, ...]:
        return self.players_list

    @property
    def current_player(self) -> Player:
        return self.players_list[self.turn_index]


@dataclass(frozen=True, slots=True)
class RollResult:
    player_id: int
    value: int
    alive: bool  # which table the value was read on
    effects: tuple[str, ...]  # to choose from; empty where the roll resolved itself
    targets: tuple[int, ...]
    happened: tuple[HistoryLine, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    target_id: int | None = None
    effect: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What a player is asked in their turn; *error* says what was wrong with the answer before."""

    player: Player
    value: int
    effects: tuple[str, ...]
    targets: tuple[int, ...]
    error: ValidationError | None = None


class ValidationError(Exception):
    """The rules, or the hall, say no; nothing has changed."""

    def __init__(self, code: str, sentence: str, options: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.options = options  # what could have been named


def kind_of(account: str | None) -> PlayerKind:
    if account is None:
        return "bot"
    return "hot_seat" if account.startswith(HOT_SEAT) else "account"


def players_of(state: TableState, avatars: dict[str, str]) -> tuple[Player, ...]:
    view: View = state.game.view(state.position, None)
    return tuple(player(seat, chair, view, avatars) for seat, chair in enumerate(state.chairs))


def player(seat: int, chair: Chair, view: View, avatars: dict[str, str]) -> Player:
    return Player(
        id=seat,
        name=chair.name,
        avatar="bot" if chair.account is None else avatars[chair.account],
        kind=kind_of(chair.account),
        hp=view.hp[seat],
        vp=view.vp[seat],
        is_alive=view.hp[seat] > 0,
        fallen_rounds_count=view.fallen_rounds[seat],
        last_targeted_id=view.last_targets[seat],
    )
