"""Aetharn's own interface: tables, chairs and observer spots of a game world, and the games that are played there.

A venue gives it a hall on a journal in memory, so that its games live as long as the process does (A20).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Hashable, Iterable, Mapping
from dataclasses import dataclass, field

from dicehall.core.game import Refused
from dicehall.core.text import only_visible
from dicehall.games.aetharn.rules import Aetharn
from dicehall.hall.hall import Hall
from dicehall.hall.opening import NAME, Opening
from dicehall.hall.seeds.aetharn_events import Callback, Happened, Stop, Subscribers, heard
from dicehall.hall.seeds.aetharn_game import AetharnGame
from dicehall.hall.seeds.aetharn_shapes import GamePhase
from dicehall.hall.seeds.named import with_names
from dicehall.table.requests import Code

HOUSE = "venue:aetharn"  # who opens the tables; nobody's account
OVER = (GamePhase.ENDED, GamePhase.ABANDONED)


@dataclass(slots=True, eq=False)
class Place:
    """A table of the venue, with its chairs by number."""

    table: Hashable
    chairs: tuple[Hashable, ...]
    game: AetharnGame | None = None
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)


class AetharnService:
    def __init__(self, hall: Hall, rules: Mapping[str, int | None] | None = None) -> None:
        self.hall = with_names(hall, {HOUSE: "The house"})
        self.rules = dict(rules or {})
        self.subscribers = Subscribers()
        self.places: dict[Hashable, Place] = {}
        self.place_of_chair: dict[Hashable, Place] = {}
        self.place_of_observer: dict[Hashable, Place] = {}
        self.games: dict[str, AetharnGame] = {}

    # -- events -----------------------------------------------------------------------------------------

    def subscribe(self, callback: Callback, *names: str) -> Stop:
        """Hear of GameCreated and GameDestroyed."""
        return self.subscribers.subscribe(callback, *names)

    def events(self) -> AsyncGenerator[Happened, None]:
        return heard(self.subscribe)

    # -- what stands where ---------------------------------------------------------------------------------

    def register_table(self, table: Hashable, chairs: Iterable[Hashable]) -> None:
        """A table with its chairs; more than a game has seats are left out."""
        known = tuple(dict.fromkeys(chairs))[: Aetharn.seats[-1]]
        if len(known) < Aetharn.seats[0]:
            raise Refused(Code.BAD_REQUEST, f"A table needs at least {Aetharn.seats[0]} chairs.")
        if table in self.places or any(chair in self.place_of_chair for chair in known):
            raise Refused(Code.BAD_REQUEST, "This table, or one of its chairs, is already registered.")
        place = self.places[table] = Place(table, known)
        self.place_of_chair |= dict.fromkeys(known, place)

    def register_observer(self, observer: Hashable, table: Hashable) -> None:
        self.place_of_observer[observer] = self.found(self.places, table, "table")

    def found(self, places: Mapping[Hashable, Place], key: Hashable, what: str) -> Place:
        if key not in places:
            raise Refused(Code.NO_SUCH_TABLE, f"No {what} with this name is registered.")
        return places[key]

    # -- games ----------------------------------------------------------------------------------------------

    async def get_or_create_lobby(self, table: Hashable) -> AetharnGame:
        """The game at a table; where there is none, or it is over, a new lobby."""
        place = self.found(self.places, table, "table")
        async with place.opening:
            if place.game is not None and place.game.phase not in OVER:
                return place.game
            if place.game is not None:
                self.drop(place.game)
            return await self.create(place)

    async def create(self, place: Place) -> AetharnGame:
        name = only_visible(str(place.table))[:NAME]
        game_id = await self.hall.open(HOUSE, Opening("aetharn", self.rules, name, len(place.chairs)))
        live = await self.hall.host.reach(game_id)
        game = AetharnGame(self.hall, place.table, place.chairs, live, self.drop)
        place.game = self.games[game_id] = game
        self.subscribers.tell("GameCreated", game_id=game_id, table=place.table)
        return game

    def get_game(self, game_id: str) -> AetharnGame | None:
        return self.games.get(game_id)

    def get_game_for_table(self, table: Hashable) -> AetharnGame | None:
        return game_at(self.places.get(table))

    def get_game_for_chair(self, chair: Hashable) -> AetharnGame | None:
        return game_at(self.place_of_chair.get(chair))

    def get_active_games(self) -> tuple[AetharnGame, ...]:
        return tuple(game for game in self.games.values() if game.phase not in OVER)

    async def destroy_game(self, game_id: str, why: str = "The table was destroyed.") -> None:
        """End a game for all, or clear away one that is over."""
        game = self.games.get(game_id)
        if game is None:
            raise Refused(Code.NO_SUCH_TABLE, "There is no such game.")
        if game.phase in OVER:
            self.drop(game)
        else:
            await self.hall.destroy(None, game_id, why, operator=True)  # the feed hears of it, and drops the game

    def drop(self, game: AetharnGame) -> None:
        if self.games.pop(game.game_id, None) is None:
            return
        self.places[game.table].game = None
        for subscribers in (self.subscribers, game.subscribers):
            subscribers.tell("GameDestroyed", game_id=game.game_id, table=game.table)
        game.dispose()

    # -- what players do ------------------------------------------------------------------------------------

    async def on_chair_used(self, chair: Hashable, player: str) -> AetharnGame:
        """Sit down: the first at a table makes its lobby, in a running game one comes back."""
        place = self.found(self.place_of_chair, chair, "chair")
        game = await self.get_or_create_lobby(place.table)
        await game.player_sat_down(player, chair)
        return game

    async def on_player_left_chair(self, chair: Hashable, player: str) -> None:
        """Stand up. Who has sat down in another chair meanwhile has not left the table."""
        game = self.get_game_for_chair(chair)
        if game is None or not any(one.player == player and one.assigned_chair == chair for one in game.players):
            return
        await game.player_stood_up(player)

    async def on_observer_used(self, observer: Hashable, player: str) -> AetharnGame:
        game = self.found(self.place_of_observer, observer, "observer").game
        if game is None:
            raise Refused(Code.NO_SUCH_TABLE, "Nobody is playing at this table.")
        await game.add_spectator(player)
        return game

    async def on_player_disconnected(self, player: str) -> None:
        """The connection of a player to the world is lost: their seats get the grace, their windows close."""
        for game in tuple(self.games.values()):
            game.player_disconnected(player)
            await game.remove_spectator(player)


def game_at(place: Place | None) -> AetharnGame | None:
    return None if place is None else place.game
