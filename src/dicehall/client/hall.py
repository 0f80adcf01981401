"""A hall as a program reaches it: in process or over the network, by one interface.

async with connect("http://127.0.0.1:8000") as hall:
    await hall.guest("Ann")
    table = await hall.open("wards", bots=[{"seat": 1, "level": "greedy"}])
    await hall.sit(table["id"])
    async for update in hall.updates(table["id"]):
        ...
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Any, TypeAlias

from dicehall.client.errors import Refused
from dicehall.client.following import Following, Tell, Update
from dicehall.client.lines import Dial
from dicehall.client.sealed import commitment, full_words
from dicehall.client.talk import Ask, Patience, Talk

Shown: TypeAlias = dict[str, Any]


class HallClient:
    """Reconnects, resumes and resends automatically. It draws, commits to and opens words automatically; every roll is
    checked as it falls against the seal and the words from before sitting down."""

    def __init__(
        self,
        dial: Dial,
        entropy: Callable[[int], bytes],
        patience: Patience,
        notice: Callable[[Shown], None] | None = None,  # told of what has no number: warnings, spectators, bye
    ) -> None:
        self.entropy = entropy
        self.notice = notice
        self.token: str | None = None
        self.account: Shown | None = None
        self.following: dict[str, Following] = {}
        self.talk = Talk(dial, self.greet, self.hear, patience)
        self.tasks: set[asyncio.Task[Any]] = set()

    async def __aenter__(self) -> HallClient:
        self.talk.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in tuple(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.talk.close()

    @property
    def now(self) -> int:
        """The hall's time in ms, to which deadlines refer."""
        return self.talk.now

    # -- ways in ----------------------------------------------------------------------------------

    async def guest(self, name: str) -> Shown:
        return self.entered(await self.talk.ask("guest", name=name, once=self.entropy(16).hex()))

    async def sign_up(self, name: str, password: str) -> Shown:
        return self.entered(await self.talk.ask("sign_up", name=name, password=password))

    async def sign_in(self, token: str | None = None, *, name: str | None = None, password: str | None = None) -> Shown:
        """With a token, or with a name and its password."""
        return self.entered(await self.talk.ask("sign_in", token=token, name=name, password=password))

    def entered(self, answer: Shown) -> Shown:
        self.token, self.account = answer["token"], answer["account"]
        return answer["account"]  # type: ignore[no-any-return]

    # -- the hall -----------------------------------------------------------------------------------

    async def games(self) -> list[Shown]:
        return await self.talk.ask("games")  # type: ignore[no-any-return]

    async def open(
        self,
        game: str,
        *,
        seats: int | None = None,
        rules: dict[str, int | None] | None = None,
        bots: Sequence[Shown] | None = None,
        **more: Any,
    ) -> Shown:
        """Open a table; *more* is name, visibility, password, hints, drawn."""
        return await self.do("open", None, game=game, seats=seats, rules=rules, bots=bots, **more)

    async def find(self, game: str | None = None, phase: str | None = None, page: int = 0) -> list[Shown]:
        found: Shown = await self.talk.ask("find", game=game, phase=phase, page=page)
        return found["tables"]  # type: ignore[no-any-return]

    # -- at a table -----------------------------------------------------------------------------------

    async def watch(self, table: str, since: int | None = None, tell: Tell | None = None) -> Shown:
        """Follow a table from now on, or from an update number; *tell* hears updates instead of `updates`."""
        following = self.following.setdefault(table, Following(table, self.react, tell))
        try:
            return await self.resume(self.talk.ask, following, since)
        except Refused:
            if following.n is None:
                self.following.pop(table, None)
            raise

    async def resume(self, ask: Ask, following: Following, since: int | None) -> Shown:
        """Watch, from where it was left; words that are asked for are opened."""
        since = following.n if following.n is not None else since
        answer = await ask("watch", table=following.table, since=since)
        following.begin(answer["table"], since, answer["updates"])
        if answer["table"]["asks_for_words"]:
            self.open_words(following)
        return answer["table"]  # type: ignore[no-any-return]

    async def unwatch(self, table: str) -> None:
        following = self.following.pop(table, None)
        if following is not None:
            following.end(None)
        await self.talk.ask("unwatch", table=table)

    async def updates(self, table: str) -> AsyncIterator[Update]:
        """All updates of a table in order, from when it was first watched; raises what ends them."""
        following = await self.followed(table)
        while (told := await following.told.get()) is not None:
            if isinstance(told, Exception):
                raise told
            yield told

    async def news(self, table: str, since: int) -> int:
        """Wait until the table has moved beyond number *since*; says how far it is."""
        return await (await self.followed(table)).news(since)

    async def sit(self, table: str, seat: int | None = None, *, typed: str = "", password: str | None = None) -> Shown:
        """Take a chair with new words in it, having seen the seal first; answers the table."""
        following = await self.followed(table)
        return await self.commit(following, typed, seat=seat, password=password)

    async def commit(self, following: Following, typed: str = "", **what: Any) -> Shown:
        dice = following.dice
        assert dice is not None
        before, words = dice.words, full_words(typed, self.entropy(16))
        if dice.salt is None:  # later nothing more can be mixed in
            dice.words, following.opened = words, False
        try:
            shown = await self.do("sit", following.table, commitment=commitment(words), **what)
        except Refused:
            dice.words = before
            raise
        following.chair = shown["table"]["me"]
        if shown["table"]["asks_for_words"]:
            self.open_words(following)
        return shown["table"]  # type: ignore[no-any-return]

    async def words(self, table: str) -> Shown:
        """Reveal my words; a client does that automatically when the table asks for them."""
        dice = (await self.followed(table)).dice
        return await self.do("words", table, words=dice.words if dice else None)

    async def start(self, table: str) -> Shown:
        return await self.do("start", table)

    async def act(self, table: str, move: Any) -> int:
        """Make a move; answers the number of the update that tells what it did."""
        answer = await self.do("act", table, move=move)
        return int(answer["n"])

    async def stand(self, table: str) -> Shown:
        return await self.do("stand", table)

    async def remove(self, table: str, seat: int) -> Shown:
        """Take somebody, or a bot, out of the lobby of a table that I opened."""
        return await self.do("remove", table, seat=seat)

    async def leave(self, table: str) -> Shown:
        """Leave for good."""
        return await self.do("leave", table)

    async def abandon(self, table: str) -> Shown:
        """End a game against bots; it counts for nobody."""
        return await self.do("abandon", table)

    async def reclaim(self, table: str) -> Shown:
        return await self.do("reclaim", table)

    async def bots(self, table: str, level: str = "greedy", seat: int | None = None) -> Shown:
        """Seat a bot in a lobby, or let one stand in at a game."""
        return await self.do("bots", table, level=level, seat=seat)

    async def hint(self, table: str) -> Shown:
        """What the coach would do, where the table allows hints; None where there is nothing to choose."""
        return (await self.do("hint", table))["advice"]  # type: ignore[no-any-return]

    async def rematch(self, table: str) -> Shown:
        """The table of the rematch, the same for everybody who asks."""
        return await self.do("rematch", table)

    async def look(self, table: str) -> Shown:
        return await self.talk.ask("look", table=table)  # type: ignore[no-any-return]

    async def record(self, table: str) -> Shown:
        return await self.talk.ask("record", table=table)  # type: ignore[no-any-return]

    async def do(self, do: str, table: str | None, **what: Any) -> Shown:
        """Make a request that takes effect once, however often it has to be sent."""
        return await self.talk.ask(do, table=table, once=self.entropy(12).hex(), **what)  # type: ignore[no-any-return]

    # -- automatic requests --------------------------------------------------------------------------

    async def followed(self, table: str) -> Following:
        following = self.following.get(table)
        if following is None or following.n is None:
            await self.watch(table)
        return self.following[table]

    async def greet(self, ask: Ask) -> None:
        """On every new line: sign in again, and resume every table from its last number."""
        if self.token is not None:
            try:
                await ask("sign_in", token=self.token)
            except Refused:  # signed out elsewhere; what needs an account will be refused
                self.token = self.account = None
        for following in tuple(self.following.values()):
            if following.n is not None:
                try:
                    await self.resume(ask, following, None)
                except Refused as gone:
                    following.end(gone)

    def hear(self, message: Shown) -> None:
        if "ended" in message:
            for following in self.following.values():
                following.end(message["ended"])
            return
        about = self.following.get(message.get("table", ""))
        if about is not None and "n" in message:
            about.offer(message)
            if about.go_on():
                self.spawn(self.fill_in(about))
        elif self.notice is not None:
            self.notice(message)

    async def fill_in(self, following: Following) -> None:
        """Ask for what is missing between two updates."""
        answer = await self.talk.ask("events", table=following.table, since=following.n)
        for update in answer["updates"]:
            following.offer(update)
        following.go_on()

    def react(self, update: Update) -> None:
        following = self.following[update.table]
        for event in update.events:
            if event["event"] == "Stood":
                self.somebody_stood(following, event["chairs"])
        if update.asks_for_words:
            self.open_words(following)

    def somebody_stood(self, following: Following, chairs: Sequence[int]) -> None:
        """Words that were opened for a start that failed are known, and do not count again: bring new ones."""
        dice = following.dice
        if dice is None or dice.words is None:
            return
        if following.chair in chairs:
            dice.words, following.chair, following.opened = None, None, False
        elif following.opened:
            dice.words = None
            self.spawn(self.commit(following))

    def open_words(self, following: Following) -> None:
        dice = following.dice
        if dice is not None and dice.words is not None and not following.opened:
            following.opened = True
            self.spawn(self.talk.ask("words", table=following.table, words=dice.words))

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.done)

    def done(self, task: asyncio.Task[Any]) -> None:
        """Ignore a refused automatic request: it came too late, and the updates show what happened instead."""
        self.tasks.discard(task)
        if not task.cancelled():
            task.exception()
