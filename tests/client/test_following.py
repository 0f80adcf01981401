"""Updates in order and without gaps, however they come."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import msgspec
import pytest

from dicehall.client.errors import Refused, UnfairDice
from dicehall.client.hall import HallClient
from dicehall.client.lines import LineClosed
from tests.client.halls import QUICK, awaited

SEAL = "0" * 64
TABLE = {"id": "oak", "seal": SEAL, "n": 3, "asks_for_words": False, "me": 0}


def update(n: int, *events: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"table": "oak", "n": n, "at": n, "events": list(events), **more}


class Script:
    """A hall that answers as told, and remembers what it was asked."""

    def __init__(self, **answers: Any) -> None:
        self.answers: dict[str, Any] = {"hello": {"now": 0}, "watch": {"table": TABLE, "updates": []}, **answers}
        self.asked: list[dict[str, Any]] = []
        self.line: ScriptLine | None = None

    async def dial(self) -> ScriptLine:
        self.line = ScriptLine(self)
        return self.line

    def tell(self, *messages: dict[str, Any]) -> None:
        assert self.line is not None
        for message in messages:
            self.line.told.put_nowait(message)

    def hang_up(self) -> None:
        assert self.line is not None
        self.line.told.put_nowait(None)

    def client(self) -> HallClient:
        return HallClient(self.dial, lambda count: bytes(count), QUICK)

    def said(self, do: str) -> list[dict[str, Any]]:
        return [message for message in self.asked if message["do"] == do]


class ScriptLine:
    def __init__(self, script: Script) -> None:
        self.script = script
        self.told: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

    async def send(self, text: bytes) -> None:
        message = msgspec.json.decode(text)
        self.script.asked.append(message)
        answer = self.script.answers.get(message["do"])
        if answer is not None:
            shown = {"error": answer} if "code" in answer else {"ok": answer}
            self.told.put_nowait({"re": message["id"], **shown})

    async def receive(self) -> bytes:
        message = await self.told.get()
        if message is None:
            raise LineClosed("hung up")
        return msgspec.json.encode(message)

    async def close(self) -> None:
        pass


@pytest.mark.parametrize("order", list(itertools.permutations([3, 4, 4, 5])))
@awaited
async def test_updates_that_come_early_late_or_twice_are_told_once_and_in_order(order: tuple[int, ...]) -> None:
    script = Script(events={"updates": [], "n": 3})
    async with script.client() as hall:
        heard: list[int] = []
        await hall.watch("oak", tell=lambda told: heard.append(told.n))
        script.tell(*map(update, order))
        await hall.news("oak", 4)
        assert heard == [4, 5]


@awaited
async def test_what_is_missing_in_between_is_asked_for() -> None:
    script = Script(events={"updates": [update(4), update(5)], "n": 5})
    async with script.client() as hall:
        await hall.watch("oak")
        script.tell(update(6))
        await hall.news("oak", 5)
        assert script.said("events")[0]["since"] == 3
        heard = hall.updates("oak")
        assert [(await anext(heard)).n for _ in range(3)] == [4, 5, 6]


@awaited
async def test_a_new_line_resumes_from_the_last_number_and_sends_again_what_was_not_answered() -> None:
    script = Script(sign_in={"token": "t", "account": {}})
    async with script.client() as hall:
        await hall.sign_in("t")
        await hall.watch("oak")
        script.tell(update(4))
        await hall.news("oak", 3)
        acting = asyncio.create_task(hall.act("oak", "roll"))
        while not script.said("act"):
            await asyncio.sleep(0)
        script.answers |= {"act": {"n": 6}, "watch": {"table": {**TABLE, "n": 5}, "updates": [update(5)]}}
        script.hang_up()
        assert await acting == 6
        first, second = script.said("act")
        assert first == second
        assert [message.get("since") for message in script.said("watch")] == [None, 4]
        assert [message["do"] for message in script.asked[-4:]] == ["hello", "sign_in", "watch", "act"]
        assert await hall.news("oak", 4) == 5


@awaited
async def test_a_request_that_is_refused_for_now_is_asked_again() -> None:
    script = Script(act={"code": "store_unavailable", "message": "The database is not responding."})
    async with script.client() as hall:
        acting = asyncio.create_task(hall.act("oak", "roll"))
        while len(script.said("act")) < 3:
            await asyncio.sleep(0.001)
        script.answers["act"] = {"n": 4}
        assert await acting == 4
        assert len({message["once"] for message in script.said("act")}) == 1


@pytest.mark.parametrize("do", ["hello", "sign_in", "watch"])
@awaited
async def test_a_hall_that_cannot_be_greeted_for_now_is_called_again_and_nothing_is_given_up(do: str) -> None:
    script = Script(sign_in={"token": "t", "account": {}})
    async with script.client() as hall:
        await hall.sign_in("t")
        await hall.watch("oak")
        good, asked = script.answers[do], len(script.said(do))
        script.answers[do] = {"code": "store_unavailable", "message": "The database is not responding."}
        script.hang_up()
        while len(script.said(do)) < asked + 3:
            await asyncio.sleep(0.001)
        script.answers[do] = good
        script.answers["look"] = TABLE
        await hall.look("oak")
        assert hall.token == "t"
        script.tell(update(4))
        assert await hall.news("oak", 3) == 4


@awaited
async def test_a_hall_that_speaks_another_version_is_not_called_again() -> None:
    script = Script(hello={"code": "bad_request", "message": "This hall speaks version 2."})
    async with script.client() as hall:
        with pytest.raises(Refused, match="version 2"):
            await hall.games()
    assert len(script.said("hello")) == 1


@awaited
async def test_a_table_that_is_gone_ends_its_updates() -> None:
    script = Script()
    async with script.client() as hall:
        await hall.watch("oak")
        script.answers["watch"] = {"code": "no_such_table", "message": "There is no such table."}
        script.hang_up()
        with pytest.raises(Refused, match="no_such_table"):
            await anext(hall.updates("oak"))


@awaited
async def test_words_are_opened_once_when_they_are_asked_for_and_brought_anew_after_a_failed_start() -> None:
    sat = {"n": 4, "table": {**TABLE, "n": 4}}
    script = Script(sit=sat, words=sat)
    async with script.client() as hall:
        numbers = itertools.count(1)
        hall.entropy = lambda count: bytes([next(numbers)] * count)
        await hall.sit("oak")
        script.tell(update(4, asks_for_words=True), update(5, asks_for_words=True))
        await hall.news("oak", 4)
        (opened,) = script.said("words")
        assert opened["words"] == "01" * 16
        script.tell(update(6, {"event": "Stood", "chairs": [1], "why": "words"}))
        await hall.news("oak", 5)
        while len(script.said("sit")) < 2:
            await asyncio.sleep(0)
        script.tell(update(7, asks_for_words=True))
        await hall.news("oak", 6)
        while len(script.said("words")) < 2:
            await asyncio.sleep(0)
        assert script.said("words")[1]["words"] not in (opened["words"], None)
        assert script.said("sit")[0]["commitment"] != script.said("sit")[1]["commitment"]


@awaited
async def test_unfair_dice_end_the_updates_with_a_sentence() -> None:
    script = Script()
    async with script.client() as hall:
        await hall.watch("oak")
        started = {"event": "Started", "order": [0, 1], "words": ["", ""]}
        script.tell(update(4, started), update(5, rolls=[{"sides": [6], "faces": [6], "opened": "ab" * 32}]))
        heard = hall.updates("oak")
        assert (await anext(heard)).n == 4
        with pytest.raises(UnfairDice, match="Roll 1 of table oak"):
            await anext(heard)
