"""The tables of a venue: what players do at chairs, observer spots and windows, as Aetharn's own service sees it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial

from dicehall.core.fold import play
from dicehall.core.game import Move, Refused, Seat
from dicehall.games.aetharn.actions import Action, Hold, Word
from dicehall.hall.hall import Hall
from dicehall.hall.seeds.aetharn import OVER, AetharnService
from dicehall.hall.seeds.aetharn_events import Happened
from dicehall.hall.seeds.aetharn_game import AetharnGame
from dicehall.hall.seeds.aetharn_shapes import AetharnPlayer, GamePhase, PlayerPresence
from dicehall.hall.seeds.named import with_names
from dicehall.table.requests import Code
from dicehall.venue.command_log import CommandLog
from dicehall.venue.layout import Venue, VenueTable
from dicehall.venue.player_view import AGAIN
from dicehall.venue.tableside import ANNOUNCED, DESTROYED, NEW_DICE, UNSEEN, Tableside
from dicehall.venue.visitors import Visitor, Visitors
from dicehall.venue.window_layout import PLAYER, SPECTATOR
from dicehall.venue.windows import Window, Windows


class Tables:
    def __init__(self, hall: Hall, venue: Venue, log: CommandLog, rules: Mapping[str, int | None]) -> None:
        self.log, self.visitors, self.windows = log, Visitors(), Windows(log)
        self.service = AetharnService(with_names(hall, self.visitors.names), rules)
        self.tables = {table.id: table for table in venue.tables}
        self.titles = {table.id: f"Aetharn - Table #{at}" for at, table in enumerate(venue.tables, 1)}
        self.gone: set[str] = set()  # ids of objects that were destroyed
        self.sides: dict[str, Tableside] = {}  # by game
        self.stale: set[str] = set()  # games whose windows have to be brought up to date
        self.waits = False  # whether that is done only when the event that is being handled has had all its effects
        self.service.subscribe(self.game_created, "GameCreated")
        for table in venue.tables:
            self.service.register_table(table.id, [chair.id for chair in table.chairs])
            for observer in table.observers:
                self.service.register_observer(observer.id, table.id)

    # -- what happens at tables -----------------------------------------------------------------------------

    def game_created(self, event: Happened) -> None:
        game = self.service.get_game(event["game_id"])
        assert game is not None, "a game is known before it is told of"
        side = self.sides[game.game_id] = Tableside(game, self.titles[event["table"]])
        game.subscribe(partial(self.hear, side))

    def hear(self, side: Tableside, event: Happened) -> None:
        sentence = side.hear(event)
        if event.name in NEW_DICE:
            for window in self.windows.of_game(side.game):
                window.ticks = frozenset()
        if sentence is not None and event.name in ANNOUNCED:
            self.announce(side, sentence)
        if event.name == "PlayerRemoved":
            self.close_window(side.game, self.visitors.key_of(side.game.players[event["player"]].player))
        if event.name == "GameDestroyed":
            return self.game_destroyed(side)
        if event.name in UNSEEN:
            return
        if not self.stale:
            asyncio.get_running_loop().call_soon(self.refresh)
        self.stale.add(side.game.game_id)

    def announce(self, side: Tableside, text: str) -> None:
        accounts = [player.player for player in side.game.players] + list(side.game.windows)
        keys = [self.visitors.key_of(account) for account in accounts]
        for key in dict.fromkeys(key for key in keys if key is not None):
            self.log.add("message", key, text=text)

    def game_destroyed(self, side: Tableside) -> None:
        """The windows of a game that was won stay as they are, with a button for the next one."""
        self.stale.discard(side.game.game_id)
        del self.sides[side.game.game_id]
        if side.game.phase is not GamePhase.ENDED or side.destroyed:
            for window in self.windows.of_game(side.game):
                self.windows.destroy(window.key, window.id)

    def refresh(self) -> None:
        """Send what has changed in the windows of all tables at which something happened."""
        if self.waits:
            return
        stale, self.stale = self.stale, set()
        for game_id in stale:
            side = self.sides[game_id]
            shown = side.shown()
            for window in self.windows.of_game(side.game):
                self.windows.update(window, shown)

    @contextmanager
    def one_event(self) -> Iterator[None]:
        """Around an event: its effects are sent together."""
        self.waits = True
        try:
            yield
        finally:
            self.waits = False
            self.refresh()

    def close_window(self, game: AetharnGame, key: str | None) -> None:
        """Close the window of a player at this game; one at another table stays."""
        window = None if key is None else self.windows.get(key, PLAYER)
        if window is not None and window.game is game:
            self.windows.destroy(window.key, PLAYER)

    def enter(self, key: str, name: str) -> Visitor:
        """Somebody does something here; who sits or watches nowhere is forgotten first where there are too many."""
        return self.visitors.enter(key, name, self.busy)

    def busy(self) -> set[str | None]:
        """The accounts of all who sit or watch somewhere."""
        seated = {player.player for game in self.service.get_active_games() for player in game.players}
        return seated | {window.account for window in self.windows.open.values()}

    # -- chairs -----------------------------------------------------------------------------------------------

    async def chair_used(self, visitor: Visitor, chair: str) -> None:
        """Sit down, move to this chair, come back to the game, or have the window again."""
        self.check_there(chair)
        before = self.service.get_game_for_chair(chair)
        watchers = [] if before is None or before.phase not in OVER else list(before.windows)
        if before is not None and sits_in(before, visitor.account, chair):
            return self.show(visitor, before, PLAYER)
        game = await self.service.on_chair_used(chair, visitor.account)
        await self.leave_other_tables(visitor, game)
        for watcher in watchers:
            await self.follow_to(game, watcher)
        if before is not None and before is not game:
            self.invite(before, visitor)
        self.show(visitor, game, PLAYER)
        if (watching := self.windows.get(visitor.key, SPECTATOR)) is not None and watching.game is game:
            self.windows.destroy(visitor.key, SPECTATOR)

    def invite(self, before: AetharnGame, visitor: Visitor) -> None:
        """Those who still look at the end of the last game hear that somebody wants to play again."""
        for window in self.windows.of_game(before):
            if window.id == PLAYER:
                name = self.visitors.names[visitor.account]
                self.log.add("message", window.key, text=f"{name} sits down for a new game. Press {AGAIN} to join.")

    async def leave_other_tables(self, visitor: Visitor, game: AetharnGame) -> None:
        """Nobody sits in two chairs."""
        for other in self.service.get_active_games():
            mine = player_of(other, visitor.account)
            if other is not game and mine is not None:
                await self.service.on_player_left_chair(mine.assigned_chair, visitor.account)

    async def follow_to(self, game: AetharnGame, account: str) -> None:
        """Spectators of the last game at a table watch the next one, too."""
        key = self.visitors.key_of(account)
        if key is not None and player_of(game, account) is None:
            await game.add_spectator(account)
            self.show(self.visitors.known[key], game, SPECTATOR)

    async def chair_left(self, visitor: Visitor, chair: str) -> None:
        """Stand up. In a running game the window stays: it says how long the chair is kept."""
        game = self.service.get_game_for_chair(self.found(chair, self.service.place_of_chair, "chair"))
        mine = None if game is None else seat_in(game, visitor.account, chair)
        if game is None or mine is None:
            return
        stays = game.phase is GamePhase.IN_PROGRESS and not mine.has_folded
        if game.phase not in OVER:
            await self.service.on_player_left_chair(chair, visitor.account)
        if not stays:
            self.close_window(game, visitor.key)

    # -- observers, and leaving ---------------------------------------------------------------------------------

    async def observer_used(self, visitor: Visitor, observer: str) -> None:
        """Watch, or stop it."""
        self.check_there(observer)
        before = self.windows.get(visitor.key, SPECTATOR)
        place = self.service.found(self.service.place_of_observer, observer, "observer")
        if before is not None and before.game is place.game and not before.closed:
            return await self.stop_watching(before)
        game = await self.service.on_observer_used(observer, visitor.account)
        if before is not None and before.game is not game:
            await before.game.remove_spectator(visitor.account)
        self.show(visitor, game, SPECTATOR)

    async def stop_watching(self, window: Window) -> None:
        await window.game.remove_spectator(window.account)
        self.windows.destroy(window.key, window.id)

    async def player_left(self, visitor: Visitor) -> None:
        """The connection to the world is lost (A12)."""
        await self.service.on_player_disconnected(visitor.account)
        self.windows.forget(visitor.key)

    async def module_loaded(self) -> None:
        """The module was loaded anew: nobody is in the world any more, and what was destroyed is there again."""
        for visitor in tuple(self.visitors.known.values()):
            await self.player_left(visitor)
        self.gone.clear()

    # -- things that are destroyed --------------------------------------------------------------------------------

    async def destroyed(self, object: str) -> None:
        """A table, a trigger, a chair or an observer spot is gone from the world until the module is loaded anew."""
        for table in self.tables.values():
            if object in (table.id, table.trigger.id):
                return await self.table_destroyed(table)
        if object in self.service.place_of_chair:
            await self.chair_destroyed(object)
        elif object not in self.service.place_of_observer:
            raise Refused(Code.NO_SUCH_TABLE, "No object with this name is registered.")
        self.gone.add(object)

    async def table_destroyed(self, table: VenueTable) -> None:
        """A15: the game is abandoned, and everybody hears of it."""
        self.gone |= {table.id, table.trigger.id, *(chair.id for chair in table.chairs)}
        self.gone |= {observer.id for observer in table.observers}
        game = self.service.get_game_for_table(table.id)
        if game is not None:
            self.sides[game.game_id].destroyed = True
            await self.service.destroy_game(game.game_id, DESTROYED)

    async def chair_destroyed(self, chair: str) -> None:
        game = self.service.get_game_for_chair(chair)
        for player in () if game is None else game.players:
            key = self.visitors.key_of(player.player)
            if player.assigned_chair == chair and key is not None:
                await self.chair_left(self.visitors.known[key], chair)

    def check_there(self, object: str) -> None:
        if object in self.gone:
            raise Refused(Code.NO_SUCH_TABLE, "This table, or this part of it, was destroyed.")

    def found(self, object: str, among: Mapping[object, object], what: str) -> str:
        if object not in among:
            raise Refused(Code.NO_SUCH_TABLE, f"No {what} with this name is registered.")
        return object

    # -- windows ------------------------------------------------------------------------------------------------

    def show(self, visitor: Visitor, game: AetharnGame, id: str) -> None:
        side = self.sides[game.game_id]
        self.windows.show(visitor.key, visitor.account, id, side.title, side.shown())

    def redraw(self, window: Window) -> None:
        side = self.sides.get(window.game.game_id)
        if side is not None:
            self.windows.update(window, side.shown())

    async def tick(self, window: Window, die: int, ticked: bool) -> None:
        """The player ticked a die: the window shows it already, and is put right where that cannot be."""
        if window.binds[f"tick{die}"] == ticked:
            return
        window.binds[f"tick{die}"] = ticked
        window.asking = False
        window.ticks = window.ticks | {die} if ticked else window.ticks - {die}
        self.redraw(window)
        window.ticks = frozenset(at for at in window.ticks if window.binds[f"tick{at}"])

    async def press(self, visitor: Visitor, window: Window, button: str) -> None:
        """A button that is refused changes nothing; any other one answers whether the player really wants to fold."""
        await self.do(visitor, window, button)
        window.asking = button == "fold"
        self.redraw(window)

    async def do(self, visitor: Visitor, window: Window, button: str) -> None:
        game = window.game
        match button:
            case "start" if game.phase in OVER:
                await self.sit_again(visitor, game)
            case "start":
                await game.start(visitor.account)
            case "roll" | "bank":
                await self.hold_and(Word(button), visitor, window)
            case "fold":
                check(game, visitor.account, Word.FOLD)
            case "yes" if window.asking:
                await game.fold(visitor.account)
            case "yes":
                raise Refused(Code.BAD_REQUEST, "Press FOLD first.")

    async def sit_again(self, visitor: Visitor, game: AetharnGame) -> None:
        mine = player_of(game, visitor.account)
        if mine is None:
            raise Refused(Code.NOT_SEATED, "You are not seated at this table.")
        await self.chair_used(visitor, str(mine.assigned_chair))

    async def hold_and(self, word: Word, visitor: Visitor, window: Window) -> None:
        """Hold the ticked dice, then roll or bank: both, or neither where the rules refuse one of them."""
        game, ticks = window.game, sorted(window.ticks)
        check(game, visitor.account, *([Hold(tuple(ticks))] if ticks else []), word)
        if ticks:
            await game.hold_dice(ticks, visitor.account)
        await (game.roll if word is Word.ROLL else game.bank)(visitor.account)


def check(game: AetharnGame, account: str, *actions: Action) -> None:
    """Refused where the rules would not accept these actions, one after the other."""
    mine, state = player_of(game, account), game.state
    if mine is None:
        raise Refused(Code.NOT_SEATED, "You are not seated at this table.")
    if not state.sitting:
        raise Refused(Code.TOO_FEW_SEATS, "The game has not started yet.")
    position = state.position
    for action in actions:
        position = play(state.game, position, Move(Seat(mine.seat), action)).state


def player_of(game: AetharnGame, account: str) -> AetharnPlayer | None:
    return next((one for one in game.players if one.player == account), None)


def sits_in(game: AetharnGame, account: str, chair: str) -> bool:
    """Whether somebody is in this very chair already, and nothing waits for them to come back."""
    mine = seat_in(game, account, chair)
    here = mine is not None and mine.presence is PlayerPresence.PRESENT and account in game.conns
    return here and game.phase not in OVER and not game.is_asleep


def seat_in(game: AetharnGame, account: str, chair: str) -> AetharnPlayer | None:
    mine = player_of(game, account)
    return mine if mine is not None and mine.assigned_chair == chair else None
