"""The daily challenge: one game a day for each game, with the same sealed dice for everybody (decisions 078, 079)."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from dicehall.core.game import AnyGame, Refused
from dicehall.core.house import house_rules
from dicehall.hall.cards import Card
from dicehall.hall.challenge_days import (
    DAY_MS,
    Attempt,
    ChallengeStore,
    Day,
    Unjudged,
    begins_at,
    closes_at,
    day_at,
    last_opened,
    opens_at,
    ordinal,
    show_day,
)
from dicehall.hall.hall import Hall
from dicehall.hall.opening import Opening, WantedBot, bots_of
from dicehall.hall.ports import Account
from dicehall.table import requests
from dicehall.table.chairs import chair_of
from dicehall.table.requests import Code
from dicehall.wire.bot_levels import level_name

SECRET = 32  # bytes
JUDGED_AT_ONCE = 8
ISO = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
VOID = (
    "This server was restored from a backup of today, so today's challenge is off. The next one starts at midnight UTC."
)

Loss = tuple[float, int]  # average loss, and over how many decisions
Judge = Callable[[Unjudged], Awaitable[Loss | None]]  # None: nobody can judge it


@dataclass(frozen=True, slots=True)
class Challenges:
    hall: Hall
    store: ChallengeStore
    draw: Callable[[int], bytes]  # bytes that nobody can guess

    @property
    def now(self) -> int:
        return self.hall.host.parts.clock.now()

    def games(self) -> dict[str, AnyGame]:
        """The games with a challenge, with their usual rules."""
        return {key: kind() for key, kind in self.hall.host.parts.games.items() if house_rules(kind)}

    def game(self, key: str) -> AnyGame:
        games = self.games()
        if key not in games:
            raise Refused(Code.BAD_REQUEST, f"Unknown game. The games are {', '.join(games)}.")
        return games[key]

    def level(self, game: AnyGame) -> str:
        """The strongest bots there are."""
        return self.hall.parts.levels(game.key)[-1]

    # -- the day ------------------------------------------------------------------------------------

    async def today(self) -> Day:
        """Its secret is drawn when somebody first asks for the day, and stored before its seal is shown."""
        day = day_at(self.now)
        if known := await self.store.day(day):
            return known
        secret = self.draw(SECRET)
        return await self.store.add_day(Day(day, self.hall.host.parts.box.day_dice(secret).seal, secret))

    async def opened_secret(self, day: str) -> bytes | None:
        """The secret of a day that is over; None before, and where there is none."""
        if self.now < opens_at(day):
            return None
        known = await self.store.day(day)
        return None if known is None else known.secret

    async def void_after_restore(self, copied: int) -> None:
        """A backup is no place for a secret: days that were not opened when it was made are never played on."""
        await self.store.void_days(last_opened(copied))

    # -- playing ------------------------------------------------------------------------------------

    async def find(self, account: str, game: str) -> Card | None:
        """The attempt of an account today."""
        return await self.hall.parts.register.attempt_at(account, game, day_at(self.now))

    async def start(self, account: str, game: str) -> str:
        """The table of today's attempt; starting again leads to the same one."""
        kind, known = self.game(game), await self.find(account, game)
        table = await self.open(account, kind) if known is None else known.table
        await self.sit_down(account, table)
        return table

    async def open(self, account: str, game: AnyGame) -> str:
        today, seats = await self.today(), game.seats[0]
        if today.secret is None:
            raise Refused(Code.NOT_ALLOWED, VOID)
        mine, level = ordinal(today.day) % seats, self.level(game)
        really = await self.hall.parts.plays_as(game, level, seats)
        table, name = self.hall.parts.new_id(), await self.hall.parts.name(account)
        wanted = Opening(game.key, bots=[WantedBot(seat, level) for seat in range(seats) if seat != mine])
        title = f"Daily challenge {today.day}"
        card = Card(table, game.key, title, account, self.now, public=False, challenge=today.day)
        return await self.hall.write_card(
            card,
            game,
            seats=seats,
            bots=bots_of(wanted, table, name, {level: really}),
            clock=False,
            rated=False,
            drawn=False,
            keeps_opener=True,
            challenge=today.day,
            closes=closes_at(today.day),
            day_secret=today.secret,
        )

    async def sit_down(self, account: str, table: str) -> None:
        """The game starts at once; where that was interrupted, it is made up for."""
        state = (await self.hall.host.reach(table)).state
        try:
            if state.phase == "lobby" and chair_of(state.chairs, account) is None:
                await self.hall.sit(account, table)
            state = (await self.hall.host.reach(table)).state
            if state.phase == "lobby" and state.policy.starts == "asked":
                await self.hall.ask(account, table, requests.Start())
        except Refused as refused:
            if refused.code not in (Code.ALREADY_SEATED, Code.ALREADY_STARTED):  # by the same request, sent twice
                raise

    # -- what is shown --------------------------------------------------------------------------------

    async def show_today(self, account: str | None) -> dict[str, Any]:
        today = await self.today()
        games = [await self.show_game(account, game) for game in self.games().values()]
        shown = {**show_day(today.day, self.now), "seal": today.seal, "void": today.secret is None}
        return {**shown, "now": self.now, "yesterday": day_at(self.now - DAY_MS), "games": games}

    async def show_game(self, account: str | None, game: AnyGame) -> dict[str, Any]:
        level = self.level(game)
        card = None if account is None else await self.find(account, game.key)
        attempt = None if card is None else await self.show_attempt(card)
        opponent = {"bots": game.seats[0] - 1, "level": level, "level_name": level_name(level)}
        return {"game": game.key, **opponent, "attempt": attempt}

    async def show_attempt(self, card: Card) -> dict[str, Any]:
        """My own attempt: where it is, and how it ended for each seat."""
        ending = await self.hall.parts.register.ending(card.table)
        results = [] if ending is None else sorted(ending.results, key=lambda one: one.place)
        phase = "playing" if ending is None else "over" if results else "abandoned"
        mine = next((one for one in results if one.account == card.opener), None)
        place, won = (None, False) if mine is None else (mine.place, mine.won)
        scores = {"score": mine and mine.score, "others": [one.score for one in results if one is not mine]}
        return {"table": card.table, "phase": phase, "place": place, "won": won, **scores}

    async def show_ranking(
        self, account: Account | None, game: str, day: str, page: int, *, newcomers: bool
    ) -> dict[str, Any]:
        """The result of a day, from when it is opened; before, there is nothing but its seal."""
        self.game(game)
        known = await self.store.day(check_day(day))
        now, began = self.now, begins_at(day)
        secret = None if known is None or now < opens_at(day) else known.secret
        shown = {**show_day(day, now), "seal": known and known.seal, "secret": secret and secret.hex()}
        shown |= {"void": known is not None and known.secret is None}
        mine: Attempt | None = None
        attempts: list[Attempt] = []
        if secret is not None:
            attempts = list(await self.store.ranking(game, day, began, page, newcomers=newcomers))
        if secret is not None and account is not None:
            among = is_newcomer(account, day)
            mine = await self.store.attempt(account.id, game, day, began, newcomers=among)
        return {"game": game, **shown, "ranking": attempts, "mine": mine, "page": page}

    # -- judging ------------------------------------------------------------------------------------

    async def judge_all(self, judge: Judge) -> int:
        """Judge what is over and not judged yet; how many there were. One that cannot be judged now comes again."""
        waiting = await self.store.unjudged(JUDGED_AT_ONCE)
        for attempt in waiting:
            loss = await judge(attempt)
            average, decisions = (None, 0) if loss is None else (round(loss[0], 6), loss[1])
            await self.store.judge(attempt.table, average, decisions)
        return len(waiting)


def is_newcomer(account: Account, day: str) -> bool:
    """Guests and accounts that were made after the day began are listed apart: somebody may have played before."""
    return account.guest or account.created >= begins_at(day)


def check_day(day: str) -> str:
    try:
        if ISO.fullmatch(day):
            ordinal(day)
            return day
    except ValueError:
        pass
    raise Refused(Code.BAD_REQUEST, "Write the day as YYYY-MM-DD, such as 2026-11-17.")
