"""Dice Wards' own interface: Profiles, Lobbies and GameEngine with the seed's methods and errors (W10-W13).

All three are views of the one hall and keep no state. The caller comes first: an account, nobody, or
the operator. Arguments come as they were sent, so a wrong one gets the seed's own error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from dicehall.core.game import Refused
from dicehall.games.wards.rules import Action, Wards
from dicehall.hall.cards import Card
from dicehall.hall.codes import Code
from dicehall.hall.names import read_name
from dicehall.hall.opening import Opening
from dicehall.hall.ports import Account
from dicehall.hall.register import LAST_PAGE, Filter, Register
from dicehall.hall.seeds.tales import unless_frozen
from dicehall.hall.seeds.wards_callers import operator, page_number, person, signed_in, text, wanted_status
from dicehall.hall.seeds.wards_rooms import ROLES, Moment, Rooms, show_game, show_room
from dicehall.hall.seeds.wards_words import (
    Caller,
    GameView,
    Profile,
    Room,
    RoomStatus,
    WardsError,
    Wrong,
    seeds_names,
)
from dicehall.table.requests import Sit

STATUSES = {
    RoomStatus.WAITING: ("lobby",),
    RoomStatus.IN_GAME: ("playing", "asleep"),
    RoomStatus.FINISHED: ("over", "abandoned"),
}


class Named(Protocol):
    """What these doors need of the hall's people."""

    async def account(self, id: str) -> Account: ...
    async def rename(self, id: str, name: str) -> Account: ...


@dataclass(frozen=True, slots=True)
class Profiles:
    people: Named
    register: Register

    async def upsertProfile(self, caller: Caller, username: object = None) -> Profile:
        account, name = person(caller), text(username, "username")
        with seeds_names():
            return await self.profile(await self.people.rename(account, name))

    async def getMyProfile(self, caller: Caller) -> Profile | None:
        return await self.known(person(caller))

    async def getProfile(self, caller: Caller, playerId: object = None) -> Profile | None:
        signed_in(caller)
        return await self.known(text(playerId, "playerId"))

    async def onGameFinished(self, caller: Caller, winnerId: object = None, loserId: object = None) -> None:
        """Nothing is left to do: the game was counted by the act that ended it (W12, decision 012)."""
        operator(caller)
        text(winnerId, "winnerId")
        text(loserId, "loserId")

    async def known(self, account: str) -> Profile | None:
        try:
            return await self.profile(await self.people.account(account))
        except Refused as refused:
            if refused.code != Code.NO_SUCH_ACCOUNT:
                raise
            return None

    async def profile(self, account: Account) -> Profile:
        counts = {count.game: count for count in await self.register.counts(account.id)}
        mine = counts.get(Wards.key)
        played, won = (mine.played, mine.won) if mine else (0, 0)
        return Profile(account.id, account.name, account.created, played, won)


@dataclass(frozen=True, slots=True)
class Lobbies:
    rooms: Rooms

    async def createRoom(self, caller: Caller, name: object = None) -> Room:
        """A room with its creator in seat 0, who stays Player1 until they leave, whether they ask about it or not."""
        account, wanted = person(caller), text(name, "name")
        hall = self.rooms.hall
        with seeds_names():
            opening = Opening(Wards.key, name=read_name(wanted).text, drawn=False)
            table = await hall.open(account, opening, reserved=(account, None), keeps_opener=True)
            await hall.sit(account, table, seat=0)
        return show_room(await self.rooms.look(await self.rooms.card(table)))

    async def joinRoom(self, caller: Caller, roomId: object = None) -> str:
        """Sit down, which starts the game; returns the game's id, which is the room's (W10).

        Only its owner can sit down in an empty room: for anybody else there would be no game to start.
        """
        account = person(caller)
        card = await self.rooms.card(roomId)
        moment = await self.rooms.look(card)
        if account in moment.players:
            raise WardsError(Wrong.ALREADY_IN_ROOM, "You are already in this room.")
        if not moment.waits:
            raise WardsError(Wrong.ROOM_FULL, "This room is full.")
        with seeds_names():
            await self.rooms.hall.sit(account, card.table, last=account != card.opener)
        return card.table

    async def listRooms(self, caller: Caller, status: object = None, page: object = None) -> list[Room]:
        """Rooms that all may see, the newest first; pages count from 0, and those after the last are empty."""
        signed_in(caller)
        wanted, number = wanted_status(status), page_number(page)
        if number > LAST_PAGE:
            return []
        phases = () if wanted is None else STATUSES[wanted]
        found = await self.rooms.hall.parts.register.find(Filter(Wards.key, phases), number)
        moments = [await unless_frozen(self.rooms.hall, one.card, self.rooms.look(one.card)) for one in found]
        rooms = [show_room(moment) for moment in moments if moment is not None]
        return [room for room in rooms if wanted in (None, room.status)]

    async def getRoom(self, caller: Caller, roomId: object = None) -> Room:
        signed_in(caller)
        return show_room(await self.rooms.look(await self.rooms.card(roomId)))


