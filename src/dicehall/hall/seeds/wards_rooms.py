"""Rooms of Dice Wards as they stand at one moment: a table of that game, however it was opened, is a room (W10)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce

from dicehall.core.game import Over, Refused, Seat
from dicehall.games.wards.rules import State, Wards
from dicehall.hall.cards import Card
from dicehall.hall.hall import Hall
from dicehall.hall.seeds.tales import Tale, tale_of
from dicehall.hall.seeds.wards_turns import Place, TurnBook, Turns, counted
from dicehall.hall.seeds.wards_words import GameStatus, GameView, Role, Room, RoomStatus, Scores, WardsError, Wrong
from dicehall.table.chairs import Chair, numbered
from dicehall.table.clocks import Kind, dues
from dicehall.table.requests import Code
from dicehall.table.state import TableState

ROLES = (Role.P1, Role.P2)
ROOM_STATUS = {"lobby": RoomStatus.WAITING, "playing": RoomStatus.IN_GAME, "asleep": RoomStatus.IN_GAME}
GAME_STATUS = {"lobby": GameStatus.WAITING, "playing": GameStatus.IN_PROGRESS, "asleep": GameStatus.IN_PROGRESS}


@dataclass(frozen=True, slots=True)
class Moment:
    """A room with all that is due in effect. A table that was destroyed is finished, and nobody won."""

    card: Card
    phase: str
    players: tuple[str | None, str | None]
    position: State
    winner: Seat | None
    turns: Turns
    expires_at: int | None

    @property
    def waits(self) -> bool:
        return self.phase == "lobby"

    @property
    def finished(self) -> bool:
        return self.phase in ("over", "abandoned")


@dataclass(frozen=True, slots=True)
class Rooms:
    hall: Hall
    turns: TurnBook = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "turns", TurnBook(self.hall.host.history))

    async def card(self, room: object) -> Card:
        if not isinstance(room, str):
            raise WardsError(Wrong.INVALID_STATE, "A room id must be text.")
        card = await self.hall.parts.register.card(room)
        if card is None or card.game != Wards.key or card.challenge is not None:
            raise WardsError(Wrong.ROOM_NOT_FOUND, "There is no such room.")
        return card

    async def look(self, card: Card) -> Moment:
        """A room as it is now: time-outs that are due have taken effect (W6)."""
        try:
            live = await self.hall.host.look(card.table)
        except Refused as refused:
            if refused.code != Code.NO_SUCH_TABLE:
                raise
            return from_tale(await tale_of(self.hall, card))
        return await self.after(card, live.state.seq)

    async def after(self, card: Card, n: int) -> Moment:
        """A room right after act number n, or as it ended where only its record is left."""
        place = await self.turns.at(card.table, n)
        return from_tale(await tale_of(self.hall, card)) if place is None else from_place(card, place)


def from_place(card: Card, place: Place) -> Moment:
    state = place.state
    over = state.awaited
    return Moment(
        card=card,
        phase=state.phase,
        players=players_of(state),
        position=state.position if state.sitting else State(),
        winner=over.winner if isinstance(over, Over) else None,
        turns=place.turns,
        expires_at=next((due.at for due in dues(state) if due.kind is Kind.TURN), None),
    )


def from_tale(tale: Tale) -> Moment:
    """An archived room; the players of a game that counts for nobody are not in it."""
    over = None if tale.position is None else tale.game.awaits(tale.position)
    players = [player_id(sitter.account, sitter.bot) for sitter in tale.sitters] or [None, None]
    begun = Turns() if tale.started_at is None else Turns(1, tale.started_at, tale.started_at)
    return Moment(
        card=tale.card,
        phase=tale.phase,
        players=(players[0], players[1]),
        position=State() if tale.position is None else tale.position,
        winner=over.winner if isinstance(over, Over) else None,
        turns=reduce(lambda turns, one: counted(turns, *one), tale.happened, begun),
        expires_at=None,
    )


def players_of(state: TableState) -> tuple[str | None, str | None]:
    """Who plays, by seat; in a lobby by chair."""
    if state.sitting:
        first, second = state.chairs
        return seated(first), seated(second)
    return seated(numbered(state.chairs, 0)), seated(numbered(state.chairs, 1))


def seated(chair: Chair | None) -> str | None:
    return None if chair is None else player_id(chair.account, chair.bot)


def player_id(account: str | None, bot: str | None) -> str | None:
    """A person's account; a bot has none, and is named as no account can be."""
    return f"bot:{bot}" if account is None and bot is not None else account


def show_room(moment: Moment) -> Room:
    card = moment.card
    return Room(
        id=card.table,
        name=card.name,
        owner=card.opener,
        player1=moment.players[0],
        player2=moment.players[1],
        status=ROOM_STATUS.get(moment.phase, RoomStatus.FINISHED),
        gameId=card.table,
        createdAt=card.opened_at,
    )


def show_game(moment: Moment, me: Role | None, now: int) -> GameView:
    """The view of W13. Times belong to a turn, so there are none before the start and after the finish."""
    position, expires = moment.position, moment.expires_at
    active = position.seat if moment.winner is None else moment.winner
    return GameView(
        roomId=moment.card.table,
        player1=moment.players[0],
        player2=moment.players[1],
        status=GAME_STATUS.get(moment.phase, GameStatus.FINISHED),
        scores=Scores(*position.scores),
        roundScore=position.round_score,
        activePlayer=ROLES[active],
        turnId=moment.turns.number,
        turnStartedAt=None if moment.finished else moment.turns.since,
        turnExpiresAt=expires,
        lastRoll=position.last_roll,
        winner=None if moment.winner is None else ROLES[moment.winner],
        createdAt=moment.turns.started_at,
        me=me,
        remainingMs=None if expires is None else max(0, expires - now),
    )
