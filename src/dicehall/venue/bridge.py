"""The bridge between a game world and its tables: events come in, commands go out.

The module posts what players do, one event after the other, and reads what it has to show. Nothing here speaks HTTP.
"""

from __future__ import annotations

import asyncio
import hmac
from collections import OrderedDict
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, TypeAlias

import msgspec

from dicehall.core.game import Refusal, Refused
from dicehall.games.aetharn.actions import Code as AetharnCode
from dicehall.hall.hall import Hall
from dicehall.hall.seeds.aetharn import Place
from dicehall.table.arrivals import Arrival, current
from dicehall.table.requests import Code
from dicehall.venue.command_log import Command, CommandLog, Reset
from dicehall.venue.events import IGNORED, IN_THE_WORLD, Event, bad, read_event
from dicehall.venue.layout import Spot, Venue, VenueTable
from dicehall.venue.tables import Tables
from dicehall.venue.visitors import Visitor
from dicehall.venue.window_layout import BUTTONS, PLAYER, WATCHED
from dicehall.venue.windows import Window

MOST_QUEUED = 256  # events that wait for their turn
KEPT_ANSWERS = 1024  # for events that are posted again
LONGEST_WAIT_S = 25.0  # of a poll
LEAST_SECRET = 16  # characters

OWN_WORDS: Mapping[str, str] = {  # for refusals that otherwise name a seat by its number
    Refusal.NOT_YOUR_TURN: "It is not your turn.",
    AetharnCode.SEAT_IS_AWAY: "Sit down again first.",
    AetharnCode.SEAT_IS_OUT: "You are out of this game.",
}

Answer: TypeAlias = dict[str, Any]
Limit: TypeAlias = Callable[[str, str], None]  # counts one of a kind for a player, and refuses what is too much


def no_limit(kind: str, player: str) -> None:
    return


class BridgeCode(StrEnum):
    NOT_FOUND = "not_found"
    NO_SUCH_ACCOUNT = "no_such_account"


