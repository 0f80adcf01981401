"""A seat at a server's table in plain lines: others move while nobody types, so both are waited for at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

from dicehall.client.errors import Refused
from dicehall.client.following import Update
from dicehall.core.game import Refused as RulesRefused
from dicehall.core.game import Seat
from dicehall.lab.spoken import move_text, percent
from dicehall.ui.terminal.people import ADVISED, Left
from dicehall.ui.terminal.picks import Picks
from dicehall.ui.terminal.server_table import ServerTable, say_table
from dicehall.ui.terminal.typed import Command, understand
from dicehall.ui.terminal.voice import Voice
from dicehall.wire.actions import codec_of

# An update, a typed line, what ended the updates, or None: the end of input.
News: TypeAlias = Update | str | Exception | None

LOBBY = "Type start to begin, bot to add a bot, or quit to leave."
HELP = (
    "score: show the score.",
    "hint: show what the coach would do, where hints are allowed; everyone at the table sees that you asked.",
    "quit: leave the table. In a running game you give up your seat.",
)
NOT_YET = "It is not your turn."
LEAVE = "If you leave now, you give up your seat in this game. Leave?"


class ServerPlay:
    def __init__(
        self,
        table: ServerTable,
        voice: Voice,
        read: Callable[[], Awaitable[str | None]],  # the next typed line
        prompt: Callable[[str], None],
        *,
        link: str,
        confirms: bool,
    ) -> None:
        self.table, self.voice, self.read, self.prompt = table, voice, read, prompt
        self.link, self.confirms = link, confirms
        self.news: asyncio.Queue[News] = asyncio.Queue()
        self.picks: Picks | None = None  # while it is my turn
        self.question: Callable[[], Awaitable[None]] | None = None  # what is done after a yes
        self.told = table.shown["n"]  # the last update that was told
        self.asked: Any = None  # for what a prompt was last shown

    async def play(self) -> None:
        """To the end of the game; raises Left before it."""
        say_table(self.table, self.voice)
        self.voice.say(f"Others can join or watch with this link: {self.link}", "exact")
        tasks = [asyncio.create_task(self.listen()), asyncio.create_task(self.take_lines())]
        try:
            self.show()
            while not self.table.ended:
                await self.take(await self.news.get())
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        self.voice.say("")
        for line in self.table.result():
            self.voice.say(line, "heading")

    async def listen(self) -> None:
        try:
            async for update in self.table.changes():
                self.news.put_nowait(update)
        except Exception as ended:  # told to whoever plays, who decides
            self.news.put_nowait(ended)

    async def take_lines(self) -> None:
        while (line := await self.read()) is not None:
            self.news.put_nowait(line)
        self.news.put_nowait(None)

    async def take(self, news: News) -> None:
        if isinstance(news, Update):
            self.tell(news)
        elif isinstance(news, str):
            await self.typed(news.strip())
        elif news is None:
            raise Left
        else:
            raise news

    def tell(self, update: Update) -> None:
        for line in self.table.told(update):
            self.voice.say(line)
        self.told = update.n
        if self.told >= self.table.shown["n"] and self.due() != self.asked and not self.table.ended:
            self.show()

    def due(self) -> Any:
        """What I am to decide on now: the same as before, if nothing changed for me."""
        if self.table.in_lobby:
            return self.table.seated()
        return self.table.shown["view"] if self.table.me in self.table.turn else None

    # -- what is asked for ------------------------------------------------------------------------------

    @property
    def choices(self) -> tuple[Any, ...]:
        codec, me = codec_of(type(self.table.game)), self.table.me
        return tuple(codec.decode(move) for move in self.table.shown["choices"].get(str(me), ()))

    def show(self) -> None:
        """What I can do now, and a prompt for it."""
        table, me = self.table, self.table.me
        self.picks, self.asked = None, self.due()
        if table.in_lobby:
            self.voice.say(f"{table.seated()} {LOBBY}", "position")
            self.prompt("> ")
        elif me is not None and me in table.turn:
            self.show_turn(me)

    def show_turn(self, me: Seat) -> None:
        table = self.table
        for line in (*table.position(), *table.lines.table(table.view, table.names, me)):
            self.voice.say(line, "position")
        offers = table.lines.offers(table.view, table.names, me, self.choices)
        self.picks = Picks([typed for typed, _ in offers], table.lines, codec_of(type(table.game)))
        for number, (typed, worth) in zip(self.picks.numbers, offers, strict=True):
            self.voice.offer(typed, worth, number)
        clock = table.shown["deadline"]
        left = "" if clock is None else f" ({max(0, (clock - table.hall.now) // 1000)} s)"
        enter = f" (Enter: {self.picks.only})" if self.picks.only else ""
        self.prompt(f"{table.names[me]}{left}{enter}> ")

    # -- what was typed ---------------------------------------------------------------------------------

    async def typed(self, text: str) -> None:
        try:
            if self.question is not None:
                await self.answered(text)
            elif self.table.in_lobby:
                await self.in_lobby(text.lower())
            else:
                await self.in_game(text)
        except (Refused, RulesRefused) as refused:
            self.voice.say(NOT_YET if refused.code == "not_your_turn" else refused.sentence, "wrong")
            self.show()

    async def answered(self, text: str) -> None:
        assert self.question is not None
        act, self.question = self.question, None
        if text and "yes".startswith(text.lower()):
            await act()
        else:
            self.show()

    async def ask_back(self, question: str, act: Callable[[], Awaitable[None]]) -> None:
        if not self.confirms:
            await act()
            return
        self.question = act
        self.prompt(f"{question} (yes/no) ")

    async def in_lobby(self, text: str) -> None:
        words = ("start", "bot", "quit", "help")
        match [word for word in words if text and word.startswith(text)]:
            case ["start"]:
                await self.table.hall.start(self.table.id)
            case ["bot"]:
                await self.table.hall.bots(self.table.id)
            case ["quit"]:
                await self.table.hall.stand(self.table.id)
                raise Left
            case _:
                self.show()

    async def in_game(self, text: str) -> None:
        table, codec = self.table, codec_of(type(self.table.game))
        if self.picks is None and text.isdigit():  # a number of a list that is not shown any more, or not yet
            self.voice.say(NOT_YET, "wrong")
            return
        verbs: Sequence[str] = self.picks.verbs if self.picks else ()
        meant = understand(self.picks.typed(text) if self.picks else text, table.lines, table.view, verbs, codec)
        if isinstance(meant, Command):
            await self.obey(meant.name)
            return
        move, final = codec.encode(meant), getattr(table.lines, "FINAL", {})
        if isinstance(move, str) and move in final:
            await self.ask_back(final[move], lambda: self.act(move))
        else:
            await self.act(move)

    async def act(self, move: Any) -> None:
        self.picks = self.asked = None  # so that the same position, if it comes back, is asked about again
        await self.table.hall.act(self.table.id, move)

    async def obey(self, command: str) -> None:
        match command:
            case "quit":
                await self.ask_back(LEAVE, self.leave)
                return
            case "score":
                for line in self.table.position():
                    self.voice.say(line, "position")
            case "hint":
                await self.hint()
            case _:
                for line in (*self.table.words["about"]["how"], "", *self.table.lines.VERBS.values(), *HELP):
                    self.voice.say(line)
        self.show()

    async def leave(self) -> None:
        if self.table.me is not None:
            await self.table.hall.leave(self.table.id)
        raise Left

    async def hint(self) -> None:
        table, me = self.table, self.table.me
        advice = await table.hall.hint(table.id) if me is not None else None
        if advice is None or me is None:
            self.voice.say("There is nothing to choose now.", "note")
            return
        for worth in advice["worths"][:ADVISED]:
            self.voice.offer(self.move_text(me, worth["move"]), f"{percent(worth['chance'])} to win")
        self.voice.say(f"The coach would type: {self.move_text(me, advice['best'])} ({advice['note']}).", "position")

    def move_text(self, me: Seat, move: Any) -> str:
        action = codec_of(type(self.table.game)).decode(move)
        return move_text(self.table.game, self.table.view, self.table.names, me, action)
