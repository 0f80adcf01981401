"""The hall: many tables, and what people may ask of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from msgspec import Raw

from dicehall.core.game import AnyGame, Presence, Refused
from dicehall.hall.archived import show_archived
from dicehall.hall.cards import Card
from dicehall.hall.challenge_days import opens_at
from dicehall.hall.continuations import PlayOn, all_bots, branch_of, check_seat
from dicehall.hall.opening import (
    Opening,
    asked,
    bots_of,
    check_bots,
    check_rules_of,
    game_of,
    name_of,
    seats_of,
    wants_clock,
    wants_hints,
)
from dicehall.hall.reactions import Given, Reaction, Reactions
from dicehall.hall.records import damage_refused, read_archived, record_of
from dicehall.hall.register import Filter, Register
from dicehall.hall.rematches import Rematches, check_rematch, expected, same_again, table_before
from dicehall.hall.showing import my_place, show_table
from dicehall.hall.webhooks import Webhook
from dicehall.table import requests
from dicehall.table.chairs import chair_of
from dicehall.table.coming import Answer
from dicehall.table.host import Host
from dicehall.table.live import LiveTable
from dicehall.table.ports import Conn, Taken
from dicehall.table.requests import Code
from dicehall.table.retiring import NEVER_STARTED
from dicehall.table.sitting import bar_of
from dicehall.table.state import TableState
from dicehall.wire.record import Record

MOST_CARDS = 10_000  # kept in memory
NO_CHAIR = -1  # the number of none


class Passwords(Protocol):
    async def hashed(self, password: str) -> str: ...
    async def matches(self, hashed: str, password: str) -> bool: ...


async def no_secret(day: str) -> bytes | None:
    """Used by a hall without daily challenges."""
    return None


@dataclass(frozen=True, slots=True)
class HallParts:
    """The dependencies of a hall besides its host; passed in, never defaulted."""

    register: Register
    name: Callable[[str], Awaitable[str]]  # of an account
    passwords: Passwords
    new_id: Callable[[], str]  # for a table: nobody can guess it, nobody had it before
    levels: Callable[[str], Sequence[str]]  # of the bots of a game
    plays_as: Callable[[AnyGame, str, int], Awaitable[str]]  # the level a bot really plays on
    day_secret: Callable[[str], Awaitable[bytes | None]] = no_secret  # of a daily challenge that is over


@dataclass(frozen=True, slots=True)
class Hall:
    host: Host
    parts: HallParts
    cards: dict[str, Card] = field(default_factory=dict)  # of tables somebody asked for; a card never changes
    reactions: Reactions = field(default_factory=Reactions)
    rematches: Rematches = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rematches", Rematches(self.host, self.parts.register, self.parts.name))

    # -- opening ----------------------------------------------------------------------------------

    async def open(
        self,
        account: str,
        wanted: Opening,
        before: str | None = None,
        reserved: tuple[str | None, ...] = (),
        *,
        keeps_opener: bool = False,
    ) -> str:
        """Open a table and return its id; the same request opens the same table. Chairs can be reserved."""
        if wanted.id is not None and (known := await self.parts.register.opened_as(account, wanted.id)):
            return known.table
        game = game_of(wanted, self.host.parts.games)
        seats = seats_of(wanted, game)
        check_bots(wanted, seats, self.parts.levels(game.key))
        really = {bot.level: await self.parts.plays_as(game, bot.level, seats) for bot in wanted.bots}
        table, opener = self.parts.new_id(), await self.parts.name(account)
        password = None if not wanted.password else await self.parts.passwords.hashed(wanted.password)
        card = Card(
            table=table,
            game=game.key,
            name=name_of(wanted, opener),
            opener=account,
            opened_at=self.host.parts.clock.now(),
            id=wanted.id,
            public=wanted.public,
            password=password,
            before=before,
        )
        drawn = game.policy.drawn if wanted.drawn is None else wanted.drawn
        return await self.write_card(
            card,
            game,
            seats=seats,
            bots=bots_of(wanted, table, opener, really),
            reserved=reserved,
            hints=wants_hints(wanted, seats),
            clock=wants_clock(wanted),
            rated=wanted.rated,
            reactions=wanted.reactions,
            drawn=drawn,
            keeps_opener=keeps_opener,
            also=() if wanted.webhook is None else (Webhook(table, *wanted.webhook),),
        )

    async def play_on(self, account: str, table: str, wanted: PlayOn) -> str:
        """Open a table that continues from a decision of a finished game; the same request opens the same table."""
        if wanted.id is not None and (known := await self.parts.register.opened_as(account, wanted.id)):
            return known.table
        card = await self.visible(account, table)
        if card.challenge is not None:
            raise Refused(Code.NOT_ALLOWED, "You cannot play on from a daily challenge: its dice belong to that day.")
        await self.check_finished(table)
        record = await self.record(account, table)
        branch = await branch_of(record, wanted.entries, self.host.slices)
        game, seats, levels = branch.game, len(record.names), self.parts.levels(branch.game.key)
        check_rules_of(game)
        check_seat(branch, wanted, seats)
        bots = all_bots(branch, wanted, levels[0])
        opening = Opening(game.key, name=card.name, seats=seats, bots=bots, hints=None)
        check_bots(opening, seats, levels)
        really = {bot.level: await self.parts.plays_as(game, bot.level, seats) for bot in bots}
        new, opener, now = self.parts.new_id(), await self.parts.name(account), self.host.parts.clock.now()
        return await self.write_card(
            Card(new, game.key, card.name, account, now, wanted.id, public=False, origin=table),
            game,
            seats=seats,
            bots=bots_of(opening, new, opener, really),
            reserved=tuple(account if seat == wanted.seat else None for seat in range(seats)),
            hints=wants_hints(opening, seats),
            clock=False,
            rated=False,
            drawn=False,
            origins=branch.origins,
            given=branch.given,
        )

    async def check_finished(self, table: str) -> None:
        """Refuse a request that needs a finished game."""
        try:
            state = (await self.host.current(table)).state
        except Refused as refused:
            if refused.code != Code.NO_SUCH_TABLE:
                raise
            return  # only its record is left, or nothing, which reading the record says
        if not state.ended:
            raise Refused(Code.ALREADY_STARTED, "This game is not over yet.")

    async def write_card(self, card: Card, game: AnyGame, also: tuple[Webhook, ...] = (), **chosen: Any) -> str:
        """Store a new table; if the same request was already stored, return the table that it opened."""
        try:
            await self.host.open(card.table, game, (card, *also), by=card.opener, name=card.name, **chosen)
        except Taken:
            twin = await self.twin(card)
            if twin is None:
                raise
            return twin.table
        return card.table

    async def twin(self, card: Card) -> Card | None:
        if card.challenge is not None:
            return await self.parts.register.attempt_at(card.opener, card.game, card.challenge)
        if card.before is not None and (twin := await self.parts.register.rematch_of(card.before)):
            return twin
        return None if card.id is None else await self.parts.register.opened_as(card.opener, card.id)

    async def rematch(self, account: str, table: str, id: str | None = None) -> str:
        """Open a new table for the same people, each one seat further; the first request opens it for all."""
        card = await self.card(table)
        if card.challenge is not None:
            raise Refused(Code.NOT_ALLOWED, "You can play a daily challenge only once.")
        try:
            state = (await self.host.current(table)).state
        except Refused:
            if (late := await self.rematches.late(account, table)) is not None:
                return late.table
            raise
        check_rematch(state, account)
        known = await self.rematches.latest(table)
        if known is not None and not known.is_closed:
            if account != known.card.opener:
                await self.rematches.announce("RematchAccepted", account, table)
            return known.card.table
        check_rules_of(state.game)
        new = replace(
            card,
            table=self.parts.new_id(),
            opener=account,
            opened_at=self.host.parts.clock.now(),
            id=id,
            before=table_before(table, known),
        )
        opened = await self.write_card(new, state.game, **same_again(state))
        if opened == new.table:
            await self.rematches.announce("RematchOffered", account, table)
        return opened

    async def decline_rematch(self, account: str, table: str, id: str | None = None) -> None:
        """Store at the new table that this account declines, and announce it at both tables, but not twice."""
        check_rematch((await self.host.current(table)).state, account)
        asked = await self.rematches.latest(table)
        if asked is None or asked.state is None or asked.is_closed:
            raise Refused(Code.NOT_ALLOWED, "Nobody has asked for a rematch.")
        known = asked.state.has_declined(account)
        await self.host.ask(asked.card.table, requests.Decline(await self.parts.name(account)), account, id)
        if not known:
            await self.rematches.announce("RematchDeclined", account, table, asked.card.table)

    # -- finding and looking ------------------------------------------------------------------------

    async def card(self, table: str) -> Card:
        card = self.cards.get(table) or await self.parts.register.card(table)
        if card is None:
            raise Refused(Code.NO_SUCH_TABLE, "There is no such table.")
        if len(self.cards) >= MOST_CARDS:
            self.cards.clear()
        self.cards[table] = card
        return card

    async def visible(self, account: str | None, table: str) -> Card:
        """The card of a table that this account may see: an attempt at a daily challenge is its player's for a day."""
        card = await self.card(table)
        hidden = card.challenge is not None and self.host.parts.clock.now() < opens_at(card.challenge)
        if hidden and account != card.opener:
            raise Refused(Code.NOT_ALLOWED, "You can view this daily challenge game once its dice are opened.")
        return card

    async def find(self, wanted: Filter, page: int) -> list[dict[str, Any]]:
        """Tables with their players; unfinished ones with people present come first, then the newest."""
        found = []
        for listed in await self.parts.register.find(wanted, max(0, page)):
            card = listed.card
            shown: dict[str, Any] = {"id": card.table, "name": card.name, "game": card.game, "phase": listed.status}
            shown |= {"locked": card.password is not None, "opened_at": card.opened_at, "opener": card.opener}
            if card.challenge is not None:
                shown["challenge"] = card.challenge
            found.append(shown | await self.who(card.table, listed.status))
        return found

    async def waiting(self, account: str, page: int) -> list[dict[str, Any]]:
        """The unfinished tables at which an account sits, and whether each waits for its move.

        Tables that it left for good, or was removed from, are not included.
        """
        mine = Filter(statuses=("lobby", "playing", "asleep"), public_only=False, sitter=account)
        found = []
        for shown in await self.find(mine, page):
            state = await self.state(shown["id"])
            chair = None if state is None else chair_of(state.chairs, account)
            if chair is None or not (chair.good or chair.presence is Presence.GONE):
                my_turn = state is not None and any(state.chairs[seat] is chair for seat in state.to_act())
                found.append(shown | {"my_turn": my_turn})
        return found

    async def state(self, table: str) -> TableState | None:
        """The state with everything due applied; None if a table is frozen, or has just finished."""
        try:
            return self.host.settled(await self.host.reach(table))
        except Refused:
            return None

    async def who(self, table: str, status: str) -> dict[str, Any]:
        """The players of a table; of a finished one, from its results."""
        if status in ("over", "abandoned"):
            ending = await self.parts.register.ending(table)
            names = [] if ending is None else [result.name for result in ending.results]
            return {"seats": len(names), "names": names}
        state = await self.state(table)
        if state is None:  # it is listed all the same
            return {"seats": 0, "names": []}
        return {"seats": state.opened.seats, "names": [chair.name for chair in state.chairs]}

    async def look(self, account: str | None, table: str) -> dict[str, Any]:
        """A table as this account may see it, with everything due applied."""
        card = await self.visible(account, table)
        try:
            live = await self.host.look(table)
        except Refused as refused:
            if refused.code != Code.NO_SUCH_TABLE:
                raise
            return await self.look_back(card)
        now = self.host.parts.clock.now()
        shown = show_table(card, live.state, account, now)
        shown["rematch"] = await self.rematches.offered(live.state)
        shown["continued_in"] = await self.continued_in(account, live.state)
        shown["expected"] = [await self.parts.name(who) for who in expected(live.state, now)]
        return shown

    async def continued_in(self, account: str | None, state: TableState) -> list[str]:
        """Tables that continue a finished game and that this account opened or sits at."""
        if account is None or not state.ended:
            return []
        return [card.table for card in await self.parts.register.continuations(state.id, account)]

    async def look_back(self, card: Card) -> dict[str, Any]:
        """A table of which only the record is left: it was archived before acts were stored."""
        ending = await self.parts.register.ending(card.table)
        text = await self.host.parts.journal.archived(card.table)
        if ending is None or text is None:
            raise Refused(Code.NO_SUCH_TABLE, "There is no such table.")
        with damage_refused():
            record = None if text == NEVER_STARTED else await read_archived(self.host, text)
            return await show_archived(card, ending, record, self.host.parts.clock.now(), self.host.slices)

    async def record(self, account: str | None, table: str) -> Record:
        """The record of a game, as this account may see it; of a challenge with the day's secret, once it is opened."""
        card = await self.visible(account, table)
        record = await record_of(self.host, account, table)
        secret = None if card.challenge is None else await self.parts.day_secret(card.challenge)
        if secret is None or record.seal is None:
            return record
        return replace(record, seal=replace(record.seal, opened=secret.hex()))

    async def updates(self, account: str | None, table: str, since: int) -> list[dict[str, Any]]:
        await self.visible(account, table)
        return await self.host.updates(table, account, since)

    async def encoded_updates(self, account: str | None, table: str, since: int) -> tuple[list[Raw], int]:
        """All updates after number *since* as JSON, and the number of the last."""
        await self.visible(account, table)
        return await self.host.encoded_updates(table, account, since)

    # -- at a table -----------------------------------------------------------------------------------

    async def sit(
        self,
        account: str,
        table: str,
        seat: int | None = None,
        commitment: str | None = None,
        password: str | None = None,
        conn: str | None = None,
        id: str | None = None,
        *,
        last: bool = False,
    ) -> Answer:
        """Take a chair, or return to one's own; with *last*, only if that starts the game."""
        card = await self.visible(account, table)
        if card.challenge is not None and commitment is not None:
            raise Refused(Code.BAD_REQUEST, "No words are mixed into the dice of a daily challenge.")
        live = await self.host.current(table)
        opened = live.state.opened
        seated = any(chair.account == account for chair in live.state.chairs)
        # The opener knows the password, and so do the players of the table before this one.
        knows = seated or account == opened.by or account in opened.reserved
        if not knows and card.password is not None:
            await self.check_password(card.password, password)
        name = await self.parts.name(account)
        return await self.host.ask(table, requests.Sit(name, seat, commitment, conn, last), account, id)

    async def check_password(self, hashed: str, password: str | None) -> None:
        if not password:
            raise Refused(Code.WRONG_PASSWORD, "This table needs a password.")
        if not await self.parts.passwords.matches(hashed, password):
            raise Refused(Code.WRONG_PASSWORD, "Wrong password.")

    async def ask(self, account: str | None, table: str, request: requests.Request, id: str | None = None) -> Answer:
        """Any other request that a seated person can make at a table."""
        await self.card(table)
        return await self.host.ask(table, request, account, id)

    async def act(self, account: str, table: str, move: Any, id: str | None = None) -> Answer:
        return await self.host.ask(table, requests.Do(move), account, id)

    async def watch(self, account: str | None, table: str, conn: Conn) -> LiveTable:
        """Subscribe to a table; if the account is seated there, this connection holds the seat."""
        await self.visible(account, table)
        name = None if account is None else await self.parts.name(account)
        await self.host.connect(table, conn, account, name)
        return await self.host.reach(table)

    async def react(self, account: str, table: str, reaction: Reaction) -> None:
        """Show a reaction to everyone at the table for a moment; only people present can react."""
        live = await self.host.current(table)
        state, now = live.state, self.host.parts.clock.now()
        if not state.opened.reactions:
            raise Refused(Code.NOT_ALLOWED, "Reactions are switched off at this table.")
        if (bar := bar_of(state, account, now)) is not None and bar.why == "removed":
            raise Refused(Code.NOT_ALLOWED, "You were removed from this table.")
        if chair_of(state.chairs, account) is None and not live.listeners.has(account):
            raise Refused(Code.NOT_ALLOWED, "You can only react at a table you are watching.")
        given = Given(account, await self.parts.name(account), my_place(state, account), reaction)
        self.reactions.add(table, given, lambda shown: self.host.offer(table, shown))

    async def leave(self, account: str, table: str, id: str | None = None) -> Answer:
        """Leave for good: at once in a lobby; in a game, the others can then let a bot stand in (C9)."""
        return await self.ask(account, table, requests.Stand(good=True), id)

    async def add_bot(self, account: str, table: str, seat: int | None, level: str, id: str | None = None) -> Answer:
        """Seat a bot in a lobby, as its opener; or let one stand in at a game (C9)."""
        live = await self.host.current(table)
        if level not in self.parts.levels(live.state.game.key):
            raise Refused(Code.BAD_REQUEST, "This game has no bots of that level.")
        really = await self.parts.plays_as(live.state.game, level, live.state.opened.seats)
        if live.state.sitting:
            number = None if seat is None else self.chair_number(live, seat)
            return await self.ask(account, table, requests.Depute(really, number), id)
        if account != live.state.opened.by:
            raise Refused(Code.NOT_ALLOWED, "Only the person who opened the table can add bots.")
        return await self.ask(account, table, requests.SitBot(seat, really, asked(level, really)), id)

    def chair_number(self, live: LiveTable, seat: int) -> int:
        """The chair of a seat; the table refuses one that does not exist, unless the request was already answered."""
        chairs = live.state.chairs
        return chairs[seat].number if 0 <= seat < len(chairs) else NO_CHAIR

    async def destroy(self, account: str | None, table: str, why: str, *, operator: bool = False) -> Answer:
        return await self.ask(account, table, requests.Destroy(why, operator))