@dataclass(frozen=True, slots=True)
class GameEngine:
    rooms: Rooms

    async def initGame(
        self, caller: Caller, roomId: object = None, player1Id: object = None, player2Id: object = None
    ) -> GameView:
        """Seat these two in a room that waits, which starts its game; the second join does the same by itself."""
        operator(caller)
        text(roomId, "roomId")
        players = (text(player1Id, "player1Id"), text(player2Id, "player2Id"))
        card = await self.rooms.card(roomId)
        moment = await self.rooms.look(card)
        if not moment.waits:
            raise WardsError(Wrong.INVALID_STATE, "This room already has a game.")
        self.check_places(moment, players)
        with seeds_names(always=Wrong.INVALID_STATE):
            await self.seat(card, moment, players)
        return self.shown(await self.rooms.look(card), None)

    def check_places(self, moment: Moment, players: Sequence[str]) -> None:
        if players[0] == players[1]:
            raise WardsError(Wrong.INVALID_STATE, "The two players must be different.")
        for there, player in zip(moment.players, players, strict=True):
            if there not in (None, player):
                raise WardsError(Wrong.INVALID_STATE, "Another player is already in this room.")

    async def seat(self, card: Card, moment: Moment, players: Sequence[str]) -> None:
        hall = self.rooms.hall
        names = [await hall.parts.name(player) for player in players]
        free = [chair for chair, there in enumerate(moment.players) if there is None]
        for chair in free:
            await hall.ask(players[chair], card.table, Sit(names[chair], chair, last=chair == free[-1]))

    async def roll(self, caller: Caller, roomId: object = None) -> GameView:
        return await self.act(caller, roomId, Action.ROLL)

    async def hold(self, caller: Caller, roomId: object = None) -> GameView:
        return await self.act(caller, roomId, Action.HOLD)

    async def getGameState(self, caller: Caller, roomId: object = None) -> GameView:
        """The game with every time-out that is due in effect (W6)."""
        account = person(caller)
        return self.shown(await self.played(account, await self.rooms.card(roomId)), account)

    async def checkTimeout(self, caller: Caller, roomId: object = None) -> GameView:
        """Looking is all it takes: clocks do not wait for anybody to ask."""
        return await self.getGameState(caller, roomId)

    async def act(self, caller: Caller, roomId: object, action: Action) -> GameView:
        account = person(caller)
        card = await self.rooms.card(roomId)
        if (await self.played(account, card)).finished:
            raise WardsError(Wrong.GAME_FINISHED, "The game is over.")
        with seeds_names():
            answer = await self.rooms.hall.act(account, card.table, action.value)
        return self.shown(await self.rooms.after(card, answer.n), account)

    async def played(self, account: str, card: Card) -> Moment:
        """A game as one of its players may see it."""
        moment = await self.rooms.look(card)
        if account not in moment.players:
            raise WardsError(Wrong.UNAUTHORIZED, "You are not playing in this room.")
        if moment.waits:
            raise WardsError(Wrong.INVALID_STATE, "This room is still waiting for a player.")
        return moment

    def shown(self, moment: Moment, account: str | None) -> GameView:
        me = None if account is None else ROLES[moment.players.index(account)]
        return show_game(moment, me, self.rooms.hall.host.parts.clock.now())