class Bridge:
    def __init__(
        self, hall: Hall, venue: Venue, secret: str, run: str, rules: Mapping[str, int | None] | None = None
    ) -> None:
        """*run* names this run of the bridge: tables are not kept, so the module must notice a restart (A20)."""
        if len(secret) < LEAST_SECRET:
            raise ValueError(f"The secret of a venue needs at least {LEAST_SECRET} characters.")
        self.hall, self.venue = hall, venue
        self.digest = digest_of(secret)
        self.log = CommandLog(run)
        self.places = Tables(hall, venue, self.log, rules or {})
        self.areas = {spot.id: spot.area for table in venue.tables for spot in spots_of(table)}
        self.turn = asyncio.Lock()
        self.queued = 0
        # By the id of the event; None where all windows were sent anew, which is too much to keep a thousand times.
        self.answers: OrderedDict[str, tuple[Event, Answer | Refused | None]] = OrderedDict()

    async def start(self) -> None:
        host = self.hall.host
        await host.start()
        host.spawn(host.arrivals.keep_ticking())

    def end_polls(self) -> None:
        """Answer whoever waits: the server is about to stop."""
        self.log.close()

    async def stop(self) -> None:
        self.end_polls()
        await self.hall.host.stop()

    def admits(self, secret: str) -> bool:
        """Whether this is the secret; it takes the same time for every wrong one."""
        return hmac.compare_digest(digest_of(secret), self.digest)

    # -- events -----------------------------------------------------------------------------------------------

    async def post(self, body: bytes, limit: Limit = no_limit) -> Answer:
        """Apply an event, after all earlier ones, and return what the module has to do.

        A repeated id gets the same answer and changes nothing. *limit* refuses a player who does too much; but
        leaving is always allowed, or a player could stay at a table by clicking until nothing is accepted.
        """
        event = read_event(body)
        if self.queued >= MOST_QUEUED:
            raise Refused(Code.RATE_LIMITED, "Too many events are waiting.", retry_after=1)
        arrival = self.arrive(event)
        before = current.set(arrival)
        self.queued += 1
        try:
            async with self.turn:
                return await self.answer(event, limit)
        finally:
            self.queued -= 1
            arrival.done()
            current.reset(before)

    def arrive(self, event: Event) -> Arrival:
        """What a player does counts from when it arrived, however long it waits for its turn (C4)."""
        arrivals = self.hall.host.arrivals
        visitor = None if event.player is None else self.places.visitors.get(event.player.key)
        return arrivals.expect(arrivals.now(), None if visitor is None else visitor.account)

    async def answer(self, event: Event, limit: Limit) -> Answer:
        if event.id is not None and event.id in self.answers:
            return self.repeat(event.id, event)
        if event.player is not None and event.rate is not None:
            limit(event.rate, event.player.key)
        try:
            answer = await self.take(event)
        except Refused as refused:
            answered = in_own_words(refused)
            if refused.code != Code.RATE_LIMITED:  # else it may well be accepted later
                self.keep(event, answered)
            raise answered from None
        self.keep(event, None if answer.get("reset") else answer)
        return answer

    def repeat(self, id: str, event: Event) -> Answer:
        known, answer = self.answers[id]
        if known != without_cursor(event):
            raise bad("This id was used for another event.")
        if isinstance(answer, Refused):
            raise in_own_words(answer)
        return self.after(event.since) if answer is None else answer

    def keep(self, event: Event, answer: Answer | Refused | None) -> None:
        if event.id is not None:
            self.answers[event.id] = (without_cursor(event), answer)
            while len(self.answers) > KEPT_ANSWERS:
                self.answers.popitem(last=False)

    async def take(self, event: Event) -> Answer:
        before = self.log.cursor(self.log.last)
        with self.places.one_event():
            if event.type in IN_THE_WORLD:
                await self.in_the_world(event)
            elif event.type not in IGNORED:
                await self.in_a_window(event)
        if event.since is not None:
            return self.after(event.since)
        return {"commands": self.after(before)["commands"]}

    async def in_the_world(self, event: Event) -> None:
        places = self.places
        match event.type:
            case "placeable_destroyed":
                await places.destroyed(self.object_of(event))
            case "chair_used" | "observer_used":
                await self.use(event)
            case "chair_left":
                await places.chair_left(self.known_visitor_of(event), self.object_of(event))
            case "module_loaded":
                await places.module_loaded()
            case "player_left" if (visitor := places.visitors.get(key_of(event))) is not None:
                await places.player_left(visitor)

    async def use(self, event: Event) -> None:
        """Use a chair or an observer spot; somebody who is refused the first time they come is not remembered."""
        key, used = key_of(event), self.object_of(event)
        visitors, is_new = self.places.visitors, key_of(event) not in self.places.visitors.known
        assert event.player is not None, "an event without a player has no key"
        visitor = self.places.enter(key, event.player.name)
        act = self.places.chair_used if event.type == "chair_used" else self.places.observer_used
        try:
            await act(visitor, used)
        except Refused:
            if is_new:
                visitors.forget(visitor)
            raise

    async def in_a_window(self, event: Event) -> None:
        window = self.window_of(event)
        match event.type:
            case "close":
                window.closed = True
            case "watch" if window.id == PLAYER and event.element in WATCHED:
                await self.places.tick(window, WATCHED.index(event.element), event.value)
            case "click" if window.id == PLAYER and event.element in BUTTONS:
                await self.places.press(self.known_visitor_of(event), window, event.element)
            case _:
                raise not_found(f"The window {window.id} has no such element.")

    # -- who and what ---------------------------------------------------------------------------------------------

    def known_visitor_of(self, event: Event) -> Visitor:
        visitor = self.places.visitors.get(key_of(event))
        if visitor is None:
            raise Refused(BridgeCode.NO_SUCH_ACCOUNT, "This player has not used a chair or an observer spot yet.")
        return visitor

    def object_of(self, event: Event) -> str:
        area = self.areas.get(event.object)
        if area is None or area != event.area:
            raise not_found("There is no such object in this area. GET /nwn/tables lists all of them.")
        return event.object

    def window_of(self, event: Event) -> Window:
        window = self.places.windows.get(key_of(event), event.window)
        if window is None:
            raise not_found("This player has no such window.")
        return window

    # -- commands ---------------------------------------------------------------------------------------------------

    async def commands(self, since: str | None, wait_s: float) -> Answer:
        """What there is to do after a cursor; where there is nothing yet, wait for it."""
        if not self.log.stale(since):
            assert since is not None, "without a cursor everything is sent anew"
            await self.log.wait(since, min(wait_s, LONGEST_WAIT_S))
        return self.after(since)

    def after(self, since: str | None) -> Answer:
        """With a *reset* the module closes its windows, and these commands make them anew."""
        reset: Reset = self.log.stale(since)
        commands: list[Command]
        if reset or since is None:
            commands, seq = list(self.places.windows.creations()), self.log.last
        else:
            commands, seq = self.log.after(since)
        return {"commands": commands, "seq": seq, "next": self.log.cursor(seq), "reset": reset}

    # -- tables ---------------------------------------------------------------------------------------------------

    def tables(self) -> Answer:
        """Every table that was not destroyed, with the ids of its objects."""
        gone = self.places.gone
        return {"tables": [self.show_table(table) for table in self.venue.tables if table.id not in gone]}

    def show_table(self, table: VenueTable) -> dict[str, Any]:
        gone, place = self.places.gone, self.places.service.places[table.id]
        return {
            "id": table.id,
            "name": self.places.titles[table.id],
            "area": table.area,
            "trigger": show_spot(table.trigger),
            "table": None if table.table is None else show_spot(table.table),
            "chairs": [show_spot(chair) for chair in table.chairs if chair.id not in gone],
            "observers": [show_spot(observer) for observer in table.observers if observer.id not in gone],
            **show_game(place),
        }


def show_game(place: Place) -> dict[str, Any]:
    if place.game is None:
        return {"phase": "Empty", "players": []}
    return {"phase": place.game.phase.value, "players": [player.name for player in place.game.players]}


def show_spot(spot: Spot) -> dict[str, Any]:
    return {"id": spot.id, "area": spot.area, "tag": spot.tag, "x": spot.x, "y": spot.y, "z": spot.z}


def spots_of(table: VenueTable) -> list[Spot]:
    own = [table.trigger] if table.table is None else [table.trigger, table.table]
    return [*own, *table.chairs, *table.observers]


def key_of(event: Event) -> str:
    if event.player is None:
        raise bad(f"An event of type {event.type} needs a player.")
    return event.player.key


def without_cursor(event: Event) -> Event:
    """What an event is; the module may have read on before it posts it again."""
    return msgspec.structs.replace(event, since=None)


def not_found(sentence: str) -> Refused:
    return Refused(BridgeCode.NOT_FOUND, sentence)


def in_own_words(refused: Refused) -> Refused:
    """A sentence for the player themselves, and no traceback, which would keep all it went through in memory."""
    return Refused(refused.code, OWN_WORDS.get(refused.code, refused.sentence), **refused.more)


def digest_of(secret: str) -> bytes:
    """A fixed size, so that comparing tells nothing about the length either."""
    return hmac.digest(b"dicehall venue", secret.encode("utf-8", "surrogatepass"), "sha256")
